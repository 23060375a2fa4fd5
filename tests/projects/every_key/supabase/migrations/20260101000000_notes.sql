create table public.notes (id int primary key);
