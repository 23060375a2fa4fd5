-- Connections of the demo community, in every state, most of them within departments.

create or replace function pg_temp.demo_id(name text)
returns uuid
language sql
immutable
as $$
  select overlay(overlay(md5('muster demo ' || name) placing '4' from 13) placing 'a' from 17)::uuid
$$;

-- People of one department know each other, except for those who keep to themselves.
insert into public.connections (id, user_id, connected_user_id, status, created_at, updated_at)
select
  pg_temp.demo_id('connection ' || least(a.id, b.id) || greatest(a.id, b.id)),
  a.id,
  b.id,
  'accepted',
  greatest(a.created_at, b.created_at) + interval '20 hours',
  greatest(a.created_at, b.created_at) + interval '26 hours'
from public.profiles as a
inner join public.profiles as b on a.department = b.department and a.created_at < b.created_at
where
  a.email like '%@muster.test'
  and b.email like '%@muster.test'
  and b.email not in ('ghost@muster.test', 'cole@muster.test', 'tobias@muster.test')
on conflict do nothing;

insert into public.connections (id, user_id, connected_user_id, status, created_at, updated_at)
select
  pg_temp.demo_id('connection ' || c.asker || c.asked),
  pg_temp.demo_id('member ' || c.asker),
  pg_temp.demo_id('member ' || c.asked),
  c.status,
  now() - make_interval(hours => c.hours_ago),
  now() - make_interval(hours => c.hours_ago / 2)
from (
  values
  ('dana', 'siobhan', 'accepted', 2000),
  ('dana', 'hector', 'accepted', 1900),
  ('dana', 'priscilla', 'accepted', 1700),
  ('yolanda', 'dana', 'accepted', 1650),
  ('dana', 'gwen', 'accepted', 1500),
  ('renata', 'dana', 'accepted', 900),
  ('dana', 'lucia', 'accepted', 850),
  ('keiko', 'dana', 'accepted', 600),
  ('tobias', 'dana', 'pending', 3),
  ('zainab', 'dana', 'pending', 9),
  ('benji', 'dana', 'pending', 28),
  ('quiet', 'dana', 'pending', 50),
  ('dana', 'teo', 'pending', 30),
  ('dana', 'annika', 'pending', 52),
  ('dana', 'mei', 'pending', 75),
  ('dana', 'dmitri', 'declined', 700),
  ('silas', 'dana', 'declined', 500),
  ('malik', 'andre', 'accepted', 1800),
  ('malik', 'yolanda', 'accepted', 1400),
  ('malik', 'siobhan', 'accepted', 1300),
  ('siobhan', 'lucia', 'accepted', 1250),
  ('siobhan', 'yolanda', 'accepted', 1200),
  ('jonah', 'lucia', 'accepted', 1150),
  ('jonah', 'victor', 'accepted', 500),
  ('teo', 'hana', 'accepted', 1900),
  ('teo', 'caleb', 'accepted', 2000),
  ('hana', 'caleb', 'accepted', 1000),
  ('annika', 'renata', 'accepted', 1000),
  ('annika', 'ibrahim', 'accepted', 900),
  ('renata', 'ibrahim', 'accepted', 950),
  ('renata', 'rosalind', 'accepted', 400),
  ('hector', 'keiko', 'accepted', 1100),
  ('priscilla', 'amara', 'accepted', 450),
  ('priscilla', 'nadia', 'accepted', 200),
  ('chief', 'andre', 'accepted', 2200),
  ('chief', 'malik', 'accepted', 2100),
  ('chief', 'jonah', 'accepted', 2000),
  ('chief', 'annika', 'accepted', 1950),
  ('owen', 'fergus', 'accepted', 1300),
  ('owen', 'declan', 'accepted', 800),
  ('fergus', 'declan', 'accepted', 700),
  ('victor', 'chief', 'pending', 26),
  ('cole', 'gwen', 'pending', 20),
  ('cole', 'lucia', 'pending', 19),
  ('wyatt', 'owen', 'declined', 300)
) as c (asker, asked, status, hours_ago)
on conflict do nothing;
