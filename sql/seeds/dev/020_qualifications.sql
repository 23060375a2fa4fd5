-- Certifications, awards, career steps and projects of the demo community. Some of Dana's expire soon, one has.

create or replace function pg_temp.demo_id(name text)
returns uuid
language sql
immutable
as $$
  select overlay(overlay(md5('muster demo ' || name) placing '4' from 13) placing 'a' from 17)::uuid
$$;

insert into public.certifications (id, user_id, name, issuer, credential_id, issued_on, expires_on)
select
  pg_temp.demo_id('certification ' || c.handle || c.name),
  pg_temp.demo_id('member ' || c.handle),
  c.name,
  c.issuer,
  c.credential_id,
  current_date - c.issued_days_ago,
  current_date + c.expires_in_days
from (
  values
  ('dana', 'Paramedic license', 'State Office of EMS', 'P-20417', 690, 40),
  ('dana', 'Fire Instructor II', 'State Fire Academy', 'FI2-1183', 500, 960),
  ('dana', 'Rope Rescue Technician', 'State Fire Academy', 'RRT-0642', 1100, 130),
  ('dana', 'CPR for professionals', 'Regional Heart Council', null, 745, -15),
  ('dana', 'Hazmat Operations', 'State Fire Academy', 'HMO-5521', 2600, null),
  ('malik', 'Fire Officer II', 'State Fire Academy', 'FO2-0907', 1500, null),
  ('malik', 'Incident Safety Officer', 'State Fire Academy', 'ISO-0311', 800, 295),
  ('siobhan', 'Fire Instructor I', 'State Fire Academy', 'FI1-2280', 900, 560),
  ('teo', 'Type 2 Incident Commander', 'Interagency Qualifications', 'IQ-77120', 1200, 200),
  ('annika', 'Advanced Exterior Fire Brigade', 'Industrial Fire School', null, 400, 330),
  ('hector', 'Swiftwater Rescue Technician', 'River Rescue Institute', 'SWR-190', 700, 395),
  ('priscilla', 'Paramedic license', 'State Office of EMS', 'P-18001', 300, 430),
  ('renata', 'Airport Firefighter', 'State Fire Academy', 'ARFF-230', 1000, 95),
  ('mei', 'Fire Inspector II', 'State Fire Academy', 'INS2-77', 1300, null),
  ('hana', 'Short-haul Boss', 'Interagency Qualifications', 'IQ-80231', 250, 115),
  ('keiko', 'Paramedic license', 'State Office of EMS', 'P-22950', 200, 530),
  ('yolanda', 'Live Fire Instructor', 'State Fire Academy', 'LFI-044', 620, 475),
  ('tobias', 'Firefighter I', 'State Fire Academy', 'FF1-9902', 210, null)
) as c (handle, name, issuer, credential_id, issued_days_ago, expires_in_days)
on conflict (id) do nothing;

insert into public.awards (id, user_id, title, awarded_by, awarded_on, description)
select
  pg_temp.demo_id('award ' || a.handle || a.title),
  pg_temp.demo_id('member ' || a.handle),
  a.title,
  a.awarded_by,
  current_date - a.days_ago,
  a.description
from (
  values
  ('dana', 'Unit citation', 'Harlow Creek Fire Department', 410, 'Truck 3, the Alder Street rescue.'),
  ('dana', 'Instructor of the year', 'State Fire Academy', 760, 'For the ladder program that small companies can run.'),
  ('malik', 'Medal of valor', 'City of Harlow Creek', 2300, 'Second-floor rescue with the crew of Engine 7.'),
  ('siobhan', 'Volunteer of the year', 'Town of Pine Hollow', 600, 'Two hundred training hours, all of them in the cold.'),
  ('jonah', 'Twenty-five years of service', 'Pine Hollow Volunteer Fire Company', 1100, null),
  ('annika', 'Safety innovation award', 'Calder Bay Mutual Aid', 350, 'Site-wide change to fluorine-free foam.'),
  ('hector', 'Lifesaving award', 'Tessera County', 820, 'Bridge Creek swiftwater rescue.'),
  ('teo', 'Crew leadership award', 'Granite Pass District', 520, 'Three seasons without a lost-time injury.'),
  ('paul', 'Lifetime service award', 'Harlow Creek Fire Department', 500, 'Thirty-one years, four stations.')
) as a (handle, title, awarded_by, days_ago, description)
on conflict (id) do nothing;

insert into public.career_milestones (id, user_id, title, organization, started_on, is_current, description)
select
  pg_temp.demo_id('milestone ' || s.handle || s.title),
  pg_temp.demo_id('member ' || s.handle),
  s.title,
  s.organization,
  s.started_on::date,
  s.is_current,
  s.description
from (
  values
  ('dana', 'Volunteer firefighter', 'Moss Lake Volunteer Fire Department', '2013-04-01', false, 'First call: a chimney.'),
  ('dana', 'Firefighter, Engine 4', 'Harlow Creek Fire Department', '2015-09-14', false, null),
  ('dana', 'Firefighter, Truck 3', 'Harlow Creek Fire Department', '2018-02-05', false, null),
  ('dana', 'Firefighter/paramedic, Truck 3', 'Harlow Creek Fire Department', '2020-06-01', true, 'Acting lieutenant since 2024.'),
  ('malik', 'Firefighter', 'Harlow Creek Fire Department', '2009-03-16', false, null),
  ('malik', 'Lieutenant, Engine 2', 'Harlow Creek Fire Department', '2015-01-12', false, null),
  ('malik', 'Captain, Engine 7', 'Harlow Creek Fire Department', '2019-08-19', true, null),
  ('siobhan', 'Training officer', 'Pine Hollow Volunteer Fire Company', '2019-01-01', true, null),
  ('teo', 'Crewmember', 'Granite Pass Hotshots', '2007-05-01', false, null),
  ('teo', 'Superintendent', 'Granite Pass Hotshots', '2018-04-15', true, null),
  ('annika', 'Brigade chief', 'Calder Bay Refinery Brigade', '2016-11-01', true, null),
  ('zainab', 'Emergency nurse', 'Larkfield General', '2016-07-01', false, null),
  ('zainab', 'Firefighter, Engine 2', 'Larkfield City Fire', '2022-02-21', true, null),
  ('tobias', 'Recruit, class 41', 'Harlow Creek Fire Department', '2026-01-12', false, null),
  ('tobias', 'Probationary firefighter, Truck 3', 'Harlow Creek Fire Department', '2026-05-04', true, null)
) as s (handle, title, organization, started_on, is_current, description)
on conflict (id) do nothing;

insert into public.projects (id, user_id, title, description, link, started_on, ended_on)
select
  pg_temp.demo_id('project ' || p.handle || p.title),
  pg_temp.demo_id('member ' || p.handle),
  p.title,
  p.description,
  p.link,
  p.started_on::date,
  p.ended_on::date
from (
  values
  (
    'dana', 'Ladders for two', 'A drill pack for crews of two: six throws, one page each, no budget. Nine companies use it.',
    'https://ladders.example.org', '2023-02-01', null
  ),
  (
    'dana', 'Doorbell Saturdays', 'Smoke alarms, installed free, one street at a time. 480 homes so far.', null, '2021-09-01', null
  ),
  (
    'siobhan', 'Tanker shuttle planner', 'A spreadsheet that tells you how many tankers a farm fire needs.',
    'https://shuttle.example.org', '2022-01-10', '2023-05-01'
  ),
  ('teo', 'Season log', 'An after-action notebook that a crew can fill in at the truck.', null, '2020-05-01', null),
  ('noor', 'Response map', 'Where the first engine arrives late, and why, in one picture.', null, '2024-03-01', null),
  ('paul', 'Stations of Harlow Creek', 'A history of the department in forty buildings.', null, '2024-06-01', null)
) as p (handle, title, description, link, started_on, ended_on)
on conflict (id) do nothing;
