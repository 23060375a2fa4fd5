-- The dashboard of the admin area in two calls: what stands now, and what each week brought. For admins alone.

-- Messages and connections arrive in order of time: a few pages tell where a week begins.
create index messages_created_at_brin_idx on public.messages using brin (created_at);
create index connections_created_at_brin_idx on public.connections using brin (created_at);

create function private.admin_totals()
returns table (
  members bigint, waitlist bigint, waiting bigint, invited bigint, invited_long_ago bigint, open_feedback bigint,
  feedback_today bigint
)
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.demand_admin();
  return query select
    (select count(*) from public.profiles),
    (select count(*) from public.waitlist as w where w.status <> 'active'),
    (select count(*) from public.waitlist as w where w.status = 'pending'),
    (select count(*) from public.waitlist as w where w.status = 'invited'),
    (
      select count(*) from public.waitlist as w
      where w.status = 'invited' and w.updated_at < now() - interval '7 days'
    ),
    (select count(*) from public.feedback as f where f.status = 'pending'),
    (
      select count(*) from public.feedback as f
      where f.created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'
    );
end
$$;
comment on function private.admin_totals() is 'The work of public.admin_totals.';

create function public.admin_totals()
returns table (
  members bigint, waitlist bigint, waiting bigint, invited bigint, invited_long_ago bigint, open_feedback bigint,
  feedback_today bigint
)
language sql
rows 1
set search_path = ''
as $$
  select * from private.admin_totals()
$$;
comment on function public.admin_totals() is 'What stands now, and what waits for an admin. For admins.';

create table private.week_traffic (
  week date primary key,
  messages bigint not null,
  connections bigint not null
);
comment on table private.week_traffic is
'Messages and accepted connections of a week that is over, counted when asked.';
alter table private.week_traffic enable row level security;

create policy "Nobody reaches the traffic directly" on private.week_traffic
for all to public using (false);

create function private.count_traffic(monday date)
returns private.week_traffic
language sql
stable
set search_path = ''
as $$
  select
    monday,
    (
      select count(*) from public.messages as m
      where m.created_at >= monday at time zone 'utc' and m.created_at < (monday + 7) at time zone 'utc'
    ),
    (
      select count(*) from public.connections as c
      where c.status = 'accepted'
        and c.created_at >= monday at time zone 'utc' and c.created_at < (monday + 7) at time zone 'utc'
    )
$$;
comment on function private.count_traffic(date) is 'Messages and connections of the week that begins on this Monday.';

create function private.admin_traffic(weeks integer)
returns table (week date, messages bigint, connections bigint)
language plpgsql
security definer
set search_path = ''
as $$
declare
  this_week constant date := date_trunc('week', now() at time zone 'utc')::date;
  first_week constant date := this_week - 7 * (least(greatest(coalesce(weeks, 12), 1), 53) - 1);
begin
  perform private.demand_admin();
  -- A week that is over is counted once.
  insert into private.week_traffic
  select counted.*
  from generate_series(first_week::timestamp, this_week - 7, interval '1 week') as mondays (monday)
  cross join lateral private.count_traffic(mondays.monday::date) as counted
  where not exists (select from private.week_traffic as known where known.week = mondays.monday::date)
  on conflict do nothing;
  return query
  select t.* from private.week_traffic as t where t.week >= first_week and t.week < this_week
  union all
  select counted.* from private.count_traffic(this_week) as counted
  order by 1;
end
$$;
comment on function private.admin_traffic(integer) is 'The work of public.admin_traffic.';

create function public.admin_traffic(weeks integer default 12)
returns table (week date, messages bigint, connections bigint)
language sql
rows 12
set search_path = ''
as $$
  select * from private.admin_traffic(weeks)
$$;
comment on function public.admin_traffic(integer) is
'Messages sent and connections made in each of the last weeks (Mondays, UTC), oldest first. For admins.';

create function private.admin_member_types()
returns table (firefighter_type text, members bigint)
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.demand_admin();
  return query select p.firefighter_type, count(*) from public.profiles as p group by p.firefighter_type;
end
$$;
comment on function private.admin_member_types() is 'The work of public.admin_member_types.';

create function public.admin_member_types()
returns table (firefighter_type text, members bigint)
language sql
rows 6
set search_path = ''
as $$
  select * from private.admin_member_types()
$$;
comment on function public.admin_member_types() is
'How many members there are of each type; null: not given. For admins.';

grant execute on function
private.admin_totals(), private.admin_traffic(integer), private.admin_member_types(),
public.admin_totals(), public.admin_traffic(integer), public.admin_member_types()
to authenticated, service_role;
