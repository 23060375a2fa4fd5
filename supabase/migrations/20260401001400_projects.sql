-- Projects that members show on their profiles (§1.1).

create table public.projects (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  title text not null,
  description text,
  link text,
  featured_image text,
  started_on date,
  ended_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint projects_title_has_a_length check (char_length(title) between 1 and 160),
  constraint projects_description_is_short check (char_length(description) <= 2000),
  constraint projects_link_is_a_web_address check (char_length(link) <= 2048 and link ~ '^https?://'),
  constraint projects_featured_image_is_a_picture check (
    (char_length(featured_image) <= 2048 and featured_image ~ '^/[^/\\]')
    or (char_length(featured_image) <= 200000 and featured_image ~ '^data:image/(png|jpeg|webp);base64,')
  ),
  constraint projects_end_after_they_start check (ended_on >= started_on)
);
comment on table public.projects is 'A project that a member shows on their profile.';

create index projects_user_id_idx on public.projects (user_id, started_on desc);

create trigger set_updated_at
before update on public.projects
for each row execute function private.set_updated_at();

alter table public.projects enable row level security;
grant select, delete on public.projects to authenticated;
grant insert (id, user_id, title, description, link, featured_image, started_on, ended_on)
on public.projects to authenticated;
grant update (title, description, link, featured_image, started_on, ended_on) on public.projects to authenticated;
grant all on public.projects to service_role;

create policy "Members see the projects of profiles they can see" on public.projects
for select to authenticated
using (exists (select from public.profiles as p where p.id = user_id));

create policy "Members add their own projects" on public.projects
for insert to authenticated
with check (user_id = (select auth.uid()));

create policy "Members change their own projects" on public.projects
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Members delete their own projects" on public.projects
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Suspended members cannot access projects" on public.projects
as restrictive for all to authenticated using ((select private.caller_is_active()));
