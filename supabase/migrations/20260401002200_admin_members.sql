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

-- Lists of 100,000 rows, searched: matches are counted up to 2,000; rare ones come from an index and are sorted, common
-- ones are met soon in the order of the list.
create function private.search_page(
  source text, id_column text, filters text[], matches text[], scan_filters text[], sort_column text, direction text,
  id_direction text, page_size integer, page_offset integer, exact_total bigint
)
returns table (ids uuid[], total bigint, total_is_more boolean)
language plpgsql
stable
rows 1
set search_path = ''
-- Joins end at a limit: a nested loop gets there without reading the rest of its tables.
set enable_hashjoin = off
as $$
#variable_conflict use_variable
declare
  most constant integer := 2000;
  filter constant text := array_to_string(filters || array['true'], ' and ');
  -- Each way to match by its own index, or every row would be evaluated.
  ways constant text := (
    select
      string_agg(
        format(
          '(select %s as id, %s as value from %s where %s and %s limit %s)',
          id_column, sort_column, source, filter, way.condition, most + 1
        ),
        ' union '
      )
    from unnest(matches) as way (condition)
  );
begin
  total := exact_total;
  total_is_more := false;
  if total is null then
    execute format(
      'with found as materialized (select ways.id, ways.value from (%s) as ways limit %s)'
      'select n.total, case when n.total <= %s then'
      '  array(select f.id from found as f order by f.value %s, f.id %s limit %s offset %s)'
      ' end from (select count(*) as total from found) as n',
      ways, most + 1, most, direction, id_direction, page_size, page_offset
    )
    into total, ids;
    total_is_more := total > most;
  end if;
  if total_is_more or exact_total is not null then
    total := least(total, coalesce(exact_total, most));
    execute format(
      'select array(select %2$s from %1$s where %3$s and (%4$s) order by %5$s %6$s, %2$s %7$s limit %8$s offset %9$s)',
      source, id_column, array_to_string(filters || scan_filters || array['true'], ' and '),
      array_to_string(matches, ' or '), sort_column, direction, id_direction,
      page_size, page_offset
    )
    into ids;
  end if;
  return next;
end
$$;
comment on function private.search_page(
  text, text, text[], text[], text[], text, text, text, integer, integer, bigint
) is
'The ids of a page of a list, and its total. source is a from clause; all of filters and one of matches must hold, both
without parameters, from format(). scan_filters are implied by matches and cheaper when all rows are scanned in order.
exact_total, if it is cheap to know; null: matches are counted up to 2,000.';

create function private.admin_members(
  search text, standing text, sort text, descending boolean, page_size integer, page_offset integer, kind text
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
  term constant text := left(btrim(coalesce(search, '')), 100);
  pattern constant text := '%' || private.escape_like_pattern(term) || '%';
  by_sign_in constant boolean := coalesce(sort = 'last_sign_in', false);
  filters text[] := '{}';
  matches text[] := '{true}';
  scan_filters text[] := '{}';
begin
  perform private.require_admin();
  if char_length(term) in (1, 2) then
    -- Shorter than a trigram. Whether the letters occur at all costs less than splitting every name into words.
    matches := array[format('private.word_prefixes(p.full_name) @> array[%L]', lower(term))];
    scan_filters := array[format('position(%L in lower(p.full_name)) > 0', lower(term))];
  elsif term <> '' then
    matches := array[format('(p.full_name ilike %1$L or p.email ilike %1$L or p.department ilike %1$L)', pattern)];
  end if;
  filters := case standing
    when 'admins' then array['p.id in (select a.user_id from private.admins as a)']
    when 'suspended' then array['u.banned_until > now()']
    when 'unconfirmed' then array['not u.is_confirmed']
    else '{}'
  end;
  if kind <> '' then
    filters := filters || format('p.firefighter_type = %L', kind);
  end if;
  return query
  select
    p.id, p.full_name, p.email, p.department, p.position, p.rank, p.firefighter_type, p.avatar_url, p.created_at,
    u.last_sign_in_at, u.is_confirmed, coalesce(u.banned_until > now(), false),
    exists (select from private.admins as a where a.user_id = p.id), found.total, found.total_is_more
  from private.search_page(
    case
      when by_sign_in or standing in ('suspended', 'unconfirmed')
        then 'private.accounts as u inner join public.profiles as p on p.id = u.user_id'
      else 'public.profiles as p'
    end,
    case when by_sign_in then 'u.user_id' else 'p.id' end,
    filters,
    matches,
    scan_filters,
    case sort
      when 'name' then 'p.full_name' when 'email' then 'p.email' when 'department' then 'p.department'
      when 'last_sign_in' then 'u.last_sign_in_at' else 'p.created_at'
    end,
    -- Nulls stay where the index has them, so that it serves both directions: never signed in is the longest ago.
    case when descending then 'desc' else 'asc' end
    || case when not by_sign_in then '' when descending then ' nulls last' else ' nulls first' end,
    case
      when descending and sort in ('name', 'email', 'department') or not descending and by_sign_in then 'desc' else ''
    end,
    least(greatest(coalesce(page_size, 25), 1), 1000),
    greatest(coalesce(page_offset, 0), 0),
    case when term = '' and filters = '{}' then (select count(*) from public.profiles) end
  ) as found
  cross join lateral unnest(found.ids) with ordinality as page (id, place)
  inner join public.profiles as p on page.id = p.id
  inner join private.accounts as u on page.id = u.user_id
  order by page.place;
end
$$;
comment on function private.admin_members(text, text, text, boolean, integer, integer, text) is
'Implements public.admin_members.';
grant execute on function private.admin_members(text, text, text, boolean, integer, integer, text)
to authenticated, service_role;

create function public.admin_members(
  search text default '', standing text default 'all', sort text default 'joined', descending boolean default true,
  page_size integer default 25, page_offset integer default 0, kind text default ''
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
  select * from private.admin_members(search, standing, sort, descending, page_size, page_offset, kind)
$$;
comment on function public.admin_members(text, text, text, boolean, integer, integer, text) is
'A page of members and their total. search: a part of the name, e-mail or department; one or two letters
find words of the name that start with them. Matches of a search or filter are counted up to 2,000; total_is_more: there
are more. Standing: all, admins, suspended, unconfirmed. kind: a type of firefighter; empty: any. A page has 1,000 rows at
most. For admins.';
grant execute on function public.admin_members(text, text, text, boolean, integer, integer, text)
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
    raise exception 'Remove the admin role first' using errcode = 'PT403';
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
