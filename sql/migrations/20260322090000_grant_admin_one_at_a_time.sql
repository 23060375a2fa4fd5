-- Two admins act on the same member at the same moment: granting waits its turn as revoking, suspending and deleting
-- do, so that a member never becomes an admin and suspended at once; and whoever lost the role while they waited for
-- their turn is refused.

create or replace function private.set_admin(uid uuid, admin boolean)
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

create or replace function private.demand_manageable(uid uuid)
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
  perform private.demand_admin();
  if exists (select from private.admins as a where a.user_id = uid) then
    raise exception 'Take the admin role away first' using errcode = 'PT403';
  end if;
  if not exists (select from auth.users as u where u.id = uid) then
    raise exception 'There is no such member' using errcode = 'PT404';
  end if;
end
$$;
