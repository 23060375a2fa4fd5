-- A member deletes their own account. A stolen or borrowed session cannot: it must have proved who it is a moment ago
-- (the token says when and how). The last admin cannot leave.
--
-- What becomes of everything (the foreign keys do it; docs/database.md tells readers under Privacy):
--   deleted     account, sessions, identities, factors; profile, connections, messages on both sides, notifications to
--               and by it, mentions, reactions and what the profile showed; the waitlist entry of the address with its
--               quiz answers; mails that wait for the address
--   anonymized  posts and comments (user_id becomes null), feedback (user_id, name and address become null)
--   kept        one line of admin_acts: that this account was deleted by its owner

create function private.proved_at()
returns timestamptz
language sql
stable
set search_path = ''
as $$
  -- The claim is a list of {method, timestamp} (GoTrue); entries of another shape count for nothing.
  select to_timestamp(max((proof.entry ->> 'timestamp')::double precision))
  from jsonb_array_elements(
    case when jsonb_typeof((select auth.jwt()) -> 'amr') = 'array' then (select auth.jwt()) -> 'amr' else '[]' end
  ) as proof (entry)
  where
    jsonb_typeof(proof.entry) = 'object' and jsonb_typeof(proof.entry -> 'timestamp') = 'number'
    and proof.entry ->> 'method' not in ('anonymous', 'token_refresh')
$$;
comment on function private.proved_at() is
'When whoever makes this request last proved who they are: the newest entry of the token''s amr; null without one.';

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
  if me is null or not private.caller_is_active() then
    raise exception 'Only members can do this' using errcode = 'PT401';
  end if;
  -- A token's clock has whole seconds and may run a little ahead.
  if coalesce(private.proved_at() not between now() - interval '10 minutes' and now() + interval '1 minute', true) then
    raise exception 'Sign in again to delete your account' using errcode = 'PT403';
  end if;
  -- One at a time with set_admin and other admins who leave: two last ones cannot both go.
  perform pg_advisory_xact_lock(hashtext('private.admins'));
  if
    exists (select from private.admins as a where a.user_id = me)
    and not exists (
      select from private.admins as a
      inner join auth.users as u on a.user_id = u.id
      where a.user_id <> me and coalesce(u.banned_until <= now(), true)
    )
  then
    raise exception 'You are the last admin. Make somebody else an admin first.' using errcode = 'PT403';
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
comment on function private.delete_own_account() is 'The work of public.delete_own_account.';
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
