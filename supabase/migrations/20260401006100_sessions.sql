-- Where a member is signed in (§15.1): Auth's sessions with a device's name and network, and their end.

create function private.device_of(user_agent text)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when coalesce(user_agent, '') = '' then 'Unknown device'
    when browser.name is null then left(split_part(split_part(user_agent, ' ', 1), '/', 1), 40)
    else browser.name || coalesce(' on ' || system.name, '')
  end
  from (
    select case
      when user_agent ~ 'Edg(e|A|iOS)?/' then 'Edge'
      when user_agent ~ 'OPR/|Opera' then 'Opera'
      when user_agent ~ 'SamsungBrowser/' then 'Samsung Internet'
      when user_agent ~ 'Firefox/|FxiOS/' then 'Firefox'
      when user_agent ~ 'Chrome/|CriOS/|Chromium/' then 'Chrome'
      when user_agent ~ 'Safari/' then 'Safari'
    end
  ) as browser (name)
  cross join (
    select case
      when user_agent ~ 'iPhone' then 'iPhone'
      when user_agent ~ 'iPad' then 'iPad'
      when user_agent ~ 'Android' then 'Android'
      when user_agent ~ 'Windows' then 'Windows'
      when user_agent ~ 'Macintosh' then 'Mac'
      when user_agent ~ 'CrOS' then 'Chromebook'
      when user_agent ~ 'Linux' then 'Linux'
    end
  ) as system (name)
$$;
comment on function private.device_of(text) is
'What a browser calls itself, in words: "Chrome on Windows". A program''s own name when it is no browser.';

create function private.network_of(address inet)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when address is null then 'Unknown network'
    when address <<= '127.0.0.0/8' or address = '::1' then 'This computer'
    when address <<= any(
      '{10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, fc00::/7, fe80::/10}'::inet []
    ) then 'Local network'
    when family(address) = 4 then 'Network ' || abbrev(network(set_masklen(address, 16))::cidr)
    else 'Network ' || abbrev(network(set_masklen(address, 32))::cidr)
  end
$$;
comment on function private.network_of(inet) is
'The network of an address, as one can name it without asking anybody: its first 16 (IPv6: 32) bits, about a provider.';

create function private.my_sessions()
returns table (
  id uuid, device text, network text, signed_in_at timestamptz, last_used_at timestamptz, is_current boolean
)
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select
    s.id, private.device_of(s.user_agent), private.network_of(s.ip), s.created_at,
    -- Auth writes it at each refresh, about once an hour, in UTC without a zone.
    coalesce(s.refreshed_at at time zone 'utc', s.created_at),
    s.id = ((select auth.jwt()) ->> 'session_id')::uuid
  from auth.sessions as s
  where s.user_id = (select auth.uid()) and private.caller_is_active() and coalesce(s.not_after > now(), true)
    and s.oauth_client_id is null and not private.caller_is_application()
  order by 6 desc, 5 desc, s.id
  limit 100;
end
$$;
comment on function private.my_sessions() is 'Implements public.my_sessions.';
grant execute on function private.my_sessions() to authenticated;

create function public.my_sessions()
returns table (
  id uuid, device text, network text, signed_in_at timestamptz, last_used_at timestamptz, is_current boolean
)
language sql
stable
set search_path = ''
as $$
  select * from private.my_sessions()
$$;
comment on function public.my_sessions() is
'Where the caller is signed in: the own session first, then by last use, at most 100. No address is shown, only its
network. Applications that the member let in are not among them (Auth lists those).';
grant execute on function public.my_sessions() to authenticated;

create function private.end_session(session uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if (select auth.uid()) is null or not private.caller_is_active() or private.caller_is_application() then
    raise exception 'Only members can do this' using errcode = 'PT401';
  end if;
  delete from auth.sessions as s where s.id = session and s.user_id = (select auth.uid());
  return found;
end
$$;
comment on function private.end_session(uuid) is 'Implements public.end_session.';
grant execute on function private.end_session(uuid) to authenticated;

create function public.end_session(session uuid)
returns boolean
language sql
set search_path = ''
as $$
  select private.end_session(session)
$$;
comment on function public.end_session(uuid) is
'Ends one of the caller''s sessions, its tokens included. False: there is none.';
grant execute on function public.end_session(uuid) to authenticated;

create function private.sign_in_state()
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  session constant uuid := (select auth.jwt()) ->> 'session_id';
begin
  return case
    when private.caller_is_active() then 'active'
    when not private.is_active_member((select auth.uid())) then 'suspended'
    when not exists (select from auth.sessions as s where s.id = session) then 'ended'
    else 'second_factor'
  end;
end
$$;
comment on function private.sign_in_state() is 'Implements public.sign_in_state.';
grant execute on function private.sign_in_state() to authenticated;

create function public.sign_in_state()
returns text
language sql
stable
set search_path = ''
as $$
  select private.sign_in_state()
$$;
comment on function public.sign_in_state() is
'Why the caller reads nothing: suspended (or deleted), ended (the session), second_factor (is missing); else active.';
grant execute on function public.sign_in_state() to authenticated;
