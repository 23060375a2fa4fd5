-- The dashboard of the admin area: current totals and statistics by week. For admins only.
-- Weeks are sums of days, and a past day is counted once: a call counts today's rows only, a few thousand at the end of
-- an index, however large the tables are.

create table private.daily_stats (
  day date primary key,
  members bigint not null,
  waitlist bigint not null,
  posts bigint not null,
  messages bigint not null,
  connections bigint not null
);
comment on table private.daily_stats is
'New rows per past day (UTC), counted when first requested: rows deleted later stay counted.';
comment on column private.daily_stats.connections is 'By the day on which they were accepted.';

alter table private.daily_stats enable row level security;

create policy "No client accesses daily statistics" on private.daily_stats
for all to public using (false);

create function private.count_daily_stats(first_day date, last_day date)
returns setof private.daily_stats
language plpgsql
stable
rows 7
set search_path = ''
as $$
begin
  -- Each count is one range of an index, so the cost depends on the rows of the day.
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
comment on function private.count_daily_stats(date, date) is
'Counts the new rows of each day (UTC) between two; no rows when either is null.';

create function private.daily_stats_between(first_day date, last_day date)
returns setof private.daily_stats
language plpgsql
set search_path = ''
as $$
declare
  -- Transactions begun before midnight have an hour to commit: until then the day is not over.
  open_day constant date := ((now() - interval '1 hour') at time zone 'utc')::date;
  first_missing date;
  last_missing date;
begin
  for attempt in 1..2 loop
    select min(dates.day)::date, max(dates.day)::date into first_missing, last_missing
    from generate_series(first_day::timestamp, least(open_day - 1, last_day), interval '1 day') as dates (day)
    where not exists (select from private.daily_stats as stored where stored.day = dates.day::date);
    -- Without write access (a standby, a read-only transaction) the days are counted for this call only.
    exit when first_missing is null or current_setting('transaction_read_only')::boolean;
    if attempt = 1 then
      -- One caller counts; concurrent ones wait, look again, and find it done.
      perform pg_advisory_xact_lock(hashtext('private.daily_stats'));
    else
      insert into private.daily_stats
      select * from private.count_daily_stats(first_missing, last_missing)
      on conflict do nothing;
      first_missing := null;
    end if;
  end loop;
  return query
  select stored.* from private.daily_stats as stored
  where stored.day between first_day and last_day and stored.day < open_day
  union all
  select counted.* from private.count_daily_stats(first_missing, last_missing) as counted
  where not exists (select from private.daily_stats as stored where stored.day = counted.day)
  union all
  select counted.* from private.count_daily_stats(greatest(first_day, open_day), last_day) as counted;
end
$$;
comment on function private.daily_stats_between(date, date) is
'Statistics of each day between two: stored days as they are, new past days counted and stored, today counted.';

create function private.admin_stats(weeks integer)
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
  perform private.require_admin();
  return query
  select
    date_trunc('week', f.day)::date,
    sum(f.members)::bigint,
    sum(f.waitlist)::bigint,
    sum(f.posts)::bigint,
    sum(f.messages)::bigint,
    sum(f.connections)::bigint
  from private.daily_stats_between(first_day, today) as f
  group by 1
  order by 1;
end
$$;
comment on function private.admin_stats(integer) is 'Implements public.admin_stats.';
grant execute on function private.admin_stats(integer) to authenticated, service_role;

create function public.admin_stats(weeks integer default 12)
returns table (week date, members bigint, waitlist bigint, posts bigint, messages bigint, connections bigint)
language sql
rows 12
set search_path = ''
as $$
  select * from private.admin_stats(weeks)
$$;
comment on function public.admin_stats(integer) is
'New members, waitlist entries, posts, messages and connections of each of the last weeks (Mondays, UTC), oldest first,
this week''s so far last; three years at most. For admins.';
grant execute on function public.admin_stats(integer) to authenticated, service_role;

create function private.admin_totals()
returns table (
  members bigint, waitlist bigint, waiting bigint, invited bigint, invited_long_ago bigint, open_feedback bigint,
  feedback_today bigint, open_reports bigint, oldest_report timestamptz
)
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return query select
    (select count(*) from public.profiles),
    (select count(*) from public.waitlist as w where w.status <> 'active'),
    (select count(*) from public.waitlist as w where w.status in ('waitlist', 'pending')),
    (select count(*) from public.waitlist as w where w.status = 'invited'),
    (
      select count(*) from public.waitlist as w
      where w.status = 'invited' and w.updated_at < now() - interval '7 days'
    ),
    (select count(*) from public.feedback as f where f.status = 'pending'),
    (
      select count(*) from public.feedback as f
      where f.created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'
    ),
    (
      (select count(distinct (r.subject_kind, r.subject_id)) from public.reports as r where r.decided_at is null)
      + (select count(*) from private.decisions as d where d.appealed_at is not null and d.appeal_result is null)
    ),
    least(
      (select min(r.created_at) from public.reports as r where r.decided_at is null),
      (select min(d.appealed_at) from private.decisions as d where d.appealed_at is not null and d.appeal_result is null)
    );
end
$$;
comment on function private.admin_totals() is 'Implements public.admin_totals.';
grant execute on function private.admin_totals() to authenticated, service_role;

create function public.admin_totals()
returns table (
  members bigint, waitlist bigint, waiting bigint, invited bigint, invited_long_ago bigint, open_feedback bigint,
  feedback_today bigint, open_reports bigint, oldest_report timestamptz
)
language sql
rows 1
set search_path = ''
as $$
  select * from private.admin_totals()
$$;
comment on function public.admin_totals() is 'Current totals, and what waits for an admin. For admins.';
grant execute on function public.admin_totals() to authenticated, service_role;

create function private.admin_member_types()
returns table (firefighter_type text, members bigint)
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return query select p.firefighter_type, count(*) from public.profiles as p group by p.firefighter_type;
end
$$;
comment on function private.admin_member_types() is 'Implements public.admin_member_types.';
grant execute on function private.admin_member_types() to authenticated, service_role;

create function public.admin_member_types()
returns table (firefighter_type text, members bigint)
language sql
rows 6
set search_path = ''
as $$
  select * from private.admin_member_types()
$$;
comment on function public.admin_member_types() is
'How many members there are of each firefighter type; null: not given. For admins.';
grant execute on function public.admin_member_types() to authenticated, service_role;

-- What happened last, for the panel "Just now": the newest of each kind, each by its own index.
create function private.admin_recent_events(most integer)
returns table (
  kind text, id uuid, happened_at timestamptz, member_id uuid, name text, avatar_url text, subject text, detail text
)
language plpgsql
stable
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  wanted constant integer := least(greatest(coalesce(most, 8), 1), 50);
begin
  perform private.require_admin();
  return query
  select events.*
  from (
    (
      select 'waitlist', w.id, w.created_at, null::uuid, null::text, null::text, w.email,
        concat_ws(
          ', ',
          case q.firefighter_type
            when 'other' then q.firefighter_type_other else nullif(q.firefighter_type, 'waitlist_quiz')
          end,
          nullif(btrim(q.current_rank), '')
        )
      from (select * from public.waitlist order by created_at desc, id limit wanted) as w
      left join public.quiz_responses as q on w.quiz_response_id = q.id
      where w.status in ('waitlist', 'pending')
    )
    union all
    (
      select 'member', p.id, p.created_at, p.id, p.full_name, p.avatar_url, p.email,
        case when exists (
          select from public.waitlist as w where w.email = p.email and w.invited_at is not null
        ) then 'invited' end
      from public.profiles as p
      order by p.created_at desc
      limit wanted
    )
    union all
    (
      select 'report', r.id, r.created_at, null, null, null, r.subject_kind, r.reason
      from public.reports as r
      where r.decided_at is null
      order by r.created_at desc
      limit wanted
    )
    union all
    (
      select 'feedback', f.id, f.created_at, f.user_id, coalesce(f.name, f.email), p.avatar_url, null, left(f.content, 100)
      from (select * from public.feedback order by created_at desc limit wanted) as f
      left join public.profiles as p on f.user_id = p.id
    )
    union all
    (
      select 'article', s.id, s.published_at, s.user_id, p.full_name, p.avatar_url, s.title, s.slug
      from public.posts as s
      left join public.profiles as p on s.user_id = p.id
      where s.is_blog_post and s.is_public_blog and s.published_at is not null
      order by s.published_at desc
      limit wanted
    )
  ) as events (kind, id, happened_at, member_id, name, avatar_url, subject, detail)
  order by events.happened_at desc, events.id
  limit wanted;
end
$$;
comment on function private.admin_recent_events(integer) is 'Implements public.admin_recent_events.';
grant execute on function private.admin_recent_events(integer) to authenticated, service_role;

create function public.admin_recent_events(most integer default 8)
returns table (
  kind text, id uuid, happened_at timestamptz, member_id uuid, name text, avatar_url text, subject text, detail text
)
language sql
stable
rows 8
set search_path = ''
as $$
  select * from private.admin_recent_events(most)
$$;
comment on function public.admin_recent_events(integer) is
'What happened last, newest first, 50 at most: waitlist (subject: address; detail: type and role), member (detail:
invited, if so), report (subject: of what; detail: reason), feedback (detail: its beginning), article (subject: title).
For admins.';
grant execute on function public.admin_recent_events(integer) to authenticated, service_role;
