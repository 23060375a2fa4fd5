-- Open pages of the admin area learn by broadcasts of the topic `admin` that a list changed. Profiles are not in the
-- publication: each change would be checked against the policies of every member online. A broadcast is authorized
-- once, when the topic is joined, and says which list changed, nothing of what is in it.

create function private.announce_to_admins()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform realtime.send('{}', tg_argv[0], 'admin', true);
  return null;
end
$$;
comment on function private.announce_to_admins() is
'Broadcasts to admins that a list changed; the argument names it.';

-- Once per statement: seeds write 100,000 members at once.
create trigger announce_members
after insert or delete on public.profiles
for each statement execute function private.announce_to_admins('members');

create trigger announce_profile
after update of full_name, email, department, position, rank, firefighter_type, avatar_url on public.profiles
for each row when (
  (old.full_name, old.email, old.department, old.position, old.rank, old.firefighter_type, old.avatar_url)
  is distinct from
  (new.full_name, new.email, new.department, new.position, new.rank, new.firefighter_type, new.avatar_url)
)
execute function private.announce_to_admins('members');

create trigger announce_account
after update of banned_until, is_confirmed on private.accounts
for each row when (
  old.banned_until is distinct from new.banned_until or old.is_confirmed is distinct from new.is_confirmed
)
execute function private.announce_to_admins('members');

create trigger announce_admin
after insert or delete on private.admins
for each row execute function private.announce_to_admins('members');

create trigger announce_entry
after insert on public.admin_audit_log
for each row execute function private.announce_to_admins('audit');

create policy "Admins follow their lists" on realtime.messages
for select to authenticated
using ((select realtime.topic()) = 'admin' and extension = 'broadcast' and (select private.caller_is_admin()));
