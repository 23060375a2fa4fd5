-- New members are limited for seven days (§13.5), and read one line of guidance before their first post (§13.6).

create table private.newcomer_limits (
  act text primary key,
  per_hour integer not null,
  said text not null,
  constraint newcomer_limits_allow_some check (per_hour > 0)
);
comment on table private.newcomer_limits is 'How much a member of less than seven days may do in an hour.';
comment on column private.newcomer_limits.act is 'The table that is written to.';

alter table private.newcomer_limits enable row level security;

create policy "No client accesses the limits of newcomers" on private.newcomer_limits
for all to public using (false);

insert into private.newcomer_limits (act, per_hour, said)
values
('posts', 5, 'posts'), ('comments', 30, 'comments'), ('connections', 15, 'connection requests'),
('messages', 40, 'messages'), ('trainings', 3, 'trainings');

-- Counted apart from the rows: what was deleted counts, too.
create table private.newcomer_acts (
  member_id uuid not null references public.profiles (id) on delete cascade,
  act text not null,
  done_at timestamptz not null default now()
);
comment on table private.newcomer_acts is 'What new members did in the last hour.';

create index newcomer_acts_member_id_idx on private.newcomer_acts (member_id, act, done_at);

alter table private.newcomer_acts enable row level security;

create policy "No client accesses what newcomers did" on private.newcomer_acts
for all to public using (false);

create function private.limit_newcomers()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  member constant uuid := (select auth.uid());
  joined constant timestamptz := (select u.created_at from auth.users as u where u.id = member);
  ends constant timestamptz := joined + interval '7 days';
  allowed private.newcomer_limits;
  oldest timestamptz;
  done integer;
begin
  if ends <= now() then
    return new;
  end if;
  select l.* into allowed from private.newcomer_limits as l where l.act = tg_table_name;
  -- Serializes concurrent writes of one member, so that the count holds.
  perform pg_advisory_xact_lock(hashtextextended('newcomer ' || member, 0));
  delete from private.newcomer_acts as a where a.member_id = member and a.done_at <= now() - interval '1 hour';
  select count(*), min(a.done_at) into done, oldest
  from private.newcomer_acts as a where a.member_id = member and a.act = tg_table_name;
  if done >= allowed.per_hour then
    raise exception
      'New members are limited to % % an hour. Try again in % min. The limit ends on %.',
      allowed.per_hour, allowed.said, ceil(extract(epoch from oldest + interval '1 hour' - now()) / 60),
      to_char(ends at time zone 'utc', 'FMMonth FMDD, HH24:MI "UTC"')
      using errcode = 'PT429';
  end if;
  insert into private.newcomer_acts (member_id, act) values (member, tg_table_name);
  return new;
end
$$;
comment on function private.limit_newcomers() is
'Members of less than seven days write as much in an hour as private.newcomer_limits allows.';

-- After the policies, so that what they refuse does not count.
create trigger limit_newcomers
after insert on public.posts
for each row when (current_user = 'authenticated')
execute function private.limit_newcomers();

create trigger limit_newcomers
after insert on public.comments
for each row when (current_user = 'authenticated')
execute function private.limit_newcomers();

create trigger limit_newcomers
after insert on public.connections
for each row when (current_user = 'authenticated')
execute function private.limit_newcomers();

create trigger limit_newcomers
after insert on public.messages
for each row when (current_user = 'authenticated')
execute function private.limit_newcomers();

create trigger limit_newcomers
after insert on public.trainings
for each row when (current_user = 'authenticated')
execute function private.limit_newcomers();

alter table public.profiles add column guidance_seen_at timestamptz;
comment on column public.profiles.guidance_seen_at is
'When the member read the line of guidance that precedes a first post (§13.6). Set by see_guidance.';

create function private.see_guidance()
returns void
language sql
security definer
set search_path = ''
as $$
  update public.profiles as p set guidance_seen_at = now()
  where p.id = (select auth.uid()) and p.guidance_seen_at is null
$$;
comment on function private.see_guidance() is 'Implements public.see_guidance.';
grant execute on function private.see_guidance() to authenticated;

create function public.see_guidance()
returns void
language sql
set search_path = ''
as $$
  select private.see_guidance() where (select private.caller_is_active())
$$;
comment on function public.see_guidance() is 'Notes that the caller has read the guidance before a first post.';
grant execute on function public.see_guidance() to authenticated;
