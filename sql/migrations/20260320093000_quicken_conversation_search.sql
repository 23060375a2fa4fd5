-- Conversations searched by name: of a member with thousands of partners, none but the rare name was found quickly.

create or replace function private.newest_conversations(
  term text, before_at timestamptz, before_id uuid, wanted integer
)
returns table (partner_id uuid, last_message_id uuid, last_message_at timestamptz)
language plpgsql
stable
rows 30
security definer
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  rare constant integer := 300;
  caller constant uuid := (select auth.uid());
  -- Without a message to go on from, everything comes after.
  end_at constant timestamptz := coalesce(before_at, 'infinity');
  end_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  pattern constant text := '%' || private.literal_pattern(term) || '%';
  named uuid[];
begin
  if not private.caller_is_active() then
    return;
  end if;
  if term = '' then
    return query
    select c.partner_id, c.last_message_id, c.last_message_at
    from private.conversations as c
    where c.member_id = caller and (c.last_message_at, c.last_message_id) < (end_at, end_id)
    order by c.last_message_at desc, c.last_message_id desc
    limit wanted;
    return;
  end if;
  -- Trigrams tell who has a rare name, but of no term shorter than three letters.
  if char_length(term) > 2 then
    named := array(select p.id from public.profiles as p where p.full_name ilike pattern limit rare + 1);
  end if;
  if cardinality(named) <= rare then
    return query
    select c.partner_id, c.last_message_id, c.last_message_at
    from private.conversations as c
    inner join public.profiles as p on c.partner_id = p.id
    where c.member_id = caller and c.partner_id = any(named)
      and (c.last_message_at, c.last_message_id) < (end_at, end_id)
      and private.can_see_profile(p)
    order by c.last_message_at desc, c.last_message_id desc
    limit wanted;
  else
    -- Of a common one the next are soon met in the order of the list.
    return query
    select c.partner_id, c.last_message_id, c.last_message_at
    from (
      select k.partner_id, k.last_message_id, k.last_message_at
      from private.conversations as k
      where k.member_id = caller and (k.last_message_at, k.last_message_id) < (end_at, end_id)
      order by k.last_message_at desc, k.last_message_id desc
      offset 0
    ) as c
    cross join lateral (
      select from public.profiles as p
      where p.id = c.partner_id and p.full_name ilike pattern
        and (coalesce(p.privacy_settings ->> 'profile_visibility', 'public') = 'public' or private.can_see_profile(p))
      offset 0
    ) as found
    order by c.last_message_at desc, c.last_message_id desc
    limit wanted;
  end if;
end
$$;
