-- Waitlist administration: a page of entries with their quiz answers, counts by status, and totals of the answers.
-- Status changes are plain updates of public.waitlist, whose policies allow them to admins.

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
as $$
#variable_conflict use_column
declare
  term constant text := left(btrim(coalesce(search, '')), 100);
  prefix constant text := private.escape_like_pattern(lower(term)) || '%';
  by_quiz constant text[] := array_remove(array[
    case when kind <> '' then format('q.firefighter_type = %L', kind) end,
    case when years <> '' then format('q.years_of_service = %L', years) end
  ], null);
  by_status constant text[] := case when standing <> '' then array[format('w.status = %L', standing)] else '{}' end;
  matches text[] := '{true}';
begin
  perform private.require_admin();
  if char_length(term) in (1, 2) then
    matches := array[format('w.email like %L', prefix)];
  elsif term <> '' then
    matches := array[format('w.email ilike %L', '%' || prefix), format('q.current_rank ilike %L', '%' || prefix)];
  end if;
  return query
  select
    w.id, w.email, w.status, w.created_at, w.updated_at, q.firefighter_type, q.firefighter_type_other, q.current_rank,
    q.years_of_service, q.linkedin_missing, found.total, found.total_is_more
  from private.search_page(
    'public.waitlist as w'
    || case
      when by_quiz <> '{}' or char_length(term) > 2
        then ' left join public.quiz_responses as q on q.id = w.quiz_response_id'
      else ''
    end,
    'w.id',
    by_status || by_quiz,
    matches,
    '{}',
    'w.created_at',
    case when oldest_first then 'asc' else 'desc' end,
    '',
    least(greatest(coalesce(page_size, 25), 1), 1000),
    greatest(coalesce(page_offset, 0), 0),
    case
      when term <> '' or by_quiz <> '{}' then null
      when standing <> '' then (select count(*) from public.waitlist as l where l.status = standing)
      else (select count(*) from public.waitlist)
    end
  ) as found
  cross join lateral unnest(found.ids) with ordinality as page (id, place)
  inner join public.waitlist as w on page.id = w.id
  left join public.quiz_responses as q on w.quiz_response_id = q.id
  order by page.place;
end
$$;
comment on function private.admin_waitlist(text, text, text, text, integer, integer, boolean) is
'Implements public.admin_waitlist.';
grant execute on function private.admin_waitlist(text, text, text, text, integer, integer, boolean)
to authenticated, service_role;

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
'A page of the waitlist with quiz answers, and the total of entries; empty text filters nothing. search: a part of the
e-mail address or the role; one or two letters find addresses that start with them. Matches of a search or a filter by
quiz answers are counted up to 2,000; total_is_more: there are more. For admins.';
grant execute on function public.admin_waitlist(text, text, text, text, integer, integer, boolean)
to authenticated, service_role;

create function private.admin_waitlist_counts()
returns table (status text, entries bigint)
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return query select w.status, count(*) from public.waitlist as w group by w.status;
end
$$;
comment on function private.admin_waitlist_counts() is 'Implements public.admin_waitlist_counts.';
grant execute on function private.admin_waitlist_counts() to authenticated, service_role;

create function public.admin_waitlist_counts()
returns table (status text, entries bigint)
language sql
rows 4
set search_path = ''
as $$
  select * from private.admin_waitlist_counts()
$$;
comment on function public.admin_waitlist_counts() is 'How many entries of the waitlist have each status. For admins.';
grant execute on function public.admin_waitlist_counts() to authenticated, service_role;

-- Totals of quiz answers are maintained incrementally: counting them means reading the JSON of every response.
create table private.quiz_answers (
  question text not null,
  answer text not null,
  answers bigint not null,
  primary key (question, answer)
);
comment on table private.quiz_answers is
'How often each answer of the waitlist quiz was given. Derived from quiz_responses by triggers.';

alter table private.quiz_answers enable row level security;

create policy "No client accesses the counted answers" on private.quiz_answers
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
  -- The quiz offers fewer, but anyone may insert a response.
  where response.is_waitlist_quiz and chosen.place <= 30
$$;
comment on function private.answers_of(public.quiz_responses) is
'The answers of a response that are counted: total, type, years, and each platform.';

create function private.count_quiz_answers()
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
comment on function private.count_quiz_answers() is
'Maintains private.quiz_answers for new, changed and deleted quiz responses.';

create trigger count_new_answers
after insert on public.quiz_responses
referencing new table as new_responses
for each statement execute function private.count_quiz_answers();

create trigger count_changed_answers
after update on public.quiz_responses
referencing old table as old_responses new table as new_responses
for each statement execute function private.count_quiz_answers();

create trigger count_deleted_answers
after delete on public.quiz_responses
referencing old table as old_responses
for each statement execute function private.count_quiz_answers();

create trigger clear_answers
after truncate on public.quiz_responses
for each statement execute function private.count_quiz_answers();

create function private.rebuild_quiz_answers()
returns void
language sql
set search_path = ''
as $$
  -- For writers that disable triggers.
  lock table private.quiz_answers in share row exclusive mode;
  delete from private.quiz_answers;
  insert into private.quiz_answers (question, answer, answers)
  select a.question, a.answer, count(*)
  from public.quiz_responses as q cross join lateral private.answers_of(q) as a
  group by a.question, a.answer;
$$;
comment on function private.rebuild_quiz_answers() is
'Rebuilds private.quiz_answers from quiz_responses. For operators.';

create function private.admin_quiz_stats()
returns table (question text, answer text, answers bigint)
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_column
begin
  perform private.require_admin();
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
comment on function private.admin_quiz_stats() is 'Implements public.admin_quiz_stats.';
grant execute on function private.admin_quiz_stats() to authenticated, service_role;

create function public.admin_quiz_stats()
returns table (question text, answer text, answers bigint)
language sql
rows 30
set search_path = ''
as $$
  select * from private.admin_quiz_stats()
$$;
comment on function public.admin_quiz_stats() is
'How often each answer of the waitlist quiz was given: question total, type, years or platform. For admins.';
grant execute on function public.admin_quiz_stats() to authenticated, service_role;
