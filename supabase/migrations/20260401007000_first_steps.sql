-- The five first steps of a member (§16.5). What is done is read from the rows that doing it leaves; stored is only
-- what leaves no row: that a lesson was read, that the list was put away, and that all five were done once.

create table private.first_steps (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  lesson_read_at timestamptz,
  hidden_at timestamptz,
  finished_at timestamptz
);
comment on table private.first_steps is 'What a member did of the first steps, as far as no other row says it.';
comment on column private.first_steps.hidden_at is 'When the member put the list away. Null: it is shown.';
comment on column private.first_steps.finished_at is
'When all five were first seen done: the list does not come back when one is undone later.';

alter table private.first_steps enable row level security;

create policy "No client accesses first steps" on private.first_steps
for all to public using (false);

create function private.first_steps()
returns table (
  has_photo boolean, has_rank boolean, has_certification boolean, people integer, asked integer, has_read boolean,
  is_finished boolean, is_hidden boolean
)
language plpgsql
security definer
set search_path = ''
as $$
declare
  caller constant uuid := (select auth.uid());
  people_wanted constant integer := 3;
  kept private.first_steps;
begin
  select s.* into kept from private.first_steps as s where s.user_id = caller;
  is_hidden := kept.hidden_at is not null;
  is_finished := kept.finished_at is not null;
  has_read := kept.lesson_read_at is not null;
  people := (select count(*) from private.connected_ids(caller));
  asked := (select count(*) from public.connections as c where c.user_id = caller and c.status = 'pending');
  select
    p.avatar_url is not null, coalesce(p.department, '') ~ '\S' and coalesce(p.rank, '') ~ '\S',
    -- The date of expiry, or of issue where it never expires.
    exists (
      select from public.certifications as c
      where c.user_id = caller and coalesce(c.expires_on, c.issued_on) is not null
    )
  into has_photo, has_rank, has_certification
  from public.profiles as p
  where p.id = caller;
  if not found then
    return;
  end if;
  if has_photo and has_rank and has_certification and has_read and people >= people_wanted and not is_finished then
    update private.first_steps as s set finished_at = now() where s.user_id = caller;
    is_finished := true;
  end if;
  return next;
end
$$;
comment on function private.first_steps() is 'Implements public.first_steps.';
grant execute on function private.first_steps() to authenticated;

create function public.first_steps()
returns table (
  has_photo boolean, has_rank boolean, has_certification boolean, people integer, asked integer, has_read boolean,
  is_finished boolean, is_hidden boolean
)
language sql
rows 1
set search_path = ''
as $$
  select * from private.first_steps() where (select private.caller_is_active())
$$;
comment on function public.first_steps() is
'What the caller has done of the five first steps (§16.5): photo, department and rank, a certification with its date,
three connections (and how many were asked and have not answered), a lesson read.';
grant execute on function public.first_steps() to authenticated;

create function private.keep_first_step(is_read boolean, is_hidden boolean)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into private.first_steps as s (user_id, lesson_read_at, hidden_at)
  values ((select auth.uid()), case when is_read then now() end, case when is_hidden then now() end)
  on conflict (user_id) do update
  set lesson_read_at = coalesce(s.lesson_read_at, excluded.lesson_read_at),
    hidden_at = case when is_hidden is null then s.hidden_at else excluded.hidden_at end
$$;
comment on function private.keep_first_step(boolean, boolean) is
'Keeps that the caller read a lesson, and whether the list is hidden; null: as it was.';
grant execute on function private.keep_first_step(boolean, boolean) to authenticated;

create function public.read_first_lesson(post_id uuid)
returns void
language sql
set search_path = ''
as $$
  -- As the caller: a lesson that one may read, and somebody else's.
  select private.keep_first_step(true, null)
  from public.posts as p
  where p.id = read_first_lesson.post_id and p.kind = 'lesson' and p.user_id is distinct from (select auth.uid())
$$;
comment on function public.read_first_lesson(uuid) is
'Marks the first step "a lesson read" of the caller. Nothing happens for other posts, and for the caller''s own.';
grant execute on function public.read_first_lesson(uuid) to authenticated;

create function public.hide_first_steps(hidden boolean default true)
returns void
language sql
set search_path = ''
as $$
  select private.keep_first_step(false, hidden)
  where (select private.caller_is_active()) and hidden is not null
$$;
comment on function public.hide_first_steps(boolean) is
'Puts the caller''s list of first steps away, or brings it back.';
grant execute on function public.hide_first_steps(boolean) to authenticated;
