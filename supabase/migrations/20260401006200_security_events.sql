-- What happens to an account's security is told by e-mail with a way to undo it (§15.4). Triggers on Auth's tables
-- note it, so it doesn't matter who changed what, or by which way; none of them can make a sign-in or a change fail.

create table private.security_events (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  happened_at timestamptz not null default now(),
  detail text not null default '',
  device text not null default '',
  network text not null default '',
  previous jsonb not null default '{}',
  token_hash bytea,
  undone_at timestamptz,
  constraint security_events_token_hash_key unique (token_hash),
  constraint security_events_kind_is_known check (
    kind in (
      'password_changed', 'email_changed', 'factor_added', 'factor_removed', 'codes_made', 'code_used', 'new_device'
    )
  )
);
comment on table private.security_events is
'A change of how a member signs in, or a sign-in from a new device. Deleted after 7 days: then nothing undoes it.';
comment on column private.security_events.detail is 'The new address, or the name of the factor.';
comment on column private.security_events.device is 'Where it is known: Auth does not say who changes a password.';
comment on column private.security_events.previous is
'What undoing needs: the earlier address, the factor''s id, the row of a removed factor, the hashes of earlier codes.';
comment on column private.security_events.token_hash is
'SHA-256 of the token in the mail''s link, good for 7 days. Null: it was not mailed, because many were.';
comment on column private.security_events.undone_at is 'When it was undone, with all that came after it.';

create index security_events_user_id_idx on private.security_events (user_id, id);
create index security_events_happened_at_idx on private.security_events (happened_at);

create table private.known_devices (
  user_id uuid not null references auth.users (id) on delete cascade,
  device text not null,
  network text not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  constraint known_devices_pkey primary key (user_id, device, network)
);
comment on table private.known_devices is
'From where a member has signed in, in the words of Settings, Security. Deleted when unused for a year.';

create index known_devices_last_seen_at_idx on private.known_devices (last_seen_at);

create table private.undo_guesses (
  minute timestamptz primary key,
  guesses integer not null
);
comment on table private.undo_guesses is 'How many links that undo nothing were tried in a minute, by anybody.';

alter table private.security_events enable row level security;
alter table private.known_devices enable row level security;
alter table private.undo_guesses enable row level security;

create policy "No client accesses security events" on private.security_events
for all to public using (false);

create policy "No client accesses known devices" on private.known_devices
for all to public using (false);

create policy "No client accesses guesses" on private.undo_guesses
for all to public using (false);

-- Members who are signed in now are not told of the same device at their next sign-in.
insert into private.known_devices (user_id, device, network)
select distinct
  s.user_id,
  private.device_of(s.user_agent),
  private.network_of(s.ip)
from auth.sessions as s;

insert into private.notification_kinds (place, kind, sent_by, sent_to, mail_template, mail_by_default, mail_only)
values (15, 'security', 'job', 'account', 'security', true, true);

-- Noting ----------------------------------------------------------------------------------------------------------

create function private.note_security_event(
  member_id uuid, what text, detail text default '', previous jsonb default '{}', sent_to text default null,
  device text default '', network text default ''
)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  mails_an_hour constant integer := 5;
  secret constant text := encode(extensions.gen_random_bytes(32), 'hex');
  member public.profiles;
  address text;
begin
  -- What undoing changes is no news.
  if current_setting('muster.is_undoing', true) = 'yes' then
    return;
  end if;
  -- No profile: the account is just being deleted.
  select p.* into member from public.profiles as p where p.id = member_id;
  if not found then
    return;
  end if;
  address := coalesce(nullif(note_security_event.sent_to, ''), nullif(member.email, ''));
  -- A flood is noted, and mailed a few times. Undoing takes back what came after, mailed or not.
  if address is null or (
    select count(*) from private.security_events as e
    where e.user_id = member_id and e.kind = what and e.token_hash is not null
      and e.happened_at > now() - interval '1 hour'
  ) >= mails_an_hour then
    insert into private.security_events (user_id, kind, detail, device, network, previous)
    values (member_id, what, detail, device, network, previous);
    return;
  end if;
  insert into private.security_events (user_id, kind, detail, device, network, previous, token_hash)
  values (member_id, what, detail, device, network, previous, sha256(convert_to(secret, 'UTF8')));
  insert into functions.mail_requests (kind, recipient_id, facts)
  values (
    'security', member_id,
    jsonb_build_object(
      'to', address, 'event', what, 'detail', detail, 'device', device, 'network', network, 'token', secret,
      'when', to_char(now() at time zone private.time_zone_of(member), 'FMMonth FMDD, YYYY, FMHH12:MI AM')
      || ', ' || private.time_zone_words(private.time_zone_of(member))
    )
  );
exception when others then
  -- It is called within Auth's transactions: a mail that can't be asked for must not keep anybody from signing in.
  raise warning 'The security event % of % was not noted: %', what, member_id, sqlerrm;
end
$$;
comment on function private.note_security_event(uuid, text, text, jsonb, text, text, text) is
'Notes what happened to an account and asks for the mail with the link that undoes it: at most 5 of a kind an hour.
Errors are only logged. sent_to: another address than the member''s.';

create function private.note_account_change()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.encrypted_password is distinct from old.encrypted_password then
    perform private.note_security_event(new.id, 'password_changed', sent_to => old.email);
  end if;
  if new.email is distinct from old.email then
    -- To the old address: whoever changed it reads the new one.
    perform private.note_security_event(
      new.id, 'email_changed', coalesce(new.email, ''), jsonb_build_object('email', old.email), old.email
    );
  end if;
  return null;
end
$$;
comment on function private.note_account_change() is 'Notes another password or another e-mail address.';

-- Before the address is confirmed there is nobody to tell; a deleted account's row is overwritten.
create trigger note_account_change
after update of encrypted_password, email on auth.users
for each row when (
  old.email_confirmed_at is not null and new.deleted_at is null
  and (new.encrypted_password is distinct from old.encrypted_password or new.email is distinct from old.email)
)
execute function private.note_account_change();

create function private.note_factor_added()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.note_security_event(
    new.user_id, 'factor_added', coalesce(new.friendly_name, ''), jsonb_build_object('id', new.id)
  );
  return null;
end
$$;
comment on function private.note_factor_added() is 'Notes a new authenticator app or passkey.';

create function private.note_factor_removed()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.note_security_event(
    old.user_id, 'factor_removed', coalesce(old.friendly_name, ''),
    jsonb_build_object('table', tg_table_name, 'row', to_jsonb(old))
  );
  return null;
end
$$;
comment on function private.note_factor_removed() is
'Notes a removed authenticator app or passkey, and keeps its row so that it can be put back.';

-- A passkey's factor is a copy (private.use_passkey_as_factor): the passkey itself is noted.
create trigger note_factor_added
after insert on auth.mfa_factors
for each row when (new.status = 'verified' and new.friendly_name is distinct from 'passkey ' || new.id)
execute function private.note_factor_added();

create trigger note_factor_verified
after update of status on auth.mfa_factors
for each row when (new.status = 'verified' and old.status <> 'verified')
execute function private.note_factor_added();

create trigger note_factor_removed
after delete on auth.mfa_factors
for each row when (old.status = 'verified' and old.friendly_name is distinct from 'passkey ' || old.id)
execute function private.note_factor_removed();

create trigger note_passkey_added
after insert on auth.webauthn_credentials
for each row execute function private.note_factor_added();

create trigger note_passkey_removed
after delete on auth.webauthn_credentials
for each row execute function private.note_factor_removed();

create function private.note_sign_in()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  used_device constant text := private.device_of(new.user_agent);
  used_network constant text := private.network_of(new.ip);
  is_first constant boolean := not exists (select from private.known_devices as k where k.user_id = new.user_id);
  is_new boolean;
begin
  insert into private.known_devices as k (user_id, device, network)
  values (new.user_id, used_device, used_network)
  on conflict on constraint known_devices_pkey do update set last_seen_at = now()
  -- Zero for a row that was inserted, not updated.
  returning k.xmax = 0 into is_new;
  if is_new and not is_first then
    perform private.note_security_event(new.user_id, 'new_device', device => used_device, network => used_network);
  end if;
  return null;
exception when others then
  raise warning 'The sign-in of % was not noted: %', new.user_id, sqlerrm;
  return null;
end
$$;
comment on function private.note_sign_in() is
'Notes a sign-in from a device and network that the member has not used within a year; the first of all is that of the
sign-up.';

create trigger note_sign_in
after insert on auth.sessions
for each row execute function private.note_sign_in();

-- Undoing ---------------------------------------------------------------------------------------------------------

create function private.events_to_undo(undo_token text)
returns setof private.security_events
language sql
stable
security definer
set search_path = ''
as $$
  select later.*
  from private.security_events as named
  inner join private.security_events as later on later.user_id = named.user_id and later.id >= named.id
  where named.token_hash = sha256(convert_to(undo_token, 'UTF8'))
    and named.undone_at is null
    and named.happened_at > now() - interval '7 days'
    and later.undone_at is null
  order by later.id
$$;
comment on function private.events_to_undo(text) is
'What the link of a mail undoes: the event, first, and all of the account since. Whoever did the one may have done the
others, and mails about them may have gone to an address of theirs. Nothing for a token that is wrong, used or too old.';

create function private.count_undo_guess()
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  a_minute constant integer := 120;
  this_minute constant timestamptz := date_trunc('minute', now());
begin
  if exists (select from private.undo_guesses as g where g.minute = this_minute and g.guesses >= a_minute) then
    raise exception 'Too many links were tried, try again in a minute' using errcode = 'PT429';
  end if;
  delete from private.undo_guesses as g where g.minute < this_minute;
  insert into private.undo_guesses as g (minute, guesses) values (this_minute, 1)
  on conflict (minute) do update set guesses = g.guesses + 1;
end
$$;
comment on function private.count_undo_guess() is
'Counts a token that undoes nothing: 120 a minute from everybody together. One that is right is never refused.';

create function private.security_event(undo_token text)
returns table (kind text, detail text, happened_at timestamptz, device text, network text, account text)
language plpgsql
security definer
set search_path = ''
as $$
begin
  return query
  select
    e.kind, e.detail, e.happened_at, e.device, e.network,
    regexp_replace(coalesce(p.full_name, ''), '\s.*', '')
  from private.events_to_undo(undo_token) as e
  left join public.profiles as p on e.user_id = p.id
  order by e.id;
  if not found then
    perform private.count_undo_guess();
  end if;
end
$$;
comment on function private.security_event(text) is 'Implements public.security_event.';
grant execute on function private.security_event(text) to anon, authenticated, service_role;

create function public.security_event(undo_token text)
returns table (kind text, detail text, happened_at timestamptz, device text, network text, account text)
language sql
rows 1
set search_path = ''
as $$
  select * from private.security_event(undo_token)
$$;
comment on function public.security_event(text) is
'What the link of a security mail would undo: its event, then all that came after. account: the member''s first name.
No row: the token is wrong, used or older than 7 days.';
grant execute on function public.security_event(text) to anon, authenticated, service_role;

create function private.restore_email(member_id uuid, address text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if coalesce(address, '') = '' then
    return;
  end if;
  -- An account that was registered with the address meanwhile, and never confirmed: nobody but its owner reads the mail.
  delete from auth.users as u
  where u.email = address and u.id <> member_id and u.email_confirmed_at is null and not u.is_sso_user;
  if exists (select from auth.users as u where u.email = address and u.id <> member_id and not u.is_sso_user) then
    -- The owner has made a new account. Without an address nobody gets into this one until an operator helps.
    update auth.users as u set email = null where u.id = member_id;
    return;
  end if;
  update auth.users as u set email = address, email_confirmed_at = coalesce(u.email_confirmed_at, now())
  where u.id = member_id;
  update auth.identities as i
  set
    identity_data = i.identity_data || jsonb_build_object('email', address, 'email_verified', true),
    updated_at = now()
  where i.user_id = member_id and i.provider = 'email';
end
$$;
comment on function private.restore_email(uuid, text) is
'Gives an account its earlier address back; none, if another confirmed account has it by now.';

create function private.restore_factor(table_name text, factor jsonb)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if table_name = 'webauthn_credentials' then
    insert into auth.webauthn_credentials
    select (jsonb_populate_record(null::auth.webauthn_credentials, factor)).*
    on conflict do nothing;
  else
    insert into auth.mfa_factors
    select (jsonb_populate_record(null::auth.mfa_factors, factor)).*
    on conflict do nothing;
  end if;
exception when others then
  -- For instance, there are two other apps by now. The sessions end in any case.
  raise warning 'A factor could not be put back: %', sqlerrm;
end
$$;
comment on function private.restore_factor(text, jsonb) is
'Puts a removed authenticator app or passkey back as it was.';

create function private.undo_security_event(undo_token text)
returns table (email text)
language plpgsql
security definer
set search_path = ''
as $$
declare
  event private.security_events;
  first_event private.security_events;
begin
  select e.* into first_event from private.events_to_undo(undo_token) as e order by e.id limit 1;
  if not found then
    perform private.count_undo_guess();
    return;
  end if;
  -- Auth locks the account before it changes it, too. Of two who open the link at once, the second finds it used.
  perform from auth.users as u where u.id = first_event.user_id for update;
  perform set_config('muster.is_undoing', 'yes', true);
  for event in select e.* from private.events_to_undo(undo_token) as e order by e.id desc loop
    case event.kind
      when 'email_changed' then
        perform private.restore_email(event.user_id, event.previous ->> 'email');
      when 'factor_added' then
        delete from auth.webauthn_credentials as c where c.id = (event.previous ->> 'id')::uuid;
        delete from auth.mfa_factors as f where f.id = (event.previous ->> 'id')::uuid;
      when 'factor_removed' then
        perform private.restore_factor(event.previous ->> 'table', event.previous -> 'row');
      when 'codes_made' then
        delete from private.recovery_codes as c where c.user_id = event.user_id;
        insert into private.recovery_codes
        select (jsonb_populate_recordset(null::private.recovery_codes, event.previous -> 'codes')).*;
      when 'code_used' then
        -- Somebody else has the list.
        delete from private.recovery_codes as c where c.user_id = event.user_id;
      else
        null;
    end case;
    update private.security_events as e set undone_at = now() where e.id = event.id;
  end loop;
  if not found then
    perform set_config('muster.is_undoing', '', true);
    return;
  end if;
  -- Nobody is signed in any more; no password and no link that is under way signs in. What is left is the mailbox.
  update auth.users as u
  set
    encrypted_password = '', recovery_token = '', email_change = '', email_change_token_new = '',
    email_change_token_current = '', email_change_confirm_status = 0, phone_change = '', phone_change_token = '',
    reauthentication_token = '', updated_at = now()
  where u.id = first_event.user_id;
  delete from auth.one_time_tokens as t where t.user_id = first_event.user_id;
  delete from auth.flow_state as f where f.user_id = first_event.user_id;
  delete from auth.sessions as s where s.user_id = first_event.user_id;
  -- An application that was allowed is not asked about again: each is, from now on (§15.6).
  delete from auth.oauth_authorizations as a where a.user_id = first_event.user_id;
  update auth.oauth_consents as c set revoked_at = now()
  where c.user_id = first_event.user_id and c.revoked_at is null;
  delete from private.application_consents as c where c.user_id = first_event.user_id;
  delete from private.known_devices as k
  where k.user_id = first_event.user_id and k.first_seen_at >= first_event.happened_at;
  perform set_config('muster.is_undoing', '', true);
  return query select u.email::text from auth.users as u where u.id = first_event.user_id;
end
$$;
comment on function private.undo_security_event(text) is 'Implements public.undo_security_event.';
grant execute on function private.undo_security_event(text) to anon, authenticated, service_role;

create function public.undo_security_event(undo_token text)
returns table (email text)
language sql
rows 1
set search_path = ''
as $$
  select * from private.undo_security_event(undo_token)
$$;
comment on function public.undo_security_event(text) is
'Undoes what the link of a security mail was about and all that came after, ends all sessions and the password. The row
has the address to which a new password''s link can be sent; null if the account lost it. No row: the token is wrong, used or
older than 7 days.';
grant execute on function public.undo_security_event(text) to anon, authenticated, service_role;

-- Cleaning up -----------------------------------------------------------------------------------------------------

create function private.delete_old_security_events()
returns void
language sql
set search_path = ''
as $$
  delete from private.security_events where happened_at < now() - interval '7 days';
  delete from private.known_devices where last_seen_at < now() - interval '1 year';
$$;
comment on function private.delete_old_security_events() is
'Deletes security events after 7 days, with what was kept to undo them, and devices that were not used for a year.';

do $$
begin
  if to_regnamespace('cron') is not null then
    perform cron.schedule('security-events', '50 3 * * *', 'select private.delete_old_security_events()');
  end if;
end
$$;
