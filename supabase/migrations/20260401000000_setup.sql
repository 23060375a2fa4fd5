-- What every other file builds on: default privileges, the schema `private`, and functions that several tables share.
-- No object is accessible just because it exists: the file that creates it grants each role its privileges. (The
-- supabase/postgres image grants everything in public to the API roles; hosted projects stopped doing so.)

alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

-- Objects that no client can name: the REST service exposes `public` only. Policies call these functions as the caller,
-- hence the usage.
create schema private;
comment on schema private is 'Not exposed by the API: functions for policies and triggers, and derived tables.';
grant usage on schema private to anon, authenticated, service_role;

-- Trigram indexes speed up search by a part of a name or e-mail address (§5.16).
create extension if not exists pg_trgm with schema extensions;

-- A suspended member is blocked at once, not when the access token expires (up to an hour later): every table that
-- members access has a restrictive policy that calls this, every procedure for members calls it too, and Realtime
-- evaluates the same policies for a changed row. The same holds for a session that was ended, and for a password alone
-- where the member has a second factor (§15.2). An application's tokens stay at level 1: what counts is whether the
-- member had given the second factor when they let it in, which 20260401006300_applications.sql notes on its session.
create function private.caller_is_active()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  claims constant jsonb := (select auth.jwt());
  -- Tokens that an operator signs belong to no session.
  session constant uuid := claims ->> 'session_id';
  -- Auth gives a sign-in by passkey level 1. It counts as two factors here: the device, and who unlocks it.
  is_proven constant boolean
  := coalesce(claims ->> 'aal' = 'aal2' or claims -> 'amr' @> '[{"method": "passkey"}]', false);
begin
  -- A deleted account is blocked like a suspended one. Backend services have no account.
  -- plpgsql, because it caches its plan: in language sql every statement would plan this again, which costs 100 us.
  return exists (
    select from auth.users as u
    where u.id = (select auth.uid())
      and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now())
      and (session is null or exists (select from auth.sessions as s where s.id = session and s.user_id = u.id))
      and (
        is_proven
        or not exists (select from auth.mfa_factors as f where f.user_id = u.id and f.status = 'verified')
        or exists (
          select from auth.sessions as s where s.id = session and s.oauth_client_id is not null and s.aal = 'aal2'
        )
      )
  ) or coalesce((select auth.role()) = 'service_role', false);
end
$$;
comment on function private.caller_is_active() is
'May the account that makes this request act: it exists, is not suspended, its session has not been ended, and its
second factor was asked for if it has one? Policies evaluate it once per statement.';
grant execute on function private.caller_is_active() to authenticated, service_role;

create function private.caller_is_application()
returns boolean
language sql
stable
set search_path = ''
as $$
  select coalesce((select auth.jwt()) ? 'client_id', false)
$$;
comment on function private.caller_is_application() is
'Does an application make this request for a member who let it in (§15.6), rather than the member?';
grant execute on function private.caller_is_application() to authenticated;

create function private.set_updated_at()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function private.set_updated_at() is 'Sets updated_at to the server''s clock, whatever the client sends.';

create function private.escape_like_pattern(written text)
returns text
language sql
immutable
strict
set search_path = ''
as $$
  select replace(replace(replace(written, '\', '\\'), '%', '\%'), '_', '\_')
$$;
comment on function private.escape_like_pattern(text) is 'Escapes text so that a LIKE pattern matches it literally.';
