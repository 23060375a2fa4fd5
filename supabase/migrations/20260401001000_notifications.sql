-- Notifications (§3.16): inserted by the member who caused them, marked seen and deleted by their recipient.

create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  actor_id uuid default auth.uid() references public.profiles (id) on delete cascade,
  type text not null,
  title text not null,
  content text not null default '',
  reference_id uuid,
  metadata jsonb not null default '{}',
  seen boolean not null default false,
  created_at timestamptz not null default now(),
  constraint notifications_type_is_a_word check (type ~ '^[a-z][a-z_]{0,39}$'),
  constraint notifications_title_has_a_length check (char_length(title) between 1 and 200),
  constraint notifications_content_is_short check (char_length(content) <= 1000),
  constraint notifications_metadata_is_an_object check (
    jsonb_typeof(metadata) = 'object' and length(metadata::text) <= 4000
  ),
  constraint notifications_url_stays_here check (
    -- A fragment, and the pages that end a sign-in, could carry somebody else's session.
    metadata -> 'url' is null
    or (metadata ->> 'url' ~ '^/([^/\\]|$)' and metadata ->> 'url' !~ '(#|^/auth(/|$))')
  )
);
comment on table public.notifications is 'A notification to user_id; type is a kind of private.notification_kinds.';
comment on column public.notifications.actor_id is
'The member who caused it: always the one who inserted it. Null: the system.';
comment on column public.notifications.reference_id is 'What it is about: a post, comment, connection or message.';
comment on column public.notifications.metadata is
'user_id and name (of the actor, set by the database; the title begins with the name), url (a path of this site), and
others.';

create index notifications_user_id_idx on public.notifications (user_id, created_at desc);
create index notifications_seen_idx on public.notifications (user_id, seen);
create index notifications_actor_id_idx on public.notifications (actor_id, created_at desc);
create index notifications_reference_id_idx on public.notifications (reference_id);

-- The events that members notify each other of, a function per kind, named in private.notification_kinds.event_source.
-- Notifications in the application and by mail are checked by the same functions. event_id: that event only, or null.

create function private.message_events(actor uuid, recipient uuid, since timestamptz, event_id uuid)
returns setof private.notification_events
language sql
stable
security definer
set search_path = ''
as $$
  select m.id, m.created_at, m.content, '', null::uuid, null, null::jsonb
  from public.messages as m
  where m.sender_id = actor and m.recipient_id = recipient and m.created_at > since
    and (event_id is null or m.id = event_id)
$$;
comment on function private.message_events(uuid, uuid, timestamptz, uuid) is 'Messages from actor to recipient.';

create function private.connection_events(actor uuid, recipient uuid, since timestamptz, event_id uuid)
returns setof private.notification_events
language sql
stable
security definer
set search_path = ''
as $$
  select
    c.id, c.updated_at, '',
    case
      when c.user_id = actor and c.status = 'pending' then 'request'
      when c.user_id = recipient and c.status = 'accepted' then 'accepted'
    end,
    null::uuid,
    case when c.status = 'accepted' then '/profile/' || actor end,
    null::jsonb
  from public.connections as c
  where c.updated_at > since
    and (event_id is null or c.id = event_id)
    and (
      (c.user_id = actor and c.connected_user_id = recipient)
      or (c.user_id = recipient and c.connected_user_id = actor)
    )
$$;
comment on function private.connection_events(uuid, uuid, timestamptz, uuid) is
'The connection of the two. Its variant is request when actor waits for an answer, accepted when actor gave it.';

create function private.mention_events(actor uuid, recipient uuid, since timestamptz, event_id uuid)
returns setof private.notification_events
language sql
stable
security definer
set search_path = ''
as $$
  select m.id, m.created_at, c.content, '', c.post_id, null, null::jsonb
  from public.mentions as m
  inner join public.comments as c on m.comment_id = c.id
  where m.mentioned_by_id = actor and m.mentioned_user_id = recipient and m.created_at > since
    and (event_id is null or m.id = event_id)
$$;
comment on function private.mention_events(uuid, uuid, timestamptz, uuid) is
'Comments in which actor mentioned recipient.';

create function private.comment_events(actor uuid, recipient uuid, since timestamptz, event_id uuid)
returns setof private.notification_events
language sql
stable
security definer
set search_path = ''
as $$
  select
    c.id, c.created_at, c.content, case when answered.user_id = recipient then 'answer' else 'comment' end, c.post_id,
    null, null::jsonb
  from public.comments as c
  inner join public.posts as p on c.post_id = p.id
  left join public.comments as answered on c.parent_id = answered.id
  where c.user_id = actor and recipient in (p.user_id, answered.user_id) and c.created_at > since
    and (event_id is null or c.id = event_id)
$$;
comment on function private.comment_events(uuid, uuid, timestamptz, uuid) is
'Comments of actor on a post of recipient (comment) or in answer to a comment of theirs (answer).';

create function private.reaction_events(actor uuid, recipient uuid, since timestamptz, event_id uuid)
returns setof private.notification_events
language sql
stable
security definer
set search_path = ''
as $$
  select
    r.id, r.created_at, coalesce(c.content, p.content),
    case when r.comment_id is null then 'post' else 'comment' end || ':' || r.type,
    coalesce(r.post_id, c.post_id), null, null::jsonb
  from public.reactions as r
  left join public.posts as p on r.post_id = p.id
  left join public.comments as c on r.comment_id = c.id
  where r.user_id = actor and coalesce(c.user_id, p.user_id) = recipient and r.created_at > since
    and (event_id is null or r.id = event_id)
$$;
comment on function private.reaction_events(uuid, uuid, timestamptz, uuid) is
'Reactions of actor to what recipient wrote; the variant is post or comment, a colon, and the type of the reaction.';

create function private.has_cause_to_notify(actor uuid, recipient uuid, notification_kind text)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  rule private.notification_kinds;
  has_happened boolean;
begin
  select k.* into rule
  from private.notification_kinds as k
  where k.kind = notification_kind and k.sent_by = 'member' and k.in_app_within is not null;
  if not found then
    return false;
  end if;
  execute format('select exists (select from private.%I($1, $2, $3, null))', rule.event_source)
  into has_happened using actor, recipient, now() - rule.in_app_within;
  return has_happened;
end
$$;
comment on function private.has_cause_to_notify(uuid, uuid, text) is
'Is there a recent event of actor that allows a notification of this kind to recipient?';

create function private.enforce_notification_rules()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  actor constant uuid := (select auth.uid());
  hourly_cap constant integer := 120;
  hourly_cap_to_non_connections constant integer := 10;
  sent integer;
  sent_to_recipient integer;
  actor_name text;
  open_one public.notifications;
begin
  if new.metadata ->> 'user_id' <> actor::text then
    raise exception 'A notification has to name its sender' using errcode = 'PT403';
  end if;
  new.actor_id := actor;
  select coalesce(nullif(btrim(p.full_name), ''), 'A member') into actor_name
  from public.profiles as p
  where p.id = actor;
  if jsonb_typeof(new.metadata) = 'object' then
    new.metadata := new.metadata - 'name' || jsonb_build_object('user_id', actor);
    if starts_with(new.title, actor_name) then
      new.metadata := new.metadata || jsonb_build_object('name', actor_name);
    end if;
  end if;
  -- The one who is blocked is not told. A message of the system is the house's, whoever sent it.
  if new.type <> 'system' and private.blocked_between(actor, new.user_id) then
    raise exception 'You can only notify a member of something you did' using errcode = 'PT403';
  end if;
  if (select private.caller_is_admin()) then
    return new;
  end if;

  if not private.has_cause_to_notify(actor, new.user_id, new.type) then
    raise exception 'You can only notify a member of something you did' using errcode = 'PT403';
  end if;
  -- The text is the member's, so it says whose it is.
  if not starts_with(new.title, actor_name) then
    new.title := left(actor_name || ': ' || new.title, 200);
  end if;
  -- Serializes concurrent notifications of one member, so that the counts hold.
  perform pg_advisory_xact_lock(hashtextextended('notifications of ' || actor, 0));
  select count(*), count(*) filter (where n.user_id = new.user_id) into sent, sent_to_recipient
  from public.notifications as n
  where n.actor_id = actor and n.created_at > now() - interval '1 hour';
  if sent >= hourly_cap
    or (
      sent_to_recipient >= hourly_cap_to_non_connections
      and not exists (
        select from public.connections as c
        where c.status = 'accepted'
          and (
            (c.user_id = actor and c.connected_user_id = new.user_id)
            or (c.user_id = new.user_id and c.connected_user_id = actor)
          )
      )
    ) then
    raise exception 'Too many notifications. Try again later.' using errcode = 'PT429';
  end if;

  -- One open notification of an actor about the same thing, or of the same conversation: the newest, in the place of the last.
  select n.* into open_one
  from public.notifications as n
  where n.user_id = new.user_id and not n.seen and n.actor_id = actor and n.type = new.type
    and new.reference_id is not null and (n.reference_id = new.reference_id or new.type = 'message')
  order by n.created_at desc
  limit 1;
  if found then
    -- Not again within a second: an update is not counted above.
    update public.notifications
    set title = new.title, content = new.content, reference_id = new.reference_id, metadata = new.metadata,
      created_at = now()
    where id = open_one.id and created_at < now() - interval '1 second';
    return null;
  end if;
  return new;
end
$$;
comment on function private.enforce_notification_rules() is
'A notification begins with its sender''s name, has an event, is one of 120 an hour (10 to a member without a
connection), and takes the place of an open one about the same thing.';

create trigger enforce_notification_rules
before insert on public.notifications
for each row when (current_user = 'authenticated')
execute function private.enforce_notification_rules();

alter table public.notifications enable row level security;
grant select, delete on public.notifications to authenticated;
grant insert (id, user_id, type, title, content, reference_id, metadata, seen)
on public.notifications to authenticated;
grant update (seen) on public.notifications to authenticated;
grant all on public.notifications to service_role;

create policy "Members see their own notifications" on public.notifications
for select to authenticated
using (user_id = (select auth.uid()));

create policy "Members notify others in their own name" on public.notifications
for insert to authenticated
with check (
  actor_id = (select auth.uid())
  and not seen
  and (user_id <> (select auth.uid()) or (select private.caller_is_admin()))
);

create policy "Members mark their own notifications seen" on public.notifications
for update to authenticated
using (user_id = (select auth.uid()))
with check (seen);

create policy "Members delete their own notifications" on public.notifications
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Blocked and muted members do not notify" on public.notifications
as restrictive for select to authenticated
using ((actor_id = any((select private.silent_to_caller())::uuid[])) is not true or type = 'system');

create policy "Suspended members cannot access notifications" on public.notifications
as restrictive for all to authenticated using ((select private.caller_is_active()));

-- Clients filter deletes by user_id (§4.24, §7.50): the old row must carry it.
alter table public.notifications replica identity full;
alter publication supabase_realtime add table public.notifications;

-- A notification goes with its cause, and a request is seen once it is answered.
create function private.withdraw_notifications()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  gone constant jsonb := to_jsonb(old);
begin
  if tg_table_name in ('posts', 'connections', 'endorsements', 'mentorings') then
    delete from public.notifications as n where n.reference_id = old.id;
  else
    -- metadata names the event: comment_id, mention_id, reaction_id.
    delete from public.notifications as n
    where n.actor_id = coalesce(gone ->> 'mentioned_by_id', gone ->> 'user_id')::uuid
      and n.metadata ->> tg_argv[0] = gone ->> 'id';
  end if;
  return null;
end
$$;
comment on function private.withdraw_notifications() is
'Deletes the notifications of a deleted row. The argument: the key of metadata that names it.';

create trigger withdraw_notifications
after delete on public.posts
for each row execute function private.withdraw_notifications();

create trigger withdraw_notifications
after delete on public.connections
for each row execute function private.withdraw_notifications();

create trigger withdraw_notifications
after delete on public.comments
for each row execute function private.withdraw_notifications('comment_id');

create trigger withdraw_notifications
after delete on public.mentions
for each row execute function private.withdraw_notifications('mention_id');

create trigger withdraw_notifications
after delete on public.reactions
for each row execute function private.withdraw_notifications('reaction_id');

create function private.see_answered_request()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.notifications as n
  set seen = true
  where n.reference_id = new.id and n.user_id = new.connected_user_id and not n.seen;
  return null;
end
$$;
comment on function private.see_answered_request() is 'Marks the notification of a request as seen.';

create trigger see_answered_request
after update of status on public.connections
for each row when (old.status = 'pending' and new.status <> 'pending')
execute function private.see_answered_request();

create function private.see_read_messages()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.notifications as n
  set seen = true
  where n.user_id = new.recipient_id and not n.seen and n.actor_id = new.sender_id and n.type = 'message';
  return null;
end
$$;
comment on function private.see_read_messages() is
'Marks the notifications of a conversation as seen when its messages are read.';

create trigger see_read_messages
after update of read on public.messages
for each row when (new.read and not old.read)
execute function private.see_read_messages();
