-- Who is an admin (§6.3): a table that no client can read or write, functions that read it, and set_admin.

create table private.admins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  granted_at timestamptz not null default now()
);
comment on table private.admins is 'Members who may use the admin area. Written by `muster` and by set_admin.';

alter table private.admins enable row level security;

create policy "No client accesses the list of admins" on private.admins
for all to public using (false);

create table private.security_settings (
  is_only boolean primary key default true,
  admins_need_second_factor boolean not null default false,
  constraint security_settings_have_one_row check (is_only)
);
comment on table private.security_settings is 'What the operator demands; one row. Written by `muster users`.';
comment on column private.security_settings.admins_need_second_factor is
'Whether admins must have given their second factor within 12 hours (§15.3).';

insert into private.security_settings default values;

alter table private.security_settings enable row level security;

create policy "No client accesses the security settings" on private.security_settings
for all to public using (false);

create function private.admin_factor_is_fresh()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  claims constant jsonb := (select auth.jwt());
begin
  if not exists (select from private.security_settings as s where s.admins_need_second_factor) then
    return true;
  end if;
  return coalesce(claims ->> 'aal' = 'aal2', false) and exists (
    select from jsonb_array_elements(
      case jsonb_typeof(claims -> 'amr') when 'array' then claims -> 'amr' else '[]' end
    ) as proof (entry)
    where entry ->> 'method' in ('totp', 'mfa/phone', 'mfa/webauthn')
      and to_timestamp((entry ->> 'timestamp')::double precision) > now() - interval '12 hours'
  );
end
$$;
comment on function private.admin_factor_is_fresh() is
'Has the caller given a second factor within 12 hours, by the token''s aal and amr, or does the operator demand none?';

create function private.caller_is_admin()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return exists (select from private.admins as a where a.user_id = (select auth.uid()))
    and private.caller_is_active()
    and private.admin_factor_is_fresh()
    and not private.caller_is_application();
end
$$;
comment on function private.caller_is_admin() is
'Is the account that makes this request an admin, with the second factor that the operator demands, and no application
in their place? For policies.';
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
      or private.caller_is_admin()
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
  if private.caller_is_admin() or coalesce((select auth.role()) = 'service_role', false) then
    return;
  end if;
  if private.is_admin_visible_to_caller((select auth.uid())) then
    raise exception 'Confirm your second factor first' using errcode = 'PT403';
  end if;
  raise exception 'Only admins can do this' using errcode = 'PT403';
end
$$;
comment on function private.require_admin() is
'Raises an exception unless the caller is an admin, with the second factor that is demanded, or a backend service.';

create function private.set_admin(uid uuid, admin boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  if not admin and uid = (select auth.uid()) then
    raise exception 'You cannot remove your own admin role' using errcode = 'PT403';
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

create function private.admin_access()
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  return case
    when private.caller_is_application() then 'none'
    when not coalesce(private.is_admin_visible_to_caller(me), false) then 'none'
    when private.admin_factor_is_fresh() then 'open'
    when exists (select from auth.mfa_factors as f where f.user_id = me and f.status = 'verified') then 'second_factor'
    else 'no_factor'
  end;
end
$$;
comment on function private.admin_access() is 'Implements public.admin_access.';
grant execute on function private.admin_access() to authenticated;

create function public.admin_access()
returns text
language sql
stable
set search_path = ''
as $$
  select private.admin_access()
$$;
comment on function public.admin_access() is
'What keeps the caller from the admin area: none (no admin), no_factor (must set one up), second_factor (must give it,
or again after 12 hours), or open.';
grant execute on function public.admin_access() to authenticated;

create function private.set_admins_need_second_factor(needed boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if needed and not exists (
    select from private.admins as a
    inner join auth.users as u on a.user_id = u.id
    inner join auth.mfa_factors as f on f.user_id = u.id
    where f.status = 'verified' and u.deleted_at is null and coalesce(u.banned_until <= now(), true)
  ) then
    raise exception 'No admin has a second factor yet, so all of them would be locked out'
    using errcode = 'PT409', hint = 'An admin sets one up under Settings, Security.';
  end if;
  update private.security_settings set admins_need_second_factor = needed where is_only;
end
$$;
comment on function private.set_admins_need_second_factor(boolean) is
'Implements public.set_admins_need_second_factor.';
grant execute on function private.set_admins_need_second_factor(boolean) to service_role;

create function public.set_admins_need_second_factor(needed boolean)
returns void
language sql
set search_path = ''
as $$
  select private.set_admins_need_second_factor(needed)
$$;
comment on function public.set_admins_need_second_factor(boolean) is
'Whether admin pages and procedures demand a second factor. For backend services: the operator decides, no admin.';
grant execute on function public.set_admins_need_second_factor(boolean) to service_role;
