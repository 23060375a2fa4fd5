-- Who mentors whom (§16.2): a connection asks, the mentor accepts up to the number that they named, and either ends
-- it. While it lasts the policy of growth plans shows the mentor the plan of the one they mentor. Nothing is rated.

create table public.mentorings (
  id uuid primary key default gen_random_uuid(),
  mentor_id uuid not null references public.profiles (id) on delete cascade,
  mentee_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  message text not null,
  state text not null default 'asked',
  asked_at timestamptz not null default now(),
  answered_at timestamptz,
  ended_at timestamptz,
  constraint mentorings_are_of_two_members check (mentor_id <> mentee_id),
  constraint mentorings_state_is_known check (state in ('asked', 'accepted', 'declined', 'ended')),
  constraint mentorings_message_has_a_length check (char_length(message) between 1 and 400 and message ~ '\S')
);
comment on table public.mentorings is
'mentee_id asks mentor_id to mentor them. Asked, then accepted or declined by the mentor, then ended by either.';
comment on column public.mentorings.message is 'What the one who asks wants help with.';
comment on column public.mentorings.ended_at is 'Also when it was withdrawn: then answered_at is null.';

create unique index mentorings_one_at_a_time_key
on public.mentorings (mentor_id, mentee_id) where state in ('asked', 'accepted');
create index mentorings_mentor_id_idx on public.mentorings (mentor_id, state);
create index mentorings_mentee_id_idx on public.mentorings (mentee_id, asked_at desc);

-- Room -------------------------------------------------------------------------------------------------------------

create function private.has_room(mentor uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select m.capacity > (
    select count(*) from public.mentorings as g where g.mentor_id = mentor and g.state = 'accepted'
  )
  from public.mentors as m
  where m.user_id = mentor
$$;
comment on function private.has_room(uuid) is 'Implements public.has_room.';
grant execute on function private.has_room(uuid) to authenticated, service_role;

create function public.has_room(public.mentors)
returns boolean
language sql
stable
set search_path = ''
as $$
  select private.has_room($1.user_id)
$$;
comment on function public.has_room(public.mentors) is
'A computed field: does the mentor have fewer members than they said? How many it is, only the mentor knows.';
grant execute on function public.has_room(public.mentors) to authenticated, service_role;

-- Asking and answering ---------------------------------------------------------------------------------------------

create function private.ask_mentor()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  daily_limit constant integer := 10;
begin
  if new.mentee_id is distinct from (select auth.uid()) then
    return new; -- the policy refuses it
  end if;
  -- Until this commits the connection cannot go: its deletion ends what it finds.
  perform from public.connections as c
  where c.status = 'accepted'
    and (
      (c.user_id = new.mentee_id and c.connected_user_id = new.mentor_id)
      or (c.user_id = new.mentor_id and c.connected_user_id = new.mentee_id)
    )
  for share;
  if not found then
    raise exception 'You can ask a connection who mentors' using errcode = 'PT403';
  end if;
  if private.has_room(new.mentor_id) is false then
    raise exception 'This mentor has no room right now' using errcode = 'PT409';
  end if;
  -- Serializes concurrent requests of one member, so that the count holds.
  perform pg_advisory_xact_lock(hashtextextended('mentors asked by ' || new.mentee_id, 0));
  if (
    select count(*) from public.mentorings as g
    where g.mentee_id = new.mentee_id and g.asked_at > now() - interval '1 day'
  ) >= daily_limit then
    raise exception 'You can ask % mentors a day', daily_limit using errcode = 'PT429';
  end if;
  if exists (
    select from public.mentorings as g
    where g.mentee_id = new.mentee_id and g.mentor_id = new.mentor_id and g.state = 'declined'
      and g.answered_at > now() - interval '30 days'
  ) then
    raise exception 'You can ask this mentor again 30 days after their answer' using errcode = 'PT429';
  end if;
  return new;
end
$$;
comment on function private.ask_mentor() is
'Who asks is a connection, asks ten times a day at most, and not for 30 days who declined.';

create trigger ask_mentor
before insert on public.mentorings
for each row when (current_user = 'authenticated')
execute function private.ask_mentor();

create function private.change_mentoring()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  actor constant uuid := (select auth.uid());
  most integer;
begin
  if old.state = 'asked' and new.state in ('accepted', 'declined') and actor = old.mentor_id then
    new.answered_at := now();
  elsif new.state = 'asked' then
    return new; -- the policy refuses it
  elsif new.state = 'ended' and (old.state = 'accepted' or (old.state = 'asked' and actor = old.mentee_id)) then
    new.ended_at := now();
  else
    raise exception 'The mentor answers, and either of the two ends it' using errcode = 'PT403';
  end if;
  if 'accepted' in (old.state, new.state) then
    -- The mentor's row is the lock of the count. Others read it again.
    update public.mentors as m set changed_at = clock_timestamp() where m.user_id = old.mentor_id
    returning m.capacity into most;
  end if;
  if new.state = 'accepted' and (
    select count(*) from public.mentorings as g where g.mentor_id = old.mentor_id and g.state = 'accepted'
  ) >= coalesce(most, 0) then
    raise exception 'You mentor as many members as you said. Mentor more, or end one first' using errcode = 'PT409';
  end if;
  return new;
end
$$;
comment on function private.change_mentoring() is
'The mentor accepts, up to the number that they named, or declines; who asked withdraws; either ends it.';

create trigger change_mentoring
before update on public.mentorings
for each row when (current_user = 'authenticated')
execute function private.change_mentoring();

-- The end ----------------------------------------------------------------------------------------------------------

create function private.end_mentorings_with_connection()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.mentorings as g set state = 'ended', ended_at = now()
  where g.state in ('asked', 'accepted')
    and (
      (g.mentor_id = old.user_id and g.mentee_id = old.connected_user_id)
      or (g.mentor_id = old.connected_user_id and g.mentee_id = old.user_id)
    );
  if found then
    update public.mentors as m set changed_at = clock_timestamp()
    where m.user_id in (old.user_id, old.connected_user_id);
  end if;
  return null;
end
$$;
comment on function private.end_mentorings_with_connection() is 'Members who are no longer connected do not mentor.';

create trigger end_mentorings
after delete on public.connections
for each row execute function private.end_mentorings_with_connection();

create function private.delete_mentorings_at_block()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.mentorings as g
  where (g.mentor_id = new.blocker_id and g.mentee_id = new.blocked_id)
    or (g.mentor_id = new.blocked_id and g.mentee_id = new.blocker_id);
  return null;
end
$$;
comment on function private.delete_mentorings_at_block() is 'A block leaves nothing of what was between the two.';

-- After begin_block, which deletes the connection: triggers run in the order of their names.
create trigger delete_mentorings
after insert on public.blocks
for each row execute function private.delete_mentorings_at_block();

-- What is told -----------------------------------------------------------------------------------------------------

create function private.tell_of_mentoring()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  actor constant uuid := (select auth.uid());
begin
  if tg_op = 'INSERT' then
    perform private.tell_of_growth(
      new.mentor_id, new.mentee_id, 'mentoring', 'asks you to be their mentor', new.message, new.id, '/plan'
    );
    return null;
  end if;
  -- The request was answered or withdrawn.
  if old.state = 'asked' then
    update public.notifications as n set seen = true
    where n.reference_id = new.id and n.user_id = new.mentor_id and not n.seen and new.state <> 'ended';
    delete from public.notifications as n
    where n.reference_id = new.id and n.user_id = new.mentor_id and new.state = 'ended';
  end if;
  -- As with requests to connect, who is declined is not told; the plan says so.
  if new.state = 'accepted' then
    perform private.tell_of_growth(
      new.mentee_id, new.mentor_id, 'mentoring', 'is your mentor now',
      coalesce((select m.note from public.mentors as m where m.user_id = new.mentor_id), ''), new.id, '/plan'
    );
  elsif old.state = 'accepted' then
    perform private.tell_of_growth(
      case actor when new.mentor_id then new.mentee_id else new.mentor_id end, actor, 'mentoring',
      'ended the mentoring', '', new.id, '/plan'
    );
  end if;
  return null;
end
$$;
comment on function private.tell_of_mentoring() is
'Tells the mentor who asks, who asked that it begins, and the other one that it ended.';

create trigger tell_of_request
after insert on public.mentorings
for each row when (new.state = 'asked')
execute function private.tell_of_mentoring();

-- Not of what ends with the connection.
create trigger tell_of_change
after update on public.mentorings
for each row when (current_user = 'authenticated')
execute function private.tell_of_mentoring();

create trigger withdraw_notifications
after delete on public.mentorings
for each row execute function private.withdraw_notifications();

-- Rights -----------------------------------------------------------------------------------------------------------

alter table public.mentorings enable row level security;
grant select on public.mentorings to authenticated;
grant insert (id, mentor_id, mentee_id, message), update (state) on public.mentorings to authenticated;
grant all on public.mentorings to service_role;

create policy "The two members see a mentoring" on public.mentorings
for select to authenticated
using ((select auth.uid()) in (mentor_id, mentee_id));

-- That they are connected is asked by the trigger, which locks the connection.
create policy "Members ask a connection who mentors" on public.mentorings
for insert to authenticated
with check (
  mentee_id = (select auth.uid())
  and exists (select from public.mentors as m where m.user_id = mentor_id and m.is_open)
);

create policy "The two members answer and end a mentoring" on public.mentorings
for update to authenticated
using ((select auth.uid()) in (mentor_id, mentee_id) and state in ('asked', 'accepted'))
with check (state <> 'asked');

create policy "Suspended members cannot access mentorings" on public.mentorings
as restrictive for all to authenticated using ((select private.caller_is_active()));

alter publication supabase_realtime add table public.mentorings;

create function private.mentees_of_caller()
returns uuid[]
language sql
stable
security definer
set search_path = ''
as $$
  select array(
    select g.mentee_id from public.mentorings as g
    where g.mentor_id = (select auth.uid()) and g.state = 'accepted'
  )
$$;
comment on function private.mentees_of_caller() is
'The members whom the caller mentors now. Policies evaluate it once per statement.';
grant execute on function private.mentees_of_caller() to authenticated, service_role;
