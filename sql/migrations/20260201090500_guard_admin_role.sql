-- There is always an admin. Nobody can resign, but two admins could each demote the other at the same moment: taking
-- the role away happens one at a time, and whoever takes it must still be an admin when their turn comes.

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

create or replace function private.set_admin(uid uuid, admin boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.demand_admin();
  if admin then
    if exists (select from auth.users as u where u.id = uid and u.banned_until > now()) then
      raise exception 'A suspended member cannot be an admin' using errcode = 'PT403';
    end if;
    insert into private.admins (user_id) values (uid) on conflict (user_id) do nothing;
    return;
  end if;
  if uid = (select auth.uid()) then
    raise exception 'You cannot take the admin role from yourself' using errcode = 'PT403';
  end if;
  perform pg_advisory_xact_lock(hashtext('private.admins'));
  perform private.demand_admin();
  delete from private.admins where user_id = uid;
end
$$;
