-- Steps in the careers of members (§1.1).

create table public.career_milestones (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  title text not null,
  organization text,
  started_on date not null,
  is_current boolean not null default false,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint career_milestones_id_user_id_key unique (id, user_id),
  constraint career_milestones_title_has_a_length check (char_length(title) between 1 and 160),
  constraint career_milestones_organization_is_short check (char_length(organization) <= 160),
  constraint career_milestones_description_is_short check (char_length(description) <= 1000)
);
comment on table public.career_milestones is 'A step in a member''s career: a new rank, station or department.';

create index career_milestones_user_id_idx on public.career_milestones (user_id, started_on desc);

create trigger set_updated_at
before update on public.career_milestones
for each row execute function private.set_updated_at();

alter table public.career_milestones enable row level security;
grant select, delete on public.career_milestones to authenticated;
grant insert (id, user_id, title, organization, started_on, is_current, description)
on public.career_milestones to authenticated;
grant update (title, organization, started_on, is_current, description) on public.career_milestones to authenticated;
grant all on public.career_milestones to service_role;

create policy "Members see the career milestones of profiles they can see" on public.career_milestones
for select to authenticated
using (exists (select from public.profiles as p where p.id = user_id));

create policy "Members add their own career milestones" on public.career_milestones
for insert to authenticated
with check (user_id = (select auth.uid()));

create policy "Members change their own career milestones" on public.career_milestones
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Members delete their own career milestones" on public.career_milestones
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Suspended members cannot access career milestones" on public.career_milestones
as restrictive for all to authenticated using ((select private.caller_is_active()));
