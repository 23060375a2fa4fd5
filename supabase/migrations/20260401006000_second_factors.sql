-- Second factors (§15.1, §15.2): authenticator apps are Auth's own; passkeys become second factors, too, and recovery
-- codes are kept here, because Auth has neither. What asks for a factor is private.caller_is_active.

create function private.use_passkey_as_factor()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- The JSON form of a credential in the library that GoTrue uses (go-webauthn). Lines of base64 would be wrapped.
  insert into auth.mfa_factors (
    id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, web_authn_aaguid,
    web_authn_credential
  )
  values (
    new.id, new.user_id, 'passkey ' || new.id, 'webauthn', 'verified', new.created_at, new.created_at, '', new.aaguid,
    jsonb_build_object(
      'id', replace(encode(new.credential_id, 'base64'), e'\n', ''),
      'publicKey', replace(encode(new.public_key, 'base64'), e'\n', ''),
      'attestationType', new.attestation_type,
      'transport', new.transports,
      'flags', jsonb_build_object(
        'userPresent', true, 'userVerified', true, 'backupEligible', new.backup_eligible, 'backupState', new.backed_up
      ),
      'authenticator', jsonb_build_object(
        'AAGUID', encode(uuid_send(coalesce(new.aaguid, '00000000-0000-0000-0000-000000000000')), 'base64'),
        'signCount', new.sign_count, 'cloneWarning', false, 'attachment', ''
      )
    )
  );
  return null;
end
$$;
comment on function private.use_passkey_as_factor() is
'A passkey that signs in is a second factor, too: Auth keeps the two apart, and a device would have to make two keys.';

create trigger use_as_factor
after insert on auth.webauthn_credentials
for each row execute function private.use_passkey_as_factor();

create function private.forget_passkey()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- As Auth does when a factor is removed: sessions that it raised fall back.
  delete from auth.mfa_amr_claims as c
  using auth.sessions as s
  where s.id = c.session_id and s.factor_id = old.id and c.authentication_method = 'mfa/webauthn';
  update auth.sessions set aal = 'aal1', factor_id = null where factor_id = old.id;
  delete from auth.mfa_factors where id = old.id;
  return null;
end
$$;
comment on function private.forget_passkey() is 'A removed passkey is no second factor any more.';

create trigger forget_factor
after delete on auth.webauthn_credentials
for each row execute function private.forget_passkey();

create function private.limit_authenticator_apps()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('authenticator apps of ' || new.user_id, 0));
  if (
    select count(*) from auth.mfa_factors as f
    where f.user_id = new.user_id and f.factor_type = 'totp' and f.status = 'verified' and f.id <> new.id
  ) >= 2 then
    raise exception 'You can have two authenticator apps' using errcode = 'PT422';
  end if;
  return new;
end
$$;
comment on function private.limit_authenticator_apps() is 'A member has at most two authenticator apps (§15.1).';

create trigger limit_authenticator_apps
before insert on auth.mfa_factors
for each row when (new.factor_type = 'totp')
execute function private.limit_authenticator_apps();

create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (user_id, code_hash)
);
comment on table private.recovery_codes is
'Ten codes a member, each good for one sign-in (§15.1). The ten share a salt: a try costs one computation of bcrypt.';

create table private.recovery_attempts (
  user_id uuid not null references auth.users (id) on delete cascade,
  attempted_at timestamptz not null default now()
);
comment on table private.recovery_attempts is 'Wrong recovery codes of the last quarter of an hour; five are allowed.';

create index recovery_attempts_user_id_idx on private.recovery_attempts (user_id, attempted_at);

alter table private.recovery_codes enable row level security;
alter table private.recovery_attempts enable row level security;

create policy "No client accesses recovery codes" on private.recovery_codes
for all to public using (false);

create policy "No client accesses tries of recovery codes" on private.recovery_attempts
for all to public using (false);

create function private.recovery_code()
returns text
language sql
volatile
set search_path = ''
as $$
  -- 40 random bits as eight of 32 characters, without I, O, 0 and 1.
  select string_agg(
    case n when 4 then '-' else '' end
    || substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', 1 + (get_byte(random.bytes, n) & 31), 1), '' order by n
  )
  from extensions.gen_random_bytes(8) as random (bytes)
  cross join generate_series(0, 7) as n
$$;
comment on function private.recovery_code() is 'A new recovery code, as "7KQ2-MX4T".';

create function private.make_recovery_codes()
returns setof text
language plpgsql
security definer
set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  salt constant text := extensions.gen_salt('bf', 8);
  earlier jsonb;
  code text;
begin
  if me is null or not private.caller_is_active() then
    raise exception 'Only members can do this' using errcode = 'PT401';
  end if;
  if (select auth.jwt()) ->> 'aal' is distinct from 'aal2' then
    raise exception 'Confirm your second factor first' using errcode = 'PT403';
  end if;
  if not exists (select from auth.mfa_factors as f where f.user_id = me and f.status = 'verified') then
    raise exception 'Set up an authenticator app or a passkey first' using errcode = 'PT409';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('recovery codes of ' || me, 0));
  select jsonb_build_object('codes', coalesce(jsonb_agg(to_jsonb(c)), '[]')) into earlier
  from private.recovery_codes as c
  where c.user_id = me;
  perform private.note_security_event(me, 'codes_made', previous => earlier);
  delete from private.recovery_codes as c where c.user_id = me;
  for n in 1..10 loop
    code := private.recovery_code();
    insert into private.recovery_codes (user_id, code_hash) values (me, extensions.crypt(replace(code, '-', ''), salt));
    return next code;
  end loop;
end
$$;
comment on function private.make_recovery_codes() is 'Implements public.make_recovery_codes.';
grant execute on function private.make_recovery_codes() to authenticated;

create function public.make_recovery_codes()
returns setof text
language sql
set search_path = ''
as $$
  select private.make_recovery_codes()
$$;
comment on function public.make_recovery_codes() is
'Ten new recovery codes, in the place of all earlier ones; only their hashes are kept. Needs a session of aal2.';
grant execute on function public.make_recovery_codes() to authenticated;

create function private.use_recovery_code(code text)
returns table (accepted boolean, codes_left integer, try_again_at timestamptz)
language plpgsql
security definer
set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  session constant uuid := (select auth.jwt()) ->> 'session_id';
  written constant text := upper(regexp_replace(left(coalesce(code, ''), 100), '[^[:alnum:]]', '', 'g'));
  tries constant integer := 5;
  pause constant interval := '15 minutes';
  first_try timestamptz;
  tried integer;
  tried_hash text;
begin
  -- Not caller_is_active: it asks for the second factor, in whose place the code is.
  if not exists (
    select from auth.sessions as s
    inner join auth.users as u on s.user_id = u.id
    where s.id = session and u.id = me and u.deleted_at is null and coalesce(u.banned_until <= now(), true)
  ) or private.caller_is_application() then
    raise exception 'Only members can do this' using errcode = 'PT401';
  end if;
  -- One try at a time, whatever is sent at once: the count is right, and a code is used once.
  perform pg_advisory_xact_lock(hashtextextended('recovery codes of ' || me, 0));
  delete from private.recovery_attempts as a where a.user_id = me and a.attempted_at <= now() - pause;
  select count(*), min(a.attempted_at) into tried, first_try from private.recovery_attempts as a where a.user_id = me;
  if tried >= tries then
    return query select false, null::integer, first_try + pause;
    return;
  end if;
  -- The first 29 characters of a hash are its salt. Without any code the work is the same.
  select extensions.crypt(written, coalesce(left(min(c.code_hash), 29), extensions.gen_salt('bf', 8))) into tried_hash
  from private.recovery_codes as c
  where c.user_id = me;
  update private.recovery_codes as c set used_at = now()
  where c.user_id = me and c.used_at is null and c.code_hash = tried_hash;
  if not found then
    insert into private.recovery_attempts (user_id) values (me);
    return query select false, null::integer, case when tried + 1 >= tries then coalesce(first_try, now()) + pause end;
    return;
  end if;
  delete from private.recovery_attempts as a where a.user_id = me;
  perform private.note_security_event(
    me, 'code_used', device => private.device_of(s.user_agent), network => private.network_of(s.ip)
  )
  from auth.sessions as s
  where s.id = session;
  -- What Auth writes when a factor is verified: the next token of this session has aal2.
  insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
  values (gen_random_uuid(), session, now(), now(), 'totp')
  on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at;
  update auth.sessions set aal = 'aal2', updated_at = now() where id = session;
  delete from auth.sessions as s where s.user_id = me and s.id <> session and s.aal = 'aal1';
  return query
  select true, count(*)::integer, null::timestamptz from private.recovery_codes as c
  where c.user_id = me and c.used_at is null;
end
$$;
comment on function private.use_recovery_code(text) is 'Implements public.use_recovery_code.';
grant execute on function private.use_recovery_code(text) to authenticated;

create function public.use_recovery_code(code text)
returns table (accepted boolean, codes_left integer, try_again_at timestamptz)
language sql
set search_path = ''
as $$
  select * from private.use_recovery_code(code)
$$;
comment on function public.use_recovery_code(text) is
'Raises the caller''s session to aal2 by a recovery code; the token must be refreshed then. A code works once. After
five wrong ones none is accepted until try_again_at.';
grant execute on function public.use_recovery_code(text) to authenticated;

create function private.recovery_codes_left()
returns integer
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  if not private.caller_is_active() then
    return null;
  end if;
  return (
    select nullif(count(*), 0) - count(c.used_at) from private.recovery_codes as c
    where c.user_id = (select auth.uid())
  );
end
$$;
comment on function private.recovery_codes_left() is 'Implements public.recovery_codes_left.';
grant execute on function private.recovery_codes_left() to authenticated;

create function public.recovery_codes_left()
returns integer
language sql
stable
set search_path = ''
as $$
  select private.recovery_codes_left()
$$;
comment on function public.recovery_codes_left() is
'How many of the caller''s recovery codes are unused; null when none were made.';
grant execute on function public.recovery_codes_left() to authenticated;

create function private.drop_codes_without_factors()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from private.recovery_codes as c
  where c.user_id = old.user_id
    and not exists (select from auth.mfa_factors as f where f.user_id = old.user_id and f.status = 'verified');
  return null;
end
$$;
comment on function private.drop_codes_without_factors() is
'Recovery codes go with the last second factor.';

create trigger drop_codes_without_factors
after delete on auth.mfa_factors
for each row when (old.status = 'verified')
execute function private.drop_codes_without_factors();

create function private.reset_second_factor(uid uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from auth.webauthn_credentials as c where c.user_id = uid;
  delete from auth.mfa_factors as f where f.user_id = uid;
  delete from auth.sessions as s where s.user_id = uid;
end
$$;
comment on function private.reset_second_factor(uuid) is 'Implements public.reset_second_factor.';
grant execute on function private.reset_second_factor(uuid) to service_role;

create function public.reset_second_factor(uid uuid)
returns void
language sql
set search_path = ''
as $$
  select private.reset_second_factor(uid)
$$;
comment on function public.reset_second_factor(uuid) is
'Removes a member''s authenticator apps, passkeys and recovery codes, and ends the sessions. For backend services: a
member who lost all of them asks the operator.';
grant execute on function public.reset_second_factor(uuid) to service_role;
