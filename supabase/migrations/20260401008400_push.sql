-- Web push (§17.3): the devices on which members are told, and what waits to be sent to them. A notification is queued
-- for a device when it is written; whether it is still wanted is asked again when it is sent.

create table public.push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  session_id uuid not null default (auth.jwt() ->> 'session_id')::uuid references auth.sessions (id) on delete cascade,
  device text not null default '',
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  server_key text not null,
  preferences text[] not null default '{messages,connections,mentions,certifications,trainings}',
  hides_content boolean not null default false,
  quiet_from time,
  quiet_until time,
  created_at timestamptz not null default now(),
  last_sent_at timestamptz,
  constraint push_subscriptions_endpoint_key unique (endpoint),
  constraint push_subscriptions_session_id_key unique (session_id),
  -- A name that can be public, on the usual port; functions looks up where it leads before every request.
  constraint push_subscriptions_endpoint_is_public check (
    char_length(endpoint) <= 1000
    and endpoint ~ '^https://([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])/[!-~]*$'
    and endpoint !~ '^https://[^/]*\.(localhost|local|internal)/'
  ),
  -- RFC 8291: an uncompressed point of P-256, 65 bytes from 4, and 16 bytes, both in base64url.
  constraint push_subscriptions_p256dh_is_a_point check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  constraint push_subscriptions_auth_is_a_secret check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  constraint push_subscriptions_server_key_is_a_point check (server_key ~ '^B[A-Za-z0-9_-]{86}$'),
  constraint push_subscriptions_quiet_hours_have_two_ends check (
    (quiet_from is null) = (quiet_until is null) and (quiet_from is null or quiet_from <> quiet_until)
  )
);
comment on table public.push_subscriptions is
'A browser that takes pushes for a member: one per session, with which it ends. What it wants is chosen by device.';
comment on column public.push_subscriptions.device is 'What the session''s browser calls itself; set by the database.';
comment on column public.push_subscriptions.endpoint is 'The address that the browser''s push service gave it.';
comment on column public.push_subscriptions.p256dh is 'The browser''s public key: only that browser can read a push.';
comment on column public.push_subscriptions.auth is 'The secret that the encryption needs beside it.';
comment on column public.push_subscriptions.server_key is
'The public key of this server (VAPID) that it was made for; pushes of another one are refused.';
comment on column public.push_subscriptions.preferences is
'Which entries of notification_settings.preferences are pushed to this device.';
comment on column public.push_subscriptions.hides_content is 'Pushes say what kind of news there is, nothing of it.';
comment on column public.push_subscriptions.quiet_from is
'The beginning of the quiet hours in the member''s time zone; what comes then waits for quiet_until.';

create index push_subscriptions_user_id_idx on public.push_subscriptions (user_id);

create table functions.push_queue (
  subscription_id uuid not null references public.push_subscriptions (id) on delete cascade,
  notification_id uuid not null references public.notifications (id) on delete cascade,
  attempts integer not null default 0,
  requested_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  constraint push_queue_pkey primary key (subscription_id, notification_id),
  constraint push_queue_attempts_are_counted check (attempts >= 0)
);
comment on table functions.push_queue is
'A notification to be pushed to a device; the row is deleted when the push service has accepted it, or it is given up.';
comment on column functions.push_queue.attempts is
'Also whether a worker has it: a change of the notification sets it to 0, and what that worker settles spares the row.';

create index push_queue_next_attempt_at_idx on functions.push_queue (next_attempt_at);
create index push_queue_notification_id_idx on functions.push_queue (notification_id);

alter table functions.push_queue enable row level security;

create policy "No client accesses queued pushes" on functions.push_queue
for all to public using (false);

create function private.begin_push_subscription()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  most_devices constant integer := 20;
  unknown text;
begin
  select wanted.preference into unknown
  from unnest(new.preferences) as wanted (preference)
  where not exists (
    select from private.notification_kinds as k where k.preference = wanted.preference and not k.mail_only
  );
  if found or new.preferences is null or cardinality(new.preferences) > 20 then
    raise exception 'There is no kind of notification called %', coalesce(left(unknown, 40), 'null')
    using errcode = 'PT400';
  end if;
  new.preferences := array(select distinct unnest(new.preferences) order by 1);
  if tg_op = 'UPDATE' then
    return new;
  end if;

  new.device := coalesce(
    (select private.device_of(s.user_agent) from auth.sessions as s where s.id = new.session_id), ''
  );
  -- Serializes devices of one member, so that the count holds.
  perform pg_advisory_xact_lock(hashtextextended('push of ' || new.user_id, 0));
  -- A browser that subscribes again, after its push service gave it another address.
  delete from public.push_subscriptions as p where p.session_id = new.session_id;
  if (select count(*) from public.push_subscriptions as p where p.user_id = new.user_id) >= most_devices then
    raise exception 'You can be told on at most % devices. Turn one of them off first.', most_devices
    using errcode = 'PT429';
  end if;
  return new;
end
$$;
comment on function private.begin_push_subscription() is
'A subscription is the only one of its session, one of 20 of its member, and for kinds that there are.';

create trigger begin_push_subscription
before insert or update of preferences on public.push_subscriptions
for each row execute function private.begin_push_subscription();

alter table public.push_subscriptions enable row level security;
grant select (
  id, user_id, session_id, device, endpoint, server_key, preferences, hides_content, quiet_from, quiet_until,
  created_at, last_sent_at
) on public.push_subscriptions to authenticated;
grant insert (endpoint, p256dh, auth, server_key, preferences, hides_content, quiet_from, quiet_until)
on public.push_subscriptions to authenticated;
grant update (preferences, hides_content, quiet_from, quiet_until) on public.push_subscriptions to authenticated;
grant delete on public.push_subscriptions to authenticated;
grant all on public.push_subscriptions to service_role;

create policy "Members see their own devices" on public.push_subscriptions
for select to authenticated
using (user_id = (select auth.uid()));

create policy "Members add the device of their session" on public.push_subscriptions
for insert to authenticated
with check (
  user_id = (select auth.uid()) and session_id = ((select auth.jwt()) ->> 'session_id')::uuid
);

create policy "Members choose what their devices are told" on public.push_subscriptions
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Members remove their own devices" on public.push_subscriptions
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Suspended members cannot access devices" on public.push_subscriptions
as restrictive for all to authenticated using ((select private.caller_is_active()));

create function public.push_devices()
returns table (
  id uuid, device text, is_this boolean, endpoint text, server_key text, preferences text[], hides_content boolean,
  quiet_from time, quiet_until time, created_at timestamptz, last_sent_at timestamptz
)
language sql
stable
set search_path = ''
as $$
  select
    s.id, s.device, s.session_id = ((select auth.jwt()) ->> 'session_id')::uuid, s.endpoint, s.server_key,
    s.preferences, s.hides_content, s.quiet_from, s.quiet_until, s.created_at, s.last_sent_at
  from public.push_subscriptions as s
  where s.user_id = (select auth.uid())
  order by 3 desc, s.created_at, s.id
$$;
comment on function public.push_devices() is
'Where the caller is told, the device of this session first, without the keys that pushes are encrypted for.';
grant execute on function public.push_devices() to authenticated;

create function private.preference_of(kind text)
returns text
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce((select k.preference from private.notification_kinds as k where k.kind = preference_of.kind), 'system')
$$;
comment on function private.preference_of(text) is
'The entry of notification_settings.preferences that governs notifications of a type; system for an unknown one.';

create function private.raises_alert(settings jsonb, preference text)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select private.shows_in_app(settings, preference)
    and settings -> 'globalMute' is distinct from 'true'
    and settings #> array['preferences', preference, 'muted'] is distinct from 'true'
$$;
comment on function private.raises_alert(jsonb, text) is
'Do these notification_settings let what this preference governs interrupt the member?';

create function private.end_of_quiet_hours(quiet_from time, quiet_until time, time_zone text, as_of timestamptz)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select case
    when quiet_from < quiet_until and clock.local::time >= quiet_from and clock.local::time < quiet_until
      then (clock.local::date + quiet_until) at time zone time_zone
    when quiet_from > quiet_until and clock.local::time >= quiet_from
      then (clock.local::date + 1 + quiet_until) at time zone time_zone
    when quiet_from > quiet_until and clock.local::time < quiet_until
      then (clock.local::date + quiet_until) at time zone time_zone
  end
  from (select as_of at time zone time_zone as local) as clock
$$;
comment on function private.end_of_quiet_hours(time, time, text, timestamptz) is
'When the quiet hours end that hold at that time; null outside of them. They may pass midnight.';

create function private.is_pushed(news public.notifications, device public.push_subscriptions, member public.profiles)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select not news.seen
    and private.preference_of(news.type) = any(device.preferences)
    and private.raises_alert(member.notification_settings, private.preference_of(news.type))
    and (
      news.type = 'system' or news.actor_id is null
      or not (
        private.blocked_between(news.actor_id, member.id)
        or exists (select from public.mutes as m where m.member_id = member.id and m.muted_id = news.actor_id)
      )
    )
$$;
comment on function private.is_pushed(public.notifications, public.push_subscriptions, public.profiles) is
'Does the member want this notification on this device, and is it not of one who is blocked or muted?';

create function private.queue_pushes()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into functions.push_queue as q (subscription_id, notification_id, next_attempt_at)
  select
    s.id, new.id,
    coalesce(private.end_of_quiet_hours(s.quiet_from, s.quiet_until, private.time_zone_of(p), now()), now())
  from public.push_subscriptions as s
  inner join public.profiles as p on s.user_id = p.id
  where s.user_id = new.user_id and private.is_pushed(new, s, p)
  on conflict (subscription_id, notification_id) do update
  set attempts = 0, requested_at = now(), next_attempt_at = excluded.next_attempt_at;
  if found then
    perform pg_notify('push', '');
  end if;
  return null;
end
$$;
comment on function private.queue_pushes() is
'Queues a new notification, or one that took the place of an open one, for the devices of its recipient.';

create trigger queue_pushes
after insert on public.notifications
for each row execute function private.queue_pushes();

create trigger queue_pushes_again
after update of created_at on public.notifications
for each row when (old.created_at is distinct from new.created_at)
execute function private.queue_pushes();

create function functions.claim_pushes(lease interval, busy uuid[] default '{}')
returns table (
  subscription_id uuid, user_id uuid, endpoint text, p256dh text, auth text, server_key text, hides_content boolean,
  attempts integer, notifications jsonb
)
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
declare
  too_old constant interval := '1 day';
  device public.push_subscriptions;
  member public.profiles;
  quiet_end timestamptz;
begin
  loop
    -- The lock keeps two workers from one device; not for key, so that notifications can be queued meanwhile.
    select s.* into device
    from functions.push_queue as q
    inner join public.push_subscriptions as s on q.subscription_id = s.id
    where q.next_attempt_at <= now() and s.user_id <> all(busy)
    order by q.next_attempt_at
    limit 1
    for no key update of s skip locked;
    if not found then
      return;
    end if;
    select p.* into member from public.profiles as p where p.id = device.user_id;

    delete from functions.push_queue as q
    using public.notifications as n
    where q.subscription_id = device.id and q.next_attempt_at <= now() and q.notification_id = n.id
      and not (
        q.requested_at > now() - too_old
        and private.is_active_member(member.id)
        and private.is_pushed(n, device, member)
      );
    quiet_end := private.end_of_quiet_hours(device.quiet_from, device.quiet_until, private.time_zone_of(member), now());
    if quiet_end is not null then
      -- Nothing is under way then, whatever failed before.
      update functions.push_queue as q
      set attempts = 0, next_attempt_at = greatest(quiet_end, now() + interval '1 minute')
      where q.subscription_id = device.id and q.next_attempt_at <= now();
      continue;
    end if;
    return query
    with claimed as (
      update functions.push_queue as q
      set attempts = q.attempts + 1, next_attempt_at = now() + lease
      where q.subscription_id = device.id and q.next_attempt_at <= now()
      returning q.notification_id, q.attempts
    )
    select
      device.id, device.user_id, device.endpoint, device.p256dh, device.auth, device.server_key, device.hides_content,
      max(c.attempts)::integer,
      jsonb_agg(
        jsonb_build_object(
          'id', n.id, 'preference', private.preference_of(n.type), 'title', n.title, 'content', n.content,
          'url', coalesce(n.metadata ->> 'url', '/notifications')
        ) order by n.created_at, n.id
      )
    from claimed as c
    inner join public.notifications as n on c.notification_id = n.id
    having count(*) > 0;
    if found then
      return;
    end if;
  end loop;
end
$$;
comment on function functions.claim_pushes(interval, uuid[]) is
'Takes what is due for one device, with its notifications, and leaves it to nobody else for so long; no row: nothing is
due. What is not wanted any more is deleted, what is due in quiet hours waits for their end. busy: members to pass over.';
