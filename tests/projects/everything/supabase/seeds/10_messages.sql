insert into public.messages (body, author) values ('hello', '10000000-0000-0000-0000-000000000001');
