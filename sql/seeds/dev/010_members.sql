-- The demo community: accounts and profiles. All share the password in the setting muster.demo_password, which the
-- caller sets for the session. Run as superuser after the migrations; may be run again (it then renews the password).

create or replace function pg_temp.demo_id(name text)
returns uuid
language sql
immutable
as $$
  select overlay(overlay(md5('muster demo ' || name) placing '4' from 13) placing 'a' from 17)::uuid
$$;

create temporary table demo_members (
  handle text primary key,
  full_name text not null,
  department text,
  position text,
  rank text,
  years_of_service integer,
  firefighter_type text,
  specialties text[] not null,
  bio text,
  joined_days_ago integer not null,
  profile_visibility text not null default 'public',
  connection_visibility text not null default 'connections',
  allow_messages_from_anyone boolean not null default true
);

insert into demo_members values
(
  'chief', 'Ruth Okonjo', 'Larkfield City Fire', 'Deputy chief, operations', 'Deputy Chief', 24, 'Career',
  '{Leadership,"Incident command","Community risk"}',
  'I run operations by day and this place by night. If something here gets in your way, tell me in Feedback.', 210
),
(
  'dana', 'Dana Petrosyan', 'Harlow Creek Fire Department', 'Firefighter/paramedic, Truck 3', 'Firefighter/Paramedic', 11,
  'Career', '{"Truck operations","Rope rescue",EMS,Instruction}',
  'Truck company for eight years, medic card for six. I teach ladders to anyone who will carry one.', 180
),
(
  'malik', 'Malik Greer', 'Harlow Creek Fire Department', 'Captain, Engine 7', 'Captain', 17, 'Career',
  '{"Engine operations","Building construction",Mentoring}',
  'Old buildings, older hydrants. I write up every job that taught me something, which is most of them.', 176
),
(
  'siobhan', 'Siobhan Rourke', 'Pine Hollow Volunteer Fire Company', 'Training officer', 'Lieutenant', 14, 'Volunteer',
  '{Instruction,"Live fire","Water supply"}',
  'Dairy farmer in the morning, training officer on Tuesdays. Twenty-six members, one tanker, no hydrants.', 171
),
(
  'teo', 'Teodoro Vance', 'Granite Pass Hotshots', 'Superintendent', 'Superintendent', 19, 'Wildland',
  '{"Fire behavior","Crew leadership","Chainsaw operations"}',
  'Nineteen seasons, most of them uphill. I care about crews that come home tired and whole.', 168
),
(
  'annika', 'Annika Dahl', 'Calder Bay Refinery Brigade', 'Brigade chief', 'Chief', 21, 'Industrial',
  '{Foam,Hazmat,"Process safety"}',
  'Industrial fire, foam and everything that floats on water and burns. Moved a whole site to fluorine-free.', 160
),
(
  'hector', 'Hector Villalobos', 'Tessera County Fire Rescue', 'Lieutenant, Rescue 1', 'Lieutenant', 12, 'Combination',
  '{Extrication,Swiftwater,EMS}',
  'Rescue company in a county with one interstate and three rivers.', 158
),
(
  'mei', 'Mei-Lin Cortez', 'Larkfield City Fire', 'Fire marshal', 'Fire Marshal', 16, 'Career',
  '{Prevention,Investigation,"Code enforcement"}',
  'I would rather read your sprinkler report than your fire report.', 155
),
(
  'owen', 'Owen Blackwood', 'Harlow Creek Fire Department', 'Engineer, Engine 7', 'Engineer', 9, 'Career',
  '{"Pump operations","Apparatus maintenance"}',
  'If it has a pump I want to hear it run. Keeper of the hose bed.', 150
),
(
  'priscilla', 'Priscilla Nakamura', 'Tessera County Fire Rescue', 'EMS captain', 'Captain', 18, 'Combination',
  '{EMS,"Peer support","Community paramedicine"}',
  'Half of what we carry home is not on the chart. Peer support lead since 2019.', 148
),
(
  'jonah', 'Jonah Firth', 'Pine Hollow Volunteer Fire Company', 'Chief', 'Chief', 28, 'Volunteer',
  '{Leadership,Recruitment,Grants}', 'Third generation in this company. My job is to make sure there is a fourth.', 145
),
(
  'zainab', 'Zainab Idris', 'Larkfield City Fire', 'Firefighter, Engine 2', 'Firefighter', 4, 'Career',
  '{"Engine operations",Recruitment}', 'Came over from nursing. Four years in and still asking why.', 140
),
(
  'caleb', 'Caleb Ostrander', 'Granite Pass Hotshots', 'Squad boss', 'Squad Boss', 8, 'Wildland',
  '{"Chainsaw operations","Fire effects"}', 'Saw team, then squad. In the off-season I carve spoons.', 138
),
(
  'renata', 'Renata Silva', 'Coldwater Regional Airport', 'ARFF captain', 'Captain', 13, 'Career',
  '{ARFF,Foam,"Mass casualty"}', 'Three minutes to the middle of the farthest runway. We train for two.', 133
),
(
  'dmitri', 'Dmitri Halvorsen', 'Calder Bay Refinery Brigade', 'Shift supervisor', 'Lieutenant', 10, 'Industrial',
  '{Hazmat,"Confined space"}', 'Confined space and high angle inside a place that is both.', 130
),
(
  'lucia', 'Lucia Brandt', 'Moss Lake Volunteer Fire Department', 'Assistant chief', 'Assistant Chief', 20, 'Volunteer',
  '{"Ice rescue","Water supply",Leadership}', 'Lake in front, forest behind, forty minutes to the next engine.', 128
),
(
  'andre', 'Andre Whitlock', 'Tessera County Fire Rescue', 'Battalion chief, B shift', 'Battalion Chief', 22, 'Combination',
  '{"Incident command",Accountability,Mentoring}',
  'I keep a paper board in the buggy and I am not giving it up.', 121
),
(
  'hana', 'Hana Sorensen', 'Sable Ridge Helitack', 'Helitack captain', 'Captain', 15, 'Wildland',
  '{Aviation,"Medical evacuation","Fire behavior"}', 'Short-haul, long days. Ask me about landing zones.', 118
),
(
  'tobias', 'Tobias Engel', 'Harlow Creek Fire Department', 'Probationary firefighter, Truck 3', 'Probationary Firefighter',
  1, 'Career', '{}', 'Eight months in. Carrying the can and taking notes.', 110
),
(
  'yolanda', 'Yolanda Price', 'Larkfield City Fire', 'Captain, training division', 'Captain', 19, 'Career',
  '{Instruction,"Curriculum design","Live fire"}', 'I build drills that can be run with three people and no budget.', 108
),
(
  'ibrahim', 'Ibrahim Sayed', 'Fort Ansel Fire and Emergency Services', 'Assistant chief of training', 'Assistant Chief', 17,
  null, '{ARFF,Instruction,Hazmat}', 'Eleven years in uniform, six as a civilian at the same station.', 104
),
(
  'gwen', 'Gwen Ashby', 'Moss Lake Volunteer Fire Department', 'Firefighter/EMT', 'Firefighter', 5, 'Volunteer',
  '{EMS,"Social media"}', 'Schoolteacher. I run our open nights and I can back the tanker now.', 99
),
(
  'marco', 'Marco DiStefano', 'Harlow Creek Fire Department', 'Lieutenant, Truck 3', 'Lieutenant', 15, 'Career',
  '{"Truck operations","Forcible entry"}', 'Doors. Mostly doors.', 96
),
(
  'leah', 'Leah Standing', 'Granite Pass Hotshots', 'Senior firefighter', 'Senior Firefighter', 6, 'Wildland',
  '{"Fire effects",GIS}', 'Maps, plots and a drip torch.', 93
),
(
  'fergus', 'Fergus McAllen', 'Tessera County Fire Rescue', 'Mechanic and engineer', 'Engineer', 23, 'Combination',
  '{"Apparatus maintenance","Pump operations"}', 'Emergency vehicle technician. I fix what you bring back.', 90
),
(
  'noor', 'Noor Haddad', 'Larkfield City Fire', 'Data analyst', 'Civilian', 3, 'Career',
  '{"Data analysis","Community risk"}', 'I turn run reports into maps that change where we park engines.', 86
),
(
  'wyatt', 'Wyatt Lindgren', 'Pine Hollow Volunteer Fire Company', 'Firefighter', 'Firefighter', 2, 'Volunteer',
  '{"Water supply"}', 'Electrician. Two years in the company, first interior job last winter.', 82
),
(
  'carmen', 'Carmen Obregon', 'Coldwater Regional Airport', 'ARFF firefighter', 'Firefighter', 7, 'Career',
  '{ARFF,EMS}', 'Crash truck driver. Former aircraft mechanic, which helps more than you would think.', 79
),
(
  'silas', 'Silas Kone', 'Calder Bay Refinery Brigade', 'Brigade member, unit 4', 'Firefighter', 6, 'Industrial',
  '{Foam,Maintenance}', 'Operator first, brigade second, awake at all hours.', 74
),
(
  'ingeborg', 'Inge Vold', 'Sable Ridge Helitack', 'Senior helitack crewmember', 'Senior Firefighter', 9, 'Wildland',
  '{Aviation,"Rope rescue"}', 'Rappel and short-haul. I log every knot.', 70
),
(
  'paul', 'Paul Abernethy', 'Harlow Creek Fire Department', 'Captain, retired', 'Captain', 31, 'Career',
  '{Mentoring,"Building construction",History}', 'Retired after thirty-one years. I still know where every standpipe is.', 66
),
(
  'keiko', 'Keiko Barros', 'Tessera County Fire Rescue', 'Firefighter/paramedic', 'Firefighter/Paramedic', 8, 'Combination',
  '{EMS,Swiftwater}', 'Medic on Rescue 1, raft guide when I get a weekend.', 61
),
(
  'declan', 'Declan Moyer', 'Moss Lake Volunteer Fire Department', 'Chief engineer', 'Engineer', 26, 'Volunteer',
  '{"Pump operations","Ice rescue"}', 'I drafted from that lake before it had a boat ramp.', 57
),
(
  'amara', 'Amara Lindqvist', 'Larkfield City Fire', 'Lieutenant, Engine 5', 'Lieutenant', 10, 'Career',
  '{"Engine operations","Peer support"}', 'New lieutenant. Learning that the radio is heavier on this side.', 52
),
(
  'victor', 'Victor Osei', 'Tessera County Fire Rescue', 'Recruit coordinator', 'Lieutenant', 13, 'Combination',
  '{Recruitment,Instruction}', 'If you know somebody who would be good at this, send them to me.', 47
),
(
  'rosalind', 'Rosalind Teague', 'Fort Ansel Fire and Emergency Services', 'Crew chief', 'Crew Chief', 12, null,
  '{ARFF,"Confined space"}', 'Crew chief on a base where nothing is where it was last year.', 41
),
(
  'benji', 'Benjamin Aoki', 'Granite Pass Hotshots', 'Crewmember', 'Firefighter', 2, 'Wildland', '{}',
  'Second season. Looking for off-season structure classes.', 36
),
(
  'helen', 'Helen Marchetti', 'Pine Hollow Volunteer Fire Company', 'Treasurer and EMT', 'EMT', 9, 'Volunteer',
  '{EMS,Grants}', 'I write the grants. Our turnout gear is my best fiction.', 30
),
(
  'quiet', 'Sam Underhill', 'Larkfield City Fire', 'Investigator', 'Investigator', 14, 'Career', '{Investigation}',
  'Fire investigation. I keep to myself here, for the obvious reason.', 26
),
(
  'ghost', 'Jordan Pell', 'Tessera County Fire Rescue', 'Firefighter', 'Firefighter', 5, 'Combination', '{}',
  'Just reading for now.', 21
),
(
  'nadia', 'Nadia Ferreira', 'Coldwater Regional Airport', 'Dispatcher', 'Civilian', 6, 'Career',
  '{Dispatch,"Peer support"}', 'The voice before the sirens. Twelve hours, six screens.', 14
),
(
  'cole', 'Cole Ramsey', 'Moss Lake Volunteer Fire Department', 'Junior member', 'Junior', 0, 'Volunteer', '{}',
  'Eighteen last week. First pager, first everything.', 4
);

-- Two members who show little.
update demo_members
set
  profile_visibility = case handle when 'quiet' then 'connections' else 'private' end,
  connection_visibility = 'private',
  allow_messages_from_anyone = false
where handle in ('quiet', 'ghost');

create temporary table demo_new_accounts as
with secret as materialized (
  select extensions.crypt(current_setting('muster.demo_password'), extensions.gen_salt('bf', 10)) as hash
),

accounts as (
  insert into auth.users (
    instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data,
    created_at, updated_at, last_sign_in_at, confirmation_token, recovery_token, email_change_token_new,
    email_change
  )
  select
    '00000000-0000-0000-0000-000000000000',
    pg_temp.demo_id('member ' || m.handle),
    'authenticated',
    'authenticated',
    m.handle || '@muster.test',
    s.hash,
    now() - make_interval(days => m.joined_days_ago),
    '{"provider": "email", "providers": ["email"]}',
    jsonb_build_object(
      'sub', pg_temp.demo_id('member ' || m.handle),
      'email', m.handle || '@muster.test',
      'email_verified', true,
      'phone_verified', false,
      'full_name', m.full_name
    ),
    now() - make_interval(days => m.joined_days_ago),
    now() - make_interval(days => m.joined_days_ago),
    now() - make_interval(hours => m.joined_days_ago % 60),
    '',
    '',
    '',
    ''
  from demo_members as m
  cross join secret as s
  on conflict (id) do update set encrypted_password = excluded.encrypted_password
  returning id, xmax
)

select id from accounts where xmax = 0;

insert into auth.identities (
  id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
)
select
  pg_temp.demo_id('identity ' || m.handle),
  u.id::text,
  u.id,
  jsonb_build_object(
    'sub', u.id, 'email', u.email, 'email_verified', true, 'phone_verified', false, 'full_name', m.full_name
  ),
  'email',
  u.last_sign_in_at,
  u.created_at,
  u.updated_at
from demo_members as m
inner join auth.users as u on u.id = pg_temp.demo_id('member ' || m.handle)
on conflict do nothing;

-- Only accounts created by this run: later changes of members stay.
update public.profiles as p
set
  full_name = m.full_name,
  department = m.department,
  position = m.position,
  rank = m.rank,
  years_of_service = m.years_of_service,
  firefighter_type = case
    when m.department like 'Fort Ansel%' then 'Military'
    when m.position like '%, retired' then 'Retired'
    else m.firefighter_type
  end,
  state = case
    when m.department in ('Harlow Creek Fire Department', 'Larkfield City Fire') then 'IA'
    when m.department like 'Pine Hollow%' then 'WI'
    when m.department like 'Tessera%' then 'MN'
    when m.department like 'Moss Lake%' then 'IL'
    when m.department like 'Granite Pass%' then 'MT'
    when m.department like 'Calder Bay%' then 'CA'
    when m.department like 'Fort Ansel%' then 'KS'
  end,
  time_zone = case
    when m.department like 'Calder Bay%' then 'America/Los_Angeles'
    when m.department like 'Granite Pass%' then 'America/Denver'
    else 'America/Chicago'
  end,
  specialties = m.specialties,
  bio = m.bio,
  created_at = now() - make_interval(days => m.joined_days_ago),
  privacy_settings = p.privacy_settings || jsonb_build_object(
    'profile_visibility', m.profile_visibility,
    'connection_visibility', m.connection_visibility,
    'allow_messages_from_anyone', m.allow_messages_from_anyone
  )
from demo_members as m
where
  p.id = pg_temp.demo_id('member ' || m.handle)
  and p.id in (select n.id from demo_new_accounts as n);

insert into private.admins (user_id)
values (pg_temp.demo_id('member chief'))
on conflict do nothing;

-- They are no newcomers.
insert into private.first_steps (user_id, hidden_at)
select
  n.id,
  now()
from demo_new_accounts as n
on conflict do nothing;

drop table demo_members, demo_new_accounts;
