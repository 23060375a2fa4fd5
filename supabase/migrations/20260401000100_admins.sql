-- Who is an admin (§6.3): a list that no client can read or write, its questions, and set_admin, which changes it.

create table private.admins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  granted_at timestamptz not null default now()
);
comment on table private.admins is 'Members who may use the admin area. Written by `muster` and by set_admin.';

alter table private.admins enable row level security;

create policy "Nobody reaches the list of admins directly" on private.admins
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
comment on function private.caller_is_admin() is 'Is whoever makes this request an admin? Asked by policies.';
grant execute on function private.caller_is_admin() to anon, authenticated, service_role;

create function private.is_admin_told_to_caller(uid uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  -- A member learns it of oneself; admins and the services of the stack learn it of everybody.
  select exists (select from private.admins as a where a.user_id = uid)
    and private.caller_is_active()
    and (
      uid = (select auth.uid())
      or (select auth.role()) = 'service_role'
      or exists (select from private.admins as a where a.user_id = (select auth.uid()))
    )
$$;
comment on function private.is_admin_told_to_caller(uuid) is 'The rule behind public.is_admin.';
grant execute on function private.is_admin_told_to_caller(uuid) to authenticated, service_role;

create function public.is_admin(uid uuid)
returns boolean
language sql
stable
set search_path = ''
as $$
  select private.is_admin_told_to_caller(uid)
$$;
comment on function public.is_admin(uuid) is
'Is this member an admin? Members may ask about themselves only; about anybody else the answer is false.';
grant execute on function public.is_admin(uuid) to authenticated, service_role;

create function private.demand_admin()
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
comment on function private.demand_admin() is 'Refuses whoever is neither an admin nor a service of the stack.';

create function private.set_admin(uid uuid, admin boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.demand_admin();
  if not admin and uid = (select auth.uid()) then
    raise exception 'You cannot take the admin role from yourself' using errcode = 'PT403';
  end if;
  perform pg_advisory_xact_lock(hashtext('private.admins'));
  -- Each statement of a volatile function sees what was committed before it: also what the wait was for.
  perform private.demand_admin();
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
comment on function private.set_admin(uuid, boolean) is 'The work of public.set_admin.';
grant execute on function private.set_admin(uuid, boolean) to authenticated, service_role;

create function public.set_admin(uid uuid, admin boolean)
returns void
language sql
set search_path = ''
as $$
  select private.set_admin(uid, admin)
$$;
comment on function public.set_admin(uuid, boolean) is
'Makes a member an admin or no admin. For admins; nobody can demote themselves, so one always remains.';
grant execute on function public.set_admin(uuid, boolean) to authenticated, service_role;
