-- People search (§5.13). Row-level security makes the planner evaluate the policy on every profile before it may look
-- at the name, so a member's own `ilike` reads the whole table; here the trigram indexes find the rows first, and
-- profile_visibility is applied to those.

create function private.letter_pairs(written text)
returns text[]
language sql
immutable
strict
parallel safe
set search_path = ''
as $$
  select array_agg(distinct substr(lower(written), at, 2)) from generate_series(1, length(written) - 1) as s (at)
$$;
comment on function private.letter_pairs(text) is 'All pairs of adjacent letters, in lower case.';
grant execute on function private.letter_pairs(text) to authenticated, service_role;

create index profiles_full_name_pairs_idx on public.profiles using gin (private.letter_pairs(full_name));
create index profiles_email_pairs_idx on public.profiles using gin (private.letter_pairs(email));

create function private.search_profiles(term text, max_results integer)
returns setof public.profiles
language plpgsql
stable
security definer
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  cleaned constant text := left(regexp_replace(btrim(term), '\s+', ' ', 'g'), 100);
  wanted constant integer := least(greatest(coalesce(max_results, 20), 0), 50);
  escaped text;
  whole text;
  words text[];
  patterns text[];
  pairs text[];
  whole_pair text[] := '{}';
  blocked constant uuid[] := private.blocked_with_caller();
begin
  -- §5.16: the whole term in name or e-mail, or any word of two or more characters in the name.
  if (select auth.uid()) is null or cleaned is null or char_length(cleaned) < 2 then
    return;
  end if;
  escaped := private.escape_like_pattern(cleaned);
  whole := '%' || escaped || '%';
  words := array(
    select '%' || private.escape_like_pattern(w.word) || '%'
    from unnest(string_to_array(cleaned, ' ')) as w (word)
    where char_length(w.word) > 1
  );
  if char_length(cleaned) = 2 then
    whole_pair := array[lower(cleaned)];
  end if;
  -- Trigram indexes need three letters, so words of two are looked up as pairs of letters.
  select
    coalesce(array_agg('%' || private.escape_like_pattern(w.word) || '%') filter (where char_length(w.word) > 2), '{}'),
    coalesce(array_agg(lower(w.word)) filter (where char_length(w.word) = 2), '{}')
  into patterns, pairs
  from unnest(string_to_array(cleaned, ' ')) as w (word);
  if whole_pair = '{}' then
    patterns := patterns || whole;
  end if;
  if pairs = '{}' then
    return query
    select p.*
    from public.profiles as p
    where (p.full_name ilike any (patterns) or p.email ilike whole)
      and p.id <> (select auth.uid())
      and p.id <> all(blocked)
      and (coalesce(p.privacy_settings ->> 'profile_visibility', 'public') = 'public' or private.can_see_profile(p))
    -- How well the name fits; at the end those of whom only the address fits. Not a function: one with a search_path of its
    -- own is not inlined, and calling it for thousands of names would take most of the time.
    order by
      case
        when p.full_name ilike escaped then 0
        when p.full_name ilike whole then 1
        when p.full_name ilike all (words) then 2
        when p.full_name ilike any (words) then 3
        else 4
      end,
      p.full_name, p.id
    limit wanted;
  else
    return query
    select p.*
    from public.profiles as p
    where (
        p.full_name ilike any (patterns)
        or private.letter_pairs(p.full_name) && pairs
        or private.letter_pairs(p.email) && whole_pair
        or (whole_pair = '{}' and p.email ilike whole)
      )
      and p.id <> (select auth.uid())
      and p.id <> all(blocked)
      and (coalesce(p.privacy_settings ->> 'profile_visibility', 'public') = 'public' or private.can_see_profile(p))
    order by
      case
        when p.full_name ilike escaped then 0
        when p.full_name ilike whole then 1
        when p.full_name ilike all (words) then 2
        when p.full_name ilike any (words) then 3
        else 4
      end,
      p.full_name, p.id
    limit wanted;
  end if;
end
$$;
comment on function private.search_profiles(text, integer) is 'Implements public.search_profiles.';
grant execute on function private.search_profiles(text, integer) to authenticated, service_role;

create function public.search_profiles(term text, max_results integer default 20)
returns setof public.profiles
language sql
stable
rows 20
set search_path = ''
as $$
  select * from private.search_profiles(term, max_results) where (select private.caller_is_active())
$$;
comment on function public.search_profiles(text, integer) is
'Members whose name or e-mail contains the term, or whose name contains a word of it, best match first, then by name;
at most 50.';
grant execute on function public.search_profiles(text, integer) to authenticated, service_role;
