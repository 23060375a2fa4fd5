-- The conversations of a member, newest first (§3.19): one row per member and partner with their newest message,
-- maintained by triggers, so that the cost of a page depends on its length and not on the member's history.

create table private.conversations (
  member_id uuid not null,
  partner_id uuid not null,
  last_message_id uuid not null,
  last_message_at timestamptz not null,
  primary key (member_id, partner_id)
);
comment on table private.conversations is
'The newest message of two members, one row for each of them. Derived from messages by triggers. It has no foreign keys:
rows are removed with the messages of a deleted account.';

create index conversations_newest_idx
on private.conversations (member_id, last_message_at desc, last_message_id desc);

alter table private.conversations enable row level security;

create policy "No client accesses conversations directly" on private.conversations
for all to public using (false);

create function private.refresh_conversation(one uuid, other uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- In the order in which a new message locks the two rows, to avoid deadlocks.
  delete from private.conversations as c where c.member_id = least(one, other) and c.partner_id = greatest(one, other);
  delete from private.conversations as c where c.member_id = greatest(one, other) and c.partner_id = least(one, other);
  -- A message sent in the meantime has already inserted its rows.
  insert into private.conversations as existing (member_id, partner_id, last_message_id, last_message_at)
  select sides.member_id, sides.partner_id, newest.id, newest.created_at
  from (
    select of_either.id, of_either.created_at
    from (
      (
        select m.id, m.created_at from public.messages as m
        where m.sender_id = one and m.recipient_id = other order by m.created_at desc, m.id desc limit 1
      )
      union all
      (
        select m.id, m.created_at from public.messages as m
        where m.sender_id = other and m.recipient_id = one order by m.created_at desc, m.id desc limit 1
      )
    ) as of_either
    order by of_either.created_at desc, of_either.id desc
    limit 1
  ) as newest
  cross join (values (least(one, other), greatest(one, other)), (greatest(one, other), least(one, other)))
    as sides (member_id, partner_id)
  on conflict (member_id, partner_id) do update
  set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at
  where (existing.last_message_at, existing.last_message_id) < (excluded.last_message_at, excluded.last_message_id);
end
$$;
comment on function private.refresh_conversation(uuid, uuid) is
'Recomputes the newest message of two members after one was deleted or changed.';

create function private.add_to_conversations()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Messages may commit in another order than their dates: the newest one stays. Rows are locked in one order.
  insert into private.conversations as existing (member_id, partner_id, last_message_id, last_message_at)
  select distinct on (sides.member_id, sides.partner_id)
    sides.member_id, sides.partner_id, sides.id, sides.created_at
  from (
    select sent.sender_id as member_id, sent.recipient_id as partner_id, sent.id, sent.created_at
    from new_messages as sent
    union all
    select received.recipient_id, received.sender_id, received.id, received.created_at
    from new_messages as received
  ) as sides
  order by sides.member_id, sides.partner_id, sides.created_at desc, sides.id desc
  on conflict (member_id, partner_id) do update
  set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at
  where (existing.last_message_at, existing.last_message_id) < (excluded.last_message_at, excluded.last_message_id);
  return null;
end
$$;
comment on function private.add_to_conversations() is 'Makes new messages the newest of their conversations.';

create function private.remove_from_conversations()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from private.conversations;
    return null;
  end if;
  delete from private.conversations as c
  using (
    select lost.one, lost.other
    from (
      select o.sender_id as one, o.recipient_id as other from old_messages as o
      union
      select o.recipient_id, o.sender_id from old_messages as o
    ) as lost
    where not exists (select from public.profiles as p where p.id = lost.one)
      or not exists (select from public.profiles as p where p.id = lost.other)
  ) as gone
  where c.member_id = gone.one and c.partner_id = gone.other;
  perform private.refresh_conversation(pairs.one, pairs.other)
  from (
    select distinct least(o.sender_id, o.recipient_id) as one, greatest(o.sender_id, o.recipient_id) as other
    from old_messages as o
    inner join private.conversations as c
      on c.member_id = o.sender_id and c.partner_id = o.recipient_id and c.last_message_id = o.id
    order by 1, 2
  ) as pairs;
  return null;
end
$$;
comment on function private.remove_from_conversations() is
'Recomputes conversations whose newest message was deleted; drops those of deleted accounts.';

create function private.move_in_conversations()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.refresh_conversation(old.sender_id, old.recipient_id);
  perform private.refresh_conversation(new.sender_id, new.recipient_id);
  return null;
end
$$;
comment on function private.move_in_conversations() is
'Recomputes conversations after a backend service changed the date or the members of a message; members cannot.';

create trigger add_to_conversations
after insert on public.messages
referencing new table as new_messages
for each statement execute function private.add_to_conversations();

create trigger remove_from_conversations
after delete on public.messages
referencing old table as old_messages
for each statement execute function private.remove_from_conversations();

create trigger clear_conversations
after truncate on public.messages
for each statement execute function private.remove_from_conversations();

create trigger move_in_conversations
after update of sender_id, recipient_id, created_at, id on public.messages
for each row execute function private.move_in_conversations();

create function private.rebuild_conversations()
returns void
language sql
set search_path = ''
as $$
  -- For writers that disable triggers; the lock blocks concurrent writes.
  lock table private.conversations in share row exclusive mode;
  delete from private.conversations;
  insert into private.conversations (member_id, partner_id, last_message_id, last_message_at)
  select distinct on (sides.member_id, sides.partner_id)
    sides.member_id, sides.partner_id, sides.id, sides.created_at
  from (
    select sent.sender_id as member_id, sent.recipient_id as partner_id, sent.id, sent.created_at
    from public.messages as sent
    union all
    select received.recipient_id, received.sender_id, received.id, received.created_at
    from public.messages as received
  ) as sides
  order by sides.member_id, sides.partner_id, sides.created_at desc, sides.id desc;
$$;
comment on function private.rebuild_conversations() is 'Rebuilds private.conversations from messages. For operators.';

create function private.newest_conversations(
  term text, before_at timestamptz, before_id uuid, wanted integer
)
returns table (partner_id uuid, last_message_id uuid, last_message_at timestamptz)
language plpgsql
stable
rows 30
security definer
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  rare constant integer := 300;
  caller constant uuid := (select auth.uid());
  -- Without a cursor the first page.
  end_at constant timestamptz := coalesce(before_at, 'infinity');
  end_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  pattern constant text := '%' || private.escape_like_pattern(term) || '%';
  named uuid[];
  blocked constant uuid[] := private.blocked_with_caller();
begin
  if not private.caller_is_active() then
    return;
  end if;
  if term = '' then
    return query
    select c.partner_id, c.last_message_id, c.last_message_at
    from private.conversations as c
    where c.member_id = caller and (c.last_message_at, c.last_message_id) < (end_at, end_id)
      and c.partner_id <> all(blocked)
    order by c.last_message_at desc, c.last_message_id desc
    limit wanted;
    return;
  end if;
  -- The trigram index finds rare names, but not by terms shorter than three letters.
  if char_length(term) > 2 then
    named := array(select p.id from public.profiles as p where p.full_name ilike pattern limit rare + 1);
  end if;
  if cardinality(named) <= rare then
    return query
    select c.partner_id, c.last_message_id, c.last_message_at
    from private.conversations as c
    inner join public.profiles as p on c.partner_id = p.id
    where c.member_id = caller and c.partner_id = any(named) and c.partner_id <> all(blocked)
      and (c.last_message_at, c.last_message_id) < (end_at, end_id)
      and private.can_see_profile(p)
    order by c.last_message_at desc, c.last_message_id desc
    limit wanted;
  else
    -- For a common name, scanning conversations in order fills a page sooner.
    return query
    select c.partner_id, c.last_message_id, c.last_message_at
    from (
      select k.partner_id, k.last_message_id, k.last_message_at
      from private.conversations as k
      where k.member_id = caller and (k.last_message_at, k.last_message_id) < (end_at, end_id)
        and k.partner_id <> all(blocked)
      order by k.last_message_at desc, k.last_message_id desc
      offset 0
    ) as c
    cross join lateral (
      select from public.profiles as p
      where p.id = c.partner_id and p.full_name ilike pattern
        and (coalesce(p.privacy_settings ->> 'profile_visibility', 'public') = 'public' or private.can_see_profile(p))
      offset 0
    ) as found
    order by c.last_message_at desc, c.last_message_id desc
    limit wanted;
  end if;
end
$$;
comment on function private.newest_conversations(text, timestamptz, uuid, integer) is
'A page of the caller''s conversations for public.conversations, without their contents.';
grant execute on function private.newest_conversations(text, timestamptz, uuid, integer) to authenticated, service_role;

create function public.conversations(
  search text default '', before_at timestamptz default null, before_id uuid default null, page_size integer default 30
)
returns table (
  participant_id uuid,
  participant_name text,
  participant_avatar text,
  unread_count integer,
  last_message_id uuid,
  last_message_content text,
  last_message_at timestamptz,
  last_message_is_mine boolean,
  last_message_is_read boolean
)
language plpgsql
stable
rows 30
set search_path = ''
as $$
declare
  caller constant uuid := (select auth.uid());
begin
  -- As the caller: row-level security applies to messages and profiles.
  return query
  select
    page.partner_id,
    p.full_name,
    p.avatar_url,
    (
      select count(*)::integer from public.messages as unread
      where unread.recipient_id = caller and not unread.read and unread.sender_id = page.partner_id
    ),
    m.id,
    m.content,
    m.created_at,
    m.sender_id = caller,
    m.read
  from private.newest_conversations(
    left(btrim(coalesce(search, '')), 100), before_at, before_id, least(greatest(coalesce(page_size, 30), 1), 100)
  ) as page
  inner join public.messages as m on page.last_message_id = m.id
  left join public.profiles as p on page.partner_id = p.id
  order by page.last_message_at desc, page.last_message_id desc;
end
$$;
comment on function public.conversations(text, timestamptz, uuid, integer) is
'The caller''s conversations, newest first: the participant, the newest message, the number of unread messages.
participant_name and participant_avatar are null where the profile is hidden from the caller. For the
next page pass the last row''s last_message_at as before_at and its last_message_id as before_id. search: a part of the
participant''s name. page_size: 30, at most 100.';
grant execute on function public.conversations(text, timestamptz, uuid, integer) to authenticated, service_role;
