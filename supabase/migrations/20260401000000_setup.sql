-- What every other file builds on: closed defaults, the schema `private`, and what several tables share.
-- Nothing is open because it was created: the file that makes an object says what each role may do with it. (The
-- supabase/postgres image grants everything in public to the API roles; hosted projects stopped doing so.)

alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

-- Home of what no client reaches by name. The REST service exposes `public` only; policies call these functions as the
-- caller, hence the usage.
create schema private;
comment on schema private is 'Not exposed by the API: helpers of policies and triggers, and who is an admin.';
grant usage on schema private to anon, authenticated, service_role;

-- People are found by a part of their name or e-mail (§5.16): trigram indexes make that quick.
create extension if not exists pg_trgm with schema extensions;

-- A suspended member is blocked now, not when the access token expires (up to an hour later): each table that members
-- reach has a restrictive policy that asks this, each procedure of theirs asks it too, and so does realtime when it
-- evaluates the policies of a changed row.
create function private.caller_is_active()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  -- An account that is gone is as much out as one that is suspended. Services of the stack have no account.
  -- plpgsql, because it keeps its plan: in language sql every statement would plan this anew, which costs 100 us.
  return exists (
    select from auth.users as u
    where u.id = (select auth.uid())
      and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now())
  ) or coalesce((select auth.role()) = 'service_role', false);
end
$$;
comment on function private.caller_is_active() is
'May the account that makes this request act: there is one, and it is not suspended? Asked once per statement.';
grant execute on function private.caller_is_active() to authenticated, service_role;

create function private.stamp_update()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function private.stamp_update() is 'Sets updated_at to the server''s clock, whatever the client sends.';

create function private.literal_pattern(written text)
returns text
language sql
immutable
strict
set search_path = ''
as $$
  select replace(replace(replace(written, '\', '\\'), '%', '\%'), '_', '\_')
$$;
comment on function private.literal_pattern(text) is 'Text as a LIKE pattern that stands for itself.';
