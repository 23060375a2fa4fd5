-- Growth plans (§16.1): goals with their requirements, from a list that admins keep, and a member's own plan. What
-- meets a requirement is a row of the member's: whether it still does is asked of that row each time.

create table public.growth_goals (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  name text not null,
  description text not null default '',
  place integer not null default 100,
  is_open boolean not null default true,
  constraint growth_goals_name_key unique (name),
  constraint growth_goals_kind_is_known check (kind in ('rank', 'certification', 'specialty')),
  constraint growth_goals_name_has_a_length check (char_length(name) between 1 and 120 and name ~ '\S'),
  constraint growth_goals_description_is_short check (char_length(description) <= 400),
  constraint growth_goals_place_is_small check (place between 0 and 10000)
);
comment on table public.growth_goals is 'A goal that members choose; kept by admins.';
comment on column public.growth_goals.place is 'The order in lists, then by name.';
comment on column public.growth_goals.is_open is 'Offered to members. Plans that have it stay as they are.';

create table public.goal_requirements (
  id uuid primary key default gen_random_uuid(),
  goal_id uuid not null references public.growth_goals (id) on delete cascade,
  place integer not null,
  title text not null,
  detail text not null default '',
  met_by text not null,
  constraint goal_requirements_title_has_a_length check (char_length(title) between 1 and 160 and title ~ '\S'),
  constraint goal_requirements_detail_is_short check (char_length(detail) <= 400),
  constraint goal_requirements_place_is_small check (place between 0 and 10000),
  constraint goal_requirements_way_is_known check (met_by in ('certification', 'training', 'milestone', 'tick'))
);
comment on table public.goal_requirements is 'What a goal asks for. Plans get a copy: later changes do not reach them.';

create index goal_requirements_goal_id_idx on public.goal_requirements (goal_id, place);

create table public.growth_plans (
  user_id uuid primary key default auth.uid() references public.profiles (id) on delete cascade,
  goal_id uuid references public.growth_goals (id) on delete set null,
  kind text not null,
  title text not null,
  visibility text not null default 'me',
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  constraint growth_plans_kind_is_known check (kind in ('rank', 'certification', 'specialty')),
  constraint growth_plans_title_has_a_length check (char_length(title) between 1 and 120 and title ~ '\S'),
  constraint growth_plans_visibility_is_known check (visibility in ('me', 'connections', 'members'))
);
comment on table public.growth_plans is 'The plan of a member: one goal at a time.';
comment on column public.growth_plans.goal_id is 'Of the list; null when the member wrote it, or it left the list.';
comment on column public.growth_plans.changed_at is
'When the plan, its requirements, or a certification of the member changed: who looks at the plan reads it again.';

create index growth_plans_goal_id_idx on public.growth_plans (goal_id);

create table public.plan_requirements (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.growth_plans (user_id) on delete cascade,
  place integer not null default 1000,
  title text not null,
  detail text not null default '',
  met_by text not null,
  certification_id uuid,
  training_id uuid,
  milestone_id uuid,
  is_ticked boolean not null default false,
  proof text,
  constraint plan_requirements_certification_fkey foreign key (certification_id, user_id)
  references public.certifications (id, user_id) on delete set null (certification_id),
  constraint plan_requirements_training_fkey foreign key (training_id, user_id)
  references public.training_attendances (training_id, user_id) on delete set null (training_id),
  constraint plan_requirements_milestone_fkey foreign key (milestone_id, user_id)
  references public.career_milestones (id, user_id) on delete set null (milestone_id),
  constraint plan_requirements_title_has_a_length check (char_length(title) between 1 and 160 and title ~ '\S'),
  constraint plan_requirements_detail_is_short check (char_length(detail) <= 400),
  constraint plan_requirements_place_is_small check (place between 0 and 10000),
  constraint plan_requirements_way_is_known check (met_by in ('certification', 'training', 'milestone', 'tick')),
  constraint plan_requirements_have_one_proof check (
    num_nonnulls(certification_id, training_id, milestone_id) + is_ticked::integer <= 1
  )
);
comment on table public.plan_requirements is
'A requirement of a member''s plan, and what meets it: a certification, a training attended, a milestone of the same
member, or a tick. The foreign keys let it name the member''s own rows only.';
comment on column public.plan_requirements.met_by is 'What is expected. The member may meet it by any of the four.';
comment on column public.plan_requirements.proof is
'The name of what met it last; written by a trigger. It stays when that row is deleted, so that the plan can say so.';

create index plan_requirements_user_id_idx on public.plan_requirements (user_id, place);
create index plan_requirements_certification_idx on public.plan_requirements (certification_id, user_id);
create index plan_requirements_training_idx on public.plan_requirements (training_id, user_id);
create index plan_requirements_milestone_idx on public.plan_requirements (milestone_id, user_id);

-- What meets a requirement -----------------------------------------------------------------------------------------

create function private.today_of(member uuid)
returns date
language sql
stable
security definer
set search_path = ''
as $$
  select (now() at time zone private.time_zone_of(p))::date from public.profiles as p where p.id = member
$$;
comment on function private.today_of(uuid) is 'The day it is in the member''s time zone.';

create function private.certification_for(member uuid, title text)
returns uuid
language sql
stable
security definer
set search_path = ''
as $$
  -- "Firefighter I" is met by "Firefighter I (Pro Board)", not by "Firefighter II".
  select c.id
  from public.certifications as c
  where c.user_id = member
    and starts_with(lower(c.name), lower(btrim(title)))
    and substr(c.name, char_length(btrim(title)) + 1, 1) !~ '\w'
    and coalesce(c.expires_on >= private.today_of(member), true)
  order by c.expires_on desc nulls first, c.id
  limit 1
$$;
comment on function private.certification_for(uuid, text) is
'A certification of the member that has this name, or begins with it, and has not expired; the one that lasts longest.';

create function private.link_certifications(member uuid)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.plan_requirements as r
  set certification_id = found.id
  from (
    select o.id as requirement_id, private.certification_for(member, o.title) as id
    from public.plan_requirements as o
    left join public.certifications as c on c.id = o.certification_id
    where o.user_id = member and o.met_by = 'certification'
      and o.training_id is null and o.milestone_id is null and not o.is_ticked
      and (c.id is null or c.expires_on < private.today_of(member))
  ) as found
  where r.id = found.requirement_id and found.id is not null and r.certification_id is distinct from found.id;
  update public.growth_plans as p set changed_at = clock_timestamp() where p.user_id = member
$$;
comment on function private.link_certifications(uuid) is
'Meets the member''s open requirements, and those whose certification has expired, by certifications of their name.';

create function private.link_changed_certification()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.link_certifications(coalesce(new.user_id, old.user_id));
  return null;
end
$$;
comment on function private.link_changed_certification() is 'A new, renewed or deleted certification changes the plan.';

-- Runs after the foreign key has let go of a deleted one: triggers run in the order of their names.
create trigger link_changed_certification
after insert or delete or update of name, expires_on on public.certifications
for each row execute function private.link_changed_certification();

create function private.prove_requirement()
returns trigger
language plpgsql
set search_path = ''
as $$
declare
  name text;
begin
  if tg_op = 'INSERT' and new.met_by = 'certification' and not new.is_ticked
    and num_nonnulls(new.certification_id, new.training_id, new.milestone_id) = 0 then
    new.certification_id := (select private.certification_for(new.user_id, new.title));
  end if;
  name := case
    when new.certification_id is not null then
      (select c.name from public.certifications as c where c.id = new.certification_id)
    when new.training_id is not null then (select t.title from public.trainings as t where t.id = new.training_id)
    when new.milestone_id is not null then
      (select m.title from public.career_milestones as m where m.id = new.milestone_id)
  end;
  if name is not null then
    new.proof := name;
  elsif current_user = 'authenticated' or new.is_ticked then
    -- The member's own change. Foreign keys act as the owner of the table: then the name stays.
    new.proof := null;
  end if;
  return new;
end
$$;
comment on function private.prove_requirement() is
'Keeps the name of what meets a requirement, and meets a new one by a certification of its name.';

create trigger prove_requirement
before insert or update of certification_id, training_id, milestone_id, is_ticked on public.plan_requirements
for each row execute function private.prove_requirement();

create function private.limit_requirements()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  most constant integer := 40;
begin
  -- The plan is the lock of its list.
  perform from public.growth_plans as p where p.user_id = new.user_id for update;
  if (select count(*) from public.plan_requirements as r where r.user_id = new.user_id) >= most then
    raise exception 'A plan has at most % requirements', most using errcode = 'PT429';
  end if;
  return new;
end
$$;
comment on function private.limit_requirements() is 'A plan has at most 40 requirements.';

create trigger limit_requirements
before insert on public.plan_requirements
for each row execute function private.limit_requirements();

create function private.touch_plan()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.growth_plans as p set changed_at = clock_timestamp()
  where p.user_id = coalesce(new.user_id, old.user_id);
  return null;
end
$$;
comment on function private.touch_plan() is 'A changed requirement is a changed plan.';

create trigger touch_plan
after insert or delete or update on public.plan_requirements
for each row execute function private.touch_plan();

-- Rights -----------------------------------------------------------------------------------------------------------

create function private.connected_with_caller()
returns uuid[]
language sql
stable
security definer
set search_path = ''
as $$
  select array(select c.id from private.connected_ids((select auth.uid())) as c (id))
$$;
comment on function private.connected_with_caller() is
'The members whom the caller is connected to. Policies evaluate it once per statement.';
grant execute on function private.connected_with_caller() to authenticated, service_role;
grant execute on function private.certification_for(uuid, text) to authenticated, service_role;

alter table public.growth_goals enable row level security;
grant select, delete on public.growth_goals to authenticated;
grant insert (id, kind, name, description, place, is_open), update (kind, name, description, place, is_open)
on public.growth_goals to authenticated;
grant all on public.growth_goals to service_role;

create policy "Members see the goals that are offered, admins all" on public.growth_goals
for select to authenticated
using (is_open or (select private.caller_is_admin()));

create policy "Admins add goals" on public.growth_goals
for insert to authenticated
with check ((select private.caller_is_admin()));

create policy "Admins change goals" on public.growth_goals
for update to authenticated
using ((select private.caller_is_admin()));

create policy "Admins delete goals" on public.growth_goals
for delete to authenticated
using ((select private.caller_is_admin()));

create policy "Suspended members cannot access goals" on public.growth_goals
as restrictive for all to authenticated using ((select private.caller_is_active()));

alter table public.goal_requirements enable row level security;
grant select, delete on public.goal_requirements to authenticated;
grant insert (id, goal_id, place, title, detail, met_by), update (place, title, detail, met_by)
on public.goal_requirements to authenticated;
grant all on public.goal_requirements to service_role;

create policy "Members see what the goals that they see ask for" on public.goal_requirements
for select to authenticated
using (exists (select from public.growth_goals as g where g.id = goal_id));

create policy "Admins add requirements of goals" on public.goal_requirements
for insert to authenticated
with check ((select private.caller_is_admin()));

create policy "Admins change requirements of goals" on public.goal_requirements
for update to authenticated
using ((select private.caller_is_admin()));

create policy "Admins delete requirements of goals" on public.goal_requirements
for delete to authenticated
using ((select private.caller_is_admin()));

-- Suspended members see no goals, and are no admins: it needs no policy for them.

alter table public.growth_plans enable row level security;
grant select, delete on public.growth_plans to authenticated;
grant insert (user_id, goal_id, kind, title, visibility), update (goal_id, kind, title, visibility)
on public.growth_plans to authenticated;
grant all on public.growth_plans to service_role;

create policy "Members see their own plan and those that are shown to them" on public.growth_plans
for select to authenticated
using (
  user_id = (select auth.uid())
  or user_id = any((select private.mentees_of_caller())::uuid[])
  or (
    (
      visibility = 'members'
      or (visibility = 'connections' and user_id = any((select private.connected_with_caller())::uuid[]))
    )
    and exists (select from public.profiles as p where p.id = user_id)
  )
);

create policy "Members make their own plan" on public.growth_plans
for insert to authenticated
with check (user_id = (select auth.uid()));

create policy "Members change their own plan" on public.growth_plans
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Members delete their own plan" on public.growth_plans
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Suspended members cannot access plans" on public.growth_plans
as restrictive for all to authenticated using ((select private.caller_is_active()));

-- Who looks at a plan follows its row; the requirements are read by requirements_of.
alter publication supabase_realtime add table public.growth_plans;

alter table public.plan_requirements enable row level security;
grant select, delete on public.plan_requirements to authenticated;
grant insert (id, user_id, place, title, detail, met_by) on public.plan_requirements to authenticated;
grant update (place, title, detail, met_by, certification_id, training_id, milestone_id, is_ticked)
on public.plan_requirements to authenticated;
grant all on public.plan_requirements to service_role;

create policy "Members see the requirements of their own plan" on public.plan_requirements
for select to authenticated
using (user_id = (select auth.uid()));

create policy "Members add requirements to their own plan" on public.plan_requirements
for insert to authenticated
with check (user_id = (select auth.uid()));

create policy "Members change the requirements of their own plan" on public.plan_requirements
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Members delete the requirements of their own plan" on public.plan_requirements
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Suspended members cannot access requirements of plans" on public.plan_requirements
as restrictive for all to authenticated using ((select private.caller_is_active()));

-- Procedures -------------------------------------------------------------------------------------------------------

create function private.requirements_of(member_id uuid)
returns table (
  id uuid, place integer, title text, detail text, met_by text, state text, proof text, proof_on date,
  is_linked boolean
)
language sql
stable
security definer
set search_path = ''
as $$
  select
    r.id, r.place, r.title, r.detail, r.met_by,
    case
      when r.is_ticked then 'met'
      when c.id is not null then
        case when c.expires_on < private.today_of(r.user_id) then 'expired' else 'met' end
      when m.id is not null then
        case when m.started_on > private.today_of(r.user_id) then 'planned' else 'met' end
      when t.id is not null then
        case
          when t.is_canceled then 'canceled'
          when a.answer <> 'going' then 'gone'
          when t.ends_at > now() then 'planned'
          when a.is_waiting then 'gone'
          else 'met'
        end
      when r.proof is not null then 'gone'
      else 'open'
    end,
    -- Who comes to a training is the organizer's and the member's knowledge.
    case when t.id is null or r.user_id = (select auth.uid()) then coalesce(c.name, t.title, m.title, r.proof) end,
    coalesce(c.expires_on, m.started_on, (t.starts_at at time zone t.time_zone)::date),
    num_nonnulls(c.id, t.id, m.id) > 0
  from public.plan_requirements as r
  left join public.certifications as c on c.id = r.certification_id
  left join public.career_milestones as m on m.id = r.milestone_id
  left join public.training_attendances as a on a.training_id = r.training_id and a.user_id = r.user_id
  left join public.trainings as t on t.id = a.training_id
  where r.user_id = member_id
  order by r.place, r.title, r.id
$$;
comment on function private.requirements_of(uuid) is 'Implements public.requirements_of, which asks who may read.';
grant execute on function private.requirements_of(uuid) to authenticated;

create function public.requirements_of(member_id uuid)
returns table (
  id uuid, place integer, title text, detail text, met_by text, state text, proof text, proof_on date,
  is_linked boolean
)
language sql
stable
rows 20
set search_path = ''
as $$
  -- As the caller: the plan is read by who may.
  select r.*
  from private.requirements_of(member_id) as r
  where exists (select from public.growth_plans as p where p.user_id = member_id)
$$;
comment on function public.requirements_of(uuid) is
'The requirements of a plan that the caller sees, in order. state: open; planned (a training to come); met; expired,
canceled or gone (no longer met: the certification has expired, the training was canceled, the row was deleted). proof
names what meets it, or met it; proof_on is the day it expires, began or takes place.';
grant execute on function public.requirements_of(uuid) to authenticated;

create function public.choose_goal(goal uuid default null, kind text default null, title text default null)
returns void
language plpgsql
set search_path = ''
as $$
declare
  chosen public.growth_goals;
begin
  if (select auth.uid()) is null or not (select private.caller_is_active()) then
    raise exception 'Only members can do this' using errcode = 'PT401';
  end if;
  if goal is not null then
    select g.* into chosen from public.growth_goals as g where g.id = goal and g.is_open;
    if not found then
      raise exception 'There is no such goal' using errcode = 'PT404';
    end if;
  end if;
  insert into public.growth_plans as p (goal_id, kind, title)
  values (chosen.id, coalesce(chosen.kind, choose_goal.kind), coalesce(chosen.name, btrim(choose_goal.title)))
  on conflict (user_id) do update
  set goal_id = excluded.goal_id, kind = excluded.kind, title = excluded.title;
  delete from public.plan_requirements as r where r.user_id = (select auth.uid());
  insert into public.plan_requirements (place, title, detail, met_by)
  select r.place, r.title, r.detail, r.met_by
  from public.goal_requirements as r
  where r.goal_id = chosen.id
  order by r.place
  limit 40;
end
$$;
comment on function public.choose_goal(uuid, text, text) is
'Begins the caller''s plan, or another one in its place: with a goal of the list and its requirements, or a goal of
one''s own (kind and title), without. Who sees the plan stays. Requirements are met at once by certifications of
their name.';
grant execute on function public.choose_goal(uuid, text, text) to authenticated;

create function private.log_goal_action()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Of seeds and backend services nothing is logged.
  if not private.caller_is_admin() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform private.log_content_action('goal_removed', old.id, old.name, null);
  else
    perform private.log_content_action('goal_saved', new.id, new.name, null);
  end if;
  return null;
end
$$;
comment on function private.log_goal_action() is 'Logs that an admin added, changed or deleted a goal.';

create trigger log_goal_action
after insert or update or delete on public.growth_goals
for each row execute function private.log_goal_action();

-- The first list ---------------------------------------------------------------------------------------------------

-- Paths as departments of the United States commonly ask for them. States and departments differ: admins change the
-- list. The NFPA standards keep their familiar numbers: 1001 and 1002 are in NFPA 1010 now, 1021 and 1041 in 1020.
insert into public.growth_goals (place, kind, name, description)
values
(10, 'rank', 'Firefighter', 'From recruit to the end of probation.'),
(20, 'rank', 'Driver/Engineer', 'Driving the apparatus and running the pump.'),
(30, 'rank', 'Company Officer', 'Lieutenant or captain: leading a company.'),
(40, 'rank', 'Battalion Chief', 'Leading a shift, and commanding several companies.'),
(50, 'certification', 'Paramedic', 'From EMT to advanced life support.'),
(60, 'certification', 'Hazardous Materials Technician', 'From operations to the hot zone.'),
(70, 'certification', 'Fire Instructor I', 'Teaching from prepared material.'),
(80, 'specialty', 'Wildland: Firefighter Type 1', 'NWCG squad boss, from a first red card.'),
(90, 'specialty', 'Rope Rescue', 'Technical rescue from height.'),
(100, 'specialty', 'Fire Inspector', 'Code enforcement and prevention.');

insert into public.goal_requirements (goal_id, place, met_by, title, detail)
select
  g.id,
  r.place,
  r.met_by,
  r.title,
  r.detail
from (
  values
  ('Firefighter', 10, 'certification', 'Firefighter I', 'NFPA 1001, or your state''s equivalent.'),
  ('Firefighter', 20, 'certification', 'Hazardous Materials Operations', 'NFPA 470.'),
  ('Firefighter', 30, 'certification', 'CPR', 'For healthcare providers. It expires after two years.'),
  ('Firefighter', 40, 'certification', 'EMT', 'Where your department asks: state license or National Registry.'),
  ('Firefighter', 50, 'certification', 'ICS-100', 'Introduction to the Incident Command System, FEMA, online.'),
  ('Firefighter', 60, 'certification', 'IS-700', 'Introduction to NIMS, FEMA, online.'),
  ('Firefighter', 70, 'certification', 'Firefighter II', 'NFPA 1001, or your state''s equivalent.'),
  ('Firefighter', 80, 'milestone', 'End of probation', 'Task book signed off, usually after a year.'),
  ('Driver/Engineer', 10, 'certification', 'Firefighter II', 'NFPA 1001.'),
  ('Driver/Engineer', 20, 'tick', 'Driver''s license for apparatus', 'The class that your state demands.'),
  ('Driver/Engineer', 30, 'training', 'Emergency vehicle operations course (EVOC)', 'Classroom and driving course.'),
  ('Driver/Engineer', 40, 'certification', 'Driver/Operator Pumper', 'NFPA 1002: hydraulics, drafting, relay.'),
  ('Driver/Engineer', 50, 'certification', 'Driver/Operator Aerial', 'NFPA 1002, where you run a ladder.'),
  ('Driver/Engineer', 60, 'tick', 'Supervised driving and pumping hours', 'As your department''s task book asks.'),
  ('Driver/Engineer', 70, 'milestone', 'Acting driver', 'Released to drive on shift.'),
  ('Company Officer', 10, 'certification', 'Firefighter II', 'NFPA 1001.'),
  ('Company Officer', 20, 'milestone', 'Three years in the company', 'Time in grade; your department says how much.'),
  ('Company Officer', 30, 'certification', 'Fire Instructor I', 'NFPA 1041: asked before Fire Officer I.'),
  ('Company Officer', 40, 'certification', 'Fire Officer I', 'NFPA 1021: supervising a single company.'),
  ('Company Officer', 50, 'certification', 'ICS-200', 'Basic ICS for initial response, FEMA.'),
  ('Company Officer', 60, 'certification', 'ICS-300', 'Intermediate ICS for expanding incidents, in class.'),
  ('Company Officer', 70, 'certification', 'Incident Safety Officer', 'NFPA 1521.'),
  ('Company Officer', 80, 'milestone', 'Acting officer', 'Shifts in the seat, with a captain who debriefs them.'),
  ('Company Officer', 90, 'tick', 'Oral board and tactical simulator practice', 'With somebody who sat on a board.'),
  ('Battalion Chief', 10, 'milestone', 'Captain', 'Or the rank below battalion chief in your department.'),
  ('Battalion Chief', 20, 'certification', 'Fire Officer II', 'NFPA 1021: managing several companies.'),
  ('Battalion Chief', 30, 'certification', 'Fire Officer III', 'NFPA 1021: administration.'),
  ('Battalion Chief', 40, 'certification', 'ICS-400', 'Advanced ICS for command and general staff, in class.'),
  ('Battalion Chief', 50, 'certification', 'Incident Safety Officer', 'NFPA 1521.'),
  ('Battalion Chief', 60, 'training', 'Command of multi-company incidents', 'Such as Blue Card, with simulations.'),
  ('Battalion Chief', 70, 'milestone', 'Degree', 'Associate or bachelor, as your department asks.'),
  ('Battalion Chief', 80, 'milestone', 'Acting battalion chief', 'Shifts in the buggy.'),
  ('Paramedic', 10, 'certification', 'EMT', 'Current, with time on the ambulance.'),
  ('Paramedic', 20, 'tick', 'Anatomy and physiology', 'A prerequisite of most programs.'),
  ('Paramedic', 30, 'milestone', 'Paramedic program', 'Accredited (CAAHEP): class, clinical and field internship.'),
  ('Paramedic', 40, 'certification', 'ACLS', 'Advanced cardiovascular life support. Two years.'),
  ('Paramedic', 50, 'certification', 'PALS', 'Pediatric advanced life support. Two years.'),
  ('Paramedic', 60, 'tick', 'National Registry exam', 'Cognitive exam, once the program signed you off.'),
  ('Paramedic', 70, 'certification', 'Paramedic', 'Your state''s license or National Registry (NRP).'),
  ('Hazardous Materials Technician', 10, 'certification', 'Hazardous Materials Operations', 'NFPA 470.'),
  ('Hazardous Materials Technician', 20, 'tick', 'Medical clearance', 'For work in chemical protective clothing.'),
  ('Hazardous Materials Technician', 30, 'training', 'Technician course', 'Usually 80 hours.'),
  (
    'Hazardous Materials Technician', 40, 'certification', 'Hazardous Materials Technician',
    'NFPA 470, with a yearly refresher (OSHA 1910.120).'
  ),
  ('Fire Instructor I', 10, 'certification', 'Firefighter II', 'Or the level that you will teach.'),
  ('Fire Instructor I', 20, 'training', 'Instructor course', 'NFPA 1041, usually 40 hours.'),
  ('Fire Instructor I', 30, 'tick', 'Teach a class under supervision', 'From a prepared lesson plan.'),
  ('Fire Instructor I', 40, 'certification', 'Fire Instructor I', 'NFPA 1041.'),
  ('Wildland: Firefighter Type 1', 10, 'certification', 'S-130', 'Firefighter training, with the field day.'),
  ('Wildland: Firefighter Type 1', 20, 'certification', 'S-190', 'Introduction to wildland fire behavior.'),
  ('Wildland: Firefighter Type 1', 30, 'certification', 'L-180', 'Human factors in the wildland fire service.'),
  (
    'Wildland: Firefighter Type 1', 40, 'certification', 'Work capacity test',
    'Arduous: three miles, 45 lb, 45 minutes, yearly.'
  ),
  ('Wildland: Firefighter Type 1', 50, 'certification', 'RT-130', 'The yearly fireline safety refresher.'),
  ('Wildland: Firefighter Type 1', 60, 'certification', 'Firefighter Type 2', 'FFT2 on your red card.'),
  ('Wildland: Firefighter Type 1', 70, 'training', 'S-131', 'Firefighter Type 1.'),
  ('Wildland: Firefighter Type 1', 80, 'tick', 'FFT1 position task book', 'Initiated, evaluated on fires, certified.'),
  ('Rope Rescue', 10, 'training', 'Rope rescue awareness and operations', 'NFPA 1006: anchors, lowers, raises.'),
  ('Rope Rescue', 20, 'certification', 'Rope Rescue Operations', 'NFPA 1006.'),
  ('Rope Rescue', 30, 'certification', 'Rope Rescue Technician', 'NFPA 1006: high lines, pick-offs, edge work.'),
  ('Rope Rescue', 40, 'tick', 'Drill with the team', 'The refreshers that your team asks for each year.'),
  ('Fire Inspector', 10, 'training', 'Inspector course', 'Your state''s, on the code it has adopted.'),
  ('Fire Inspector', 20, 'certification', 'Fire Inspector I', 'NFPA 1031 or ICC.'),
  ('Fire Inspector', 30, 'tick', 'Ten inspections with an inspector', 'Different occupancies.'),
  ('Fire Inspector', 40, 'certification', 'Fire Inspector II', 'NFPA 1031 or ICC, with plan review.')
) as r (goal, place, met_by, title, detail)
inner join public.growth_goals as g on r.goal = g.name;
