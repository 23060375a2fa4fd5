-- With whom a member writes, the latest first (§3.19): one row per member and partner that points at their newest
-- message, kept by triggers, so that a page of the list costs its rows and not the member's whole history.

create table private.conversations (
  member_id uuid not null,
  partner_id uuid not null,
  last_message_id uuid not null,
  last_message_at timestamptz not null,
  primary key (member_id, partner_id)
);
comment on table private.conversations is
'The newest message of each two members, once from either side. Derived from messages, by triggers alone: it has no
foreign keys, because a deleted account''s messages go and take these rows with them.';

create index conversations_newest_idx
on private.conversations (member_id, last_message_at desc, last_message_id desc);

alter table private.conversations enable row level security;

create policy "Nobody reaches the conversations directly" on private.conversations
for all to public using (false);

create function private.refresh_conversation(one uuid, other uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Both rows in the order in which a new message locks them.
  delete from private.conversations as c where c.member_id = least(one, other) and c.partner_id = greatest(one, other);
  delete from private.conversations as c where c.member_id = greatest(one, other) and c.partner_id = least(one, other);
  -- A message that was sent meanwhile has made its rows by itself.
  insert into private.conversations as known (member_id, partner_id, last_message_id, last_message_at)
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
  where (known.last_message_at, known.last_message_id) < (excluded.last_message_at, excluded.last_message_id);
end
$$;
comment on function private.refresh_conversation(uuid, uuid) is
'Finds the newest message of two members anew, after one was deleted or changed.';

create function private.follow_new_messages()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Messages may be committed in another order than they were dated: the newest stays. Rows are locked in one order.
  insert into private.conversations as known (member_id, partner_id, last_message_id, last_message_at)
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
  where (known.last_message_at, known.last_message_id) < (excluded.last_message_at, excluded.last_message_id);
  return null;
end
$$;
comment on function private.follow_new_messages() is 'Puts new messages at the head of their conversations.';

create function private.follow_lost_messages()
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
comment on function private.follow_lost_messages() is
'Gives conversations whose newest message was deleted the one before.';

create function private.follow_moved_message()
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
comment on function private.follow_moved_message() is
'Follows a message that the services of the stack gave another date or side; members cannot.';

create trigger follow_new_messages
after insert on public.messages
referencing new table as new_messages
for each statement execute function private.follow_new_messages();

create trigger follow_lost_messages
after delete on public.messages
referencing old table as old_messages
for each statement execute function private.follow_lost_messages();

create trigger forget_conversations
after truncate on public.messages
for each statement execute function private.follow_lost_messages();

create trigger follow_moved_message
after update of sender_id, recipient_id, created_at, id on public.messages
for each row execute function private.follow_moved_message();

create function private.rebuild_conversations()
returns void
language sql
set search_path = ''
as $$
  -- For whoever writes messages with triggers switched off; the lock keeps others from writing meanwhile.
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
comment on function private.rebuild_conversations() is 'Makes private.conversations anew from messages. For operators.';

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
  -- Without a message to go on from, everything comes after.
  end_at constant timestamptz := coalesce(before_at, 'infinity');
  end_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  pattern constant text := '%' || private.literal_pattern(term) || '%';
  named uuid[];
begin
  if not private.caller_is_active() then
    return;
  end if;
  if term = '' then
    return query
    select c.partner_id, c.last_message_id, c.last_message_at
    from private.conversations as c
    where c.member_id = caller and (c.last_message_at, c.last_message_id) < (end_at, end_id)
    order by c.last_message_at desc, c.last_message_id desc
    limit wanted;
    return;
  end if;
  -- Trigrams tell who has a rare name, but of no term shorter than three letters.
  if char_length(term) > 2 then
    named := array(select p.id from public.profiles as p where p.full_name ilike pattern limit rare + 1);
  end if;
  if cardinality(named) <= rare then
    return query
    select c.partner_id, c.last_message_id, c.last_message_at
    from private.conversations as c
    inner join public.profiles as p on c.partner_id = p.id
    where c.member_id = caller and c.partner_id = any(named)
      and (c.last_message_at, c.last_message_id) < (end_at, end_id)
      and private.can_see_profile(p)
    order by c.last_message_at desc, c.last_message_id desc
    limit wanted;
  else
    -- Of a common one the next are soon met in the order of the list.
    return query
    select c.partner_id, c.last_message_id, c.last_message_at
    from (
      select k.partner_id, k.last_message_id, k.last_message_at
      from private.conversations as k
      where k.member_id = caller and (k.last_message_at, k.last_message_id) < (end_at, end_id)
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
'Which conversations of the caller public.conversations shows; nothing of what is in them.';
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
  -- As the caller: row-level security shows messages to their two sides, and profiles as far as their owners do.
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
'The caller''s conversations, that with the newest message first: with whom, the newest message, how many unread.
participant_name and participant_avatar are null where the profile is hidden from the caller. The next page begins after
the last row: before_at its last_message_at, before_id its last_message_id. search: a part of the participant''s name.
30 a page, 100 at most.';
grant execute on function public.conversations(text, timestamptz, uuid, integer) to authenticated, service_role;
