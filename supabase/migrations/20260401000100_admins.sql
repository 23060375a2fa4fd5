-- Who is an admin (§6.3): a table that no client can read or write, functions that read it, and set_admin.

create table private.admins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  granted_at timestamptz not null default now()
);
comment on table private.admins is 'Members who may use the admin area. Written by `muster` and by set_admin.';

alter table private.admins enable row level security;

create policy "No client accesses the list of admins" on private.admins
for all to public using (false);

create function private.caller_is_admin()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return exists (select from private.admins as a where a.user_id = (select auth.uid()))
    and private.caller_is_active();
end
$$;
comment on function private.caller_is_admin() is 'Is the account that makes this request an admin? For policies.';
grant execute on function private.caller_is_admin() to anon, authenticated, service_role;

create function private.is_admin_visible_to_caller(uid uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  -- Members may ask about themselves only; admins and backend services about everybody.
  select exists (select from private.admins as a where a.user_id = uid)
    and private.caller_is_active()
    and (
      uid = (select auth.uid())
      or (select auth.role()) = 'service_role'
      or exists (select from private.admins as a where a.user_id = (select auth.uid()))
    )
$$;
comment on function private.is_admin_visible_to_caller(uuid) is 'Implements public.is_admin.';
grant execute on function private.is_admin_visible_to_caller(uuid) to authenticated, service_role;

create function public.is_admin(uid uuid)
returns boolean
language sql
stable
set search_path = ''
as $$
  select private.is_admin_visible_to_caller(uid)
$$;
comment on function public.is_admin(uuid) is
'Is this member an admin? Members may ask about themselves only; about anyone else the answer is false.';
grant execute on function public.is_admin(uuid) to authenticated, service_role;

create function private.require_admin()
returns void
language plpgsql
stable
set search_path = ''
as $$
begin
  if not (private.caller_is_admin() or coalesce((select auth.role()) = 'service_role', false)) then
    raise exception 'Only admins can do this' using errcode = 'PT403';
  end if;
end
$$;
comment on function private.require_admin() is
'Raises an exception unless the caller is an admin or a backend service.';

create function private.set_admin(uid uuid, admin boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  if not admin and uid = (select auth.uid()) then
    raise exception 'You cannot take the admin role from yourself' using errcode = 'PT403';
  end if;
  perform pg_advisory_xact_lock(hashtext('private.admins'));
  -- Each statement of a volatile function has a new snapshot, so this sees what was committed during the wait.
  perform private.require_admin();
  if not admin then
    delete from private.admins where user_id = uid;
    return;
  end if;
  if not exists (select from auth.users as u where u.id = uid) then
    raise exception 'There is no such member' using errcode = 'PT404';
  end if;
  if exists (select from auth.users as u where u.id = uid and u.banned_until > now()) then
    raise exception 'A suspended member cannot be an admin' using errcode = 'PT403';
  end if;
  insert into private.admins (user_id) values (uid) on conflict (user_id) do nothing;
end
$$;
comment on function private.set_admin(uuid, boolean) is 'Implements public.set_admin.';
grant execute on function private.set_admin(uuid, boolean) to authenticated, service_role;

create function public.set_admin(uid uuid, admin boolean)
returns void
language sql
set search_path = ''
as $$
  select private.set_admin(uid, admin)
$$;
comment on function public.set_admin(uuid, boolean) is
'Grants or revokes the admin role. For admins; nobody can revoke their own, so one admin always remains.';
grant execute on function public.set_admin(uuid, boolean) to authenticated, service_role;
