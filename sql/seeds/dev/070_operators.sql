-- Data of the admin area: waitlist entries in every status, quiz answers and feedback.

create or replace function pg_temp.demo_id(name text)
returns uuid
language sql
immutable
as $$
  select overlay(overlay(md5('muster demo ' || name) placing '4' from 13) placing 'a' from 17)::uuid
$$;

create temporary table demo_waitlist (
  email text primary key,
  status text not null,
  firefighter_type text,
  current_rank text,
  years_of_service text,
  platforms jsonb,
  frustrations text,
  wishlist text,
  hours_ago integer not null
);

insert into demo_waitlist values
(
  'r.castellano@station9.example', 'waitlist', 'career', 'Lieutenant', '11-20', '["facebook", "messaging"]',
  'Good questions get buried under jokes in ten minutes.', 'A place where an answer can still be found next year.', 2
),
(
  'mhoward@ridgecove.example', 'waitlist', 'volunteer', 'Firefighter', '1-5', '["facebook"]',
  'Everything is about big cities.', 'Drills for small crews, and people who don’t have hydrants either.', 5
),
(
  'k.brandvold@northfork.example', 'waitlist', 'wildland', 'Squad boss', '6-10', '["reddit", "instagram_tiktok"]',
  'Anonymous people who were never there.', 'Real names and real crews.', 9
),
('terry.osman@harborline.example', 'waitlist', null, null, null, null, null, null, 20),
(
  'pj@quarrymills.example', 'waitlist', 'industrial', 'Brigade member', '6-10', '["linkedin", "department"]',
  'Nobody there knows what a brigade is.', 'Other sites with the same hazards.', 31
),
(
  'silverman.a@eastdunes.example', 'waitlist', 'retired', 'Battalion chief', 'more-than-20', '["facebook", "linkedin"]',
  'I left because of the arguing.', 'A way to pass on what I know.', 44
),
(
  'jwarren@lakecounty.example', 'pending', 'career', 'Engineer', '11-20', '["messaging"]',
  'Group chats lose everything.', 'Search that works.', 70
),
(
  'n.abdi@westgate.example', 'pending', 'career', 'Firefighter/Paramedic', '1-5', '["reddit"]',
  'Hard to tell who’s who.', 'Mentors outside my department.', 96
),
(
  'bettina.k@alderfalls.example', 'pending', 'volunteer', 'Treasurer', '6-10', '["facebook", "other"]',
  'Too loud.', 'Grant examples that were funded.', 120
),
(
  'oscar.lund@timberline.example', 'invited', 'wildland', 'Crewmember', 'less-than-1', '["instagram_tiktok"]',
  'It is all highlights.', 'Off-season classes.', 190
),
('d.mwangi@cityofvale.example', 'invited', 'career', 'Captain', '11-20', '["linkedin"]', 'Salespeople.', 'Peers.', 230),
(
  'corporal.reyes@basefire.example', 'invited', 'military', 'Crew chief', '6-10', '["nowhere"]',
  'We move every three years.', 'A network that moves with me.', 260
),
(
  'helen@muster.test', 'active', 'volunteer', 'EMT', '6-10', '["facebook", "department"]',
  'No time to scroll.', 'One useful thing a day.', 800
),
('nadia@muster.test', 'active', 'other', 'Dispatcher', '6-10', '["nowhere"]', 'We are forgotten.', 'Being asked.', 400),
('cole@muster.test', 'active', 'volunteer', 'Junior', 'less-than-1', '["instagram_tiktok"]', 'Noise.', 'Answers.', 150);

insert into public.quiz_responses (
  id, firefighter_type, firefighter_type_other, current_rank, years_of_service, linkedin_reason, linkedin_missing,
  created_at
)
select
  pg_temp.demo_id('quiz ' || w.email),
  w.firefighter_type,
  case when w.firefighter_type = 'other' then 'Dispatcher' end,
  w.current_rank,
  w.years_of_service,
  array(select jsonb_array_elements_text(w.platforms)),
  jsonb_build_object(
    'connection_platforms', w.platforms,
    'connection_platforms_other', case when w.platforms ? 'other' then 'Radio' else '' end,
    'platform_frustrations', w.frustrations,
    'platform_wishlist', w.wishlist,
    'is_waitlist_quiz', true
  )::text,
  now() - make_interval(hours => w.hours_ago)
from demo_waitlist as w
where w.firefighter_type is not null
on conflict (id) do nothing;

insert into public.waitlist (id, email, status, quiz_response_id, created_at, updated_at)
select
  pg_temp.demo_id('waitlist ' || w.email),
  w.email,
  w.status,
  q.id,
  now() - make_interval(hours => w.hours_ago),
  now() - make_interval(hours => w.hours_ago / 2)
from demo_waitlist as w
left join public.quiz_responses as q on q.id = pg_temp.demo_id('quiz ' || w.email)
on conflict do nothing;

drop table demo_waitlist;

insert into public.feedback (id, user_id, email, name, category, content, status, created_at)
select
  pg_temp.demo_id('feedback ' || f.key),
  p.id,
  coalesce(p.email, f.email),
  coalesce(p.full_name, f.name),
  f.category,
  f.content,
  f.status,
  now() - make_interval(hours => f.hours_ago)
from (
  values
  ('1', 'zainab', null, null, 'feature', 'Could a question be marked as answered? I go back and forth on who to thank.', 'pending', 4),
  ('2', 'wyatt', null, null, 'bug', 'On my phone the keyboard covers the message box until I tap twice.', 'pending', 11),
  ('3', null, 'curious@townhall.example', 'A. Finch', 'question', 'Is this open to a department’s civilian staff?', 'pending', 20),
  ('4', 'lucia', null, null, 'improvement', 'Please let me print a post. Our bay has paper and no signal.', 'pending', 39),
  ('5', 'noor', null, null, 'feature', 'An export of my own posts would make it easier to trust the place.', 'reviewed', 90),
  ('6', 'andre', null, null, 'general', 'First place like this where I read the comments on purpose.', 'reviewed', 140),
  ('7', 'keiko', null, null, 'bug', 'The expiration date on my license was a day off near midnight.', 'resolved', 260),
  ('8', null, null, null, 'other', 'Your landing page has no fire on it. Thank you.', 'resolved', 300),
  ('9', 'silas', null, null, 'feature', 'Dark theme darker.', 'dismissed', 420)
) as f (key, handle, email, name, category, content, status, hours_ago)
left join public.profiles as p on p.id = pg_temp.demo_id('member ' || f.handle)
on conflict (id) do nothing;
