-- Members and the waitlist as admins search them, at 100,000 and 50,000 rows: what a search finds is counted to 2,000,
-- no further; what is rare comes from an index, what is common from the order of the list; one or two letters, which no
-- trigram has, find beginnings. What is asked of accounts is kept beside them with indexes: auth.users is the sign-in
-- service's own table, and where that is hosted nobody else may index it.

create table private.accounts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  last_sign_in_at timestamptz,
  banned_until timestamptz,
  is_confirmed boolean not null
);
comment on table private.accounts is
'What the admin area sorts and filters accounts by: copied from auth.users by a trigger, with indexes.';

create index accounts_last_sign_in_at_idx on private.accounts (last_sign_in_at desc nulls last, user_id);
create index accounts_banned_until_idx on private.accounts (banned_until) where banned_until is not null;
create index accounts_unconfirmed_idx on private.accounts (user_id) where not is_confirmed;
alter table private.accounts enable row level security;

create policy "Nobody reaches the accounts directly" on private.accounts
for all to public using (false);

create function private.copy_account()
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
comment on function private.copy_account() is 'Keeps private.accounts equal to auth.users.';

create trigger copy_account
after insert on auth.users
for each row execute function private.copy_account();

create trigger copy_changed_account
after update of last_sign_in_at, banned_until, email_confirmed_at on auth.users
for each row when (
  old.last_sign_in_at is distinct from new.last_sign_in_at
  or old.banned_until is distinct from new.banned_until
  or old.email_confirmed_at is distinct from new.email_confirmed_at
)
execute function private.copy_account();

create function private.rebuild_accounts()
returns void
language sql
set search_path = ''
as $$
  -- For whoever writes accounts with triggers switched off.
  lock table private.accounts in share row exclusive mode;
  delete from private.accounts;
  insert into private.accounts (user_id, last_sign_in_at, banned_until, is_confirmed)
  select u.id, u.last_sign_in_at, u.banned_until, u.email_confirmed_at is not null from auth.users as u;
$$;
comment on function private.rebuild_accounts() is 'Makes private.accounts anew from auth.users. For operators.';

select private.rebuild_accounts();

create function private.word_beginnings(written text)
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
comment on function private.word_beginnings(text) is 'The first letter, and the first two, of every word; lower case.';
grant execute on function private.word_beginnings(text) to authenticated, service_role;

create index profiles_full_name_beginnings_idx on public.profiles using gin (private.word_beginnings(full_name));
drop index public.waitlist_created_at_idx;
create index waitlist_created_at_idx on public.waitlist (created_at desc, id);
create index waitlist_email_beginning_idx on public.waitlist (email text_pattern_ops);
create index waitlist_email_trigram_idx on public.waitlist using gin (email extensions.gin_trgm_ops);
create index quiz_responses_current_rank_trigram_idx
on public.quiz_responses using gin (current_rank extensions.gin_trgm_ops);

drop function public.admin_members(text, text, text, boolean, integer, integer);
drop function private.admin_members(text, text, text, boolean, integer, integer);
drop function public.admin_waitlist(text, text, text, text, integer, integer, boolean);
drop function private.admin_waitlist(text, text, text, text, integer, integer, boolean);

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
  matching constant text := '%' || private.literal_pattern(term) || '%';
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
  perform private.demand_admin();
  -- Conditions that were not asked for are left out, so that an index can answer the others.
  if char_length(term) in (1, 2) then
    conditions := conditions || ' and private.word_beginnings(p.full_name) @> $2';
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
'The work of public.admin_members.';

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
'A page of members and how many there are in all. Searched is a part of name, e-mail or department; one or two letters
find words of the name that begin so. What a search or filter finds is counted to 2,000; total_is_more says that there is
more. Standing: all, admins, suspended, unconfirmed. For admins.';

create function private.admin_waitlist(
  search text, standing text, kind text, years text, page_size integer, page_offset integer, oldest_first boolean
)
returns table (
  id uuid, email text, status text, created_at timestamptz, updated_at timestamptz, firefighter_type text,
  firefighter_type_other text, current_rank text, years_of_service text, linkedin_missing text, total bigint,
  total_is_more boolean
)
language plpgsql
security definer
set search_path = ''
-- Joins end at a limit: one row after the other gets there without reading what lies behind it.
set enable_hashjoin = off
as $$
#variable_conflict use_column
declare
  most constant integer := 2000;
  term constant text := left(btrim(coalesce(search, '')), 100);
  matching constant text := private.literal_pattern(lower(term)) || '%';
  size constant integer := least(greatest(coalesce(page_size, 25), 1), 1000);
  place constant integer := greatest(coalesce(page_offset, 0), 0);
  direction constant text := case when oldest_first then 'asc' else 'desc' end;
  filters text := 'true';
  by_quiz text := '';
  searched text[] := array['true'];
  tables text := 'public.waitlist as w';
  conditions text;
  page_ids uuid[];
  known bigint;
  is_more boolean := false;
begin
  perform private.demand_admin();
  if standing <> '' then
    filters := filters || ' and w.status = $2';
  end if;
  if kind <> '' then
    by_quiz := by_quiz || ' and q.firefighter_type = $3';
  end if;
  if years <> '' then
    by_quiz := by_quiz || ' and q.years_of_service = $4';
  end if;
  if char_length(term) in (1, 2) then
    searched := array['w.email like $1'];
  elsif term <> '' then
    searched := array['w.email ilike ''%'' || $1', 'q.current_rank ilike ''%'' || $1'];
  end if;
  conditions := filters || by_quiz || ' and (' || array_to_string(searched, ' or ') || ')';
  if conditions like '%q.%' then
    tables := tables || ' left join public.quiz_responses as q on q.id = w.quiz_response_id';
  end if;
  if term = '' and by_quiz = '' then
    execute format('select count(*) from public.waitlist as w where %s', filters)
    into known using matching, standing;
  else
    -- Few are found: these are put in order. Each way of matching by its own index, or each row would be judged.
    execute format(
      'with found as materialized (select distinct ways.id, ways.created_at from (%1$s) as ways limit $5)'
      'select n.known, case when n.known < $5 then'
      '  array(select f.id from found as f order by f.created_at %2$s, f.id limit $6 offset $7)'
      ' end from (select count(*) as known from found) as n',
      (
        select
          string_agg(
            format(
              '(select w.id, w.created_at from %s where %s%s and %s limit $5)', tables, filters, by_quiz, way.condition
            ),
            ' union all '
          )
        from unnest(searched) as way (condition)
      ),
      direction
    )
    into known, page_ids using matching, standing, kind, years, most + 1, size, place;
    is_more := known > most;
  end if;
  if is_more or (term = '' and by_quiz = '') then
    -- Many are: going through all in order soon has a page of them.
    execute format(
      'select array('
      '  select w.id from %1$s where %2$s order by w.created_at %3$s, w.id limit $5 offset $6'
      ')',
      tables, conditions, direction
    )
    into page_ids using matching, standing, kind, years, size, place;
  end if;
  return query
  select
    w.id, w.email, w.status, w.created_at, w.updated_at, q.firefighter_type, q.firefighter_type_other, q.current_rank,
    q.years_of_service, q.linkedin_missing, case when is_more then most else known end, is_more
  from unnest(page_ids) with ordinality as page (id, place)
  inner join public.waitlist as w on page.id = w.id
  left join public.quiz_responses as q on w.quiz_response_id = q.id
  order by page.place;
end
$$;
comment on function private.admin_waitlist(text, text, text, text, integer, integer, boolean) is
'The work of public.admin_waitlist.';

create function public.admin_waitlist(
  search text default '', standing text default '', kind text default '', years text default '',
  page_size integer default 25, page_offset integer default 0, oldest_first boolean default false
)
returns table (
  id uuid, email text, status text, created_at timestamptz, updated_at timestamptz, firefighter_type text,
  firefighter_type_other text, current_rank text, years_of_service text, linkedin_missing text, total bigint,
  total_is_more boolean
)
language sql
rows 25
set search_path = ''
as $$
  select * from private.admin_waitlist(search, standing, kind, years, page_size, page_offset, oldest_first)
$$;
comment on function public.admin_waitlist(text, text, text, text, integer, integer, boolean) is
'A page of the waitlist with quiz answers, and how many entries there are; empty text filters nothing. Searched is a
part of the e-mail address or the role; one or two letters find addresses that begin so. What a search or a filter by quiz
answers finds is counted to 2,000; total_is_more says that there is more. For admins.';

grant execute on function
private.admin_members(text, text, text, boolean, integer, integer),
private.admin_waitlist(text, text, text, text, integer, integer, boolean),
public.admin_members(text, text, text, boolean, integer, integer),
public.admin_waitlist(text, text, text, text, integer, integer, boolean)
to authenticated, service_role;

-- How often each answer of the quiz was given is kept as it is given: adding up means reading the JSON of all.

create table private.quiz_answers (
  question text not null,
  answer text not null,
  answers bigint not null,
  primary key (question, answer)
);
comment on table private.quiz_answers is
'How often each answer of the waitlist quiz was given. Derived from quiz_responses, by triggers alone.';
alter table private.quiz_answers enable row level security;

create policy "Nobody reaches the counted answers directly" on private.quiz_answers
for all to public using (false);

create function private.answers_of(response public.quiz_responses)
returns table (question text, answer text)
language sql
immutable
rows 4
set search_path = ''
as $$
  select asked.question, asked.answer
  from (
    values ('total', ''), ('type', response.firefighter_type), ('years', response.years_of_service)
  ) as asked (question, answer)
  where response.is_waitlist_quiz
  union all
  select 'platform', left(chosen.platform, 40)
  from jsonb_array_elements_text(
    case jsonb_typeof(response.linkedin_missing::jsonb -> 'connection_platforms')
      when 'array' then response.linkedin_missing::jsonb -> 'connection_platforms' else '[]'
    end
  ) with ordinality as chosen (platform, place)
  -- The quiz offers fewer; anyone may write it.
  where response.is_waitlist_quiz and chosen.place <= 30
$$;
comment on function private.answers_of(public.quiz_responses) is
'The answers of one response that are counted: total, type, years, and each platform.';

create function private.follow_quiz_responses()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from private.quiz_answers;
    return null;
  end if;
  if tg_op in ('UPDATE', 'DELETE') then
    update private.quiz_answers as kept set answers = kept.answers - gone.answers
    from (
      select a.question, a.answer, count(*) as answers
      from old_responses as o cross join lateral private.answers_of(o) as a
      group by a.question, a.answer
    ) as gone
    where kept.question = gone.question and kept.answer = gone.answer;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    insert into private.quiz_answers as kept (question, answer, answers)
    select a.question, a.answer, count(*)
    from new_responses as n cross join lateral private.answers_of(n) as a
    group by a.question, a.answer
    order by a.question, a.answer
    on conflict (question, answer) do update set answers = kept.answers + excluded.answers;
  end if;
  return null;
end
$$;
comment on function private.follow_quiz_responses() is 'Counts the answers of new, changed and deleted quiz responses.';

create trigger count_new_answers
after insert on public.quiz_responses
referencing new table as new_responses
for each statement execute function private.follow_quiz_responses();

create trigger count_changed_answers
after update on public.quiz_responses
referencing old table as old_responses new table as new_responses
for each statement execute function private.follow_quiz_responses();

create trigger count_deleted_answers
after delete on public.quiz_responses
referencing old table as old_responses
for each statement execute function private.follow_quiz_responses();

create trigger forget_answers
after truncate on public.quiz_responses
for each statement execute function private.follow_quiz_responses();

create function private.rebuild_quiz_answers()
returns void
language sql
set search_path = ''
as $$
  -- For whoever writes responses with triggers switched off.
  lock table private.quiz_answers in share row exclusive mode;
  delete from private.quiz_answers;
  insert into private.quiz_answers (question, answer, answers)
  select a.question, a.answer, count(*)
  from public.quiz_responses as q cross join lateral private.answers_of(q) as a
  group by a.question, a.answer;
$$;
comment on function private.rebuild_quiz_answers() is
'Makes private.quiz_answers anew from quiz_responses. For operators.';

select private.rebuild_quiz_answers();

create or replace function private.admin_quiz_figures()
returns table (question text, answer text, answers bigint)
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_column
begin
  perform private.demand_admin();
  return query
  select kept.question, kept.answer, kept.answers
  from (
    select k.question, k.answer, k.answers from private.quiz_answers as k
    union all
    select 'total', '', 0 where not exists (select from private.quiz_answers as k where k.question = 'total')
  ) as kept
  where kept.answers > 0 or kept.question = 'total';
end
$$;
