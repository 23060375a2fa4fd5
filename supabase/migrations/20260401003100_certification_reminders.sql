-- Reminders of certifications that expire (§10.1 to §10.6): which are due, each given once, put off for a week.

create table private.certification_reminders (
  certification_id uuid not null references public.certifications (id) on delete cascade,
  expires_on date not null,
  days_before smallint not null,
  given_at timestamptz,
  constraint certification_reminders_pkey primary key (certification_id, expires_on, days_before),
  constraint certification_reminders_days_are_known check (days_before in (90, 30, 7, -1))
);
comment on table private.certification_reminders is
'The reminders that are done with, given or skipped; the key keeps each from being given twice (§10.2).';
comment on column private.certification_reminders.expires_on is
'The date that it was counted to: with another one the count starts again (§10.3).';
comment on column private.certification_reminders.given_at is
'Null: skipped, for a newer one, because the member has them switched off, or due before the date was entered.';

create table private.certification_snoozes (
  certification_id uuid primary key references public.certifications (id) on delete cascade,
  remind_on date not null
);
comment on table private.certification_snoozes is
'"Remind me in a week" (§10.6): the day of one more reminder, which deletes the row.';

create table private.used_reminder_links (
  certification_id uuid not null references public.certifications (id) on delete cascade,
  mailed_on date not null,
  constraint used_reminder_links_pkey primary key (certification_id, mailed_on)
);
comment on table private.used_reminder_links is
'The mails whose "Remind me in a week" was followed: each does it once.';

alter table private.certification_reminders enable row level security;
alter table private.certification_snoozes enable row level security;
alter table private.used_reminder_links enable row level security;

create policy "No client accesses reminders" on private.certification_reminders
for all to public using (false);

create policy "No client accesses snoozes" on private.certification_snoozes
for all to public using (false);

create policy "No client accesses used links" on private.used_reminder_links
for all to public using (false);

create function private.time_zone_of(member public.profiles)
returns text
language sql
immutable
set search_path = ''
as $$
  -- Departments have no country of their own: all count as American ones.
  select coalesce(member.time_zone, 'America/New_York')
$$;
comment on function private.time_zone_of(public.profiles) is
'Where this member''s days begin: the profile''s time zone, else that of the departments'' country.';

create function private.is_active_member(member_id uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select from auth.users as u
    where u.id = member_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
  )
$$;
comment on function private.is_active_member(uuid) is 'Does this account exist, and is it not suspended?';

create function private.is_renewed(certification public.certifications)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select from public.certifications as c
    where c.user_id = certification.user_id
      and c.id <> certification.id
      and lower(btrim(c.name)) = lower(btrim(certification.name))
      and (c.expires_on is null or c.expires_on > certification.expires_on)
  )
$$;
comment on function private.is_renewed(public.certifications) is
'Has the member entered another certification of the same name that expires later, or never?';

create function private.expiry_in_words(days_left integer)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when days_left > 1 then format('expires in %s days', days_left)
    when days_left = 1 then 'expires tomorrow'
    when days_left = 0 then 'expires today'
    when days_left = -1 then 'expired yesterday'
    else format('expired %s days ago', -days_left)
  end
$$;
comment on function private.expiry_in_words(integer) is 'What follows a certification''s name: "expires in 30 days".';

create function private.restart_certification_reminders()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from private.certification_snoozes as s where s.certification_id = new.id;
  -- What was due before the member entered the date is no news to them.
  insert into private.certification_reminders (certification_id, expires_on, days_before)
  select new.id, new.expires_on, days.before
  from public.profiles as p
  cross join (values (90), (30), (7), (-1)) as days (before)
  where p.id = new.user_id
    and new.expires_on - days.before < (now() at time zone private.time_zone_of(p))::date
  on conflict do nothing;
  return null;
end
$$;
comment on function private.restart_certification_reminders() is
'Starts the count to a new expiry date (§10.3): ends a snooze, and skips the reminders that would be in the past.';

create trigger start_reminders
after insert on public.certifications
for each row when (new.expires_on is not null)
execute function private.restart_certification_reminders();

create trigger restart_reminders
after update of expires_on on public.certifications
for each row when (old.expires_on is distinct from new.expires_on)
execute function private.restart_certification_reminders();

create function private.give_certification_reminders(as_of timestamptz default now())
returns integer
language plpgsql
set search_path = ''
as $$
declare
  morning constant time := '07:00';
  given integer;
begin
  -- One worker at a time; the key of certification_reminders holds without it, too.
  perform pg_advisory_xact_lock(hashtextextended('private.give_certification_reminders', 0));
  with candidates as (
    select c.id from public.certifications as c
    where c.expires_on between (as_of at time zone 'utc')::date - 31 and (as_of at time zone 'utc')::date + 91
    union
    select s.certification_id from private.certification_snoozes as s
  ),
  waiting as materialized (
    select
      c.id, c.user_id, c.name, c.issuer, c.issued_on, c.expires_on, p.notification_settings as settings, clock.local::date as today,
      c.expires_on - clock.local::date as days_left
    from candidates
    inner join public.certifications as c on candidates.id = c.id
    inner join public.profiles as p on c.user_id = p.id
    cross join lateral (select as_of at time zone private.time_zone_of(p) as local) as clock
    where clock.local::time >= morning and private.is_active_member(p.id) and not private.is_renewed(c)
  ),
  due as (
    select w.*, days.before, days.before = min(days.before) over (partition by w.id) as is_newest
    from waiting as w
    inner join (values (90), (30), (7), (-1)) as days (before) on w.days_left <= days.before
    where w.days_left >= -30
  ),
  done as (
    insert into private.certification_reminders (certification_id, expires_on, days_before, given_at)
    select
      d.id, d.expires_on, d.before,
      case when d.is_newest and private.is_switched_on(d.settings, 'certifications') then as_of end
    from due as d
    on conflict do nothing
    returning certification_id, given_at
  ),
  snoozed as (
    delete from private.certification_snoozes as s
    using waiting as w
    where s.certification_id = w.id and s.remind_on <= w.today
    returning s.certification_id
  ),
  told as (
    select w.*, w.name || ' ' || private.expiry_in_words(w.days_left) as title
    from waiting as w
    where private.is_switched_on(w.settings, 'certifications')
      and w.id in (
        select d.certification_id from done as d where d.given_at is not null
        union
        select s.certification_id from snoozed as s
      )
  ),
  notified as (
    insert into public.notifications (user_id, actor_id, type, title, content, reference_id, metadata, created_at)
    select
      t.user_id, null, 'certification', t.title,
      format(
        '%s until %s. Once it is renewed, enter the new date.',
        case when t.days_left < 0 then 'It was valid' else 'Valid' end, to_char(t.expires_on, 'FMMonth FMDD, YYYY')
      ),
      t.id, jsonb_build_object('url', '/profile?certification=' || t.id, 'certification_id', t.id), as_of
    from told as t
    where private.shows_in_app(t.settings, 'certifications')
  ),
  mailed as (
    insert into functions.mail_requests (kind, recipient_id, facts)
    select
      'certification', t.user_id,
      jsonb_build_object(
        'certification_id', t.id, 'title', t.title, 'issuer', t.issuer, 'issued_on', t.issued_on,
        'expires_on', t.expires_on, 'mailed_on', t.today
      )
    from told as t
    where private.wants_mail(t.settings, 'certifications')
  )
  select count(*) into given from told;
  return given;
end
$$;
comment on function private.give_certification_reminders(timestamptz) is
'Gives what is due at that time and returns how many: from 7 a.m. of the member''s day, 90, 30 and 7 days before the
expiry and the day after. Of several that are due the newest is given and the others are skipped; 30 days after the
expiry none is.';

create function private.remind_in_a_week(certification public.certifications)
returns date
language sql
set search_path = ''
as $$
  insert into private.certification_snoozes as s (certification_id, remind_on)
  select certification.id, (now() at time zone private.time_zone_of(p))::date + 7
  from public.profiles as p
  where p.id = certification.user_id and certification.expires_on is not null
  on conflict (certification_id) do update set remind_on = excluded.remind_on
  returning s.remind_on
$$;
comment on function private.remind_in_a_week(public.certifications) is
'Puts a reminder of this certification a week from today, and returns the day; null when it never expires.';

create function private.follow_reminder_link(certification_id uuid, expires_on date, mailed_on date)
returns date
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
declare
  certification public.certifications;
begin
  select c.* into certification
  from public.certifications as c
  where c.id = follow_reminder_link.certification_id
    and c.expires_on = follow_reminder_link.expires_on
    and follow_reminder_link.mailed_on > current_date - 31
    and private.is_active_member(c.user_id);
  if certification.id is null then
    return null;
  end if;
  insert into private.used_reminder_links values (certification.id, follow_reminder_link.mailed_on)
  on conflict do nothing;
  if found then
    return private.remind_in_a_week(certification);
  end if;
  -- A second press is answered like the first one, and changes nothing.
  return (select s.remind_on from private.certification_snoozes as s where s.certification_id = certification.id);
end
$$;
comment on function private.follow_reminder_link(uuid, date, date) is
'"Remind me in a week" by the signed link of a mail (§10.6), which names the certification, the expiry that it was
counted to and its day: once, for a month. Returns the day of the reminder; null when the link is not good anymore.';

create function private.remind_me_in_a_week(certification_id uuid)
returns date
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  next_day date;
begin
  if not private.caller_is_active() then
    raise exception 'Only members can do this' using errcode = 'PT401';
  end if;
  select private.remind_in_a_week(c) into next_day
  from public.certifications as c
  where c.id = remind_me_in_a_week.certification_id and c.user_id = (select auth.uid());
  if next_day is null then
    raise exception 'You have no such certification with an expiration date' using errcode = 'PT404';
  end if;
  return next_day;
end
$$;
comment on function private.remind_me_in_a_week(uuid) is 'Implements public.remind_me_in_a_week.';
grant execute on function private.remind_me_in_a_week(uuid) to authenticated;

create function public.remind_me_in_a_week(certification_id uuid)
returns date
language sql
set search_path = ''
as $$
  select private.remind_me_in_a_week(certification_id)
$$;
comment on function public.remind_me_in_a_week(uuid) is
'One more reminder of the caller''s certification (§10.6); returns its day, a week from today.';
grant execute on function public.remind_me_in_a_week(uuid) to authenticated;
