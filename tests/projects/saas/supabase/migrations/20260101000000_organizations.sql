create schema api;
grant usage on schema api to anon, authenticated, service_role;

create type public.role_in_organization as enum ('owner', 'editor', 'viewer');

create table public.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null unique
);
create table public.memberships (
  organization_id uuid not null references public.organizations on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  role public.role_in_organization not null,
  primary key (organization_id, user_id)
);
create table public.documents (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  title text not null
);
alter table public.organizations enable row level security;
alter table public.memberships enable row level security;
alter table public.documents enable row level security;

-- The role that the token says somebody has in an organization; null without one.
create function public.claimed_role(organization uuid) returns text
language sql stable set search_path = '' as $$
  select auth.jwt() -> 'organizations' ->> organization::text
$$;

create policy "Members see their organization" on public.organizations
for select to authenticated using (public.claimed_role(id) is not null);
create policy "Members see its documents" on public.documents
for select to authenticated using (public.claimed_role(organization_id) is not null);
create policy "Editors write its documents" on public.documents
for insert to authenticated with check (public.claimed_role(organization_id) in ('owner', 'editor'));

create view api.document_titles with (security_invoker = true) as
select title from public.documents;
grant select on api.document_titles to authenticated, service_role;
