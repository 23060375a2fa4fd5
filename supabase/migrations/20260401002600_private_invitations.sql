-- Who asks about an address is not told whether it has an account: only its owner learns that an invitation was used.
-- Everybody else gets what the invitation would be without the account.

create or replace function private.invitation_expired(status text, invited_at timestamptz)
returns boolean
language sql
stable
set search_path = ''
as $$
  select status in ('invited', 'active') and invited_at < now() - interval '14 days'
$$;

create or replace function private.invitation_status(address text)
returns text
language sql
stable
security definer
set search_path = ''
as $$
  select
    case
      when w.status = 'active' and (w.email = lower((select auth.email())) or (select auth.role()) = 'service_role')
        then 'used'
      when private.invitation_expired(w.status, w.invited_at) then 'expired'
      when w.status in ('invited', 'active') and w.invited_at is not null then 'invited'
      else 'waiting'
    end
  from public.waitlist as w
  where w.email = lower(btrim(address))
$$;
comment on function public.invitation_status(text) is
'The status for /invitation: invited, expired, waiting, or used (to its owner only); null when not on the list.';

create or replace function private.request_invitation(address text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- An entry in use looks as if it waited again, as any other one does from then on.
  update public.waitlist as w
  set
    status = case w.status when 'active' then 'active' else 'pending' end,
    invited_at = case w.status when 'active' then null else w.invited_at end
  where w.email = lower(btrim(address)) and private.invitation_expired(w.status, w.invited_at);
  return found;
end
$$;
