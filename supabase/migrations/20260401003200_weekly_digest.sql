-- The weekly digest by e-mail (§10.7): Monday at 7 a.m. in the member's time zone, to those who switched it on.

create table private.weekly_digests (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  week date not null
);
comment on table private.weekly_digests is
'The Monday of the last digest of a member, also if there was nothing to say, so that each is given once.';

alter table private.weekly_digests enable row level security;

create policy "No client accesses the record of digests" on private.weekly_digests
for all to public using (false);

-- Off by default: few rows of many.
create index profiles_wanting_digest_idx on public.profiles (id)
where notification_settings #> '{preferences,digest,email_enabled}' = 'true';

create function private.names_in_words(names text[], total bigint)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when total > cardinality(names) then format('%s and %s more', array_to_string(names, ', '), total - cardinality(names))
    when total > 1
      then array_to_string(trim_array(names, 1), ', ') || ' and ' || names[cardinality(names)]
    else names[1]
  end
$$;
comment on function private.names_in_words(text[], bigint) is '"Ada, Ben and 3 more": the first few of so many.';

create function private.weekly_digest(member_id uuid, today date)
returns jsonb
language sql
stable
set search_path = ''
as $$
  with silent as (
    select b.blocked_id as id from public.blocks as b where b.blocker_id = member_id
    union all
    select b.blocker_id from public.blocks as b where b.blocked_id = member_id
    union all
    select m.muted_id from public.mutes as m where m.member_id = weekly_digest.member_id
  ),
  expiring as (
    select c.name, c.expires_on
    from public.certifications as c
    where c.user_id = member_id and c.expires_on between today and today + 90 and not private.is_renewed(c)
    order by c.expires_on, c.name
    limit 10
  ),
  requests as (
    select coalesce(nullif(btrim(p.full_name), ''), 'A member') as name, count(*) over () as total
    from public.connections as c
    inner join public.profiles as p on c.user_id = p.id
    where c.connected_user_id = member_id and c.status = 'pending' and c.user_id not in (select s.id from silent as s)
    order by c.created_at desc
    limit 3
  ),
  senders as (
    select
      coalesce(nullif(btrim(min(p.full_name)), ''), 'A member') as name, sum(count(*)) over () as messages,
      count(*) over () as total
    from public.messages as m
    inner join public.profiles as p on m.sender_id = p.id
    where m.recipient_id = member_id and not m.read and m.sender_id not in (select s.id from silent as s)
    group by m.sender_id
    order by max(m.created_at) desc
    limit 3
  ),
  connected as (
    select case c.user_id when member_id then c.connected_user_id else c.user_id end as id
    from public.connections as c
    where c.status = 'accepted' and member_id in (c.user_id, c.connected_user_id)
  ),
  lessons as (
    select
      p.id, coalesce(nullif(btrim(p.title), ''), left(p.content, 100)) as title, author.full_name as author,
      count(r.id) as useful
    from connected
    inner join public.posts as p on connected.id = p.user_id and connected.id not in (select s.id from silent as s)
    inner join public.profiles as author on author.id = connected.id
    left join public.reactions as r
      on r.post_id = p.id and r.type = 'useful' and r.user_id not in (select s.id from silent as s)
    where p.kind = 'lesson' and not p.is_blog_post and p.created_at >= today - interval '7 days'
    group by p.id, author.full_name
    order by useful desc, p.created_at desc
    limit 3
  ),
  coming as (
    -- Answered or announced by the member first; then what connections announce.
    select t.id, t.title, t.starts_at, private.training_time(t) as starts, private.training_place(t) as place,
      coalesce(case when a.is_waiting then 'waiting' else a.answer end, case when t.user_id = member_id then 'yours' end)
        as answer
    from public.trainings as t
    left join public.training_attendances as a on a.training_id = t.id and a.user_id = member_id
    where t.starts_at >= today and t.starts_at < today + interval '14 days' and not t.is_canceled
      and t.user_id not in (select s.id from silent as s)
      and (t.user_id = member_id or a.user_id is not null or t.user_id in (select c.id from connected as c))
    order by (t.user_id = member_id or a.user_id is not null) desc, t.starts_at, t.id
    limit 5
  ),
  said as (
    select jsonb_strip_nulls(jsonb_build_object(
      'certifications', (
        select jsonb_agg(
          jsonb_build_object('name', e.name, 'expires_on', e.expires_on, 'words', private.expiry_in_words(e.expires_on - today))
          order by e.expires_on, e.name
        )
        from expiring as e
      ),
      'requests', (
        select jsonb_build_object('count', max(r.total), 'names', private.names_in_words(array_agg(r.name), max(r.total)))
        from requests as r having count(*) > 0
      ),
      'unread', (
        select jsonb_build_object('count', max(s.messages), 'names', private.names_in_words(array_agg(s.name), max(s.total)))
        from senders as s having count(*) > 0
      ),
      'lessons', (
        select jsonb_agg(
          jsonb_build_object('id', l.id, 'title', l.title, 'author', l.author, 'useful', l.useful) order by l.useful desc
        )
        from lessons as l
      ),
      'trainings', (
        select jsonb_agg(
          jsonb_build_object('id', c.id, 'title', c.title, 'when', c.starts, 'where', c.place, 'answer', c.answer)
          order by c.starts_at, c.id
        )
        from coming as c
      )
    )) as facts
  )
  select nullif(said.facts, '{}') from said
$$;
comment on function private.weekly_digest(uuid, date) is
'What a member''s digest of that day says: certifications that expire within 90 days, requests, unread messages, and the
three lessons of connections in the last week that most found useful, and trainings within 14 days that the member answered
or announced, or that connections announce. Nothing of who is blocked or muted. Null: nothing to say.';

create function private.give_weekly_digests(as_of timestamptz default now())
returns integer
language plpgsql
set search_path = ''
as $$
declare
  given integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('private.give_weekly_digests', 0));
  with begun as (
    insert into private.weekly_digests (user_id, week)
    select p.id, clock.local::date
    from public.profiles as p
    cross join lateral (select as_of at time zone private.time_zone_of(p) as local) as clock
    where p.notification_settings #> '{preferences,digest,email_enabled}' = 'true'
      and private.wants_mail(p.notification_settings, 'digest')
      and extract(isodow from clock.local) = 1
      and clock.local::time >= '07:00'
      and private.is_active_member(p.id)
    on conflict (user_id) do update set week = excluded.week where weekly_digests.week < excluded.week
    returning user_id, week
  ),
  mailed as (
    insert into functions.mail_requests (kind, recipient_id, facts)
    select 'digest', b.user_id, digest.facts
    from begun as b
    cross join lateral (select private.weekly_digest(b.user_id, b.week) as facts) as digest
    where digest.facts is not null
    returning true
  )
  select count(*) into given from mailed;
  return given;
end
$$;
comment on function private.give_weekly_digests(timestamptz) is
'Asks for the digests that are due at that time and returns how many: on the member''s Monday from 7 a.m., once.';
