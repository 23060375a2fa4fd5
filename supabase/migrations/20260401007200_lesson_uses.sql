-- "I'll use this" (§16.4): members say of a lesson that they will use it. Everybody who reads it sees how many; the
-- author also sees from which kinds of departments. Who it was, only the members themselves know.

create table public.lesson_uses (
  -- A key of its own: with the two references alone, `profiles` embedded in a post would also mean who uses it.
  id uuid primary key default gen_random_uuid(),
  member_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint lesson_uses_once_key unique (member_id, post_id)
);
comment on table public.lesson_uses is
'A member will use a lesson. Only that member can read the row; the count is a computed field of the post. Not published
to Realtime, whose deletions go to every subscriber.';

create index lesson_uses_post_id_idx on public.lesson_uses (post_id);

create function private.count_lesson_use()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.post_counts as c (post_id, uses) values (new.post_id, 1)
    on conflict (post_id) do update set uses = c.uses + 1;
  else
    update private.post_counts as c set uses = c.uses - 1 where c.post_id = old.post_id;
  end if;
  return null;
end
$$;
comment on function private.count_lesson_use() is 'Counts the uses of a lesson.';

create trigger count_lesson_use
after insert or delete on public.lesson_uses
for each row execute function private.count_lesson_use();

create function private.use_count(post uuid)
returns integer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  counted constant integer := (select c.uses from private.post_counts as c where c.post_id = post);
  hidden uuid[];
begin
  if coalesce(counted, 0) = 0 then
    return 0;
  end if;
  hidden := private.blocked_with_caller();
  if hidden = '{}' then
    return counted;
  end if;
  return counted - (select count(*) from public.lesson_uses as u where u.post_id = post and u.member_id = any(hidden));
end
$$;
comment on function private.use_count(uuid) is 'Implements public.use_count.';
grant execute on function private.use_count(uuid) to authenticated, service_role;

create function public.use_count(public.posts)
returns integer
language plpgsql
stable
set search_path = ''
as $$
begin
  return private.use_count($1.id);
end
$$;
comment on function public.use_count(public.posts) is
'A computed field: how many members will use the lesson, as far as the caller may know of them.';
grant execute on function public.use_count(public.posts) to authenticated, service_role;

alter table public.lesson_uses enable row level security;
grant select, delete on public.lesson_uses to authenticated;
grant insert (member_id, post_id) on public.lesson_uses to authenticated;
grant all on public.lesson_uses to service_role;

create policy "Members see which lessons they will use" on public.lesson_uses
for select to authenticated
using (member_id = (select auth.uid()));

create policy "Members use lessons of others that they can read" on public.lesson_uses
for insert to authenticated
with check (
  member_id = (select auth.uid())
  and exists (
    select from public.posts as p
    where p.id = post_id and p.kind = 'lesson' and not p.is_blog_post and p.user_id is distinct from member_id
  )
);

create policy "Members take back that they will use a lesson" on public.lesson_uses
for delete to authenticated
using (member_id = (select auth.uid()));

create policy "Suspended members cannot access uses of lessons" on public.lesson_uses
as restrictive for all to authenticated using ((select private.caller_is_active()));

create function private.lesson_use_kinds(lesson uuid)
returns table (kind text, members bigint)
language plpgsql
stable
rows 8
security definer
set search_path = ''
as $$
declare
  -- A kind with fewer could tell the author who it was: the one Wildland member who read the post this week.
  fewest constant integer := 5;
begin
  -- Of the caller's own lessons alone; numbers of five and more say nothing about one member.
  return query
  select p.firefighter_type, count(*)
  from public.posts as l
  inner join public.lesson_uses as u on u.post_id = l.id
  inner join public.profiles as p on p.id = u.member_id
  where l.id = lesson and l.user_id = (select auth.uid()) and p.firefighter_type is not null
    and private.caller_is_active()
  group by p.firefighter_type
  having count(*) >= fewest
  order by 2 desc, 1;
end
$$;
comment on function private.lesson_use_kinds(uuid) is 'Implements public.lesson_use_kinds.';
grant execute on function private.lesson_use_kinds(uuid) to authenticated;

create function public.lesson_use_kinds(lesson uuid)
returns table (kind text, members bigint)
language sql
stable
rows 8
set search_path = ''
as $$
  select * from private.lesson_use_kinds(lesson)
$$;
comment on function public.lesson_use_kinds(uuid) is
'From which kinds of departments members will use the caller''s lesson, most first. Kinds with fewer than 5 members are
left out: they could tell who it was.';
grant execute on function public.lesson_use_kinds(uuid) to authenticated;
