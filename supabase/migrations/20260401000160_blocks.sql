-- Blocking (§13.3) and muting (§13.4). The tables refer to accounts, so that everything after them can ask: policies
-- compare with the caller's list once per statement, functions that bypass row-level security ask about two members.

create table public.blocks (
  blocker_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  blocked_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  constraint blocks_are_of_another_member check (blocker_id <> blocked_id)
);
comment on table public.blocks is
'Who blocks whom. Neither sees or reaches the other; only the one who blocks can read the row. Not published to
Realtime, whose deletions go to every subscriber.';

create index blocks_blocked_id_idx on public.blocks (blocked_id, blocker_id);

create table public.mutes (
  member_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  muted_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (member_id, muted_id),
  constraint mutes_are_of_another_member check (member_id <> muted_id)
);
comment on table public.mutes is
'Whose posts and notifications do not reach a member. Only that member can read the row.';

create index mutes_muted_id_idx on public.mutes (muted_id);

create function private.blocked_between(one uuid, other uuid)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return exists (select from public.blocks as b where b.blocker_id = one and b.blocked_id = other)
    or exists (select from public.blocks as b where b.blocker_id = other and b.blocked_id = one);
end
$$;
comment on function private.blocked_between(uuid, uuid) is 'Does either of the two block the other?';
grant execute on function private.blocked_between(uuid, uuid) to authenticated, service_role;

create function private.blocked_with_caller()
returns uuid[]
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  caller constant uuid := (select auth.uid());
begin
  return array(
    select b.blocked_id from public.blocks as b where b.blocker_id = caller
    union all
    select b.blocker_id from public.blocks as b where b.blocked_id = caller
  );
end
$$;
comment on function private.blocked_with_caller() is
'The members whom the caller blocks and those who block the caller. Policies evaluate it once per statement.';
grant execute on function private.blocked_with_caller() to authenticated, service_role;

create function private.silent_to_caller()
returns uuid[]
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return private.blocked_with_caller()
    || array(select m.muted_id from public.mutes as m where m.member_id = (select auth.uid()));
end
$$;
comment on function private.silent_to_caller() is
'The members whose posts and notifications do not reach the caller: blocked either way, or muted by the caller.';
grant execute on function private.silent_to_caller() to authenticated, service_role;

create function private.begin_block()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Every statement of the member compares with the list. Concurrent blocks of one member wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('blocks of ' || new.blocker_id, 0));
  if (select count(*) from public.blocks as b where b.blocker_id = new.blocker_id) > 1000 then
    raise exception 'You can block at most 1,000 members' using errcode = 'PT429';
  end if;
  -- A refusal stands: otherwise the one who was declined could ask again after the block.
  delete from public.connections as c
  where c.status <> 'declined'
    and (
      (c.user_id = new.blocker_id and c.connected_user_id = new.blocked_id)
      or (c.user_id = new.blocked_id and c.connected_user_id = new.blocker_id)
    );
  return null;
end
$$;
comment on function private.begin_block() is 'A block ends the connection of the two; a member has at most 1000.';

create trigger begin_block
after insert on public.blocks
for each row execute function private.begin_block();

create function private.limit_mutes()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('mutes of ' || new.member_id, 0));
  if (select count(*) from public.mutes as m where m.member_id = new.member_id) > 1000 then
    raise exception 'You can mute at most 1,000 members' using errcode = 'PT429';
  end if;
  return null;
end
$$;
comment on function private.limit_mutes() is 'A member mutes at most 1000 others.';

create trigger limit_mutes
after insert on public.mutes
for each row execute function private.limit_mutes();

alter table public.blocks enable row level security;
grant select, delete on public.blocks to authenticated;
grant insert (blocker_id, blocked_id) on public.blocks to authenticated;
grant all on public.blocks to service_role;

create policy "Members see whom they block" on public.blocks
for select to authenticated
using (blocker_id = (select auth.uid()));

create policy "Members block in their own name" on public.blocks
for insert to authenticated
with check (blocker_id = (select auth.uid()));

create policy "Members lift the blocks they made" on public.blocks
for delete to authenticated
using (blocker_id = (select auth.uid()));

create policy "Suspended members cannot access blocks" on public.blocks
as restrictive for all to authenticated using ((select private.caller_is_active()));

alter table public.mutes enable row level security;
grant select, delete on public.mutes to authenticated;
grant insert (member_id, muted_id) on public.mutes to authenticated;
grant all on public.mutes to service_role;

create policy "Members see whom they mute" on public.mutes
for select to authenticated
using (member_id = (select auth.uid()));

create policy "Members mute in their own name" on public.mutes
for insert to authenticated
with check (member_id = (select auth.uid()));

create policy "Members lift the mutes they made" on public.mutes
for delete to authenticated
using (member_id = (select auth.uid()));

create policy "Suspended members cannot access mutes" on public.mutes
as restrictive for all to authenticated using ((select private.caller_is_active()));

create function private.blocked_members()
returns table (id uuid, full_name text, avatar_url text, department text, since timestamptz)
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  -- The profiles are hidden from the caller; the name is what the list needs.
  return query
  select p.id, p.full_name, p.avatar_url, p.department, b.created_at
  from public.blocks as b
  inner join public.profiles as p on b.blocked_id = p.id
  where b.blocker_id = (select auth.uid()) and private.caller_is_active()
  order by b.created_at desc, p.id;
end
$$;
comment on function private.blocked_members() is 'Implements public.blocked_members.';
grant execute on function private.blocked_members() to authenticated;

create function public.blocked_members()
returns table (id uuid, full_name text, avatar_url text, department text, since timestamptz)
language sql
stable
set search_path = ''
as $$
  select * from private.blocked_members()
$$;
comment on function public.blocked_members() is 'The members whom the caller blocks, newest first, at most 1000.';
grant execute on function public.blocked_members() to authenticated;

create function private.muted_members()
returns table (id uuid, full_name text, avatar_url text, department text, since timestamptz)
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select p.id, p.full_name, p.avatar_url, p.department, m.created_at
  from public.mutes as m
  inner join public.profiles as p on m.muted_id = p.id
  where m.member_id = (select auth.uid()) and not private.blocked_between(m.member_id, m.muted_id)
    and private.caller_is_active()
  order by m.created_at desc, p.id;
end
$$;
comment on function private.muted_members() is 'Implements public.muted_members.';
grant execute on function private.muted_members() to authenticated;

create function public.muted_members()
returns table (id uuid, full_name text, avatar_url text, department text, since timestamptz)
language sql
stable
set search_path = ''
as $$
  select * from private.muted_members()
$$;
comment on function public.muted_members() is 'The members whom the caller mutes, newest first, at most 1000.';
grant execute on function public.muted_members() to authenticated;
