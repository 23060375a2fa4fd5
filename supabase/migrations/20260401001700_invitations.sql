-- An invitation to the waitlist is valid for 14 days; after that its address can request another one.

create function private.set_invited_at()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.invited_at := now();
  return new;
end
$$;
comment on function private.set_invited_at() is 'Sets invited_at when an address is invited, also again.';

create trigger set_invited_at
before insert or update of status on public.waitlist
for each row when (new.status = 'invited')
execute function private.set_invited_at();

create function private.invitation_expired(status text, invited_at timestamptz)
returns boolean
language sql
stable
set search_path = ''
as $$
  select status = 'invited' and invited_at < now() - interval '14 days'
$$;
comment on function private.invitation_expired(text, timestamptz) is
'Has this invitation expired? The only place that knows how long one is valid.';

create function private.invitation_status(address text)
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
comment on function private.invitation_status(text) is 'Implements public.invitation_status.';
grant execute on function private.invitation_status(text) to anon, authenticated, service_role;

create function public.invitation_status(address text)
returns text
language sql
stable
set search_path = ''
as $$
  select private.invitation_status(address)
$$;
comment on function public.invitation_status(text) is
'The status of an address for /invitation: invited, expired, used or waiting; null when it is not on the waitlist.';
grant execute on function public.invitation_status(text) to anon, authenticated, service_role;

create function private.request_invitation(address text)
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
comment on function private.request_invitation(text) is 'Implements public.request_invitation.';
grant execute on function private.request_invitation(text) to anon, authenticated, service_role;

create function public.request_invitation(address text)
returns boolean
language sql
set search_path = ''
as $$
  select private.request_invitation(address)
$$;
comment on function public.request_invitation(text) is
'Sets an address whose invitation has expired to pending; false when it has no expired invitation.';
grant execute on function public.request_invitation(text) to anon, authenticated, service_role;
