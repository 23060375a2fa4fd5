-- Members as admins see and manage them: find, look at, suspend, restore, delete. Every function refuses all others.

create function private.admin_members(
  search text, standing text, sort text, descending boolean, page_size integer, page_offset integer
)
returns table (
  id uuid, full_name text, email text, department text, member_position text, rank text, firefighter_type text,
  avatar_url text, created_at timestamptz, last_sign_in_at timestamptz, confirmed boolean, suspended boolean,
  admin boolean, total bigint
)
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  term constant text := left(btrim(coalesce(search, '')), 100);
  matching constant text := '%' || private.literal_pattern(term) || '%';
  conditions text := 'true';
  column_name constant text := case sort
    when 'name' then 'p.full_name' when 'email' then 'p.email' when 'department' then 'p.department'
    when 'last_sign_in' then 'u.last_sign_in_at' else 'p.created_at'
  end;
  -- Only columns that may be empty say where nothing goes: the others' indexes would not match it.
  direction constant text := case when descending then ' desc' else ' asc' end
    || case when sort in ('name', 'department', 'last_sign_in') then ' nulls last' else '' end;
begin
  perform private.demand_admin();
  -- Conditions that were not asked for are left out, so that an index can answer the others.
  if term <> '' then
    conditions := conditions || ' and (p.full_name ilike $1 or p.email ilike $1 or p.department ilike $1)';
  end if;
  conditions := conditions || case standing
    when 'admins' then ' and p.id in (select a.user_id from private.admins as a)'
    when 'suspended' then ' and u.banned_until > now()'
    when 'unconfirmed' then ' and u.email_confirmed_at is null'
    else ''
  end;
  return query execute format(
    'with counted as ('
    '  select count(*) as total from public.profiles as p %1$s where %2$s'
    '), page as ('
    '  select p.id, p.full_name, p.email, p.department, p.position, p.rank, p.firefighter_type, p.avatar_url,'
    '    p.created_at, u.last_sign_in_at, u.email_confirmed_at is not null as confirmed,'
    '    coalesce(u.banned_until > now(), false) as suspended'
    '  from public.profiles as p inner join auth.users as u on u.id = p.id'
    '  where %2$s order by %3$s, p.id limit $2 offset $3'
    ')'
    'select page.*, exists (select from private.admins as a where a.user_id = page.id), counted.total'
    ' from page cross join counted order by %4$s, page.id',
    case when conditions like '%u.%' then 'inner join auth.users as u on u.id = p.id' else '' end,
    conditions,
    column_name || direction,
    replace(replace(column_name, 'p.', 'page.'), 'u.', 'page.') || direction
  )
  using matching, least(greatest(coalesce(page_size, 25), 1), 100), greatest(coalesce(page_offset, 0), 0);
end
$$;
comment on function private.admin_members(text, text, text, boolean, integer, integer) is
'The work of public.admin_members.';

create function public.admin_members(
  search text default '', standing text default 'all', sort text default 'joined', descending boolean default true,
  page_size integer default 25, page_offset integer default 0
)
returns table (
  id uuid, full_name text, email text, department text, member_position text, rank text, firefighter_type text,
  avatar_url text, created_at timestamptz, last_sign_in_at timestamptz, confirmed boolean, suspended boolean,
  admin boolean, total bigint
)
language sql
rows 25
set search_path = ''
as $$
  select * from private.admin_members(search, standing, sort, descending, page_size, page_offset)
$$;
comment on function public.admin_members(text, text, text, boolean, integer, integer) is
'A page of members and how many there are in all. Standing: all, admins, suspended, unconfirmed. For admins.';

create function private.admin_member_figures(uid uuid)
returns table (connections bigint, messages_sent bigint, posts bigint, comments bigint, sessions bigint)
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.demand_admin();
  return query select
    (
      select count(*) from public.connections as c
      where c.status = 'accepted' and (c.user_id = uid or c.connected_user_id = uid)
    ),
    (select count(*) from public.messages as m where m.sender_id = uid),
    (select count(*) from public.posts as s where s.user_id = uid),
    (select count(*) from public.comments as c where c.user_id = uid),
    (
      select count(distinct t.session_id) from auth.refresh_tokens as t
      where t.user_id = uid::text and not t.revoked
    );
end
$$;
comment on function private.admin_member_figures(uuid) is 'The work of public.admin_member_figures.';

create function public.admin_member_figures(uid uuid)
returns table (connections bigint, messages_sent bigint, posts bigint, comments bigint, sessions bigint)
language sql
rows 1
set search_path = ''
as $$
  select * from private.admin_member_figures(uid)
$$;
comment on function public.admin_member_figures(uuid) is
'How much a member does here: counts only, no words of theirs. For admins.';

create function private.demand_manageable(uid uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.demand_admin();
  if uid = (select auth.uid()) then
    raise exception 'You cannot do this to yourself' using errcode = 'PT403';
  end if;
  -- One at a time with set_admin: who is being made an admin right now is one.
  perform pg_advisory_xact_lock(hashtext('private.admins'));
  if exists (select from private.admins as a where a.user_id = uid) then
    raise exception 'Take the admin role away first' using errcode = 'PT403';
  end if;
  if not exists (select from auth.users as u where u.id = uid) then
    raise exception 'There is no such member' using errcode = 'PT404';
  end if;
end
$$;
comment on function private.demand_manageable(uuid) is
'Refuses unless the caller is an admin and the member is neither the caller nor an admin.';

create function private.suspend_member(uid uuid, suspended boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.demand_manageable(uid);
  if suspended then
    -- The date that the sign-in service gives the longest ban of its own: a hundred years.
    update auth.users set banned_until = now() + interval '100 years' where id = uid;
    -- The rows of auth.sessions are the sign-in service's own; without a token to renew it, a session is over.
    delete from auth.refresh_tokens where user_id = uid::text;
  else
    update auth.users set banned_until = null where id = uid and banned_until is not null;
  end if;
end
$$;
comment on function private.suspend_member(uuid, boolean) is 'The work of public.suspend_member.';

create function public.suspend_member(uid uuid, suspended boolean)
returns void
language sql
set search_path = ''
as $$
  select private.suspend_member(uid, suspended)
$$;
comment on function public.suspend_member(uuid, boolean) is
'Ends a member''s sessions and forbids signing in, or allows it again. For admins; not on oneself, not on admins.';

create function private.delete_member(uid uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.demand_manageable(uid);
  delete from auth.users where id = uid;
end
$$;
comment on function private.delete_member(uuid) is 'The work of public.delete_member.';

create function public.delete_member(uid uuid)
returns void
language sql
set search_path = ''
as $$
  select private.delete_member(uid)
$$;
comment on function public.delete_member(uuid) is
'Deletes an account with what is theirs; posts stay, without a name. For admins; not on oneself, not on admins.';

grant execute on function
private.admin_members(text, text, text, boolean, integer, integer), private.admin_member_figures(uuid),
private.suspend_member(uuid, boolean), private.delete_member(uuid),
public.admin_members(text, text, text, boolean, integer, integer), public.admin_member_figures(uuid),
public.suspend_member(uuid, boolean), public.delete_member(uuid)
to authenticated, service_role;
