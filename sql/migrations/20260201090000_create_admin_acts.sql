-- What operators did to members: who became admin, was suspended, deleted. Written by triggers, so that no way around
-- the admin area (the command line, the service key) leaves it out; read by admins, changed by nobody.

create table public.admin_acts (
  id uuid primary key default gen_random_uuid(),
  actor_id uuid default auth.uid(),
  actor_email text,
  act text not null,
  member_id uuid not null,
  member_email text,
  created_at timestamptz not null default now(),
  constraint admin_acts_act_is_known check (
    act in ('admin_granted', 'admin_revoked', 'suspended', 'restored', 'deleted')
  )
);
comment on table public.admin_acts is 'The audit log of the admin area: acts on members, kept after both are gone.';
comment on column public.admin_acts.actor_id is 'Who did it; null for the operators'' command line and services.';
comment on column public.admin_acts.member_email is
'The address at that time: after a deletion nothing else says who it was.';

create index admin_acts_created_at_idx on public.admin_acts (created_at desc, id desc);
create index admin_acts_member_id_idx on public.admin_acts (member_id, created_at desc);

alter table public.admin_acts enable row level security;
grant select on public.admin_acts to authenticated;
grant select on public.admin_acts to service_role;

create policy "Admins read the audit log" on public.admin_acts
for select to authenticated
using ((select private.caller_is_admin()));

create function private.note_admin_act(act text, member uuid, email text)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.admin_acts (actor_id, actor_email, act, member_id, member_email)
  select
    (select auth.uid()),
    (select u.email from auth.users as u where u.id = (select auth.uid())),
    act, member, email
$$;
comment on function private.note_admin_act(text, uuid, text) is
'Writes a line of the audit log, in the caller''s name.';

create function private.note_admin_role()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  member constant uuid := coalesce(new.user_id, old.user_id);
  email text;
begin
  -- An account that is being deleted loses the role with it: the deletion is noted, not this.
  select u.email into email from auth.users as u where u.id = member;
  if found then
    perform private.note_admin_act(
      case tg_op when 'INSERT' then 'admin_granted' else 'admin_revoked' end, member, email
    );
  end if;
  return null;
end
$$;
comment on function private.note_admin_role() is 'Notes who becomes an admin and who no longer is one.';

create trigger note_admin_role
after insert or delete on private.admins
for each row execute function private.note_admin_role();

create function private.note_suspension()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.note_admin_act(
    case when new.banned_until > now() then 'suspended' else 'restored' end, new.id, new.email
  );
  return null;
end
$$;
comment on function private.note_suspension() is 'Notes that an account may no longer sign in, or may again.';

create trigger note_suspension
after update of banned_until on auth.users
for each row when (old.banned_until is distinct from new.banned_until)
execute function private.note_suspension();

create function private.note_deletion()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.note_admin_act('deleted', old.id, old.email);
  return null;
end
$$;
comment on function private.note_deletion() is 'Notes that an account was deleted.';

create trigger note_deletion
after delete on auth.users
for each row execute function private.note_deletion();
