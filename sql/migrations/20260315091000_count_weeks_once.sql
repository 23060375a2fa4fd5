-- One table and one procedure for the weeks of the dashboard, where there were two of each, and up to three years of
-- them. What was counted of the weeks that are over is counted again when next asked for.

drop function public.admin_traffic(integer);
drop function private.admin_traffic(integer);
drop function private.count_traffic(date);
drop function public.admin_figures(integer);
drop function private.admin_figures(integer);
drop function private.count_week(date);
drop table private.week_traffic;
drop table private.week_figures;

create table private.weeks (
  week date primary key,
  members bigint not null,
  waitlist bigint not null,
  posts bigint not null,
  messages bigint not null,
  connections bigint not null
);
comment on table private.weeks is 'How much was new in a week that is over, counted when first asked for.';
alter table private.weeks enable row level security;

create policy "Nobody reaches the weeks directly" on private.weeks
for all to public using (false);

create function private.count_week(monday date)
returns private.weeks
language sql
stable
set search_path = ''
as $$
  with week as (
    select monday at time zone 'utc' as starts_at, (monday + 7) at time zone 'utc' as ends_at
  )
  select
    monday,
    (select count(*) from public.profiles as p, week as w where p.created_at >= w.starts_at and p.created_at < w.ends_at),
    (select count(*) from public.waitlist as l, week as w where l.created_at >= w.starts_at and l.created_at < w.ends_at),
    (
      select count(*) from public.posts as s, week as w
      where not s.is_blog_post and s.created_at >= w.starts_at and s.created_at < w.ends_at
    ),
    (select count(*) from public.messages as m, week as w where m.created_at >= w.starts_at and m.created_at < w.ends_at),
    (
      select count(*) from public.connections as c, week as w
      where c.status = 'accepted' and c.created_at >= w.starts_at and c.created_at < w.ends_at
    )
$$;
comment on function private.count_week(date) is 'What was new in the week that begins on this Monday.';

create function private.admin_figures(weeks integer)
returns setof private.weeks
language plpgsql
security definer
set search_path = ''
as $$
declare
  this_week constant date := date_trunc('week', now() at time zone 'utc')::date;
  first_week constant date := this_week - 7 * (least(greatest(coalesce(weeks, 12), 1), 157) - 1);
begin
  perform private.demand_admin();
  insert into private.weeks
  select counted.*
  from generate_series(first_week::timestamp, this_week - 7, interval '1 week') as mondays (monday)
  cross join lateral private.count_week(mondays.monday::date) as counted
  where not exists (select from private.weeks as known where known.week = mondays.monday::date)
  on conflict do nothing;
  return query
  select f.* from private.weeks as f where f.week >= first_week and f.week < this_week
  union all
  select counted.* from private.count_week(this_week) as counted
  order by 1;
end
$$;
comment on function private.admin_figures(integer) is 'The work of public.admin_figures.';

create function public.admin_figures(weeks integer default 12)
returns table (week date, members bigint, waitlist bigint, posts bigint, messages bigint, connections bigint)
language sql
rows 12
set search_path = ''
as $$
  select * from private.admin_figures(weeks)
$$;
comment on function public.admin_figures(integer) is
'New members, waitlist entries, posts, messages and connections of each of the last weeks (Mondays, UTC), oldest first;
three years at most. For admins.';

grant execute on function private.admin_figures(integer), public.admin_figures(integer) to authenticated, service_role;
