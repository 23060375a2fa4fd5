-- Responses to the waitlist quiz (§3.23): inserted by anyone, read by admins.

create function private.is_json(value text)
returns boolean
language plpgsql
immutable
strict
set search_path = ''
as $$
begin
  return value::jsonb is not null;
exception when others then
  return false;
end
$$;
comment on function private.is_json(text) is 'Is this text JSON?';
grant execute on function private.is_json(text) to anon, authenticated, service_role;

create function private.limit_visitors_rows()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  per_minute constant integer := 120;
  fresh integer;
begin
  -- Visitors have no account to count by, so all of them share a limit: their rows must not fill the disk.
  if (select count(*) from new_rows) > 1 then
    raise exception 'Visitors send one entry at a time' using errcode = 'PT400';
  end if;
  -- Serializes concurrent visitors, so that the count holds.
  perform pg_advisory_xact_lock(hashtextextended('rows of visitors in ' || tg_table_name, 0));
  execute format(
    'select count(*) from (select from %I.%I where created_at > now() - interval ''1 minute'' limit %s) as counted',
    tg_table_schema, tg_table_name, per_minute + 1
  ) into fresh;
  if fresh > per_minute then
    raise exception 'Too many entries right now. Try again in a minute.' using errcode = 'PT429';
  end if;
  return null;
end
$$;
comment on function private.limit_visitors_rows() is
'At most one row a request, and 120 a minute from all visitors together. For tables with created_at.';

create table public.quiz_responses (
  id uuid primary key default gen_random_uuid(),
  firefighter_type text not null default 'waitlist_quiz',
  firefighter_type_other text,
  current_rank text,
  years_of_service text not null default 'unknown',
  linkedin_reason text[] not null default '{}',
  most_valued text[] not null default '{}',
  linkedin_satisfaction text not null default 'not_provided',
  linkedin_missing text,
  is_waitlist_quiz boolean not null default true,
  created_at timestamptz not null default now(),
  constraint quiz_responses_firefighter_type_is_known check (
    firefighter_type in (
      'career', 'volunteer', 'wildland', 'industrial', 'military', 'retired', 'other', 'waitlist_quiz'
    )
  ),
  constraint quiz_responses_firefighter_type_other_is_short check (char_length(firefighter_type_other) <= 200),
  constraint quiz_responses_current_rank_is_short check (char_length(current_rank) <= 200),
  constraint quiz_responses_years_of_service_are_known check (
    years_of_service in ('less-than-1', '1-5', '6-10', '11-20', 'more-than-20', 'unknown')
  ),
  constraint quiz_responses_linkedin_reason_is_short check (
    cardinality(linkedin_reason) <= 20 and char_length(array_to_string(linkedin_reason, '', '')) <= 1000
  ),
  constraint quiz_responses_most_valued_is_short check (
    cardinality(most_valued) <= 20 and char_length(array_to_string(most_valued, '', '')) <= 1000
  ),
  constraint quiz_responses_linkedin_satisfaction_is_short check (char_length(linkedin_satisfaction) <= 100),
  constraint quiz_responses_linkedin_missing_is_json check (
    char_length(linkedin_missing) <= 20000 and private.is_json(linkedin_missing)
  )
);
comment on table public.quiz_responses is
'A response to the waitlist quiz; the waitlist entry that references it has the address.';
comment on column public.quiz_responses.linkedin_missing is
'JSON: connection_platforms, connection_platforms_other, platform_frustrations, platform_wishlist, is_waitlist_quiz.';

create index quiz_responses_created_at_idx on public.quiz_responses (created_at desc);
create index quiz_responses_kind_idx on public.quiz_responses (firefighter_type, years_of_service);
create index quiz_responses_current_rank_trigram_idx
on public.quiz_responses using gin (current_rank extensions.gin_trgm_ops);

create trigger limit_visitors_rows
after insert on public.quiz_responses
referencing new table as new_rows
for each statement when (current_user = 'anon')
execute function private.limit_visitors_rows();

alter table public.quiz_responses enable row level security;
grant select (id, created_at) on public.quiz_responses to anon;
grant select, delete on public.quiz_responses to authenticated;
grant insert (
  id, firefighter_type, firefighter_type_other, current_rank, years_of_service, linkedin_reason, most_valued,
  linkedin_satisfaction, linkedin_missing, is_waitlist_quiz
) on public.quiz_responses to anon, authenticated;
grant all on public.quiz_responses to service_role;

-- So that an insert can return the row: created_at is the transaction's time and not writable by clients, so only the
-- inserting transaction matches.
create policy "Visitors read back the quiz response they are writing" on public.quiz_responses
for select to anon
using (created_at = transaction_timestamp());

create policy "Admins read quiz responses, members the one they are writing" on public.quiz_responses
for select to authenticated
using ((select private.caller_is_admin()) or created_at = transaction_timestamp());

create policy "Anyone answers the waitlist quiz" on public.quiz_responses
for insert to anon, authenticated
with check (is_waitlist_quiz);

create policy "Admins delete quiz responses" on public.quiz_responses
for delete to authenticated
using ((select private.caller_is_admin()));

create policy "Suspended members cannot access quiz responses" on public.quiz_responses
as restrictive for all to authenticated using ((select private.caller_is_active()));
