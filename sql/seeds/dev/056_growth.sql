-- Growth plans of the demo community. Certifications of a requirement's name meet it by themselves.

create or replace function pg_temp.demo_id(name text)
returns uuid
language sql
immutable
as $$
  select overlay(overlay(md5('muster demo ' || name) placing '4' from 13) placing 'a' from 17)::uuid
$$;

insert into public.growth_plans (user_id, goal_id, kind, title, visibility)
select
  pg_temp.demo_id('member ' || d.handle),
  g.id,
  g.kind,
  g.name,
  d.visibility
from (
  values ('dana', 'Company Officer', 'connections'), ('siobhan', 'Battalion Chief', 'members')
) as d (handle, goal, visibility)
inner join public.growth_goals as g on d.goal = g.name
where not exists (
  select from public.growth_plans as p where p.user_id = pg_temp.demo_id('member ' || d.handle)
);

insert into public.plan_requirements (user_id, place, title, detail, met_by)
select
  p.user_id,
  r.place,
  r.title,
  r.detail,
  r.met_by
from public.growth_plans as p
inner join public.goal_requirements as r on p.goal_id = r.goal_id
where
  p.user_id in (pg_temp.demo_id('member dana'), pg_temp.demo_id('member siobhan'))
  and not exists (select from public.plan_requirements as o where o.user_id = p.user_id);

update public.plan_requirements as r
set
  milestone_id = (
    select m.id from public.career_milestones as m where m.user_id = r.user_id order by m.started_on limit 1
  )
where r.user_id = pg_temp.demo_id('member dana') and r.title = 'Three years in the company';

update public.plan_requirements as r
set is_ticked = true
where
  r.user_id = pg_temp.demo_id('member dana') and r.title in ('Firefighter II', 'ICS-200')
  and r.certification_id is null;

update public.plan_requirements as r
set certification_id = pg_temp.demo_id('certification danaFire Instructor II')
where
  r.user_id = pg_temp.demo_id('member dana') and r.title = 'Fire Instructor I'
  and exists (
    select from public.certifications as c where c.id = pg_temp.demo_id('certification danaFire Instructor II')
  );

insert into public.mentors (user_id, topics, capacity, note)
select
  pg_temp.demo_id('member ' || m.handle),
  m.topics,
  m.capacity,
  m.note
from (
  values
  (
    'siobhan', array['Oral boards', 'Company officer', 'Size-up'], 3,
    'Bring me two fires you’d run differently. We’ll do the board over coffee.'
  ),
  ('yolanda', array['Ladders', 'Recruits'], 2, 'One evening a month, on the drill ground.'),
  ('hector', array['Company officer', 'Pump operations'], 1, ''),
  ('dana', array['EMS on the truck', 'Rope rescue'], 2, 'Ask me what went wrong first.')
) as m (handle, topics, capacity, note)
on conflict do nothing;

-- Without triggers: the notifications of the demo accounts are in a file of their own.
set local session_replication_role = replica;
insert into public.mentorings (id, mentor_id, mentee_id, message, state, asked_at, answered_at)
select
  pg_temp.demo_id('mentoring ' || g.mentor || g.mentee),
  pg_temp.demo_id('member ' || g.mentor),
  pg_temp.demo_id('member ' || g.mentee),
  g.message,
  g.state,
  now() - make_interval(days => g.days_ago),
  case when g.state = 'accepted' then now() - make_interval(days => g.days_ago - 2) end
from (
  values
  ('siobhan', 'dana', 'The lieutenant’s oral board is in the spring, and I’ve never sat for one.', 'accepted', 81),
  ('hector', 'keiko', 'I’d like a second pair of eyes on our pump tests.', 'accepted', 40),
  ('dana', 'lucia', 'I want to be useful on medical calls. Where do I start?', 'asked', 2)
) as g (mentor, mentee, message, state, days_ago)
on conflict do nothing;

insert into public.endorsements (id, member_id, endorser_id, specialty, sentence, is_shown, created_at)
select
  pg_temp.demo_id('endorsement ' || e.endorser || e.member),
  pg_temp.demo_id('member ' || e.member),
  pg_temp.demo_id('member ' || e.endorser),
  e.specialty,
  e.sentence,
  e.is_shown,
  now() - make_interval(days => e.days_ago)
from (
  values
  ('hector', 'dana', 'Truck operations', 'Had three windows open before I had finished asking for one.', true, 30),
  ('yolanda', 'dana', 'Instruction', 'Teaches a rope class so that the quietest recruit asks questions.', true, 12),
  ('keiko', 'dana', 'EMS', 'Stays with the family until somebody else is there.', false, 3),
  ('dana', 'siobhan', 'Water supply', 'Kept two tankers going for nine hours with a map on a napkin.', true, 20)
) as e (endorser, member, specialty, sentence, is_shown, days_ago)
on conflict do nothing;
set local session_replication_role = origin;
