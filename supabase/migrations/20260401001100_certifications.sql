-- Qualifications of members (§1.1), with an expiry date.

create table public.certifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  name text not null,
  issuer text,
  credential_id text,
  issued_on date,
  expires_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What refers to a certification names its member, too: nobody's refers to another's.
  constraint certifications_id_user_id_key unique (id, user_id),
  constraint certifications_name_has_a_length check (char_length(name) between 1 and 160),
  constraint certifications_issuer_is_short check (char_length(issuer) <= 160),
  constraint certifications_credential_id_is_short check (char_length(credential_id) <= 120),
  constraint certifications_expire_after_issue check (expires_on >= issued_on)
);
comment on table public.certifications is 'A qualification of a member.';
comment on column public.certifications.expires_on is 'Null when it never expires.';

create index certifications_expires_on_idx on public.certifications (expires_on);
create index certifications_user_id_idx on public.certifications (user_id, expires_on);

create trigger set_updated_at
before update on public.certifications
for each row execute function private.set_updated_at();

alter table public.certifications enable row level security;
grant select, delete on public.certifications to authenticated;
grant insert (id, user_id, name, issuer, credential_id, issued_on, expires_on)
on public.certifications to authenticated;
grant update (name, issuer, credential_id, issued_on, expires_on) on public.certifications to authenticated;
grant all on public.certifications to service_role;

create policy "Members see the certifications of profiles they can see" on public.certifications
for select to authenticated
using (exists (select from public.profiles as p where p.id = user_id));

create policy "Members add their own certifications" on public.certifications
for insert to authenticated
with check (user_id = (select auth.uid()));

create policy "Members change their own certifications" on public.certifications
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Members delete their own certifications" on public.certifications
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Suspended members cannot access certifications" on public.certifications
as restrictive for all to authenticated using ((select private.caller_is_active()));
