-- Awards of members (§1.1).

create table public.awards (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  title text not null,
  awarded_by text,
  awarded_on date,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint awards_title_has_a_length check (char_length(title) between 1 and 160),
  constraint awards_awarded_by_is_short check (char_length(awarded_by) <= 160),
  constraint awards_description_is_short check (char_length(description) <= 1000)
);
comment on table public.awards is 'An award of a member.';

create index awards_user_id_idx on public.awards (user_id, awarded_on desc);

create trigger set_updated_at
before update on public.awards
for each row execute function private.set_updated_at();

alter table public.awards enable row level security;
grant select, delete on public.awards to authenticated;
grant insert (id, user_id, title, awarded_by, awarded_on, description) on public.awards to authenticated;
grant update (title, awarded_by, awarded_on, description) on public.awards to authenticated;
grant all on public.awards to service_role;

create policy "Members see the awards of profiles they can see" on public.awards
for select to authenticated
using (exists (select from public.profiles as p where p.id = user_id));

create policy "Members add their own awards" on public.awards
for insert to authenticated
with check (user_id = (select auth.uid()));

create policy "Members change their own awards" on public.awards
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Members delete their own awards" on public.awards
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Suspended members cannot access awards" on public.awards
as restrictive for all to authenticated using ((select private.caller_is_active()));
