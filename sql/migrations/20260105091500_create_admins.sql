-- Who is an operator (§6.3): a list that no client can read or write; is_admin answers from it.

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
language sql
stable
security definer
set search_path = ''
as $$
  select exists (select from private.admins as a where a.user_id = (select auth.uid()))
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
