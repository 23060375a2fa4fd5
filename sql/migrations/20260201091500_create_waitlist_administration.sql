-- The waitlist as admins work through it: a page of entries with their quiz answers, counts, and the answers summed up.
-- Changes of status are plain updates of public.waitlist, whose policies let admins through.

create index quiz_responses_kind_idx on public.quiz_responses (firefighter_type, years_of_service);

create function private.admin_waitlist(
  search text, standing text, kind text, years text, page_size integer, page_offset integer, oldest_first boolean
)
returns table (
  id uuid, email text, status text, created_at timestamptz, updated_at timestamptz, firefighter_type text,
  firefighter_type_other text, current_rank text, years_of_service text, linkedin_missing text, total bigint
)
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  term constant text := left(btrim(coalesce(search, '')), 100);
  conditions text := 'true';
  direction constant text := case when oldest_first then 'asc' else 'desc' end;
begin
  perform private.demand_admin();
  if term <> '' then
    conditions := conditions || ' and (w.email ilike $1 or q.current_rank ilike $1)';
  end if;
  if standing <> '' then
    conditions := conditions || ' and w.status = $2';
  end if;
  if kind <> '' then
    conditions := conditions || ' and q.firefighter_type = $3';
  end if;
  if years <> '' then
    conditions := conditions || ' and q.years_of_service = $4';
  end if;
  return query execute format(
    'with counted as ('
    '  select count(*) as total from public.waitlist as w %1$s where %2$s'
    '), page as ('
    '  select w.id, w.email, w.status, w.created_at, w.updated_at, q.firefighter_type, q.firefighter_type_other,'
    '    q.current_rank, q.years_of_service, q.linkedin_missing'
    '  from public.waitlist as w left join public.quiz_responses as q on q.id = w.quiz_response_id'
    '  where %2$s order by w.created_at %3$s, w.id limit $5 offset $6'
    ')'
    'select page.*, counted.total from page cross join counted order by page.created_at %3$s, page.id',
    case
      when conditions like '%q.%' then 'left join public.quiz_responses as q on q.id = w.quiz_response_id' else ''
    end,
    conditions,
    direction
  )
  using '%' || private.literal_pattern(term) || '%', standing, kind, years,
    least(greatest(coalesce(page_size, 25), 1), 1000), greatest(coalesce(page_offset, 0), 0);
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
  firefighter_type_other text, current_rank text, years_of_service text, linkedin_missing text, total bigint
)
language sql
rows 25
set search_path = ''
as $$
  select * from private.admin_waitlist(search, standing, kind, years, page_size, page_offset, oldest_first)
$$;
comment on function public.admin_waitlist(text, text, text, text, integer, integer, boolean) is
'A page of the waitlist with quiz answers, and how many entries there are; empty text filters nothing. For admins.';

create function private.admin_waitlist_counts()
returns table (status text, entries bigint)
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.demand_admin();
  return query select w.status, count(*) from public.waitlist as w group by w.status;
end
$$;
comment on function private.admin_waitlist_counts() is 'The work of public.admin_waitlist_counts.';

create function public.admin_waitlist_counts()
returns table (status text, entries bigint)
language sql
rows 4
set search_path = ''
as $$
  select * from private.admin_waitlist_counts()
$$;
comment on function public.admin_waitlist_counts() is 'How many entries of the waitlist have each status. For admins.';

create function private.admin_quiz_figures()
returns table (question text, answer text, answers bigint)
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.demand_admin();
  return query
  with said as materialized (
    select q.firefighter_type, q.years_of_service, q.linkedin_missing::jsonb -> 'connection_platforms' as platforms
    from public.quiz_responses as q
    where q.is_waitlist_quiz
  )
  select 'total', '', count(*) from said
  union all
  select 'type', said.firefighter_type, count(*) from said group by said.firefighter_type
  union all
  select 'years', said.years_of_service, count(*) from said group by said.years_of_service
  union all
  select 'platform', left(chosen.platform, 40), count(*)
  from said
  cross join lateral jsonb_array_elements_text(
    case jsonb_typeof(said.platforms) when 'array' then said.platforms else '[]' end
  ) as chosen (platform)
  group by left(chosen.platform, 40);
end
$$;
comment on function private.admin_quiz_figures() is 'The work of public.admin_quiz_figures.';

create function public.admin_quiz_figures()
returns table (question text, answer text, answers bigint)
language sql
rows 30
set search_path = ''
as $$
  select * from private.admin_quiz_figures()
$$;
comment on function public.admin_quiz_figures() is
'How often each answer of the waitlist quiz was given: question total, type, years or platform. For admins.';

grant execute on function
private.admin_waitlist(text, text, text, text, integer, integer, boolean), private.admin_waitlist_counts(),
private.admin_quiz_figures(),
public.admin_waitlist(text, text, text, text, integer, integer, boolean), public.admin_waitlist_counts(),
public.admin_quiz_figures()
to authenticated, service_role;
