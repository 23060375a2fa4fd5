-- Trainings of the demo community, in the weeks to come: with seats, full with a waiting list, online, canceled, past.

create or replace function pg_temp.demo_id(name text)
returns uuid
language sql
immutable
as $$
  select overlay(overlay(md5('muster demo ' || name) placing '4' from 13) placing 'a' from 17)::uuid
$$;

insert into public.trainings (
  id, user_id, title, description, kind, starts_at, ends_at, time_zone, is_online, state, place, link, seats, created_at
)
select
  pg_temp.demo_id('training ' || t.key),
  pg_temp.demo_id('member ' || t.organizer),
  t.title,
  t.description,
  t.kind,
  (current_date + t.days + t.starts) at time zone t.zone,
  (current_date + t.days + t.starts) at time zone t.zone + make_interval(hours => t.hours),
  t.zone,
  t.place is null,
  t.state,
  t.place,
  t.link,
  t.seats,
  now() - interval '9 days'
from (
  values
  (
    'mayday', 'siobhan', 'Search and mayday, live smoke', 'drill',
    E'We have the county’s smoke trailer for one weekend and more slots than people. Mutual aid companies welcome, no charge.\n\nBring full PPE, your own SCBA and mask, two bottles, your irons and a hand light.',
    9, time '08:00', 8, 'America/Chicago', 'WI', 'Pine Hollow Station 1', null, 6
  ),
  (
    'pumps', 'malik', 'Winter pump operations', 'class',
    'Drafting through ice, frozen discharges, and how not to lose the prime. Bring questions.',
    12, time '19:00', 2, 'America/Chicago', null, null, 'https://training.example/pumps', null
  ),
  (
    'entry', 'hector', 'Forcible entry: the irons, all day', 'drill',
    'Three doors, two saws, one instructor for every two of you. That’s why it’s small.',
    16, time '08:00', 9, 'America/Chicago', 'MN', 'Tessera County training ground', null, 2
  ),
  (
    'officer', 'chief', 'Fire Officer I exam', 'exam', 'Written and practical. Register with the training division first.',
    38, time '09:00', 4, 'America/Chicago', 'IA', 'Larkfield City Fire, headquarters', null, 20
  ),
  (
    'foam', 'annika', 'Foam without fluorine', 'conference', 'Two days of tests, with numbers.',
    45, time '08:30', 33, 'America/Los_Angeles', 'CA', 'Calder Bay Refinery, gate 4', 'https://training.example/foam', 80
  ),
  (
    'rope', 'dana', 'Rope rescue refresher', 'drill', null,
    -20, time '08:00', 6, 'America/Chicago', 'IA', 'Harlow Creek drill tower', null, 12
  )
) as t (key, organizer, title, kind, description, days, starts, hours, zone, state, place, link, seats)
on conflict do nothing;

-- What is over takes no answers.
insert into public.training_attendances (training_id, user_id, answer)
select
  t.id,
  pg_temp.demo_id('member ' || a.handle),
  a.answer
from (
  values
  ('mayday', 'dana', 'going'), ('mayday', 'malik', 'going'), ('mayday', 'caleb', 'going'), ('mayday', 'teo', 'interested'),
  ('entry', 'malik', 'going'), ('entry', 'siobhan', 'going'), ('entry', 'caleb', 'going'),
  ('officer', 'dana', 'interested'), ('officer', 'malik', 'going'), ('foam', 'hector', 'going')
) as a (key, handle, answer)
inner join public.trainings as t on t.id = pg_temp.demo_id('training ' || a.key)
where t.ends_at > now()
on conflict do nothing;
