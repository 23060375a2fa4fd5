-- What the admin area does beyond reading and changing rows: naming admins, and the figures of its dashboard.

create function private.set_admin(uid uuid, admin boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not (private.caller_is_admin() or coalesce((select auth.role()) = 'service_role', false)) then
    raise exception 'Only admins can do this' using errcode = 'PT403';
  end if;
  if admin then
    insert into private.admins (user_id) values (uid) on conflict (user_id) do nothing;
  elsif uid = (select auth.uid()) then
    raise exception 'You cannot take the admin role from yourself' using errcode = 'PT403';
  else
    delete from private.admins where user_id = uid;
  end if;
end
$$;
comment on function private.set_admin(uuid, boolean) is 'The work of public.set_admin.';

create function public.set_admin(uid uuid, admin boolean)
returns void
language sql
set search_path = ''
as $$
  select private.set_admin(uid, admin)
$$;
comment on function public.set_admin(uuid, boolean) is
'Makes a member an admin or no admin. For admins; nobody can demote themselves, so one always remains.';

create table private.week_figures (
  week date primary key,
  members bigint not null,
  waitlist bigint not null,
  posts bigint not null
);
comment on table private.week_figures is 'How many were new in a week that is over, counted when first asked for.';
alter table private.week_figures enable row level security;

create policy "Nobody reaches the figures directly" on private.week_figures
for all to public using (false);

create function private.count_week(monday date)
returns private.week_figures
language sql
stable
set search_path = ''
as $$
  select
    monday,
    (
      select count(*) from public.profiles as p
      where p.created_at >= monday at time zone 'utc' and p.created_at < (monday + 7) at time zone 'utc'
    ),
    (
      select count(*) from public.waitlist as l
      where l.created_at >= monday at time zone 'utc' and l.created_at < (monday + 7) at time zone 'utc'
    ),
    (
      select count(*) from public.posts as s
      where not s.is_blog_post
        and s.created_at >= monday at time zone 'utc' and s.created_at < (monday + 7) at time zone 'utc'
    )
$$;
comment on function private.count_week(date) is 'What was new in the week that begins on this Monday.';

create function private.admin_figures(weeks integer)
returns table (week date, members bigint, waitlist bigint, posts bigint)
language plpgsql
security definer
set search_path = ''
as $$
declare
  this_week constant date := date_trunc('week', now() at time zone 'utc')::date;
  first_week constant date := this_week - 7 * (least(greatest(coalesce(weeks, 12), 1), 53) - 1);
begin
  if not (private.caller_is_admin() or coalesce((select auth.role()) = 'service_role', false)) then
    raise exception 'Only admins can do this' using errcode = 'PT403';
  end if;
  -- A week that is over is counted once; only this week is counted every time.
  insert into private.week_figures
  select counted.*
  from generate_series(first_week::timestamp, this_week - 7, interval '1 week') as mondays (monday)
  cross join lateral private.count_week(mondays.monday::date) as counted
  where not exists (select from private.week_figures as known where known.week = mondays.monday::date)
  on conflict do nothing;
  return query
  select f.* from private.week_figures as f where f.week >= first_week and f.week < this_week
  union all
  select counted.* from private.count_week(this_week) as counted
  order by 1;
end
$$;
comment on function private.admin_figures(integer) is 'The work of public.admin_figures.';

create function public.admin_figures(weeks integer default 12)
returns table (week date, members bigint, waitlist bigint, posts bigint)
language sql
rows 12
set search_path = ''
as $$
  select * from private.admin_figures(weeks)
$$;
comment on function public.admin_figures(integer) is
'New members, waitlist entries and posts of each of the last weeks (Mondays, UTC), oldest first. For admins.';

grant execute on function
private.set_admin(uuid, boolean), private.admin_figures(integer),
public.set_admin(uuid, boolean), public.admin_figures(integer)
to authenticated, service_role;
