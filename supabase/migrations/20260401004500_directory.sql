-- The directory of members (§11.6): filtered by state, department, rank, type, specialty and current certification,
-- with the number of members of each value. Counting rows would read all members for each facet. So each value has a
-- string of bits, one for each member, and the members of a combination are the bits that are set in all its strings.
--
-- Thousands of members share a string, and one who changes their rank must not wait for another who does. So writers
-- only append to a log. Until it is merged, the members in it are masked in the bits and counted by their rows.

create table private.directory (
  member_id uuid primary key references public.profiles (id) on delete cascade,
  place integer not null generated always as identity,
  full_name text not null,
  state text,
  visibility text not null,
  facts text[] not null,
  labels text[] not null,
  constraint directory_place_key unique (place)
);
comment on table private.directory is
'What members with a name are found by. Derived from profiles and certifications by triggers.';
comment on column private.directory.place is 'The member''s bit in private.directory_bits.';
comment on column private.directory.facts is
'`facet:key`, such as `rank:captain`; `everyone:` for all. At most 30 specialties, 50 certifications, 10 topics.';
comment on column private.directory.labels is 'Each fact as the member writes it.';

create index directory_name_idx on private.directory (full_name, member_id);
create index directory_state_idx on private.directory (state, full_name, member_id);
create index directory_facts_idx on private.directory using gin (facts);

create table private.directory_bits (
  fact text not null,
  chunk integer not null,
  bits bit(8192) not null,
  primary key (fact, chunk)
);
comment on table private.directory_bits is
'Which members with a public profile have a fact: bit `place % 8192` of chunk `place / 8192`.';

create table private.directory_values (
  fact text primary key,
  facet text not null,
  label text not null,
  members integer not null
);
comment on table private.directory_values is
'The facts in directory_bits, as one member writes them, and how many have them.';

create index directory_values_facet_idx on private.directory_values (facet, members desc);

create table private.directory_changes (
  id bigint generated always as identity primary key,
  place integer not null,
  facts text[] not null
);
comment on table private.directory_changes is
'Members who changed since the bits were merged, and the facts that the bits may still have of them.';

create table private.directory_merges (
  only_row boolean primary key default true,
  merged_on date not null default current_date,
  constraint directory_merges_is_one_row check (only_row)
);
comment on table private.directory_merges is
'The day of the last merge: certifications that expired since may still be in facts and bits.';
insert into private.directory_merges default values;

alter table private.directory enable row level security;
alter table private.directory_bits enable row level security;
alter table private.directory_values enable row level security;
alter table private.directory_changes enable row level security;
alter table private.directory_merges enable row level security;

create policy "No client accesses the directory" on private.directory
for all to public using (false);

create policy "No client accesses the bits of the directory" on private.directory_bits
for all to public using (false);

create policy "No client accesses the values of the directory" on private.directory_values
for all to public using (false);

create policy "No client accesses the changes of the directory" on private.directory_changes
for all to public using (false);

create policy "No client accesses the merges of the directory" on private.directory_merges
for all to public using (false);

-- What a member is found by ----------------------------------------------------------------------------------------

create function private.fact_key(written text)
returns text
language sql
immutable
parallel safe
set search_path = ''
as $$
  select nullif(lower(btrim(regexp_replace(left(written, 200), '\s+', ' ', 'g'))), '')
$$;
comment on function private.fact_key(text) is
'One way to write a value: lower case, single spaces. Null: nothing written.';

create function private.facts_of(member public.profiles)
returns table (fact text, label text)
language sql
stable
security definer
set search_path = ''
as $$
  select found.facet || ':' || private.fact_key(found.label), min(btrim(found.label))
  from (
    select 'department' as facet, member.department as label
    union all
    select 'rank', member.rank
    union all
    select 'type', member.firefighter_type
    union all
    select 'specialty', s.label from unnest(member.specialties) as s (label)
    union all
    select 'mentor', t.label
    from public.mentors as m
    cross join lateral unnest('Any topic'::text || m.topics) as t (label)
    where m.user_id = member.id and m.is_open
    union all
    (
      select 'certification', c.name
      from public.certifications as c
      where c.user_id = member.id and (c.expires_on is null or c.expires_on >= current_date)
      order by c.expires_on desc nulls first, c.id
      limit 50
    )
  ) as found
  where private.fact_key(found.label) is not null
  group by 1
  union all
  select 'state:' || lower(s.code), s.name from private.states as s where s.code = member.state
  union all
  select 'everyone:', ''
$$;
comment on function private.facts_of(public.profiles) is
'What a member is found by: facets of the profile, certifications that are not expired, and topics they mentor on.';

create function private.refresh_directory(refreshed uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  before private.directory;
  after private.directory;
  logged bigint;
begin
  select d.* into before from private.directory as d where d.member_id = refreshed for update;
  select p.id, before.place, p.full_name, p.state, coalesce(p.privacy_settings ->> 'profile_visibility', 'public'),
    f.facts, f.labels
  into after
  from public.profiles as p
  cross join lateral (
    select array_agg(f.fact order by f.fact) as facts, array_agg(f.label order by f.fact) as labels
    from private.facts_of(p) as f
  ) as f
  where p.id = refreshed and p.full_name ~ '\S';
  if after.member_id is null then
    delete from private.directory as d where d.member_id = refreshed;
    return;
  end if;
  if before.member_id is null then
    insert into private.directory (member_id, full_name, state, visibility, facts, labels)
    values (after.member_id, after.full_name, after.state, after.visibility, after.facts, after.labels)
    on conflict (member_id) do nothing
    returning place into after.place;
    if not found then
      -- Another transaction was first; what it did not see is seen now.
      perform private.refresh_directory(refreshed);
      return;
    end if;
  elsif before is distinct from after then
    update private.directory as d
    set full_name = after.full_name, state = after.state, visibility = after.visibility, facts = after.facts,
      labels = after.labels
    where d.member_id = refreshed;
  else
    return;
  end if;
  insert into private.directory_changes (place, facts)
  values (after.place, case when before.visibility = 'public' then before.facts else '{}' end)
  returning id into logged;
  -- Now and then the one who writes merges, so that no clock is needed for the log to stay short.
  if logged % 256 = 0 then
    perform private.merge_directory();
  end if;
end
$$;
comment on function private.refresh_directory(uuid) is 'Brings a member''s row up to date, and logs the change.';

create function private.log_leaving_directory()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into private.directory_changes (place, facts)
  values (old.place, case when old.visibility = 'public' then old.facts else '{}' end);
  return null;
end
$$;
comment on function private.log_leaving_directory() is 'Logs that a member is gone.';

create trigger log_leaving_directory
after delete on private.directory
for each row execute function private.log_leaving_directory();

create function private.list_member()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.refresh_directory(new.id);
  return null;
end
$$;
comment on function private.list_member() is 'The directory follows the profile.';

create trigger list_new_member
after insert on public.profiles
for each row execute function private.list_member();

create trigger list_changed_member
after update of full_name, department, rank, firefighter_type, state, specialties, privacy_settings on public.profiles
for each row when (
  (old.full_name, old.department, old.rank, old.firefighter_type, old.state, old.specialties)
  is distinct from (new.full_name, new.department, new.rank, new.firefighter_type, new.state, new.specialties)
  or old.privacy_settings -> 'profile_visibility' is distinct from new.privacy_settings -> 'profile_visibility'
)
execute function private.list_member();

create function private.list_holder()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.refresh_directory(coalesce(new.user_id, old.user_id));
  return null;
end
$$;
comment on function private.list_holder() is 'The directory follows the certifications, and who mentors.';

create trigger list_holder
after insert or delete or update of name, expires_on on public.certifications
for each row execute function private.list_holder();

create trigger list_holder
after insert or delete or update of topics, is_open on public.mentors
for each row execute function private.list_holder();

-- Bits -------------------------------------------------------------------------------------------------------------

create function private.holders_of_expired()
returns setof uuid
language sql
stable
security definer
rows 100
set search_path = ''
as $$
  select distinct c.user_id
  from public.certifications as c
  where c.expires_on >= (select m.merged_on from private.directory_merges as m) and c.expires_on < current_date
$$;
comment on function private.holders_of_expired() is 'Members of whom a certification expired since the last merge.';

create function private.merge_directory()
returns void
language plpgsql
security definer
set search_path = ''
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
  none constant bit(8192) := repeat('0', 8192)::bit(8192);
  places integer[];
  changed text[];
begin
  -- One at a time; who comes meanwhile leaves it to the next. With an older snapshot bits would be lost.
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock(hashtextextended('merge of the directory', 0)) then
    return;
  end if;
  if (select m.merged_on < current_date from private.directory_merges as m) then
    perform private.refresh_directory(e) from private.holders_of_expired() as e;
    update private.directory_merges set merged_on = current_date;
  end if;
  with taken as (delete from private.directory_changes returning place, facts),
  held as (
    select t.place, f.fact, false as is_held
    from taken as t
    cross join lateral unnest(t.facts) as f (fact)
    union all
    select d.place, f.fact, true
    from private.directory as d
    cross join lateral unnest(d.facts) as f (fact)
    where d.visibility = 'public' and d.place in (select t.place from taken as t)
  ),
  single as (
    select h.fact, h.place / 8192 as chunk, set_bit(none, h.place % 8192, 1) as bits, h.is_held from held as h
  ),
  changes as materialized (
    select s.fact, s.chunk, bit_or(s.bits) as touched, coalesce(bit_or(s.bits) filter (where s.is_held), none) as held
    from single as s
    group by s.fact, s.chunk
  ),
  updated as (
    update private.directory_bits as b
    set bits = (b.bits & ~c.touched) | c.held
    from changes as c
    where b.fact = c.fact and b.chunk = c.chunk
  ),
  inserted as (
    insert into private.directory_bits (fact, chunk, bits)
    select c.fact, c.chunk, c.held
    from changes as c
    where c.held <> none
      and not exists (select from private.directory_bits as b where b.fact = c.fact and b.chunk = c.chunk)
  )
  select array(select distinct t.place from taken as t), array(select distinct c.fact from changes as c)
  into places, changed;
  delete from private.directory_bits as b where b.fact = any(changed) and b.bits = none;
  with counted as (
    select b.fact, sum(bit_count(b.bits)) as members
    from private.directory_bits as b
    where b.fact = any(changed)
    group by b.fact
  ),
  written as (
    select f.fact, min(f.label) as label
    from private.directory as d
    cross join lateral unnest(d.facts, d.labels) as f (fact, label)
    where d.place = any(places) and d.visibility = 'public'
    group by f.fact
  )
  insert into private.directory_values as v (fact, facet, label, members)
  select c.fact, split_part(c.fact, ':', 1), coalesce(w.label, split_part(c.fact, ':', 2)), c.members
  from counted as c
  left join written as w on c.fact = w.fact
  on conflict (fact) do update set members = excluded.members;
  delete from private.directory_values as v
  where v.fact = any(changed) and not exists (select from private.directory_bits as b where b.fact = v.fact);
end
$$;
comment on function private.merge_directory() is
'Takes the log into the bits. Every 256th change does so, and a job every hour; reading is right at any time.';

create function private.rebuild_directory()
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- For writers that disable triggers.
  delete from private.directory;
  delete from private.directory_bits;
  delete from private.directory_values;
  delete from private.directory_changes;
  insert into private.directory (member_id, full_name, state, visibility, facts, labels)
  select p.id, p.full_name, p.state, coalesce(p.privacy_settings ->> 'profile_visibility', 'public'), f.facts, f.labels
  from public.profiles as p
  cross join lateral (
    select array_agg(f.fact order by f.fact) as facts, array_agg(f.label order by f.fact) as labels
    from private.facts_of(p) as f
  ) as f
  where p.full_name ~ '\S';
  insert into private.directory_changes (place, facts) select d.place, '{}' from private.directory as d;
  perform private.merge_directory();
end
$$;
comment on function private.rebuild_directory() is 'Rebuilds the directory from the profiles. For operators.';

select private.rebuild_directory();

-- Reading ----------------------------------------------------------------------------------------------------------

create function private.facts_asked(filters jsonb)
returns text[]
language sql
immutable
set search_path = ''
as $$
  select array(
    select f.facet || ':' || private.fact_key(filters ->> f.facet)
    from unnest(array['state', 'department', 'rank', 'type', 'specialty', 'certification', 'mentor']) as f (facet)
    where jsonb_typeof(filters -> f.facet) = 'string' and private.fact_key(filters ->> f.facet) is not null
  )
$$;
comment on function private.facts_asked(jsonb) is 'The facts that filters ask for; what is no filter is ignored.';

create function private.shown_to_connections()
returns setof uuid
language sql
stable
security definer
rows 100
set search_path = ''
as $$
  -- As profile_visibility `connections` has it: who is connected, and who asked.
  select d.member_id
  from (
    select c.user_id as id from public.connections as c
    where c.connected_user_id = (select auth.uid()) and c.status in ('accepted', 'pending')
    union
    select c.connected_user_id from public.connections as c
    where c.user_id = (select auth.uid()) and c.status = 'accepted'
  ) as near
  inner join private.directory as d on near.id = d.member_id
  where d.visibility = 'connections'
$$;
comment on function private.shown_to_connections() is
'Members in the directory who show their profile to their connections only, and to the caller.';

create function private.directory_counts(filters jsonb)
returns table (facet text, value text, label text, members integer)
language plpgsql
stable
security definer
rows 200
set search_path = ''
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
  all_set constant bit(8192) := repeat('1', 8192)::bit(8192);
  -- Up to here the rows are counted, with every value. Beyond, the values that most members have.
  few constant integer := 1000;
  most_values constant integer := 60;
  caller constant uuid := (select auth.uid());
  asked constant text[] := private.facts_asked(filters);
  hidden constant uuid[] := private.blocked_with_caller() || caller;
  expired integer[];
  masked integer[];
  beside jsonb;
  masks bit(8192)[];
  place integer;
  matching integer;
  counted_by_row text[] := '{}';
  facets text[] := '{state,department,rank,type,specialty,certification,mentor}';
begin
  if caller is null or not private.caller_is_active() then
    return;
  end if;
  expired := array(
    select d.place from private.holders_of_expired() as e (id) inner join private.directory as d on d.member_id = e.id
  );
  masked := expired || array(select distinct c.place from private.directory_changes as c);
  -- Members whom the bits do not have, or not rightly.
  select coalesce(jsonb_agg(jsonb_build_object('facts', now.facts, 'labels', now.labels)), '[]') into beside
  from private.directory as d
  cross join lateral (
    select d.facts, d.labels where d.place <> all(expired)
    union all
    select array_agg(f.fact), array_agg(f.label)
    from public.profiles as p
    cross join lateral private.facts_of(p) as f
    where d.place = any(expired) and p.id = d.member_id
  ) as now
  where (
      (d.place = any(masked) and d.visibility = 'public')
      or d.member_id = any(array(select private.shown_to_connections()))
    )
    and d.member_id <> all(hidden);
  masks := array_fill(all_set, array[coalesce((select max(d.place) from private.directory as d), 0) / 8192 + 1]);
  for place in
    select d.place from private.directory as d where d.member_id = any(hidden)
    union
    select m.place from unnest(masked) as m (place) where m.place / 8192 < cardinality(masks)
  loop
    masks[place / 8192 + 1] := set_bit(masks[place / 8192 + 1], place % 8192, 0);
  end loop;
  select sum(bit_count(m.bits & both_set.bits)) into matching
  from unnest(masks) with ordinality as m (bits, at)
  inner join (
    select b.chunk, bit_and(b.bits) as bits
    from private.directory_bits as b
    where b.fact = any(asked || 'everyone:'::text)
    group by b.chunk
    having count(*) = cardinality(asked) + 1
  ) as both_set on both_set.chunk = m.at - 1;
  if matching <= few then
    counted_by_row := array(
      select f.facet from unnest(facets) as f (facet)
      where f.facet not in (select split_part(a.fact, ':', 1) from unnest(asked) as a (fact))
    );
  end if;
  return query
  with wanted as (
    select
      f.facet,
      array(select a.fact from unnest(asked) as a (fact) where split_part(a.fact, ':', 1) <> f.facet) as others
    from unnest(facets || 'everyone'::text) as f (facet)
  ),
  mask as (
    select (m.at - 1)::integer as chunk, m.bits from unnest(masks) with ordinality as m (bits, at)
  ),
  -- For each facet the members whom all the other filters leave.
  base as materialized (
    select w.facet, k.chunk, k.bits & coalesce(o.bits, all_set) as bits
    from wanted as w
    cross join mask as k
    cross join lateral (
      select bit_and(b.bits) as bits, count(*) as found
      from private.directory_bits as b
      where b.fact = any(w.others) and b.chunk = k.chunk
    ) as o
    where w.facet <> all(counted_by_row) and o.found = cardinality(w.others)
  ),
  listed as materialized (
    select w.facet, v.fact
    from wanted as w
    cross join lateral (
      select v.fact from private.directory_values as v where v.facet = w.facet order by v.members desc limit most_values
    ) as v
    where w.facet <> all(counted_by_row)
    union
    select split_part(a.fact, ':', 1), a.fact from unnest(asked) as a (fact)
  ),
  by_bits as (
    select l.facet, l.fact, sum(both_set.members) as members
    from listed as l
    inner join base as k on l.facet = k.facet
    -- Counted here, so that no bits are sorted. `offset 0` keeps the planner from pulling it up.
    cross join lateral (
      select bit_count(b.bits & k.bits) as members
      from private.directory_bits as b
      where b.fact = l.fact and b.chunk = k.chunk
      offset 0
    ) as both_set
    group by l.facet, l.fact
  ),
  by_row as (
    select split_part(f.fact, ':', 1) as facet, f.fact, f.label
    from private.directory as d
    cross join lateral unnest(d.facts, d.labels) as f (fact, label)
    where cardinality(counted_by_row) > 0 and d.facts @> asked and d.visibility = 'public'
      and d.member_id <> all(hidden) and d.place <> all(masked)
      and split_part(f.fact, ':', 1) = any(counted_by_row)
  ),
  by_itself as (
    select w.facet, f.fact, f.label
    from jsonb_to_recordset(beside) as m (facts text[], labels text[])
    cross join lateral unnest(m.facts, m.labels) as f (fact, label)
    inner join wanted as w on split_part(f.fact, ':', 1) = w.facet
    where m.facts @> w.others
  ),
  summed as (
    select c.facet, c.fact, min(c.label) as label, sum(c.members)::integer as members
    from (
      select b.facet, b.fact, null as label, b.members from by_bits as b
      union all
      select r.facet, r.fact, min(r.label), count(*) from by_row as r group by r.facet, r.fact
      union all
      select i.facet, i.fact, min(i.label), count(*) from by_itself as i group by i.facet, i.fact
    ) as c
    group by c.facet, c.fact
  ),
  ranked as (
    select s.*, row_number() over (partition by s.facet order by s.members desc, s.fact) as at from summed as s
    where s.members > 0
  )
  select
    r.facet,
    case r.facet when 'state' then upper(split_part(r.fact, ':', 2)) else substr(r.fact, char_length(r.facet) + 2) end,
    coalesce(v.label, r.label), r.members
  from ranked as r
  left join private.directory_values as v on r.fact = v.fact
  where r.at <= most_values or r.fact = any(asked)
  order by r.facet, r.members desc, r.fact;
end
$$;
comment on function private.directory_counts(jsonb) is 'Implements public.directory_counts.';
grant execute on function private.directory_counts(jsonb) to authenticated;

create function public.directory_counts(filters jsonb default '{}')
returns table (facet text, value text, label text, members integer)
language sql
stable
rows 200
set search_path = ''
as $$
  select * from private.directory_counts(filters)
$$;
comment on function public.directory_counts(jsonb) is
'How many members of the directory match the filters (facet everyone), and for each value of each facet how many do with
that value in place of the facet''s own filter; none that nobody has. At most 60 values a facet: of more than 1,000
members those that are most common in all of the directory.';
grant execute on function public.directory_counts(jsonb) to authenticated;

create function private.directory_page(
  filters jsonb, after_nearness integer, after_name text, after_id uuid, wanted integer
)
returns table (member_id uuid, nearness integer, full_name text)
language plpgsql
stable
security definer
rows 24
set search_path = ''
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
  few constant integer := 2000;
  caller constant uuid := (select auth.uid());
  asked constant text[] := private.facts_asked(filters);
  hidden constant uuid[] := private.blocked_with_caller() || caller;
  shown constant uuid[] := array(select private.shown_to_connections());
  expired constant uuid[] := array(select private.holders_of_expired());
  own text;
  neighbors text[];
  matching integer;
  still integer := wanted;
  given integer;
begin
  if caller is null or not private.caller_is_active() then
    return;
  end if;
  select s.code, s.neighbors into own, neighbors
  from public.profiles as p inner join private.states as s on p.state = s.code
  where p.id = caller;
  select sum(bit_count(both_set.bits)) into matching
  from (
    select bit_and(b.bits) as bits
    from private.directory_bits as b
    where b.fact = any(asked || 'everyone:'::text)
    group by b.chunk
    having count(*) = cardinality(asked) + 1
  ) as both_set;
  if coalesce(matching, 0) <= few then
    -- The index of facts finds them all; walking by name would look for few among many.
    return query
    with found as materialized (
      select d.member_id, d.full_name,
        case when d.state = own then 0 when d.state = any(neighbors) then 1 else 2 end as nearness
      from private.directory as d
      where d.facts @> (asked || 'everyone:'::text) and (d.visibility = 'public' or d.member_id = any(shown))
        and d.member_id <> all(hidden)
        and (d.member_id <> all(expired) or private.has_facts(d.member_id, asked))
    )
    select f.member_id, f.nearness, f.full_name
    from found as f
    where after_id is null or (f.nearness, f.full_name, f.member_id) > (after_nearness, after_name, after_id)
    order by f.nearness, f.full_name, f.member_id
    limit wanted;
    return;
  end if;
  if own is not null and coalesce(after_nearness, 0) <= 1 then
    for near in coalesce(after_nearness, 0)..1 loop
      return query
      select n.member_id, near, n.full_name
      from unnest(case near when 0 then array[own] else neighbors end) as s (code)
      cross join lateral (
        select d.member_id, d.full_name
        from private.directory as d
        where d.state = s.code and d.facts @> asked and (d.visibility = 'public' or d.member_id = any(shown))
          and d.member_id <> all(hidden)
          and (d.member_id <> all(expired) or private.has_facts(d.member_id, asked))
          and (
            after_id is null or near > after_nearness or (d.full_name, d.member_id) > (after_name, after_id)
          )
        order by d.full_name, d.member_id
        limit still
      ) as n
      order by n.full_name, n.member_id
      limit still;
      get diagnostics given = row_count;
      still := still - given;
      if still <= 0 then
        return;
      end if;
    end loop;
  end if;
  return query
  select d.member_id, 2, d.full_name
  from private.directory as d
  where (own is null or d.state is null or d.state <> all(neighbors || own))
    and d.facts @> asked and (d.visibility = 'public' or d.member_id = any(shown))
    and d.member_id <> all(hidden)
    and (d.member_id <> all(expired) or private.has_facts(d.member_id, asked))
    and (after_id is null or after_nearness < 2 or (d.full_name, d.member_id) > (after_name, after_id))
  order by d.full_name, d.member_id
  limit still;
end
$$;
comment on function private.directory_page(jsonb, integer, text, uuid, integer) is
'A page of the directory, without the profiles, for public.directory.';
grant execute on function private.directory_page(jsonb, integer, text, uuid, integer) to authenticated;

create function private.has_facts(of_member uuid, asked text[])
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select asked <@ array(select f.fact from private.facts_of(p) as f) from public.profiles as p where p.id = of_member
$$;
comment on function private.has_facts(uuid, text[]) is 'Has the member all these facts today?';

create function public.directory(
  filters jsonb default '{}', after_nearness integer default null, after_name text default null,
  after_id uuid default null, page_size integer default 24
)
returns table (
  id uuid, full_name text, avatar_url text, department text, rank text, firefighter_type text, state text,
  nearness integer
)
language sql
stable
rows 24
set search_path = ''
as $$
  -- As the caller: row-level security applies to the profiles once more.
  select p.id, p.full_name, p.avatar_url, p.department, p.rank, p.firefighter_type, p.state, page.nearness
  from private.directory_page(
    filters, after_nearness, after_name, after_id, least(greatest(coalesce(page_size, 24), 1), 50)
  ) as page
  inner join public.profiles as p on page.member_id = p.id
  order by page.nearness, page.full_name, page.member_id
$$;
comment on function public.directory(jsonb, integer, text, uuid, integer) is
'A page of the members with a name who match the filters {state, department, rank, type, specialty, certification,
mentor}, each a text (of mentor a topic, or `any topic`): those of the caller''s own state (nearness 0), of the neighboring states (1), then the others (2), by name. For
the next page pass nearness, full_name and id of the last row. page_size: 24, at most 50.';
grant execute on function public.directory(jsonb, integer, text, uuid, integer) to authenticated;
