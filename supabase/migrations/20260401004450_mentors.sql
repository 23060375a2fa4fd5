-- "I mentor" (§16.2): on which topics, and how many members. Before the directory, which lists them by topic; who
-- mentors whom is in the file of mentorings.

create function private.are_topics(topics text[])
returns boolean
language sql
immutable
set search_path = ''
as $$
  select array_ndims(topics) = 1 and cardinality(topics) <= 10 and not exists (
    select from unnest(topics) as t (topic)
    where t.topic is null or t.topic !~ '\S' or t.topic ~ '[\n\r]' or char_length(t.topic) > 50
  )
$$;
comment on function private.are_topics(text[]) is 'One to ten labels in one line, of at most 50 characters.';
grant execute on function private.are_topics(text[]) to authenticated, service_role;

create table public.mentors (
  user_id uuid primary key default auth.uid() references public.profiles (id) on delete cascade,
  topics text[] not null,
  capacity integer not null,
  note text not null default '',
  is_open boolean not null default true,
  changed_at timestamptz not null default now(),
  constraint mentors_topics_are_labels check (private.are_topics(topics) is true),
  constraint mentors_capacity_is_possible check (capacity between 1 and 20),
  constraint mentors_note_is_a_line check (char_length(note) <= 280 and note !~ '[\n\r]')
);
comment on table public.mentors is 'A member mentors others: topics, and how many at a time.';
comment on column public.mentors.note is 'What the mentor says to those who ask.';
comment on column public.mentors.is_open is 'Others see it and may ask. What was accepted before goes on without.';
comment on column public.mentors.changed_at is
'When a mentoring was accepted or ended: who looks at the mentor asks again whether there is room.';

alter table public.mentors enable row level security;
grant select on public.mentors to authenticated;
grant insert (user_id, topics, capacity, note, is_open), update (topics, capacity, note, is_open)
on public.mentors to authenticated;
grant all on public.mentors to service_role;

create policy "Members see who mentors as far as the profile is shown" on public.mentors
for select to authenticated
using (
  user_id = (select auth.uid()) or (is_open and exists (select from public.profiles as p where p.id = user_id))
);

create policy "Members say that they mentor" on public.mentors
for insert to authenticated
with check (user_id = (select auth.uid()));

create policy "Members change whether and on what they mentor" on public.mentors
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Suspended members cannot access mentors" on public.mentors
as restrictive for all to authenticated using ((select private.caller_is_active()));

alter publication supabase_realtime add table public.mentors;
