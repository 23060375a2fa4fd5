-- What one member writes to another (§3.18), and the daily cap on writing to non-connections (§5.19).

create table public.messages (
  id uuid primary key default gen_random_uuid(),
  sender_id uuid not null references public.profiles (id) on delete cascade,
  recipient_id uuid not null references public.profiles (id) on delete cascade,
  content text not null,
  read boolean not null default false,
  created_at timestamptz not null default now(),
  constraint messages_content_has_a_length check (char_length(content) <= 4000 and content ~ '\S'),
  constraint messages_go_to_another_member check (sender_id <> recipient_id)
);
comment on table public.messages is 'A direct message; both members keep it until either account is deleted.';
comment on column public.messages.read is 'Set to true once, by the recipient.';

create index messages_sender_id_idx on public.messages (sender_id, recipient_id, created_at desc);
-- For counts by day: an index-only scan, and inserts always go to its right end.
create index messages_created_at_idx on public.messages (created_at);
-- Not partial: `read=eq.false` arrives as a parameter, which a generic plan cannot match with a condition.
create index messages_recipient_id_idx on public.messages (recipient_id, read, sender_id);

create function private.current_message_counters(settings jsonb)
returns jsonb
language sql
stable
set search_path = ''
as $$
  -- Counters of an earlier day (UTC), or without a day, are stale.
  select case
    when left(settings ->> 'last_limit_reset', 10) = to_char(now() at time zone 'utc', 'YYYY-MM-DD') then settings
    else settings || jsonb_build_object(
      'daily_message_limit_reached', false,
      'non_connection_messages_today', 0,
      'last_limit_reset', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    )
  end
$$;
comment on function private.current_message_counters(jsonb) is
'Privacy settings whose message counters are of today (UTC): stale ones are reset.';

create function private.enforce_message_rules()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  daily_cap constant integer := 3;
  recipient_settings jsonb;
  sender_settings jsonb;
  sent_today integer;
begin
  -- The policy refuses messages in another member's name; until then nothing is revealed about that member.
  if new.sender_id is distinct from (select auth.uid()) then
    return new;
  end if;
  -- The one who is blocked is not told: it reads like a member who accepts messages from connections only.
  if private.blocked_between(new.sender_id, new.recipient_id) then
    raise exception 'This user only accepts messages from connections' using errcode = 'PT403';
  end if;
  if exists (
    select from public.connections as c
    where c.status = 'accepted'
      and (
        (c.user_id = new.sender_id and c.connected_user_id = new.recipient_id)
        or (c.user_id = new.recipient_id and c.connected_user_id = new.sender_id)
      )
  ) then
    return new;
  end if;

  select p.privacy_settings into recipient_settings from public.profiles as p where p.id = new.recipient_id;
  if recipient_settings -> 'allow_messages_from_anyone' = 'false' then
    raise exception 'This user only accepts messages from connections' using errcode = 'PT403';
  end if;

  -- The row lock serializes concurrent messages of one sender.
  select private.current_message_counters(p.privacy_settings) into sender_settings
  from public.profiles as p where p.id = new.sender_id for no key update;
  sent_today := coalesce((sender_settings ->> 'non_connection_messages_today')::numeric, 0);
  if sent_today >= daily_cap then
    raise exception 'You have reached your daily limit for messages to non-connections' using errcode = 'PT429';
  end if;
  update public.profiles
  set privacy_settings = sender_settings || jsonb_build_object(
    'non_connection_messages_today', sent_today + 1,
    'daily_message_limit_reached', sent_today + 1 >= daily_cap
  )
  where id = new.sender_id;
  return new;
end
$$;
comment on function private.enforce_message_rules() is
'Refuses messages to non-connections who do not accept them, and more than 3 a day to all of them (§5.20, §5.21).';

-- Only members are limited: backend services and seeds insert past messages.
create trigger enforce_message_rules
before insert on public.messages
for each row when (current_user = 'authenticated')
execute function private.enforce_message_rules();

alter table public.messages enable row level security;
grant select on public.messages to authenticated;
grant insert (id, sender_id, recipient_id, content, read) on public.messages to authenticated;
grant update (read) on public.messages to authenticated;
grant all on public.messages to service_role;

create policy "Members see the messages they sent or received" on public.messages
for select to authenticated
using (sender_id = (select auth.uid()) or recipient_id = (select auth.uid()));

create policy "Members send messages in their own name" on public.messages
for insert to authenticated
with check (sender_id = (select auth.uid()) and not read);

create policy "Only the recipient marks a message read" on public.messages
for update to authenticated
using (recipient_id = (select auth.uid()))
with check (read);

create policy "Blocked members do not see each other's messages" on public.messages
as restrictive for select to authenticated
using (
  (sender_id = any((select private.blocked_with_caller())::uuid[])) is not true
  and (recipient_id = any((select private.blocked_with_caller())::uuid[])) is not true
);

create policy "Suspended members cannot access messages" on public.messages
as restrictive for all to authenticated using ((select private.caller_is_active()));

alter publication supabase_realtime add table public.messages;

create function private.reset_daily_message_limits()
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- A member's own counters; with the service_role key everyone's.
  update public.profiles as p
  set privacy_settings = private.current_message_counters(p.privacy_settings)
  where p.id = (select auth.uid()) and p.privacy_settings <> private.current_message_counters(p.privacy_settings);
  if (select auth.role()) = 'service_role' then
    update public.profiles as p
    set privacy_settings = private.current_message_counters(p.privacy_settings)
    where p.privacy_settings <> private.current_message_counters(p.privacy_settings);
  end if;
end
$$;
comment on function private.reset_daily_message_limits() is 'Implements public.reset_daily_message_limits.';
grant execute on function private.reset_daily_message_limits() to authenticated, service_role;

create function public.reset_daily_message_limits()
returns void
language sql
set search_path = ''
as $$
  select private.reset_daily_message_limits() where (select private.caller_is_active())
$$;
comment on function public.reset_daily_message_limits() is
'Resets the caller''s message counters if they are of an earlier day (UTC); for service_role everyone''s.';
grant execute on function public.reset_daily_message_limits() to authenticated, service_role;
