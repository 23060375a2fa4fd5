-- The admin area at 100,000 members: each table is gone through once for all weeks, not once a week; an index for each
-- thing that is searched or counted; accounts are looked up for the page alone, not for every member before it.

create function private.count_weeks(first_week date, last_week date)
returns setof private.weeks
language plpgsql
stable
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  span_start constant timestamptz := first_week at time zone 'utc';
  span_end constant timestamptz := (last_week + 7) at time zone 'utc';
begin
  -- Each table is gone through once, however many weeks there are; the days as constants, so that an index serves few.
  return query
  with happened as (
    select 'member' as kind, p.created_at from public.profiles as p
    where p.created_at >= span_start and p.created_at < span_end
    union all
    select 'waitlist', l.created_at from public.waitlist as l
    where l.created_at >= span_start and l.created_at < span_end
    union all
    select 'post', s.created_at from public.posts as s
    where not s.is_blog_post and s.created_at >= span_start and s.created_at < span_end
    union all
    select 'message', m.created_at from public.messages as m
    where m.created_at >= span_start and m.created_at < span_end
    union all
    select 'connection', c.created_at from public.connections as c
    where c.status = 'accepted' and c.created_at >= span_start and c.created_at < span_end
  ),
  counted as (
    select date_trunc('week', h.created_at at time zone 'utc')::date as week, h.kind, count(*) as times
    from happened as h
    group by 1, 2
  )
  select
    mondays.monday::date,
    coalesce(sum(c.times) filter (where c.kind = 'member'), 0)::bigint,
    coalesce(sum(c.times) filter (where c.kind = 'waitlist'), 0)::bigint,
    coalesce(sum(c.times) filter (where c.kind = 'post'), 0)::bigint,
    coalesce(sum(c.times) filter (where c.kind = 'message'), 0)::bigint,
    coalesce(sum(c.times) filter (where c.kind = 'connection'), 0)::bigint
  from generate_series(first_week::timestamp, last_week, interval '1 week') as mondays (monday)
  left join counted as c on c.week = mondays.monday::date
  group by mondays.monday;
end
$$;
comment on function private.count_weeks(date, date) is 'What was new in each week from one Monday to another.';

create or replace function private.admin_figures(weeks integer)
returns setof private.weeks
language plpgsql
security definer
set search_path = ''
as $$
declare
  this_week constant date := date_trunc('week', now() at time zone 'utc')::date;
  first_week constant date := this_week - 7 * (least(greatest(coalesce(weeks, 12), 1), 157) - 1);
  first_unknown date;
  last_unknown date;
begin
  perform private.demand_admin();
  select min(mondays.monday), max(mondays.monday) into first_unknown, last_unknown
  from generate_series(first_week::timestamp, this_week - 7, interval '1 week') as mondays (monday)
  where not exists (select from private.weeks as known where known.week = mondays.monday::date);
  if first_unknown is not null then
    insert into private.weeks select * from private.count_weeks(first_unknown, last_unknown) on conflict do nothing;
  end if;
  return query
  select f.* from private.weeks as f where f.week >= first_week and f.week < this_week
  union all
  select counted.* from private.count_weeks(this_week, this_week) as counted
  order by 1;
end
$$;

drop function private.count_week(date);

create index profiles_department_trigram_idx on public.profiles using gin (department extensions.gin_trgm_ops);
create index profiles_firefighter_type_idx on public.profiles (firefighter_type);

create or replace function private.admin_members(
  search text, standing text, sort text, descending boolean, page_size integer, page_offset integer
)
returns table (
  id uuid, full_name text, email text, department text, member_position text, rank text, firefighter_type text,
  avatar_url text, created_at timestamptz, last_sign_in_at timestamptz, confirmed boolean, suspended boolean,
  admin boolean, total bigint
)
language plpgsql
security definer
set search_path = ''
as $$
declare
  term constant text := left(btrim(coalesce(search, '')), 100);
  matching constant text := '%' || private.literal_pattern(term) || '%';
  conditions text := 'true';
  column_name constant text := case sort
    when 'name' then 'p.full_name' when 'email' then 'p.email' when 'department' then 'p.department'
    when 'last_sign_in' then 'u.last_sign_in_at' else 'p.created_at'
  end;
  -- An index is read in either direction, what is empty with it; accounts have none for their last sign-in.
  direction constant text := case when descending then ' desc' else ' asc' end
    || case when sort = 'last_sign_in' then ' nulls last' else '' end;
  id_direction constant text := case
    when descending and sort in ('name', 'email', 'department') then ' desc' else ''
  end;
  accounts text := '';
begin
  perform private.demand_admin();
  -- Conditions that were not asked for are left out, so that an index can answer the others.
  if term <> '' then
    conditions := conditions || ' and (p.full_name ilike $1 or p.email ilike $1 or p.department ilike $1)';
  end if;
  conditions := conditions || case standing
    when 'admins' then ' and p.id in (select a.user_id from private.admins as a)'
    when 'suspended' then ' and u.banned_until > now()'
    when 'unconfirmed' then ' and u.email_confirmed_at is null'
    else ''
  end;
  if conditions like '%u.%' or sort = 'last_sign_in' then
    accounts := 'inner join auth.users as u on u.id = p.id';
  end if;
  return query execute format(
    'with counted as ('
    '  select count(*) as total from public.profiles as p %1$s where %2$s'
    '), page as ('
    '  select p.id, row_number() over (order by %4$s%5$s, p.id%6$s) as place'
    '  from public.profiles as p %3$s where %2$s order by %4$s%5$s, p.id%6$s limit $2 offset $3'
    ')'
    'select p.id, p.full_name, p.email, p.department, p.position, p.rank, p.firefighter_type, p.avatar_url,'
    '  p.created_at, u.last_sign_in_at, u.email_confirmed_at is not null, coalesce(u.banned_until > now(), false),'
    '  exists (select from private.admins as a where a.user_id = p.id), counted.total'
    ' from page inner join public.profiles as p on p.id = page.id inner join auth.users as u on u.id = p.id'
    ' cross join counted order by page.place',
    case when conditions like '%u.%' then accounts else '' end,
    conditions,
    accounts,
    column_name,
    direction,
    id_direction
  )
  using matching, least(greatest(coalesce(page_size, 25), 1), 100), greatest(coalesce(page_offset, 0), 0);
end
$$;
