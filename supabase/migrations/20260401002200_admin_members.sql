-- Member administration: list, view, suspend, restore, delete. Every function is for admins and refuses all others.

-- The columns of auth.users that the list sorts and filters by: that table belongs to Auth, and on hosted projects it
-- cannot be indexed.
create table private.accounts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  last_sign_in_at timestamptz,
  banned_until timestamptz,
  is_confirmed boolean not null
);
comment on table private.accounts is
'Columns of auth.users that the admin area sorts and filters by, copied by triggers and indexed.';

create index accounts_last_sign_in_at_idx on private.accounts (last_sign_in_at desc nulls last, user_id);
create index accounts_banned_until_idx on private.accounts (banned_until) where banned_until is not null;
create index accounts_unconfirmed_idx on private.accounts (user_id) where not is_confirmed;

alter table private.accounts enable row level security;

create policy "No client accesses the copied accounts" on private.accounts
for all to public using (false);

create function private.sync_account()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into private.accounts (user_id, last_sign_in_at, banned_until, is_confirmed)
  values (new.id, new.last_sign_in_at, new.banned_until, new.email_confirmed_at is not null)
  on conflict (user_id) do update
  set last_sign_in_at = excluded.last_sign_in_at,
    banned_until = excluded.banned_until,
    is_confirmed = excluded.is_confirmed;
  return null;
end
$$;
comment on function private.sync_account() is 'Copies a new or changed account to private.accounts.';

create trigger sync_account
after insert on auth.users
for each row execute function private.sync_account();

create trigger sync_changed_account
after update of last_sign_in_at, banned_until, email_confirmed_at on auth.users
for each row when (
  old.last_sign_in_at is distinct from new.last_sign_in_at
  or old.banned_until is distinct from new.banned_until
  or old.email_confirmed_at is distinct from new.email_confirmed_at
)
execute function private.sync_account();

create function private.rebuild_accounts()
returns void
language sql
set search_path = ''
as $$
  -- For writers that disable triggers.
  lock table private.accounts in share row exclusive mode;
  delete from private.accounts;
  insert into private.accounts (user_id, last_sign_in_at, banned_until, is_confirmed)
  select u.id, u.last_sign_in_at, u.banned_until, u.email_confirmed_at is not null from auth.users as u;
$$;
comment on function private.rebuild_accounts() is 'Rebuilds private.accounts from auth.users. For operators.';

select private.rebuild_accounts();

create function private.word_prefixes(written text)
returns text[]
language sql
immutable
strict
parallel safe
set search_path = ''
as $$
  select array_agg(distinct left(w.word, n.letters))
  from string_to_array(translate(lower(written), '-.,()' || chr(9), '      '), ' ') as words (list)
  cross join lateral unnest(words.list) as w (word)
  cross join (values (1), (2)) as n (letters)
  where char_length(w.word) >= n.letters
$$;
comment on function private.word_prefixes(text) is
'The first letter and the first two letters of every word, in lower case.';
grant execute on function private.word_prefixes(text) to authenticated, service_role;

create index profiles_full_name_prefixes_idx on public.profiles using gin (private.word_prefixes(full_name));

-- At 100,000 members: what a search finds is counted to 2,000, no further; what is rare comes from an index, what is
-- common from the order of the list; one or two letters, which no trigram has, find beginnings of words.
create function private.admin_members(
  search text, standing text, sort text, descending boolean, page_size integer, page_offset integer
)
returns table (
  id uuid, full_name text, email text, department text, member_position text, rank text, firefighter_type text,
  avatar_url text, created_at timestamptz, last_sign_in_at timestamptz, confirmed boolean, suspended boolean,
  admin boolean, total bigint, total_is_more boolean
)
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  most constant integer := 2000;
  term constant text := left(btrim(coalesce(search, '')), 100);
  matching constant text := '%' || private.escape_like_pattern(term) || '%';
  beginning constant text[] := array[lower(term)];
  size constant integer := least(greatest(coalesce(page_size, 25), 1), 100);
  place constant integer := greatest(coalesce(page_offset, 0), 0);
  conditions text := 'true';
  tables text := 'public.profiles as p';
  column_name constant text := case sort
    when 'name' then 'p.full_name' when 'email' then 'p.email' when 'department' then 'p.department'
    when 'last_sign_in' then 'u.last_sign_in_at' else 'p.created_at'
  end;
  member_id constant text := case when sort = 'last_sign_in' then 'u.user_id' else 'p.id' end;
  -- An index is read in either direction, what is empty with it: who never signed in did so the longest ago.
  direction constant text := case
    when sort = 'last_sign_in' then case when descending then ' desc nulls last' else ' asc nulls first' end
    when descending then ' desc'
    else ' asc'
  end;
  id_direction constant text := case
    when descending and sort in ('name', 'email', 'department') or not descending and sort = 'last_sign_in'
      then ' desc'
    else ''
  end;
  in_order text;
  page_ids uuid[];
  known bigint;
  is_more boolean := false;
begin
  perform private.require_admin();
  -- Conditions that were not asked for are left out, so that an index can answer the others.
  if char_length(term) in (1, 2) then
    conditions := conditions || ' and private.word_prefixes(p.full_name) @> $2';
  elsif term <> '' then
    conditions := conditions || ' and (p.full_name ilike $1 or p.email ilike $1 or p.department ilike $1)';
  end if;
  conditions := conditions || case standing
    when 'admins' then ' and p.id in (select a.user_id from private.admins as a)'
    when 'suspended' then ' and u.banned_until > now()'
    when 'unconfirmed' then ' and not u.is_confirmed'
    else ''
  end;
  if conditions like '%u.%' then
    tables := 'private.accounts as u inner join public.profiles as p on p.id = u.user_id';
  end if;
  in_order := format('order by %s%s, %s%s', column_name, direction, member_id, id_direction);
  if conditions = 'true' then
    select count(*) into known from public.profiles;
  else
    -- Few are found: these are put in order.
    execute format(
      'with found as materialized (select p.id, %4$s as value from %1$s where %2$s limit $3)'
      'select n.known, case when n.known < $3 then'
      '  array(select f.id from (select found.id, %5$s as value from found) as f %3$s limit $4 offset $5)'
      ' end from (select count(*) as known from found) as n',
      tables,
      conditions,
      format('order by f.value%s, f.id%s', direction, id_direction),
      case when sort = 'last_sign_in' then 'null' else column_name end,
      case
        when sort = 'last_sign_in'
          then '(select a.last_sign_in_at from private.accounts as a where a.user_id = found.id)'
        else 'found.value'
      end
    )
    into known, page_ids using matching, beginning, most + 1, size, place;
    is_more := known > most;
  end if;
  if conditions = 'true' or is_more then
    if sort = 'last_sign_in' then
      tables := 'private.accounts as u inner join public.profiles as p on p.id = u.user_id';
    end if;
    if char_length(term) in (1, 2) then
      -- Who has the letters at all is told sooner than who has a word that begins so.
      conditions := conditions || ' and position($2[1] in lower(p.full_name)) > 0';
    end if;
    -- Many are: going through all in order soon has a page of them.
    execute format(
      'select array(select %4$s from %1$s where %2$s %3$s limit $3 offset $4)', tables, conditions, in_order, member_id
    )
    into page_ids using matching, beginning, size, place;
  end if;
  return query
  select
    p.id, p.full_name, p.email, p.department, p.position, p.rank, p.firefighter_type, p.avatar_url, p.created_at,
    u.last_sign_in_at, u.is_confirmed, coalesce(u.banned_until > now(), false),
    exists (select from private.admins as a where a.user_id = p.id), case when is_more then most else known end, is_more
  from unnest(page_ids) with ordinality as page (id, place)
  inner join public.profiles as p on page.id = p.id
  inner join private.accounts as u on page.id = u.user_id
  order by page.place;
end
$$;
comment on function private.admin_members(text, text, text, boolean, integer, integer) is
'Implements public.admin_members.';
grant execute on function private.admin_members(text, text, text, boolean, integer, integer)
to authenticated, service_role;

create function public.admin_members(
  search text default '', standing text default 'all', sort text default 'joined', descending boolean default true,
  page_size integer default 25, page_offset integer default 0
)
returns table (
  id uuid, full_name text, email text, department text, member_position text, rank text, firefighter_type text,
  avatar_url text, created_at timestamptz, last_sign_in_at timestamptz, confirmed boolean, suspended boolean,
  admin boolean, total bigint, total_is_more boolean
)
language sql
rows 25
set search_path = ''
as $$
  select * from private.admin_members(search, standing, sort, descending, page_size, page_offset)
$$;
comment on function public.admin_members(text, text, text, boolean, integer, integer) is
'A page of members and their total. search: a part of the name, e-mail or department; one or two letters
find words of the name that start with them. Matches of a search or filter are counted up to 2,000; total_is_more: there
are more. Standing: all, admins, suspended, unconfirmed. For admins.';
grant execute on function public.admin_members(text, text, text, boolean, integer, integer)
to authenticated, service_role;

create function private.admin_member_stats(uid uuid)
returns table (connections bigint, messages_sent bigint, posts bigint, comments bigint, sessions bigint)
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return query select
    (
      select count(*) from public.connections as c
      where c.status = 'accepted' and (c.user_id = uid or c.connected_user_id = uid)
    ),
    (select count(*) from public.messages as m where m.sender_id = uid),
    (select count(*) from public.posts as s where s.user_id = uid),
    (select count(*) from public.comments as c where c.user_id = uid),
    (
      select count(distinct t.session_id) from auth.refresh_tokens as t
      where t.user_id = uid::text and not t.revoked
    );
end
$$;
comment on function private.admin_member_stats(uuid) is 'Implements public.admin_member_stats.';
grant execute on function private.admin_member_stats(uuid) to authenticated, service_role;

create function public.admin_member_stats(uid uuid)
returns table (connections bigint, messages_sent bigint, posts bigint, comments bigint, sessions bigint)
language sql
rows 1
set search_path = ''
as $$
  select * from private.admin_member_stats(uid)
$$;
comment on function public.admin_member_stats(uuid) is
'How active a member is: counts, no content. For admins.';
grant execute on function public.admin_member_stats(uuid) to authenticated, service_role;

create function private.require_manageable_member(uid uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  if uid = (select auth.uid()) then
    raise exception 'You cannot do this to yourself' using errcode = 'PT403';
  end if;
  -- Serialized with set_admin: a member who is just being made an admin counts as one.
  perform pg_advisory_xact_lock(hashtext('private.admins'));
  perform private.require_admin();
  if exists (select from private.admins as a where a.user_id = uid) then
    raise exception 'Take the admin role away first' using errcode = 'PT403';
  end if;
  if not exists (select from auth.users as u where u.id = uid) then
    raise exception 'There is no such member' using errcode = 'PT404';
  end if;
end
$$;
comment on function private.require_manageable_member(uuid) is
'Raises an exception unless the caller is an admin and the member is neither the caller nor an admin.';

create function private.suspend_member(uid uuid, suspended boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_manageable_member(uid);
  if suspended then
    -- As long as the longest ban of Auth itself: a hundred years.
    update auth.users set banned_until = now() + interval '100 years' where id = uid;
    delete from auth.sessions where user_id = uid;
    -- The tokens of sessions were deleted with them; tokens without a session remain.
    delete from auth.refresh_tokens where user_id = uid::text;
  else
    update auth.users set banned_until = null where id = uid and banned_until is not null;
  end if;
end
$$;
comment on function private.suspend_member(uuid, boolean) is 'Implements public.suspend_member.';
grant execute on function private.suspend_member(uuid, boolean) to authenticated, service_role;

create function public.suspend_member(uid uuid, suspended boolean)
returns void
language sql
set search_path = ''
as $$
  select private.suspend_member(uid, suspended)
$$;
comment on function public.suspend_member(uuid, boolean) is
'Suspends a member and ends their sessions, or lifts the suspension. For admins; not on oneself or other admins.';
grant execute on function public.suspend_member(uuid, boolean) to authenticated, service_role;

create function private.delete_member(uid uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_manageable_member(uid);
  delete from auth.users where id = uid;
end
$$;
comment on function private.delete_member(uuid) is 'Implements public.delete_member.';
grant execute on function private.delete_member(uuid) to authenticated, service_role;

create function public.delete_member(uid uuid)
returns void
language sql
set search_path = ''
as $$
  select private.delete_member(uid)
$$;
comment on function public.delete_member(uuid) is
'Deletes an account and its data; posts stay, without a name. For admins; not on oneself or other admins.';
grant execute on function public.delete_member(uuid) to authenticated, service_role;
