-- Trainings (§12): announced by members, with seats, a waiting list, and calendars that programs can follow.

create table public.trainings (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  title text not null,
  description text,
  kind text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  time_zone text not null,
  is_online boolean not null default false,
  state text references private.states (code),
  place text,
  link text,
  seats integer,
  is_canceled boolean not null default false,
  answered_at timestamptz,
  revision integer not null default 0,
  moved_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint trainings_title_has_a_length check (char_length(title) between 1 and 160),
  constraint trainings_description_is_short check (char_length(description) <= 4000),
  constraint trainings_kind_is_known check (kind in ('class', 'drill', 'exam', 'conference', 'other')),
  constraint trainings_end_after_they_start check (ends_at > starts_at and ends_at <= starts_at + interval '31 days'),
  constraint trainings_time_zone_is_known check (char_length(time_zone) <= 64 and private.is_time_zone(time_zone)),
  constraint trainings_place_has_a_length check (char_length(place) between 1 and 200),
  constraint trainings_are_somewhere check (is_online = (state is null) and is_online = (place is null)),
  constraint trainings_link_is_a_web_address check (char_length(link) <= 2048 and link ~ '^https?://\S+$'),
  constraint trainings_seats_are_a_number check (seats between 1 and 10000)
);
comment on table public.trainings is 'A training that user_id, its organizer, announces to all members.';
comment on column public.trainings.time_zone is 'Of the place: the times are shown in it, and calendars get it.';
comment on column public.trainings.state is 'A postal code such as OH. Null online.';
comment on column public.trainings.seats is 'Null: as many as like. Fewer than go: nobody loses a seat.';
comment on column public.trainings.answered_at is
'When the counts changed last, so that Realtime tells of it: they are computed for each member.';
comment on column public.trainings.revision is 'How often time, place or cancellation changed: SEQUENCE of RFC 5545.';
comment on column public.trainings.moved_at is 'When time or place changed last. Null: never.';

create table private.training_counts (
  training_id uuid primary key references public.trainings (id) on delete cascade,
  going integer not null,
  waiting integer not null,
  interested integer not null
);
comment on table private.training_counts is
'How many go (without who waits), wait and are interested, of everybody; kept by seat_training. No row: no answers.';

alter table private.training_counts enable row level security;

create policy "No client accesses counts of trainings" on private.training_counts
for all to public using (false);

create index trainings_starts_at_idx on public.trainings (starts_at, id);
create index trainings_state_idx on public.trainings (state, starts_at);
create index trainings_user_id_idx on public.trainings (user_id, starts_at);

create table public.training_attendances (
  training_id uuid not null references public.trainings (id) on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  answer text not null,
  is_waiting boolean not null default false,
  answered_at timestamptz not null default now(),
  reminded_at timestamptz,
  primary key (training_id, user_id),
  constraint training_attendances_answer_is_known check (answer in ('going', 'interested')),
  constraint training_attendances_only_who_goes_waits check (answer = 'going' or not is_waiting)
);
comment on table public.training_attendances is 'What a member answered to a training.';
comment on column public.training_attendances.is_waiting is
'On the waiting list, in the order of answered_at, because the seats were taken.';
comment on column public.training_attendances.reminded_at is 'When the reminder of the day before was given.';

create index training_attendances_user_id_idx on public.training_attendances (user_id);
create index training_attendances_waiting_idx on public.training_attendances (training_id, answered_at)
where is_waiting;

-- Telling members --------------------------------------------------------------------------------------------------

create function private.time_zone_words(zone text)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when zone in ('America/New_York', 'America/Detroit', 'America/Indiana/Indianapolis') then 'Eastern Time'
    when zone = 'America/Chicago' then 'Central Time'
    when zone in ('America/Denver', 'America/Boise') then 'Mountain Time'
    when zone = 'America/Los_Angeles' then 'Pacific Time'
    when zone = 'America/Anchorage' then 'Alaska Time'
    when zone = 'Pacific/Honolulu' then 'Hawaii Time'
    when zone like '%/%' then replace(split_part(zone, '/', -1), '_', ' ') || ' time'
    else zone
  end
$$;
comment on function private.time_zone_words(text) is 'A time zone as a mail names it: "Eastern Time", "Phoenix time".';

create function private.training_time(training public.trainings)
returns text
language sql
stable
set search_path = ''
as $$
  select to_char(local.starts, 'FMDay, FMMonth FMDD, YYYY, FMHH12:MI AM') || ', '
    || private.time_zone_words(training.time_zone)
  from (select training.starts_at at time zone training.time_zone as starts) as local
$$;
comment on function private.training_time(public.trainings) is
'"Saturday, June 6, 2026, 9:00 AM, Eastern Time": in the time zone of the place, which it names.';

create function private.training_place(training public.trainings)
returns text
language sql
immutable
set search_path = ''
as $$
  select case when training.is_online then 'Online' else training.place || ', ' || training.state end
$$;
comment on function private.training_place(public.trainings) is 'Where it is, in a line.';

create function private.tell_of_training(training public.trainings, members uuid[], title text)
returns void
language sql
security definer
set search_path = ''
as $$
  with told as (
    select p.id, p.notification_settings as settings
    from public.profiles as p
    where p.id = any(members) and private.is_active_member(p.id)
      and private.is_switched_on(p.notification_settings, 'trainings')
  ),
  notified as (
    insert into public.notifications (user_id, actor_id, type, title, content, reference_id, metadata)
    select
      t.id, null, 'training', left(tell_of_training.title, 200),
      private.training_time(training) || ' · ' || private.training_place(training),
      training.id, jsonb_build_object('url', '/trainings/' || training.id, 'training_id', training.id)
    from told as t
    where private.shows_in_app(t.settings, 'trainings')
  )
  insert into functions.mail_requests (kind, recipient_id, facts)
  select
    'training', t.id,
    jsonb_build_object(
      'training_id', training.id, 'title', tell_of_training.title, 'when', private.training_time(training),
      'where', private.training_place(training)
    )
  from told as t
  where private.wants_mail(t.settings, 'trainings')
$$;
comment on function private.tell_of_training(public.trainings, uuid[], text) is
'Notifies these members, and mails those who want it: title, time and place.';

-- Seats ------------------------------------------------------------------------------------------------------------

create function private.seat_training(wanted uuid, answering uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  training public.trainings;
  moved uuid[];
begin
  -- The row is the lock of its list: answers to one training are seated one after the other.
  select t.* into training from public.trainings as t where t.id = wanted for update;
  if not found then
    return;
  end if;
  if training.ends_at > now() and not training.is_canceled then
    with next_in_line as (
      select a.user_id
      from public.training_attendances as a
      where a.training_id = wanted and a.is_waiting
      order by a.answered_at, a.user_id
      limit case
        when training.seats is not null then greatest(
          training.seats - (
            select count(*) from public.training_attendances as a
            where a.training_id = wanted and a.answer = 'going' and not a.is_waiting
          ), 0
        )
      end
    ),
    seated as (
      update public.training_attendances as a
      set is_waiting = false
      from next_in_line
      where a.training_id = wanted and a.user_id = next_in_line.user_id
      returning a.user_id
    )
    select array_agg(s.user_id) into moved from seated as s where s.user_id is distinct from answering;
  end if;
  insert into private.training_counts as c (training_id, going, waiting, interested)
  select
    wanted,
    count(*) filter (where a.answer = 'going' and not a.is_waiting),
    count(*) filter (where a.is_waiting),
    count(*) filter (where a.answer = 'interested')
  from public.training_attendances as a
  where a.training_id = wanted
  on conflict (training_id) do update
  set going = excluded.going, waiting = excluded.waiting, interested = excluded.interested
  where (c.going, c.waiting, c.interested) is distinct from (excluded.going, excluded.waiting, excluded.interested);
  if found then
    update public.trainings as t set answered_at = clock_timestamp() where t.id = wanted;
  end if;
  if moved is not null then
    perform private.tell_of_training(training, moved, 'You have a seat: ' || training.title);
  end if;
end
$$;
comment on function private.seat_training(uuid, uuid) is
'Gives free seats to who waits, the first first, tells them, except who answers just now, and counts.';

create function private.take_answer()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  training public.trainings;
begin
  if tg_op = 'UPDATE' and new.answer = old.answer then
    return new;
  end if;
  select t.* into training from public.trainings as t where t.id = new.training_id for update;
  if training.is_canceled then
    raise exception 'This training is canceled' using errcode = 'PT409';
  end if;
  if training.ends_at <= now() then
    raise exception 'This training is over' using errcode = 'PT409';
  end if;
  -- Everybody who goes waits first; seat_training gives the seats. The clock, because the lock may have taken a while.
  new.is_waiting := new.answer = 'going';
  new.answered_at := clock_timestamp();
  new.reminded_at := null;
  return new;
end
$$;
comment on function private.take_answer() is 'Puts who goes at the end of the list, unless the training is over.';

create trigger take_answer
before insert or update of answer on public.training_attendances
for each row execute function private.take_answer();

create function private.seat_after_answer()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    perform private.seat_training(old.training_id, null);
  else
    perform private.seat_training(new.training_id, new.user_id);
  end if;
  return null;
end
$$;
comment on function private.seat_after_answer() is 'Seats who waits after an answer came, changed or went.';

create trigger seat_after_answer
after insert or delete or update of answer on public.training_attendances
for each row execute function private.seat_after_answer();

create function private.waiting_position(wanted uuid)
returns integer
language sql
stable
security definer
set search_path = ''
as $$
  select count(*)::integer
  from public.training_attendances as own
  inner join public.training_attendances as a
    on a.training_id = own.training_id and a.is_waiting
      and (a.answered_at, a.user_id) <= (own.answered_at, own.user_id)
  where own.training_id = wanted and own.user_id = (select auth.uid()) and own.is_waiting
  having count(*) > 0
$$;
comment on function private.waiting_position(uuid) is 'Implements public.waiting_position.';
grant execute on function private.waiting_position(uuid) to authenticated;

create function public.waiting_position(training_id uuid)
returns integer
language sql
stable
set search_path = ''
as $$
  select private.waiting_position(training_id) where (select private.caller_is_active())
$$;
comment on function public.waiting_position(uuid) is
'The caller''s place on the waiting list of a training, from 1; null for who does not wait.';
grant execute on function public.waiting_position(uuid) to authenticated;

-- Changes of the organizer -----------------------------------------------------------------------------------------

create function private.limit_trainings()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  most constant integer := 50;
begin
  perform pg_advisory_xact_lock(hashtextextended('trainings of ' || new.user_id, 0));
  if new.ends_at <= now() then
    raise exception 'A training has to start in the future' using errcode = 'PT409';
  end if;
  if (
    select count(*) from public.trainings as t where t.user_id = new.user_id and t.ends_at > now() and not t.is_canceled
  ) >= most then
    raise exception 'You can have at most % upcoming trainings', most using errcode = 'PT429';
  end if;
  return new;
end
$$;
comment on function private.limit_trainings() is 'A member announces at most 50 coming trainings, none in the past.';

create trigger limit_trainings
before insert on public.trainings
for each row when (current_user = 'authenticated')
execute function private.limit_trainings();

create function private.moves_training(before public.trainings, later public.trainings)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select (before.starts_at, before.ends_at, before.time_zone, before.is_online, before.state, before.place)
    is distinct from (later.starts_at, later.ends_at, later.time_zone, later.is_online, later.state, later.place)
$$;
comment on function private.moves_training(public.trainings, public.trainings) is 'Is time or place another one?';

create function private.change_training()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  most_moves constant integer := 20;
begin
  if old.ends_at <= now() then
    raise exception 'This training is over' using errcode = 'PT409';
  end if;
  if old.is_canceled then
    raise exception 'This training is canceled' using errcode = 'PT409';
  end if;
  new.updated_at := now();
  if private.moves_training(old, new) then
    -- Each change is told to everybody who answered, by e-mail too.
    if old.revision >= most_moves then
      raise exception 'The time and place can be changed at most % times', most_moves using errcode = 'PT429';
    end if;
    new.moved_at := now();
    new.revision := old.revision + 1;
  elsif new.is_canceled then
    new.revision := old.revision + 1;
  end if;
  return new;
end
$$;
comment on function private.change_training() is
'What is over or canceled stays as it is; other changes of time, place and cancellation are counted.';

create trigger change_training
before update of
title, description, kind, starts_at, ends_at, time_zone, is_online, state, place, link, seats, is_canceled
on public.trainings
for each row execute function private.change_training();

create function private.tell_of_change()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  has_other_time constant boolean :=
    (old.starts_at, old.ends_at, old.time_zone) is distinct from (new.starts_at, new.ends_at, new.time_zone);
  has_other_place constant boolean :=
    (old.is_online, old.state, old.place) is distinct from (new.is_online, new.state, new.place);
  what text;
begin
  what := case
    when new.is_canceled and not old.is_canceled then 'Canceled: '
    when has_other_time and has_other_place then 'New time and place: '
    when has_other_time then 'New time: '
    when has_other_place then 'New place: '
  end;
  if what is not null then
    perform private.tell_of_training(
      new,
      array(select a.user_id from public.training_attendances as a where a.training_id = new.id),
      what || new.title
    );
  end if;
  if new.starts_at <> old.starts_at then
    update public.training_attendances as a set reminded_at = null where a.training_id = new.id;
  end if;
  if new.seats is distinct from old.seats then
    perform private.seat_training(new.id, null);
  end if;
  return null;
end
$$;
comment on function private.tell_of_change() is
'Tells everybody who answered of another time or place, or that it is canceled (§12.4), and gives new seats.';

create trigger tell_of_change
after update of starts_at, ends_at, time_zone, is_online, state, place, seats, is_canceled on public.trainings
for each row execute function private.tell_of_change();

create function private.tell_of_deletion()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if old.ends_at > now() and not old.is_canceled then
    perform private.tell_of_training(
      old,
      array(select a.user_id from public.training_attendances as a where a.training_id = old.id),
      'Canceled: ' || old.title
    );
  end if;
  return old;
end
$$;
comment on function private.tell_of_deletion() is
'Tells everybody who answered when a coming training goes with its organizer''s account, or an admin deletes it.';

create trigger tell_of_deletion
before delete on public.trainings
for each row execute function private.tell_of_deletion();

create function private.end_attendance_at_block()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.training_attendances as a
  using public.trainings as t
  where a.training_id = t.id and t.ends_at > now()
    and (
      (t.user_id = new.blocker_id and a.user_id = new.blocked_id)
      or (t.user_id = new.blocked_id and a.user_id = new.blocker_id)
    );
  return null;
end
$$;
comment on function private.end_attendance_at_block() is
'A block frees the seat of the one at coming trainings of the other.';

create trigger end_attendance
after insert on public.blocks
for each row execute function private.end_attendance_at_block();

-- Reminders --------------------------------------------------------------------------------------------------------

create function private.give_training_reminders(as_of timestamptz default now())
returns integer
language plpgsql
set search_path = ''
as $$
declare
  training public.trainings;
  members uuid[];
  given integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('private.give_training_reminders', 0));
  for training in
    select t.* from public.trainings as t
    where t.starts_at > as_of and t.starts_at <= as_of + interval '1 day' and not t.is_canceled
    order by t.starts_at, t.id
  loop
    with reminded as (
      update public.training_attendances as a
      set reminded_at = as_of
      where a.training_id = training.id and a.answer = 'going' and not a.is_waiting and a.reminded_at is null
        -- Who has just answered knows.
        and a.answered_at < training.starts_at - interval '1 day'
      returning a.user_id
    )
    select array_agg(r.user_id) into members from reminded as r;
    if members is not null then
      perform private.tell_of_training(training, members, 'Coming up: ' || training.title);
      given := given + cardinality(members);
    end if;
  end loop;
  return given;
end
$$;
comment on function private.give_training_reminders(timestamptz) is
'Reminds who goes, once, from a day before the start (§12.4), and returns how many.';

-- Rights -----------------------------------------------------------------------------------------------------------

create function private.training_count(training uuid, which text)
returns integer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  counts constant private.training_counts
  := (select c from private.training_counts as c where c.training_id = training);
  counted constant integer
  := case which when 'going' then counts.going when 'waiting' then counts.waiting else counts.interested end;
  hidden uuid[];
begin
  if coalesce(counted, 0) = 0 then
    return 0;
  end if;
  hidden := private.blocked_with_caller();
  if hidden = '{}' then
    return counted;
  end if;
  return counted - (
    select count(*) from public.training_attendances as a
    where a.training_id = training and a.user_id = any(hidden)
      and case when a.is_waiting then 'waiting' else a.answer end = which
  );
end
$$;
comment on function private.training_count(uuid, text) is
'How many go, are waiting or interested, as the caller may know: without those with whom the caller is blocked.';
grant execute on function private.training_count(uuid, text) to authenticated, service_role;

create function private.is_full(training uuid, seats integer)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select from private.training_counts as c where c.training_id = training and (c.going >= seats or c.waiting > 0)
  )
$$;
comment on function private.is_full(uuid, integer) is 'Implements public.is_full.';
grant execute on function private.is_full(uuid, integer) to authenticated, service_role;

create function private.is_answered(training uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (select from public.training_attendances as a where a.training_id = training)
$$;
comment on function private.is_answered(uuid) is 'Has anybody answered this training? For the policy of its deletion.';
grant execute on function private.is_answered(uuid) to authenticated, service_role;

create function public.going_count(public.trainings)
returns integer
language plpgsql
stable
set search_path = ''
as $$
begin
  return private.training_count($1.id, 'going');
end
$$;
comment on function public.going_count(public.trainings) is
'A computed field: who goes, without who waits, as far as the caller may know of them.';
grant execute on function public.going_count(public.trainings) to authenticated, service_role;

create function public.waiting_count(public.trainings)
returns integer
language plpgsql
stable
set search_path = ''
as $$
begin
  return private.training_count($1.id, 'waiting');
end
$$;
comment on function public.waiting_count(public.trainings) is
'A computed field: who is on the waiting list, as far as the caller may know of them.';
grant execute on function public.waiting_count(public.trainings) to authenticated, service_role;

create function public.interested_count(public.trainings)
returns integer
language plpgsql
stable
set search_path = ''
as $$
begin
  return private.training_count($1.id, 'interested');
end
$$;
comment on function public.interested_count(public.trainings) is
'A computed field: who is interested, as far as the caller may know of them.';
grant execute on function public.interested_count(public.trainings) to authenticated, service_role;

create function public.is_full(public.trainings)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return private.is_full($1.id, $1.seats);
end
$$;
comment on function public.is_full(public.trainings) is
'A computed field: does who answers now have to wait? It is true for everybody, whoever has the seats.';
grant execute on function public.is_full(public.trainings) to authenticated, service_role;

alter table public.trainings enable row level security;
grant select, delete on public.trainings to authenticated;
grant insert (
  id, user_id, title, description, kind, starts_at, ends_at, time_zone, is_online, state, place, link, seats
) on public.trainings to authenticated;
grant update (
  title, description, kind, starts_at, ends_at, time_zone, is_online, state, place, link, seats, is_canceled
) on public.trainings to authenticated;
grant all on public.trainings to service_role;

create policy "Members see trainings, but of blocked members" on public.trainings
for select to authenticated
using ((user_id = any((select private.blocked_with_caller())::uuid[])) is not true);

create policy "Members announce trainings in their own name" on public.trainings
for insert to authenticated
with check (user_id = (select auth.uid()));

create policy "Organizers change their trainings" on public.trainings
for update to authenticated
using (user_id = (select auth.uid()));

-- With answers it is canceled instead, so that nobody comes in vain.
create policy "Organizers delete trainings that nobody answered, admins any" on public.trainings
for delete to authenticated
using (
  (user_id = (select auth.uid()) and not private.is_answered(id))
  or (select private.caller_is_admin())
);

create policy "Suspended members cannot access trainings" on public.trainings
as restrictive for all to authenticated using ((select private.caller_is_active()));

alter table public.training_attendances enable row level security;
grant select (training_id, user_id, answer, is_waiting, answered_at), delete
on public.training_attendances to authenticated;
grant insert (training_id, user_id, answer) on public.training_attendances to authenticated;
grant update (answer) on public.training_attendances to authenticated;
grant all on public.training_attendances to service_role;

create policy "Members see their own answers, organizers all" on public.training_attendances
for select to authenticated
using (
  user_id = (select auth.uid())
  or exists (select from public.trainings as t where t.id = training_id and t.user_id = (select auth.uid()))
);

create policy "Members answer for themselves to trainings they see" on public.training_attendances
for insert to authenticated
with check (
  user_id = (select auth.uid())
  and exists (select from public.trainings as t where t.id = training_id and t.user_id <> (select auth.uid()))
);

create policy "Members change their own answers" on public.training_attendances
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Members take back their own answers" on public.training_attendances
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Blocked members do not see each other's answers" on public.training_attendances
as restrictive for select to authenticated
using ((user_id = any((select private.blocked_with_caller())::uuid[])) is not true);

create policy "Suspended members cannot access answers to trainings" on public.training_attendances
as restrictive for all to authenticated using ((select private.caller_is_active()));

-- Seats are live (§12.2): each answer changes a count. The answers themselves are not published: Realtime sends
-- deletions to every subscriber, who would learn who gave up a seat.
alter publication supabase_realtime add table public.trainings;

-- Calendars --------------------------------------------------------------------------------------------------------

create table public.calendar_addresses (
  user_id uuid primary key default auth.uid() references public.profiles (id) on delete cascade,
  token text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  created_at timestamptz not null default now(),
  constraint calendar_addresses_token_key unique (token)
);
comment on table public.calendar_addresses is
'The secret address of a member''s own calendar (§12.3), for programs that can''t sign in. Deleting it revokes it.';

alter table public.calendar_addresses enable row level security;
grant select, delete on public.calendar_addresses to authenticated;
grant insert (user_id) on public.calendar_addresses to authenticated;
grant all on public.calendar_addresses to service_role;

create policy "Members see the address of their own calendar" on public.calendar_addresses
for select to authenticated
using (user_id = (select auth.uid()));

create policy "Members make an address of their own calendar" on public.calendar_addresses
for insert to authenticated
with check (user_id = (select auth.uid()));

create policy "Members revoke the address of their own calendar" on public.calendar_addresses
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Suspended members cannot access addresses of calendars" on public.calendar_addresses
as restrictive for all to authenticated using ((select private.caller_is_active()));
