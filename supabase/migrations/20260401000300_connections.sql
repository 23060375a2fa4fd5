-- Who is connected to whom: one row per pair, asked by user_id, answered by connected_user_id (§3.20, §4.16). Also
-- the connections of a member as far as connection_visibility allows (§3.5), and the people a member may know.

create table public.connections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  connected_user_id uuid not null references public.profiles (id) on delete cascade,
  status text not null default 'pending',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint connections_status_is_known check (status in ('pending', 'accepted', 'declined')),
  constraint connections_join_two_members check (user_id <> connected_user_id)
);
comment on table public.connections is 'A connection of two members; pending until connected_user_id answers.';
comment on column public.connections.user_id is 'The member who asked.';
comment on column public.connections.connected_user_id is 'The member who was asked: only they accept or decline.';
comment on column public.connections.updated_at is 'When it was answered; set by the database.';

create unique index connections_one_per_pair_key
on public.connections (least(user_id, connected_user_id), greatest(user_id, connected_user_id));
create index connections_user_id_idx on public.connections (user_id, status);
create index connections_connected_user_id_idx on public.connections (connected_user_id, status);
create index connections_accepted_at_idx on public.connections (updated_at) where status = 'accepted';

create trigger set_updated_at
before update on public.connections
for each row execute function private.set_updated_at();

-- Every request counts, also one that was withdrawn: the row in connections is gone then.
create table private.connection_requests (
  user_id uuid not null references public.profiles (id) on delete cascade,
  asked_at timestamptz not null default now()
);
comment on table private.connection_requests is 'When a member asked others to connect, in the last day.';

create index connection_requests_user_id_idx on private.connection_requests (user_id, asked_at);

alter table private.connection_requests enable row level security;

create policy "No client accesses the count of requests" on private.connection_requests
for all to public using (false);

create function private.limit_connection_requests()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  actor constant uuid := (select auth.uid());
  daily_limit constant integer := 30;
begin
  -- Serializes concurrent requests of one member, so that the count holds.
  perform pg_advisory_xact_lock(hashtextextended('connection requests of ' || actor, 0));
  delete from private.connection_requests as r
  where r.user_id = actor and r.asked_at < now() - interval '1 day';
  if (select count(*) from private.connection_requests as r where r.user_id = actor) >= daily_limit then
    raise exception 'You have reached your daily limit for connection requests' using errcode = 'PT429';
  end if;
  insert into private.connection_requests (user_id) values (actor);
  return new;
end
$$;
comment on function private.limit_connection_requests() is 'A member asks at most 30 times a day to connect.';

create trigger limit_connection_requests
before insert on public.connections
for each row when (current_user = 'authenticated')
execute function private.limit_connection_requests();

alter table public.connections enable row level security;
grant select, delete on public.connections to authenticated;
grant insert (id, user_id, connected_user_id, status) on public.connections to authenticated;
grant update (status, updated_at) on public.connections to authenticated;
grant all on public.connections to service_role;

create policy "Members see their own connections" on public.connections
for select to authenticated
using (user_id = (select auth.uid()) or connected_user_id = (select auth.uid()));

create policy "Members ask members they can see to connect" on public.connections
for insert to authenticated
with check (
  user_id = (select auth.uid())
  and status = 'pending'
  and exists (select from public.profiles as p where p.id = connected_user_id)
);

create policy "Only the recipient answers a pending connection" on public.connections
for update to authenticated
using (connected_user_id = (select auth.uid()) and status = 'pending')
with check (status in ('accepted', 'declined'));

-- Who was declined can't delete the refusal and ask again.
create policy "Either member ends a connection, a declined one who was asked" on public.connections
for delete to authenticated
using (connected_user_id = (select auth.uid()) or (user_id = (select auth.uid()) and status <> 'declined'));

-- What a block leaves: a declined request.
create policy "Blocked members do not see what was between them" on public.connections
as restrictive for select to authenticated
using (
  (user_id = any((select private.blocked_with_caller())::uuid[])) is not true
  and (connected_user_id = any((select private.blocked_with_caller())::uuid[])) is not true
);

create policy "Suspended members cannot access connections" on public.connections
as restrictive for all to authenticated using ((select private.caller_is_active()));

-- Clients of both members filter deletes by id (§7.53): the old row must carry both.
alter table public.connections replica identity full;
alter publication supabase_realtime add table public.connections;

create function public.are_users_connected(user_id_1 uuid, user_id_2 uuid)
returns boolean
language sql
stable
set search_path = ''
as $$
  -- As the caller: row-level security shows members their own connections only.
  select exists (
    select from public.connections as c
    where c.status = 'accepted'
      and (
        (c.user_id = user_id_1 and c.connected_user_id = user_id_2)
        or (c.user_id = user_id_2 and c.connected_user_id = user_id_1)
      )
  )
$$;
comment on function public.are_users_connected(uuid, uuid) is
'Are these two members connected? For callers who are neither of the two the answer is false.';
grant execute on function public.are_users_connected(uuid, uuid) to authenticated, service_role;

create function private.can_see_connections_of(member_id uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select member_id = (select auth.uid()) or exists (
    select from public.profiles as p
    where p.id = member_id
      and private.can_see_profile(p)
      and case coalesce(p.privacy_settings ->> 'connection_visibility', 'connections')
        when 'public' then true
        when 'connections' then exists (
          select from public.connections as c
          where c.status = 'accepted'
            and (
              (c.user_id = member_id and c.connected_user_id = (select auth.uid()))
              or (c.user_id = (select auth.uid()) and c.connected_user_id = member_id)
            )
        )
        else false
      end
  )
$$;
comment on function private.can_see_connections_of(uuid) is 'May the caller see the connections of this member?';

create function private.connected_ids(member_id uuid)
returns setof uuid
language sql
stable
rows 100
security definer
set search_path = ''
as $$
  select c.connected_user_id from public.connections as c where c.user_id = member_id and c.status = 'accepted'
  union all
  select c.user_id from public.connections as c where c.connected_user_id = member_id and c.status = 'accepted'
$$;
comment on function private.connected_ids(uuid) is
'The members this one is connected to, regardless of privacy settings. For other functions only.';

create function private.connections_of(member_id uuid, max_results integer)
returns setof public.profiles
language sql
stable
rows 100
security definer
set search_path = ''
as $$
  select p.*
  from public.profiles as p
  where private.can_see_connections_of(member_id)
    and p.id in (
      select c.connected_user_id from public.connections as c
      where c.user_id = member_id and c.status = 'accepted'
      union all
      select c.user_id from public.connections as c
      where c.connected_user_id = member_id and c.status = 'accepted'
    )
    and (p.id = any((select private.blocked_with_caller())::uuid[])) is not true
    and (coalesce(p.privacy_settings ->> 'profile_visibility', 'public') = 'public' or private.can_see_profile(p))
  order by p.full_name, p.id
  limit least(greatest(coalesce(max_results, 100), 0), 1000)
$$;
comment on function private.connections_of(uuid, integer) is 'Implements public.connections_of.';
grant execute on function private.connections_of(uuid, integer) to authenticated, service_role;

create function public.connections_of(member_id uuid, max_results integer default 100)
returns setof public.profiles
language sql
stable
rows 100
set search_path = ''
as $$
  select * from private.connections_of(member_id, max_results) where (select private.caller_is_active())
$$;
comment on function public.connections_of(uuid, integer) is
'The profiles a member is connected to, by name, if their connection_visibility allows; at most 1000.';
grant execute on function public.connections_of(uuid, integer) to authenticated, service_role;

create function private.connection_count(member_id uuid)
returns integer
language sql
stable
security definer
set search_path = ''
as $$
  select case when private.can_see_connections_of(member_id) then (
    select count(*)::integer from private.connected_ids(member_id) as connected (id)
    where (connected.id = any((select private.blocked_with_caller())::uuid[])) is not true
  ) end
$$;
comment on function private.connection_count(uuid) is 'Implements public.connection_count.';
grant execute on function private.connection_count(uuid) to authenticated, service_role;

create function public.connection_count(member_id uuid)
returns integer
language sql
stable
set search_path = ''
as $$
  select private.connection_count(member_id) where (select private.caller_is_active())
$$;
comment on function public.connection_count(uuid) is
'How many connections a member has; null if their connection_visibility does not allow the caller to know.';
grant execute on function public.connection_count(uuid) to authenticated, service_role;

create function private.shared_connections(member_ids uuid[])
returns table (member_id uuid, shared integer)
language sql
stable
rows 24
security definer
set search_path = ''
as $$
  -- Only what the caller could count by hand: a member who shows their connections to nobody does not count.
  with mine as materialized (
    select p.id
    from private.connected_ids((select auth.uid())) as connected (id)
    inner join public.profiles as p on connected.id = p.id
    where coalesce(p.privacy_settings ->> 'connection_visibility', 'connections') <> 'private'
      and (p.id = any((select private.blocked_with_caller())::uuid[])) is not true
  )
  select asked.id, count(*)::integer
  from (select distinct given.id from unnest(member_ids[1:50]) as given (id)) as asked
  cross join lateral private.connected_ids(asked.id) as theirs (id)
  where theirs.id in (select mine.id from mine)
  group by asked.id
$$;
comment on function private.shared_connections(uuid[]) is 'Implements public.shared_connections.';
grant execute on function private.shared_connections(uuid[]) to authenticated, service_role;

create function public.shared_connections(member_ids uuid[])
returns table (member_id uuid, shared integer)
language sql
stable
rows 24
set search_path = ''
as $$
  -- As the caller: of members that the caller can see.
  select found.member_id, found.shared
  from private.shared_connections(member_ids) as found
  inner join public.profiles as p on found.member_id = p.id
$$;
comment on function public.shared_connections(uuid[]) is
'How many connections the caller has in common with each of up to 50 members; those with none are left out. Connections
who show theirs to nobody are not counted.';
grant execute on function public.shared_connections(uuid[]) to authenticated, service_role;

create function private.people_you_may_know(max_results integer)
returns setof public.profiles
language plpgsql
stable
rows 10
security definer
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  caller constant uuid := (select auth.uid());
  wanted constant integer := least(greatest(coalesce(max_results, 10), 0), 50);
begin
  -- First the connections of up to 30 connections, by how many they share; then members of the same department.
  return query
  with first_degree as materialized (
    select connected.id from private.connected_ids(caller) as connected (id)
  ),
  excluded as materialized (
    select c.connected_user_id as id from public.connections as c where c.user_id = caller
    union all
    select c.user_id from public.connections as c where c.connected_user_id = caller
    union all
    select unnest(private.blocked_with_caller())
    union all
    select caller
  ),
  second_degree as (
    select theirs.id, count(*) as shared
    from (select id from first_degree limit 30) as connection
    cross join lateral (select k.id from private.connected_ids(connection.id) as k (id) limit 50) as theirs
    where theirs.id not in (select id from excluded)
    group by theirs.id
    order by count(*) desc, theirs.id
    limit wanted * 3
  ),
  of_department as (
    select p.id, 0::bigint as shared
    from public.profiles as p
    where p.department = (select me.department from public.profiles as me where me.id = caller)
      and p.id not in (select id from excluded)
    limit wanted * 3
  ),
  candidates as (
    select found.id, max(found.shared) as shared
    from (select * from second_degree union all select * from of_department) as found
    group by found.id
  )
  select p.*
  from candidates as c
  inner join public.profiles as p on c.id = p.id
  where coalesce(p.privacy_settings ->> 'profile_visibility', 'public') = 'public' or private.can_see_profile(p)
  order by c.shared desc, p.full_name, p.id
  limit wanted;
end
$$;
comment on function private.people_you_may_know(integer) is 'Implements public.people_you_may_know.';
grant execute on function private.people_you_may_know(integer) to authenticated, service_role;

create function public.people_you_may_know(max_results integer default 10)
returns setof public.profiles
language sql
stable
rows 10
set search_path = ''
as $$
  select * from private.people_you_may_know(max_results) where (select private.caller_is_active())
$$;
comment on function public.people_you_may_know(integer) is
'Members the caller has no connection with: those with the most shared connections, then those of the same department.';
grant execute on function public.people_you_may_know(integer) to authenticated, service_role;
