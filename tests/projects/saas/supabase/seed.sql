insert into public.organizations (id, name) values
('00000000-0000-0000-0000-00000000000a', 'Acme'),
('00000000-0000-0000-0000-00000000000b', 'Bolt');
insert into public.documents (organization_id, title) values
('00000000-0000-0000-0000-00000000000a', 'Plan of Acme'),
('00000000-0000-0000-0000-00000000000b', 'Plan of Bolt');
