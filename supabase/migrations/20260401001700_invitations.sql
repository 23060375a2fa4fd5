-- An invitation lasts 14 days from when it was given; whoever comes later is told so and can ask for another one.

create function private.stamp_waitlist_invitation()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.invited_at := now();
  return new;
end
$$;
comment on function private.stamp_waitlist_invitation() is 'Notes when an invitation was given, or given again.';

create trigger stamp_waitlist_invitation
before insert or update of status on public.waitlist
for each row when (new.status = 'invited')
execute function private.stamp_waitlist_invitation();

create function private.invitation_expired(status text, invited_at timestamptz)
returns boolean
language sql
stable
set search_path = ''
as $$
  select status = 'invited' and invited_at < now() - interval '14 days'
$$;
comment on function private.invitation_expired(text, timestamptz) is
'Whether an invitation has run out: the one place that knows how long it lasts.';

create function private.invitation_standing(address text)
returns text
language sql
stable
security definer
set search_path = ''
as $$
  select
    case
      when w.status = 'active' then 'used'
      when private.invitation_expired(w.status, w.invited_at) then 'expired'
      when w.status = 'invited' then 'invited'
      else 'waiting'
    end
  from public.waitlist as w
  where w.email = lower(btrim(address))
$$;
comment on function private.invitation_standing(text) is 'The work of public.invitation_standing.';
grant execute on function private.invitation_standing(text) to anon, authenticated, service_role;

create function public.invitation_standing(address text)
returns text
language sql
stable
set search_path = ''
as $$
  select private.invitation_standing(address)
$$;
comment on function public.invitation_standing(text) is
'What an address finds at /invitation: invited, expired, used or waiting; null when it is not on the list.';
grant execute on function public.invitation_standing(text) to anon, authenticated, service_role;

create function private.ask_for_invitation(address text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.waitlist as w set status = 'pending'
  where w.email = lower(btrim(address)) and private.invitation_expired(w.status, w.invited_at);
  return found;
end
$$;
comment on function private.ask_for_invitation(text) is 'The work of public.ask_for_invitation.';
grant execute on function private.ask_for_invitation(text) to anon, authenticated, service_role;

create function public.ask_for_invitation(address text)
returns boolean
language sql
set search_path = ''
as $$
  select private.ask_for_invitation(address)
$$;
comment on function public.ask_for_invitation(text) is
'Puts an address whose invitation has run out before the admins again (pending); false when there was none to renew.';
grant execute on function public.ask_for_invitation(text) to anon, authenticated, service_role;
