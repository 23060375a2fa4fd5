-- A deleted account takes its conversations along at once: looking for the newest message of each pair anew, while the
-- messages go in two steps, took seconds for a member with thousands of partners.

create or replace function private.follow_lost_messages()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from private.conversations;
    return null;
  end if;
  delete from private.conversations as c
  using (
    select lost.one, lost.other
    from (
      select o.sender_id as one, o.recipient_id as other from old_messages as o
      union
      select o.recipient_id, o.sender_id from old_messages as o
    ) as lost
    where not exists (select from public.profiles as p where p.id = lost.one)
      or not exists (select from public.profiles as p where p.id = lost.other)
  ) as gone
  where c.member_id = gone.one and c.partner_id = gone.other;
  perform private.refresh_conversation(pairs.one, pairs.other)
  from (
    select distinct least(o.sender_id, o.recipient_id) as one, greatest(o.sender_id, o.recipient_id) as other
    from old_messages as o
    inner join private.conversations as c
      on c.member_id = o.sender_id and c.partner_id = o.recipient_id and c.last_message_id = o.id
    order by 1, 2
  ) as pairs;
  return null;
end
$$;
