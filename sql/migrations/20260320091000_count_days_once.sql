-- The dashboard's weeks are sums of days, and a day that is over is counted once: what a call counts live is today, a
-- few thousand rows at the end of an index, however much there is already. Before, the week under way was counted anew
-- by each call, from block ranges that tell nothing once updates have spread new rows over old pages.

-- In order of time, so that a new row goes to its end; it answers by itself, without the messages.
create index messages_created_at_idx on public.messages (created_at);
drop index public.messages_created_at_brin_idx;
create index connections_accepted_at_idx on public.connections (updated_at) where status = 'accepted';
drop index public.connections_created_at_brin_idx;

drop function public.admin_figures(integer);
drop function private.admin_figures(integer);
drop function private.count_weeks(date, date);
drop table private.weeks;

create table private.days (
  day date primary key,
  members bigint not null,
  waitlist bigint not null,
  posts bigint not null,
  messages bigint not null,
  connections bigint not null
);
comment on table private.days is
'How much was new on a day (UTC) that is over, as it was when first asked for: what is deleted later stays counted.';
comment on column private.days.connections is 'By the day on which they were accepted, not the one they were asked on.';
alter table private.days enable row level security;

create policy "Nobody reaches the days directly" on private.days
for all to public using (false);

create function private.count_days(first_day date, last_day date)
returns setof private.days
language plpgsql
stable
rows 7
set search_path = ''
as $$
begin
  -- Each count is one stretch of an index, so a day costs what happened on it and a span its days.
  return query
  select
    spans.begins_on,
    (select count(*) from public.profiles as p where p.created_at >= spans.begins and p.created_at < spans.ends),
    (select count(*) from public.waitlist as l where l.created_at >= spans.begins and l.created_at < spans.ends),
    (
      select count(*) from public.posts as s
      where s.is_blog_post = false and s.created_at >= spans.begins and s.created_at < spans.ends
    ),
    (select count(*) from public.messages as m where m.created_at >= spans.begins and m.created_at < spans.ends),
    (
      select count(*) from public.connections as c
      where c.status = 'accepted' and c.updated_at >= spans.begins and c.updated_at < spans.ends
    )
  from (
    select
      dates.day::date as begins_on,
      dates.day at time zone 'utc' as begins,
      (dates.day + interval '1 day') at time zone 'utc' as ends
    from generate_series(first_day::timestamp, last_day, interval '1 day') as dates (day)
  ) as spans;
end
$$;
comment on function private.count_days(date, date) is
'What was new on each day from one to another (UTC), counted now; no rows when either is null.';

create function private.figures_of_days(first_day date, last_day date)
returns setof private.days
language plpgsql
set search_path = ''
as $$
declare
  -- What was begun before midnight has an hour to be committed: until then the day is not over.
  open_day constant date := ((now() - interval '1 hour') at time zone 'utc')::date;
  first_unknown date;
  last_unknown date;
begin
  for attempt in 1..2 loop
    select min(dates.day)::date, max(dates.day)::date into first_unknown, last_unknown
    from generate_series(first_day::timestamp, least(open_day - 1, last_day), interval '1 day') as dates (day)
    where not exists (select from private.days as known where known.day = dates.day::date);
    -- Where nothing can be written (a standby, a read-only transaction) the days are counted for this answer alone.
    exit when first_unknown is null or current_setting('transaction_read_only')::boolean;
    if attempt = 1 then
      -- One counts; who asks at the same time waits, looks again, and finds it done.
      perform pg_advisory_xact_lock(hashtext('private.days'));
    else
      insert into private.days select * from private.count_days(first_unknown, last_unknown) on conflict do nothing;
      first_unknown := null;
    end if;
  end loop;
  return query
  select known.* from private.days as known
  where known.day between first_day and last_day and known.day < open_day
  union all
  select counted.* from private.count_days(first_unknown, last_unknown) as counted
  where not exists (select from private.days as known where known.day = counted.day)
  union all
  select counted.* from private.count_days(greatest(first_day, open_day), last_day) as counted;
end
$$;
comment on function private.figures_of_days(date, date) is
'What was new on each day: known days as they were counted once, days that are over meanwhile counted and kept, today''s
counted now.';

create function private.admin_figures(weeks integer)
returns table (week date, members bigint, waitlist bigint, posts bigint, messages bigint, connections bigint)
language plpgsql
security definer
set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  first_day constant date
  := date_trunc('week', today)::date - 7 * (least(greatest(coalesce(weeks, 12), 1), 157) - 1);
begin
  perform private.demand_admin();
  return query
  select
    date_trunc('week', f.day)::date,
    sum(f.members)::bigint,
    sum(f.waitlist)::bigint,
    sum(f.posts)::bigint,
    sum(f.messages)::bigint,
    sum(f.connections)::bigint
  from private.figures_of_days(first_day, today) as f
  group by 1
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
'New members, waitlist entries, posts, messages and connections of each of the last weeks (Mondays, UTC), oldest first,
this week''s so far last; three years at most. For admins.';

grant execute on function private.admin_figures(integer), public.admin_figures(integer) to authenticated, service_role;

-- What there is already is counted here, where no request waits for it and no time limit of a request ends it. Where
-- nobody is yet, nothing is: what seeds and restored dumps bring may be dated before this.
select
  private.figures_of_days(
    (greatest(oldest.created_at, now() - interval '157 weeks') at time zone 'utc')::date,
    (now() at time zone 'utc')::date
  )
from (select p.created_at from public.profiles as p order by p.created_at limit 1) as oldest;
