-- Notifications of the demo accounts: of every type, some still unseen.

create or replace function pg_temp.demo_id(name text)
returns uuid
language sql
immutable
as $$
  select overlay(overlay(md5('muster demo ' || name) placing '4' from 13) placing 'a' from 17)::uuid
$$;

insert into public.notifications (
  id, user_id, actor_id, type, title, content, reference_id, metadata, seen, created_at
)
select
  pg_temp.demo_id('notification ' || n.recipient || n.key),
  pg_temp.demo_id('member ' || n.recipient),
  a.id,
  n.type,
  coalesce(a.full_name || ' ', '') || n.title,
  n.content,
  case when n.reference is not null then pg_temp.demo_id(n.reference) end,
  jsonb_strip_nulls(jsonb_build_object(
    'user_id', a.id,
    'name', a.full_name,
    'url', replace(n.url, ':post', coalesce(pg_temp.demo_id(n.reference)::text, ''))
  )),
  n.is_seen,
  now() - make_interval(mins => n.minutes_ago)
from (
  values
  (
    'dana', '1', 'marco', 'mention', 'mentioned you in a comment',
    '@Dana Petrosyan you had the roof. Was there any sag before the cut?', 'post truss', '/post/:post', false, 30
  ),
  ('dana', '2', 'siobhan', 'message', 'sent you a message', 'And bring a second halyard, ours is a clothesline.', null, '/messages', false, 33),
  ('dana', '3', 'tobias', 'connection', 'wants to connect', 'Probationary firefighter, Truck 3', null, '/network', false, 180),
  ('dana', '4', 'malik', 'message', 'sent you a message', 'That is the title.', null, '/messages', false, 190),
  ('dana', '5', 'zainab', 'connection', 'wants to connect', 'Firefighter, Engine 2', null, '/network', false, 540),
  ('dana', '6', 'caleb', 'comment', 'replied to your question', 'Square-ground for the plank, and a bar guard.', 'post chain', '/post/:post', false, 1750),
  ('dana', '7', 'benji', 'connection', 'wants to connect', 'Crewmember', null, '/network', false, 1680),
  (
    'dana', '8', null, 'system', 'Paramedic license expires in 40 days',
    'Renewed already? Update the date on your profile.', null, '/profile', false, 1440
  ),
  ('dana', '9', 'lucia', 'reaction', 'found your post useful', 'Ladders for two, second edition', 'post ladders', '/post/:post', true, 5350),
  ('dana', '10', 'yolanda', 'comment', 'commented on your post', 'Recruit binder, with your name.', 'post ladders', '/post/:post', true, 5300),
  ('dana', '11', 'keiko', 'connection', 'accepted your request', 'You are now connected.', null, '/network', true, 20000),
  ('chief', '1', 'victor', 'connection', 'wants to connect', 'Recruit coordinator', null, '/network', false, 1560),
  ('chief', '2', 'victor', 'message', 'sent you a message', 'Would you speak at the county recruit night in December?', null, '/messages', false, 300),
  ('tobias', '1', 'marco', 'mention', 'mentioned you in a comment', 'The person who files is @Tobias Engel.', 'post chain', '/post/:post', true, 1740),
  ('siobhan', '1', 'dana', 'mention', 'mentioned you in a comment', '@Siobhan Rourke second halyard is packed.', 'post smoke-trailer', '/post/:post', false, 31),
  ('malik', '1', 'andre', 'comment', 'commented on your post', 'Monday packet.', 'post truss', '/post/:post', false, 26)
) as n (recipient, key, actor, type, title, content, reference, url, is_seen, minutes_ago)
left join public.profiles as a on a.id = pg_temp.demo_id('member ' || n.actor)
on conflict (id) do nothing;
