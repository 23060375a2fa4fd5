-- Suspended means shut out now, not when the access token expires (up to an hour later): every statement of a member
-- asks whether the account may act, over REST, in procedures and when a row change is judged for realtime alike.

create function private.caller_is_active()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  -- An account that is gone is as much out as one that is suspended. Services of the stack have no account.
  -- plpgsql, because it keeps its plan: in language sql every statement would plan this anew, which costs 100 us.
  return exists (
    select from auth.users as u
    where u.id = (select auth.uid())
      and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now())
  ) or coalesce((select auth.role()) = 'service_role', false);
end
$$;
comment on function private.caller_is_active() is
'May the account that makes this request act: there is one, and it is not suspended? Asked once per statement.';
grant execute on function private.caller_is_active() to authenticated, service_role;

-- What members reach goes through one more gate. The audit log needs none: it is for admins, and who is suspended is
-- none.
create policy "Suspended members reach no profiles" on public.profiles
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no connections" on public.connections
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no messages" on public.messages
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no notifications" on public.notifications
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no posts" on public.posts
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no comments" on public.comments
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no reactions" on public.reactions
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no mentions" on public.mentions
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no certifications" on public.certifications
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no awards" on public.awards
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no career milestones" on public.career_milestones
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no projects" on public.projects
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach nothing of the waitlist" on public.waitlist
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no quiz responses" on public.quiz_responses
as restrictive for all to authenticated using ((select private.caller_is_active()));
create policy "Suspended members reach no feedback" on public.feedback
as restrictive for all to authenticated using ((select private.caller_is_active()));

-- Functions that see more than their caller ask the same.
create or replace function private.caller_is_admin()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return exists (select from private.admins as a where a.user_id = (select auth.uid()))
    and private.caller_is_active();
end
$$;

create or replace function private.is_admin_told_to_caller(uid uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  -- A member learns it of oneself; admins and the services of the stack learn it of everybody.
  select exists (select from private.admins as a where a.user_id = uid)
    and private.caller_is_active()
    and (
      uid = (select auth.uid())
      or (select auth.role()) = 'service_role'
      or exists (select from private.admins as a where a.user_id = (select auth.uid()))
    )
$$;

create or replace function public.search_profiles(term text, max_results integer default 20)
returns setof public.profiles
language sql
stable
rows 20
set search_path = ''
as $$
  select * from private.search_profiles(term, max_results) where (select private.caller_is_active())
$$;

create or replace function public.connections_of(member_id uuid, max_results integer default 100)
returns setof public.profiles
language sql
stable
rows 100
set search_path = ''
as $$
  select * from private.connections_of(member_id, max_results) where (select private.caller_is_active())
$$;

create or replace function public.connection_count(member_id uuid)
returns integer
language sql
stable
set search_path = ''
as $$
  select private.connection_count(member_id) where (select private.caller_is_active())
$$;

create or replace function public.people_you_may_know(max_results integer default 10)
returns setof public.profiles
language sql
stable
rows 10
set search_path = ''
as $$
  select * from private.people_you_may_know(max_results) where (select private.caller_is_active())
$$;

create or replace function public.reset_daily_message_limits()
returns void
language sql
set search_path = ''
as $$
  select private.reset_daily_message_limits() where (select private.caller_is_active())
$$;

create or replace function private.suspend_member(uid uuid, suspended boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.demand_manageable(uid);
  if suspended then
    -- The date that the sign-in service gives the longest ban of its own: a hundred years.
    update auth.users set banned_until = now() + interval '100 years' where id = uid;
    delete from auth.sessions where user_id = uid;
    -- Those of sessions went with them; tokens of before there were sessions did not.
    delete from auth.refresh_tokens where user_id = uid::text;
  else
    update auth.users set banned_until = null where id = uid and banned_until is not null;
  end if;
end
$$;
