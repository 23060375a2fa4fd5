-- A member as others see them (§3.1): one row per auth user, created, kept up to date and deleted with it.

create function private.is_privacy_settings(settings jsonb)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select coalesce(
    jsonb_typeof(settings) = 'object'
    and coalesce(settings ->> 'profile_visibility', 'public') in ('public', 'connections', 'private')
    and coalesce(settings ->> 'connection_visibility', 'connections') in ('public', 'connections', 'private')
    and coalesce(jsonb_typeof(settings -> 'allow_messages_from_anyone'), 'boolean') = 'boolean'
    and coalesce(jsonb_typeof(settings -> 'daily_message_limit_reached'), 'boolean') = 'boolean'
    and coalesce(jsonb_typeof(settings -> 'non_connection_messages_today'), 'number') = 'number'
    and length(settings::text) <= 4000,
    false
  )
$$;
comment on function private.is_privacy_settings(jsonb) is
'Are these valid privacy settings (§3.3)? Fields may be missing.';
grant execute on function private.is_privacy_settings(jsonb) to authenticated, service_role;

create function private.is_notification_settings(settings jsonb)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select coalesce(
    jsonb_typeof(settings) = 'object'
    and coalesce(jsonb_typeof(settings -> 'globalMute'), 'boolean') = 'boolean'
    and coalesce(jsonb_typeof(settings -> 'emailGlobalMute'), 'boolean') = 'boolean'
    and coalesce(jsonb_typeof(settings -> 'preferences'), 'object') = 'object'
    and not exists (
      select from jsonb_each(
        case jsonb_typeof(settings -> 'preferences') when 'object' then settings -> 'preferences' else '{}' end
      ) as p (kind, preference)
      where jsonb_typeof(p.preference) <> 'object'
        or jsonb_typeof(p.preference -> 'enabled') <> 'boolean'
        or jsonb_typeof(p.preference -> 'muted') <> 'boolean'
        or jsonb_typeof(p.preference -> 'displayInApp') <> 'boolean'
        or jsonb_typeof(p.preference -> 'email_enabled') <> 'boolean'
    )
    and length(settings::text) <= 8000,
    false
  )
$$;
comment on function private.is_notification_settings(jsonb) is
'Are these valid notification settings (§3.11)? Fields may be missing.';
grant execute on function private.is_notification_settings(jsonb) to authenticated, service_role;

create function private.default_notification_settings()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  -- §3.13: everything on and shown in the app; by e-mail only what its kinds send by default.
  select jsonb_build_object(
    'globalMute', false,
    'emailGlobalMute', false,
    'preferences', jsonb_object_agg(
      governed.preference,
      jsonb_build_object(
        'type', governed.preference,
        'enabled', true,
        'muted', false,
        'displayInApp', true,
        'email_enabled', governed.mail_by_default
      )
    )
  )
  from (
    select k.preference, bool_or(k.mail_by_default) as mail_by_default
    from private.notification_kinds as k
    where k.preference is not null
    group by k.preference
  ) as governed
$$;
comment on function private.default_notification_settings() is 'The notification_settings of a new member (§3.13).';
grant execute on function private.default_notification_settings() to authenticated, service_role;

create function private.is_time_zone(zone text)
returns boolean
language plpgsql
immutable
strict
set search_path = ''
as $$
begin
  -- Names of the IANA database: PostgreSQL would take POSIX's rules, too (`X3`). Asking for a time is a thousand times
  -- faster than reading pg_timezone_names.
  return zone ~ '^(UTC|[A-Z][A-Za-z]+(/[A-Za-z0-9_+-]+){1,2})$' and timezone(zone, 'epoch'::timestamptz) is not null;
exception when invalid_parameter_value then
  return false;
end
$$;
comment on function private.is_time_zone(text) is 'Is this the name of a time zone, such as America/Denver?';
grant execute on function private.is_time_zone(text) to authenticated, service_role;

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text,
  email text,
  department text,
  position text,
  years_of_service integer,
  bio text,
  avatar_url text,
  rank text,
  specialties text[] not null default '{}',
  firefighter_type text,
  state text references private.states (code),
  time_zone text,
  privacy_settings jsonb not null default jsonb_build_object(
    'profile_visibility', 'public',
    'connection_visibility', 'connections',
    'allow_messages_from_anyone', true,
    'daily_message_limit_reached', false,
    'non_connection_messages_today', 0,
    'last_limit_reset', null
  ),
  notification_settings jsonb not null default private.default_notification_settings(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint profiles_full_name_is_short check (char_length(full_name) <= 120),
  constraint profiles_department_is_short check (char_length(department) <= 160),
  constraint profiles_position_is_short check (char_length(position) <= 120),
  constraint profiles_rank_is_short check (char_length(rank) <= 80),
  constraint profiles_bio_is_short check (char_length(bio) <= 2000),
  constraint profiles_years_of_service_are_possible check (years_of_service between 0 and 80),
  constraint profiles_specialties_are_few check (
    cardinality(specialties) <= 30 and char_length(array_to_string(specialties, '', '')) <= 1500
  ),
  -- Of this site, or in the row: another server would be told who looks at it.
  constraint profiles_avatar_url_is_a_picture check (
    (char_length(avatar_url) <= 2048 and avatar_url ~ '^/[^/\\]')
    or (char_length(avatar_url) <= 40000 and avatar_url ~ '^data:image/(png|jpeg|webp);base64,')
  ),
  constraint profiles_firefighter_type_is_known check (
    firefighter_type in ('Career', 'Volunteer', 'Combination', 'Wildland', 'Industrial', 'Military', 'Retired')
  ),
  constraint profiles_time_zone_is_known check (char_length(time_zone) <= 64 and private.is_time_zone(time_zone)),
  constraint profiles_privacy_settings_are_valid check (private.is_privacy_settings(privacy_settings)),
  constraint profiles_notification_settings_are_valid check (private.is_notification_settings(notification_settings))
);
comment on table public.profiles is
'A member as others see them; one row per auth user, created by a trigger and deleted with the user.';
comment on column public.profiles.email is 'Copied from auth.users whenever it changes; not writable by the member.';
comment on column public.profiles.specialties is 'Short labels, such as Rope rescue or Instruction.';
comment on column public.profiles.firefighter_type is 'One of seven (§11.5); anything else is stored as null.';
comment on column public.profiles.state is
'Where the member serves, a postal code such as OH. No other place of a member is stored (§11.7).';
comment on column public.profiles.time_zone is
'Where days and mornings of reminders are counted (§10.1); the browser''s at the first sign-in. Null: not known.';
comment on column public.profiles.privacy_settings is
'§3.3. Only the database writes daily_message_limit_reached, non_connection_messages_today, last_limit_reset.';
comment on column public.profiles.notification_settings is
'§3.11: mutes, and the switches of each preference in private.notification_kinds.';

create index profiles_full_name_idx on public.profiles (full_name, id);
create index profiles_department_idx on public.profiles (department);
-- Mail looks up recipients by address. The trigram index, meant for parts of addresses, is slow to find a whole one.
create index profiles_email_idx on public.profiles (email);
create index profiles_firefighter_type_idx on public.profiles (firefighter_type);
create index profiles_state_idx on public.profiles (state);
create index profiles_created_at_idx on public.profiles (created_at desc);
create index profiles_full_name_trigram_idx on public.profiles using gin (full_name extensions.gin_trgm_ops);
create index profiles_email_trigram_idx on public.profiles using gin (email extensions.gin_trgm_ops);
create index profiles_department_trigram_idx on public.profiles using gin (department extensions.gin_trgm_ops);

create function private.normalize_profile()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- Runs as the writing role: a member's own update never changes the counters of §5.22, a definer function's may.
  if new.firefighter_type not in ('Career', 'Volunteer', 'Combination', 'Wildland', 'Industrial', 'Military', 'Retired') then
    new.firefighter_type := null;
  end if;
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    if current_user in ('anon', 'authenticated') and jsonb_typeof(new.privacy_settings) = 'object' then
      new.privacy_settings := new.privacy_settings || jsonb_build_object(
        'daily_message_limit_reached', coalesce(old.privacy_settings -> 'daily_message_limit_reached', 'false'),
        'non_connection_messages_today', coalesce(old.privacy_settings -> 'non_connection_messages_today', '0'),
        'last_limit_reset', old.privacy_settings -> 'last_limit_reset'
      );
    end if;
  end if;
  return new;
end
$$;
comment on function private.normalize_profile() is
'Sets unknown firefighter types to null and keeps members from changing their message counters.';

create trigger normalize_profile
before insert or update on public.profiles
for each row execute function private.normalize_profile();

create function private.has_connection_with_caller(member_id uuid)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  -- plpgsql, because connections refer to profiles and are made after them.
  return exists (
    select from public.connections as c
    where c.user_id = member_id and c.connected_user_id = (select auth.uid()) and c.status in ('accepted', 'pending')
  ) or exists (
    select from public.connections as c
    where c.user_id = (select auth.uid()) and c.connected_user_id = member_id and c.status = 'accepted'
  );
end
$$;
comment on function private.has_connection_with_caller(uuid) is
'Is the caller connected to this member, or has the member asked to connect? Decides profile_visibility connections.';
grant execute on function private.has_connection_with_caller(uuid) to authenticated, service_role;

create function private.can_see_profile(member public.profiles)
returns boolean
language sql
stable
set search_path = ''
as $$
  -- The conditions of the policies on profiles, for functions that bypass row-level security.
  select (member.id = any((select private.blocked_with_caller())::uuid[])) is not true
    and (
      member.id = (select auth.uid())
      or coalesce(member.privacy_settings ->> 'profile_visibility', 'public') = 'public'
      or (
        member.privacy_settings ->> 'profile_visibility' = 'connections'
        and private.has_connection_with_caller(member.id)
      )
      or private.caller_is_admin()
    )
$$;
comment on function private.can_see_profile(public.profiles) is 'May the caller see this profile?';

alter table public.profiles enable row level security;
grant select on public.profiles to authenticated;
grant update (
  full_name, department, position, years_of_service, bio, avatar_url, rank, specialties, firefighter_type,
  state, time_zone, privacy_settings, notification_settings
) on public.profiles to authenticated;
grant all on public.profiles to service_role;

create policy "Members see profiles as far as their owners show them" on public.profiles
for select to authenticated
using (
  id = (select auth.uid())
  or coalesce(privacy_settings ->> 'profile_visibility', 'public') = 'public'
  or (privacy_settings ->> 'profile_visibility' = 'connections' and private.has_connection_with_caller(id))
  or (select private.caller_is_admin())
);

create policy "Members change their own profile" on public.profiles
for update to authenticated
using (id = (select auth.uid()));

create policy "Blocked members do not see each other's profiles" on public.profiles
as restrictive for select to authenticated
using ((id = any((select private.blocked_with_caller())::uuid[])) is not true);

create policy "Suspended members cannot access profiles" on public.profiles
as restrictive for all to authenticated using ((select private.caller_is_active()));

create function private.create_profile()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  metadata jsonb := coalesce(new.raw_user_meta_data, '{}');
begin
  -- Sign-up metadata is truncated to what the columns allow: a long name must not prevent an account.
  insert into public.profiles (id, email, full_name, department, position, rank, firefighter_type, state)
  values (
    new.id,
    new.email,
    nullif(btrim(left(coalesce(metadata ->> 'full_name', metadata ->> 'name'), 120)), ''),
    nullif(btrim(left(metadata ->> 'department', 160)), ''),
    nullif(btrim(left(metadata ->> 'position', 120)), ''),
    nullif(btrim(left(metadata ->> 'rank', 80)), ''),
    metadata ->> 'firefighter_type',
    (select s.code from private.states as s where s.code = upper(btrim(metadata ->> 'state')))
  )
  on conflict (id) do nothing;
  return null;
end
$$;
comment on function private.create_profile() is
'Creates the profile of a new auth user from the metadata of the sign-up.';

create trigger create_profile
after insert on auth.users
for each row execute function private.create_profile();

create function private.sync_profile_email()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.profiles set email = new.email where id = new.id;
  return null;
end
$$;
comment on function private.sync_profile_email() is 'Copies the account''s e-mail address to the profile.';

create trigger sync_profile_email
after update of email on auth.users
for each row when (old.email is distinct from new.email)
execute function private.sync_profile_email();

-- A project may already have accounts.
insert into public.profiles (id, email, full_name)
select
  u.id,
  u.email,
  nullif(btrim(left(coalesce(u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name'), 120)), '')
from auth.users as u
on conflict (id) do nothing;
