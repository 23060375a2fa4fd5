insert into public.notes values (1);
