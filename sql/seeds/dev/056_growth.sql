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
