-- A member as others see them (§3.1): one row per auth user, made, followed and deleted with it.

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
comment on function private.is_privacy_settings(jsonb) is 'Does this have the shape of §3.3? Fields may be missing.';
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
'Does this have the shape of §3.11? Fields may be missing.';
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
  constraint profiles_avatar_url_is_a_picture check (
    (char_length(avatar_url) <= 2048 and avatar_url ~ '^(https?://|/[^/\\])')
    or (char_length(avatar_url) <= 40000 and avatar_url ~ '^data:image/(png|jpeg|webp);base64,')
  ),
  constraint profiles_firefighter_type_is_known check (
    firefighter_type in ('Career', 'Volunteer', 'Combination', 'Wildland', 'Industrial')
  ),
  constraint profiles_privacy_settings_are_valid check (private.is_privacy_settings(privacy_settings)),
  constraint profiles_notification_settings_are_valid check (private.is_notification_settings(notification_settings))
);
comment on table public.profiles is
'A member as others see them; one row per auth user, made by a trigger and deleted with the user.';
comment on column public.profiles.email is 'Copied from auth.users whenever it changes; not writable by the member.';
comment on column public.profiles.specialties is 'Short labels, such as Rope rescue or Instruction.';
comment on column public.profiles.firefighter_type is 'One of five (§3.2); anything else is stored as null.';
comment on column public.profiles.privacy_settings is
'§3.3. daily_message_limit_reached, non_connection_messages_today and last_limit_reset are the database''s.';
comment on column public.profiles.notification_settings is '§3.11: mutes, and what each kind of notice may do.';

create index profiles_full_name_idx on public.profiles (full_name, id);
create index profiles_department_idx on public.profiles (department);
-- A recipient is named by address. The trigram index, made for parts of addresses, finds a whole one slowly.
create index profiles_email_idx on public.profiles (email);
create index profiles_firefighter_type_idx on public.profiles (firefighter_type);
create index profiles_created_at_idx on public.profiles (created_at desc);
create index profiles_full_name_trigram_idx on public.profiles using gin (full_name extensions.gin_trgm_ops);
create index profiles_email_trigram_idx on public.profiles using gin (email extensions.gin_trgm_ops);
create index profiles_department_trigram_idx on public.profiles using gin (department extensions.gin_trgm_ops);

create function private.tidy_profile()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- Runs as whoever writes: a member's own write never changes the counters of §5.22, a trusted function's may.
  if new.firefighter_type not in ('Career', 'Volunteer', 'Combination', 'Wildland', 'Industrial') then
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
comment on function private.tidy_profile() is
'Keeps a profile right: unknown firefighter types become null, message counters survive any write of a member.';

create trigger tidy_profile
before insert or update on public.profiles
for each row execute function private.tidy_profile();

create function private.knows_caller(member_id uuid)
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
comment on function private.knows_caller(uuid) is
'Is the caller a connection of this member, or asked to become one? Opens profiles shown to connections.';
grant execute on function private.knows_caller(uuid) to authenticated, service_role;

create function private.can_see_profile(member public.profiles)
returns boolean
language sql
stable
set search_path = ''
as $$
  -- The same rule as the policy on profiles, for functions that read profiles past it.
  select member.id = (select auth.uid())
    or coalesce(member.privacy_settings ->> 'profile_visibility', 'public') = 'public'
    or (member.privacy_settings ->> 'profile_visibility' = 'connections' and private.knows_caller(member.id))
    or private.caller_is_admin()
$$;
comment on function private.can_see_profile(public.profiles) is 'May the caller see this profile?';

alter table public.profiles enable row level security;
grant select on public.profiles to authenticated;
grant update (
  full_name, department, position, years_of_service, bio, avatar_url, rank, specialties, firefighter_type,
  privacy_settings, notification_settings
) on public.profiles to authenticated;
grant all on public.profiles to service_role;

create policy "Members see profiles as far as their owners show them" on public.profiles
for select to authenticated
using (
  id = (select auth.uid())
  or coalesce(privacy_settings ->> 'profile_visibility', 'public') = 'public'
  or (privacy_settings ->> 'profile_visibility' = 'connections' and private.knows_caller(id))
  or (select private.caller_is_admin())
);

create policy "Members change their own profile" on public.profiles
for update to authenticated
using (id = (select auth.uid()));

create policy "Suspended members reach no profiles" on public.profiles
as restrictive for all to authenticated using ((select private.caller_is_active()));

create function private.create_profile()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  said jsonb := coalesce(new.raw_user_meta_data, '{}');
begin
  -- What someone typed at sign-up is cut to what fits: a long name must not prevent an account.
  insert into public.profiles (id, email, full_name, department, position, rank, firefighter_type)
  values (
    new.id,
    new.email,
    nullif(btrim(left(coalesce(said ->> 'full_name', said ->> 'name'), 120)), ''),
    nullif(btrim(left(said ->> 'department', 160)), ''),
    nullif(btrim(left(said ->> 'position', 120)), ''),
    nullif(btrim(left(said ->> 'rank', 80)), ''),
    said ->> 'firefighter_type'
  )
  on conflict (id) do nothing;
  return null;
end
$$;
comment on function private.create_profile() is 'Gives a new auth user a profile, with what they said of themselves.';

create trigger create_profile
after insert on auth.users
for each row execute function private.create_profile();

create function private.follow_account_email()
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
comment on function private.follow_account_email() is 'Keeps profiles.email equal to the account''s.';

create trigger follow_account_email
after update of email on auth.users
for each row when (old.email is distinct from new.email)
execute function private.follow_account_email();

-- A project may have accounts already.
insert into public.profiles (id, email, full_name)
select
  u.id,
  u.email,
  nullif(btrim(left(coalesce(u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name'), 120)), '')
from auth.users as u
on conflict (id) do nothing;
