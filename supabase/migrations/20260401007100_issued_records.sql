-- Records that members issue (§16.6): a copy of their certifications, career, awards and trainings as of that moment,
-- with a code under which whoever has it checks the copy, and which certifications are current.

create function private.canonical_json(value jsonb)
returns text
language plpgsql
immutable
strict
set search_path = ''
as $$
begin
  -- RFC 8785, for values without fractions: keys sorted, no spaces, strings as to_json writes them.
  return case jsonb_typeof(value)
    when 'object' then (
      select '{' || coalesce(string_agg(
        to_json(m.key)::text || ':' || private.canonical_json(m.value), ',' order by m.key collate "C"
      ), '') || '}'
      from jsonb_each(value) as m
    )
    when 'array' then (
      select '[' || coalesce(string_agg(private.canonical_json(e.element), ',' order by e.place), '') || ']'
      from jsonb_array_elements(value) with ordinality as e (element, place)
    )
    else value::text
  end;
end
$$;
comment on function private.canonical_json(jsonb) is
'The one way to write this value (RFC 8785), for digests. Keys are ASCII and numbers are whole.';

create function private.digest_of(value jsonb)
returns text
language sql
immutable
strict
set search_path = ''
as $$
  select encode(sha256(convert_to(private.canonical_json(value), 'UTF8')), 'hex')
$$;
comment on function private.digest_of(jsonb) is 'SHA-256 of the canonical JSON, in hexadecimal.';

create function private.new_record_code()
returns text
language plpgsql
volatile
set search_path = ''
as $$
declare
  -- Crockford's base 32: no I, L, O, U. 32 divides 256, so that every character is equally likely.
  letters constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  random constant bytea := extensions.gen_random_bytes(16);
begin
  return (
    select string_agg(
      case when place > 0 and place % 4 = 0 then '-' else '' end
      || substr(letters, get_byte(random, place) % 32 + 1, 1), '' order by place
    )
    from generate_series(0, 15) as place
  );
end
$$;
comment on function private.new_record_code() is '80 random bits in four groups, such as 7K2Q-XT94-DFM0-A8CE.';

create function private.record_code(typed text)
returns text
language sql
immutable
strict
set search_path = ''
as $$
  select nullif(regexp_replace(
    regexp_replace(translate(upper(left(typed, 64)), 'ILO', '110'), '[^0-9A-Z]', '', 'g'),
    '^(.{4})(.{4})(.{4})(.{4})$', '\1-\2-\3-\4'
  ), '')
$$;
comment on function private.record_code(text) is
'The code as it is written, whatever its case, groups and spaces; I and L are read as 1, O as 0.';

create table public.issued_records (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  code text not null default private.new_record_code(),
  document jsonb,
  digest text not null,
  certification_ids uuid[] not null default '{}',
  check_count integer not null default 0,
  issued_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint issued_records_code_key unique (code),
  constraint issued_records_are_forgotten_when_revoked check ((document is null) = (revoked_at is not null))
);
comment on table public.issued_records is
'Records that members gave away (§16.6). Written by issue_record and revoke_record alone.';
comment on column public.issued_records.document is 'What was issued (docs/records.md). Null once it is revoked.';
comment on column public.issued_records.digest is 'SHA-256 of the document''s canonical JSON when it was issued.';
comment on column public.issued_records.certification_ids is 'Of the document''s certifications, in their order.';
comment on column public.issued_records.check_count is 'How often others checked it.';

create index issued_records_user_id_idx on public.issued_records (user_id, issued_at desc);

alter table public.issued_records enable row level security;
grant select on public.issued_records to authenticated;
grant all on public.issued_records to service_role;

create policy "Members see the records they issued" on public.issued_records
for select to authenticated
using (user_id = (select auth.uid()));

create policy "Suspended members cannot access issued records" on public.issued_records
as restrictive for all to authenticated using ((select private.caller_is_active()));

alter publication supabase_realtime add table public.issued_records;

-- Issuing ----------------------------------------------------------------------------------------------------------

create function private.record_document(member public.profiles, certifications uuid[], parts text[], now timestamptz)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_build_object(
    'version', 1,
    'issued_at', to_char(now at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'member', jsonb_build_object(
      'name', member.full_name, 'rank', member.rank, 'position', member.position, 'department', member.department,
      'state', member.state, 'years_of_service', member.years_of_service
    ),
    'certifications', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'name', c.name, 'issuer', c.issuer, 'issued_on', c.issued_on, 'expires_on', c.expires_on,
          'number', case when 'numbers' = any(parts) then c.credential_id end
        ) order by k.place
      )
      from unnest(certifications) with ordinality as k (id, place)
      inner join public.certifications as c on c.id = k.id
    ), '[]'),
    'milestones', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'title', m.title, 'organization', m.organization, 'started_on', m.started_on, 'is_current', m.is_current
        ) order by m.started_on desc, m.id
      )
      from (
        select m.* from public.career_milestones as m
        where m.user_id = member.id and 'career' = any(parts)
        order by m.started_on desc, m.id
        limit 200
      ) as m
    ), '[]'),
    'awards', coalesce((
      select jsonb_agg(
        jsonb_build_object('title', a.title, 'awarded_by', a.awarded_by, 'awarded_on', a.awarded_on)
        order by a.awarded_on desc nulls last, a.id
      )
      from (
        select a.* from public.awards as a
        where a.user_id = member.id and 'career' = any(parts)
        order by a.awarded_on desc nulls last, a.id
        limit 200
      ) as a
    ), '[]'),
    'trainings', coalesce((
      -- Of the place's own day. What a member who is blocked announced stays out, as everywhere (§13.3).
      select jsonb_agg(
        jsonb_build_object(
          'title', t.title, 'kind', t.kind, 'place', case when t.is_online then 'Online' else t.place || ', ' || t.state end,
          'started_on', (t.starts_at at time zone t.time_zone)::date,
          'ended_on', (t.ends_at at time zone t.time_zone)::date,
          'minutes', round(extract(epoch from t.ends_at - t.starts_at) / 60)::integer
        ) order by t.starts_at desc, t.id
      )
      from (
        select t.*
        from public.training_attendances as a
        inner join public.trainings as t on t.id = a.training_id
        where a.user_id = member.id and 'trainings' = any(parts)
          and a.answer = 'going' and not a.is_waiting and not t.is_canceled and t.ends_at <= now
          and not private.blocked_between(member.id, t.user_id)
        order by t.starts_at desc, t.id
        limit 200
      ) as t
    ), '[]')
  )
$$;
comment on function private.record_document(public.profiles, uuid[], text[], timestamptz) is
'What a record says (docs/records.md): version 1. At most 200 entries of a kind, the newest.';

create function private.issue_record(parts text[])
returns public.issued_records
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  most_at_once constant integer := 20;
  most_a_day constant integer := 50;
  member public.profiles;
  chosen uuid[];
  document jsonb;
  issued public.issued_records;
begin
  if not private.caller_is_active() then
    raise exception 'Only members can do this' using errcode = 'PT401';
  end if;
  if parts is null or not parts <@ '{certifications,numbers,career,trainings}'
    or not parts && '{certifications,career,trainings}' then
    raise exception 'Choose what goes in: certifications, numbers, career, trainings' using errcode = 'PT400';
  end if;
  -- The row is the lock: the counts hold for concurrent calls.
  select p.* into member from public.profiles as p where p.id = (select auth.uid()) for no key update;
  if nullif(btrim(member.full_name), '') is null then
    raise exception 'Add your name to your profile first' using errcode = 'PT409';
  end if;
  if (
    select count(*) from public.issued_records as r where r.user_id = member.id and r.revoked_at is null
  ) >= most_at_once then
    raise exception 'You can share 20 records at a time. Turn one off first.' using errcode = 'PT409';
  end if;
  if (
    select count(*) from public.issued_records as r
    where r.user_id = member.id and r.issued_at > now() - interval '1 day'
  ) >= most_a_day then
    raise exception 'Too many records today, try again tomorrow' using errcode = 'PT429';
  end if;
  if 'certifications' = any(parts) then
    chosen := array(
      select c.id from public.certifications as c
      where c.user_id = member.id
      order by c.expires_on nulls last, c.name, c.id
      limit 200
    );
  end if;
  document := private.record_document(member, coalesce(chosen, '{}'), parts, now());
  insert into public.issued_records (user_id, document, digest, certification_ids)
  values (member.id, document, private.digest_of(document), coalesce(chosen, '{}'))
  returning * into issued;
  return issued;
end
$$;
comment on function private.issue_record(text[]) is 'Implements public.issue_record.';
grant execute on function private.issue_record(text[]) to authenticated;

create function public.issue_record(parts text[] default '{certifications,career,trainings}')
returns public.issued_records
language sql
volatile
set search_path = ''
as $$
  select private.issue_record(parts)
$$;
comment on function public.issue_record(text[]) is
'Issues a record of the caller with these parts: certifications, numbers (of certifications), career (and awards),
trainings. At most 20 at a time.';
grant execute on function public.issue_record(text[]) to authenticated;

create function private.revoke_record(record uuid)
returns boolean
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  if not private.caller_is_active() then
    raise exception 'Only members can do this' using errcode = 'PT401';
  end if;
  update public.issued_records as r
  set revoked_at = now(), document = null, certification_ids = '{}'
  where r.id = record and r.user_id = (select auth.uid()) and r.revoked_at is null;
  return found;
end
$$;
comment on function private.revoke_record(uuid) is 'Implements public.revoke_record.';
grant execute on function private.revoke_record(uuid) to authenticated;

create function public.revoke_record(record uuid)
returns boolean
language sql
volatile
set search_path = ''
as $$
  select private.revoke_record(record)
$$;
comment on function public.revoke_record(uuid) is
'Turns a record of the caller off for good, and forgets what it said. False: there is none that is on.';
grant execute on function public.revoke_record(uuid) to authenticated;

-- Checking ---------------------------------------------------------------------------------------------------------

create unlogged table private.record_checks (
  asker bigint not null,
  minute timestamptz not null,
  checks integer not null default 1,
  primary key (asker, minute)
);
comment on table private.record_checks is
'How often an address, as a hash, checked codes in a minute; kept for an hour. 0 stands for all of them.';
create index record_checks_minute_idx on private.record_checks (minute);

alter table private.record_checks enable row level security;

create policy "No client accesses the counts of checks" on private.record_checks
for all to public using (false);

create function private.count_record_check()
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  per_address constant integer := 30;
  of_all constant integer := 3000;
  this_minute constant timestamptz := date_trunc('minute', clock_timestamp());
  -- Set by the gateways, which don't take it from strangers. Without one (psql) it is everybody's count.
  address constant text := btrim(split_part(
    nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-forwarded-for', ',', 1
  ));
  asking record;
  counted integer;
begin
  for asking in
    select k.asker, k.most
    from (values (hashtextextended('asker ' || address, 0), per_address), (0, of_all)) as k (asker, most)
    where k.asker is not null
  loop
    insert into private.record_checks as c (asker, minute) values (asking.asker, this_minute)
    on conflict (asker, minute) do update set checks = c.checks + 1
    returning checks into counted;
    if counted > asking.most then
      raise exception 'Too many checks at the moment, try again in a minute' using errcode = 'PT429';
    end if;
    if counted = 1 and asking.asker = 0 then
      delete from private.record_checks as c where c.minute < this_minute - interval '1 hour';
    end if;
  end loop;
end
$$;
comment on function private.count_record_check() is
'At most 30 checks a minute from one address, and 3,000 from all: codes can''t be guessed, the database stays free.';

create function private.checked_certifications(issued public.issued_records, today date)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    k.certification || jsonb_build_object(
      'standing', case
        when k.expires_on is null then 'no_expiration' when k.expires_on >= today then 'current' else 'expired'
      end,
      'days_left', k.expires_on - today,
      -- That it changed, not to what: only what was issued is said.
      'since', case
        when c.id is null then 'removed'
        when (c.name, c.issuer, c.issued_on, c.expires_on) is distinct from (
          k.certification ->> 'name', k.certification ->> 'issuer', (k.certification ->> 'issued_on')::date,
          k.expires_on
        ) then 'changed'
        when k.certification ->> 'number' is not null and c.credential_id is distinct from k.certification ->> 'number'
          then 'changed'
        else 'same'
      end
    ) order by k.place
  ), '[]')
  from (
    select e.certification, e.place, (e.certification ->> 'expires_on')::date as expires_on
    from jsonb_array_elements(issued.document -> 'certifications') with ordinality as e (certification, place)
  ) as k
  left join public.certifications as c
    on c.id = issued.certification_ids[k.place] and c.user_id = issued.user_id
$$;
comment on function private.checked_certifications(public.issued_records, date) is
'The certifications of a record, each with its standing today and whether the member changed it since.';

create function private.verify_record(code text, document jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  issued public.issued_records;
  today date;
begin
  perform private.count_record_check();
  select r.* into issued
  from public.issued_records as r
  where r.code = private.record_code(verify_record.code) and private.is_active_member(r.user_id);
  if issued.document is not null then
    select (now() at time zone private.time_zone_of(p))::date into today
    from public.profiles as p
    where p.id = issued.user_id;
    if issued.user_id is distinct from (select auth.uid()) then
      update public.issued_records as r set check_count = r.check_count + 1 where r.id = issued.id;
    end if;
  end if;
  -- One shape for every answer: what is not known, or not told any more, is null.
  return jsonb_build_object(
    'state', case
      when issued.id is null then 'unknown' when issued.document is null then 'revoked' else 'issued'
    end,
    'checked_at', now(),
    'code', issued.code,
    'issued_at', issued.issued_at,
    'revoked_at', issued.revoked_at,
    'is_intact', private.digest_of(issued.document) = issued.digest,
    'is_same', issued.document = verify_record.document,
    'member', issued.document -> 'member',
    'certifications', case when today is not null then private.checked_certifications(issued, today) end,
    'milestones', issued.document -> 'milestones',
    'awards', issued.document -> 'awards',
    'trainings', issued.document -> 'trainings'
  );
end
$$;
comment on function private.verify_record(text, jsonb) is 'Implements public.verify_record.';
grant execute on function private.verify_record(text, jsonb) to anon, authenticated, service_role;

create function public.verify_record(code text, document jsonb default null)
returns jsonb
language sql
volatile
set search_path = ''
as $$
  select private.verify_record(code, document)
$$;
comment on function public.verify_record(text, jsonb) is
'What the record with this code says, which certifications are current today, and whether a document is the same as the
one that was issued. For everybody; unknown codes are answered in the same shape.';
grant execute on function public.verify_record(text, jsonb) to anon, authenticated, service_role;
