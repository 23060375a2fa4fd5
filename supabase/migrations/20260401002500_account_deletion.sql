-- Members delete their own accounts. A stolen session cannot: the token must prove a recent sign-in. The last admin
-- cannot delete their account either.
--
-- What happens to the data (by foreign keys; see "Privacy" in docs/database.md):
--   deleted     account, sessions, identities, factors; profile, connections, messages on both sides, notifications to
--               and by it, mentions, reactions and what the profile showed; the waitlist entry of the address with its
--               quiz answers; mails that wait for the address
--   anonymized  posts and comments (user_id becomes null), feedback (user_id, name and address become null)
--   kept        one entry of admin_audit_log: that the account was deleted by its owner

create function private.authenticated_at()
returns timestamptz
language sql
stable
set search_path = ''
as $$
  -- The claim is a list of {method, timestamp} (GoTrue); entries of another shape are ignored.
  select to_timestamp(max((proof.entry ->> 'timestamp')::double precision))
  from jsonb_array_elements(
    case when jsonb_typeof((select auth.jwt()) -> 'amr') = 'array' then (select auth.jwt()) -> 'amr' else '[]' end
  ) as proof (entry)
  where
    jsonb_typeof(proof.entry) = 'object' and jsonb_typeof(proof.entry -> 'timestamp') = 'number'
    and proof.entry ->> 'method' not in ('anonymous', 'token_refresh')
$$;
comment on function private.authenticated_at() is
'The last time the caller authenticated: the newest entry of the token''s amr claim; null without one.';

create function private.delete_own_account()
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  address text;
begin
  if me is null or not private.caller_is_active() or private.caller_is_application() then
    raise exception 'Only members can do this' using errcode = 'PT401';
  end if;
  -- Timestamps in tokens are whole seconds, and Auth's clock may run a little ahead.
  if coalesce(
    private.authenticated_at() not between now() - interval '10 minutes' and now() + interval '1 minute', true
  ) then
    raise exception 'Sign in again to delete your account' using errcode = 'PT403';
  end if;
  -- Serialized with set_admin and with other admins who leave: the last two cannot both go.
  perform pg_advisory_xact_lock(hashtext('private.admins'));
  if
    exists (select from private.admins as a where a.user_id = me)
    and not exists (
      select from private.admins as a
      inner join auth.users as u on a.user_id = u.id
      where a.user_id <> me and coalesce(u.banned_until <= now(), true)
    )
  then
    raise exception 'You are the last admin. Make someone else an admin first.' using errcode = 'PT403';
  end if;
  select lower(u.email) into address from auth.users as u where u.id = me;
  delete from public.quiz_responses as q
  using public.waitlist as w
  where w.email = address and q.id = w.quiz_response_id;
  delete from public.waitlist as w where w.email = address;
  delete from functions.mail_queue as m where lower(m.recipient) = address;
  delete from auth.users as u where u.id = me;
end
$$;
comment on function private.delete_own_account() is 'Implements public.delete_own_account.';
grant execute on function private.delete_own_account() to authenticated;

create function public.delete_own_account()
returns void
language sql
set search_path = ''
as $$
  select private.delete_own_account()
$$;
comment on function public.delete_own_account() is
'Deletes the caller''s account; posts and comments stay, without a name. Asks for a sign-in within ten minutes.';
grant execute on function public.delete_own_account() to authenticated;
