-- What a profile page says of somebody's connections, as far as connection_visibility lets the caller see them (§3.5),
-- and whom one may know.

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
comment on function private.can_see_connections_of(uuid) is 'May the caller see whom this member is connected to?';

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
'The members this one is connected to. For other functions, never for clients.';

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
    and (coalesce(p.privacy_settings ->> 'profile_visibility', 'public') = 'public' or private.can_see_profile(p))
  order by p.full_name, p.id
  limit least(greatest(coalesce(max_results, 100), 0), 1000)
$$;
comment on function private.connections_of(uuid, integer) is 'The work of public.connections_of.';

create function public.connections_of(member_id uuid, max_results integer default 100)
returns setof public.profiles
language sql
stable
rows 100
set search_path = ''
as $$
  select * from private.connections_of(member_id, max_results)
$$;
comment on function public.connections_of(uuid, integer) is
'The profiles a member is connected to, by name, if their connection_visibility lets the caller see; at most 1000.';

create function private.connection_count(member_id uuid)
returns integer
language sql
stable
security definer
set search_path = ''
as $$
  select case when private.can_see_connections_of(member_id) then (
    select count(*)::integer from private.connected_ids(member_id)
  ) end
$$;
comment on function private.connection_count(uuid) is 'The work of public.connection_count.';

create function public.connection_count(member_id uuid)
returns integer
language sql
stable
set search_path = ''
as $$
  select private.connection_count(member_id)
$$;
comment on function public.connection_count(uuid) is
'How many connections a member has; null if their connection_visibility does not let the caller see.';

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
  -- Connections of up to 30 connections first, by how many they share; then people of the same department.
  return query
  with mine as materialized (
    select id from private.connected_ids(caller) as known (id)
  ),
  tied as materialized (
    select c.connected_user_id as id from public.connections as c where c.user_id = caller
    union all
    select c.user_id from public.connections as c where c.connected_user_id = caller
    union all
    select caller
  ),
  of_connections as (
    select known.id, count(*) as shared
    from (select id from mine limit 30) as near
    cross join lateral (select k.id from private.connected_ids(near.id) as k (id) limit 50) as known
    where known.id not in (select id from tied)
    group by known.id
    order by count(*) desc, known.id
    limit wanted * 3
  ),
  of_department as (
    select p.id, 0::bigint as shared
    from public.profiles as p
    where p.department = (select me.department from public.profiles as me where me.id = caller)
      and p.id not in (select id from tied)
    limit wanted * 3
  ),
  candidates as (
    select both_kinds.id, max(both_kinds.shared) as shared
    from (select * from of_connections union all select * from of_department) as both_kinds
    group by both_kinds.id
  )
  select p.*
  from candidates as c
  inner join public.profiles as p on c.id = p.id
  where coalesce(p.privacy_settings ->> 'profile_visibility', 'public') = 'public' or private.can_see_profile(p)
  order by c.shared desc, p.full_name, p.id
  limit wanted;
end
$$;
comment on function private.people_you_may_know(integer) is 'The work of public.people_you_may_know.';

create function public.people_you_may_know(max_results integer default 10)
returns setof public.profiles
language sql
stable
rows 10
set search_path = ''
as $$
  select * from private.people_you_may_know(max_results)
$$;
comment on function public.people_you_may_know(integer) is
'Members the caller has no tie with: first those who share connections with the caller, then of the same department.';

grant execute on function
private.connections_of(uuid, integer), private.connection_count(uuid), private.people_you_may_know(integer),
public.connections_of(uuid, integer), public.connection_count(uuid), public.people_you_may_know(integer)
to authenticated, service_role;
