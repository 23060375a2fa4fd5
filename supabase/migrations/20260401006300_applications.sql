-- Applications that members sign in to with their account here (§15.6). Auth keeps clients, consents and sessions; this
-- keeps whether a consent was given by somebody who had proven to be the member. Auth gives an application's session
-- level 1, and level 1 reads nothing of a member with a second factor (private.caller_is_active).

create table private.application_consents (
  user_id uuid not null references auth.users (id) on delete cascade,
  client_id uuid not null references auth.oauth_clients (id) on delete cascade,
  confirmed_at timestamptz not null default now(),
  constraint application_consents_pkey primary key (user_id, client_id)
);
create index application_consents_client_id_idx on private.application_consents (client_id);
comment on table private.application_consents is
'Consents that wait, for ten minutes, for the session that the application gets by them.';
alter table private.application_consents enable row level security;

create function private.confirm_application(authorization_id text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  -- Active is who gave the second factor that the account has. An application lets no other in.
  if me is null or not private.caller_is_active() or private.caller_is_application() then
    raise exception 'Only members can do this' using errcode = 'PT401';
  end if;
  insert into private.application_consents as c (user_id, client_id)
  select me, a.client_id from auth.oauth_authorizations as a
  where a.authorization_id = confirm_application.authorization_id
    and a.user_id = me and a.status in ('pending', 'approved') and a.expires_at > now()
  on conflict on constraint application_consents_pkey do update set confirmed_at = now();
  return found;
end
$$;
comment on function private.confirm_application(text) is 'Implements public.confirm_application.';
grant execute on function private.confirm_application(text) to authenticated;

create function public.confirm_application(authorization_id text)
returns boolean
language sql
set search_path = ''
as $$
  select private.confirm_application(authorization_id)
$$;
comment on function public.confirm_application(text) is
'The consent page says that the member who consents has given the second factor, if the account has one: without it an
application can''t read as a member who has one. False: there is no such request of the caller''s.';
grant execute on function public.confirm_application(text) to authenticated;

create function private.raise_application_session()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from private.application_consents as c
  where c.user_id = new.user_id and c.client_id = new.oauth_client_id and c.confirmed_at > now() - interval '10 minutes';
  -- Auth takes a token's level from elsewhere (mfa_amr_claims); the column also keeps a session when the member gives
  -- the second factor in a new one, which ends all sessions at level 1.
  if found then new.aal := 'aal2'; end if;
  return new;
end
$$;
comment on function private.raise_application_session() is
'Marks the session that an application gets by a confirmed consent; each consent counts once.';

create trigger raise_application_session
before insert on auth.sessions
for each row when (new.oauth_client_id is not null) execute function private.raise_application_session();
