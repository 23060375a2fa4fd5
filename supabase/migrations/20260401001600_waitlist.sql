-- The waitlist (§3.22): anyone joins, admins manage it, nobody else can list it.

create table public.waitlist (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  status text not null default 'waitlist',
  quiz_response_id uuid references public.quiz_responses (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  invited_at timestamptz,
  constraint waitlist_email_key unique (email),
  constraint waitlist_quiz_response_id_key unique (quiz_response_id),
  constraint waitlist_email_is_an_address check (char_length(email) <= 254 and email ~ '^[^@\s]+@[^@\s]+$'),
  constraint waitlist_email_is_lower_case check (email = lower(email)),
  constraint waitlist_status_is_known check (status in ('waitlist', 'pending', 'invited', 'active'))
);
comment on table public.waitlist is 'E-mail addresses that wait for an invitation, and their status.';
comment on column public.waitlist.status is
'waitlist on joining; pending and invited by admins; active once a confirmed account has this address.';
comment on column public.waitlist.invited_at is
'When the status was last set to invited; setting it again renews the invitation. Without it none expires.';

create index waitlist_status_idx on public.waitlist (status, created_at desc);
create index waitlist_created_at_idx on public.waitlist (created_at desc, id);
create index waitlist_email_prefix_idx on public.waitlist (email text_pattern_ops);
create index waitlist_email_trigram_idx on public.waitlist using gin (email extensions.gin_trgm_ops);

create function private.normalize_waitlist_email()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.email := lower(btrim(new.email));
  if tg_op = 'UPDATE' then
    new.updated_at := now();
  end if;
  return new;
end
$$;
comment on function private.normalize_waitlist_email() is
'Stores e-mail addresses in lower case (§5.1) and sets updated_at.';

create trigger normalize_waitlist_email
before insert or update on public.waitlist
for each row execute function private.normalize_waitlist_email();

create function private.requested_waitlist_email()
returns text
language sql
stable
set search_path = ''
as $$
  -- The REST service sets request.headers, with names in lower case.
  select lower(btrim(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-waitlist-email'))
$$;
comment on function private.requested_waitlist_email() is
'The address in the request header x-waitlist-email: whoever knows it may see its entry.';
grant execute on function private.requested_waitlist_email() to anon, authenticated, service_role;

create trigger limit_visitors_rows
after insert on public.waitlist
referencing new table as new_rows
for each statement when (current_user = 'anon')
execute function private.limit_visitors_rows();

alter table public.waitlist enable row level security;
grant select (id, email, status, quiz_response_id) on public.waitlist to anon;
grant insert (email, status, quiz_response_id) on public.waitlist to anon;
grant select, delete on public.waitlist to authenticated;
grant insert (id, email, status, quiz_response_id) on public.waitlist to authenticated;
grant update (email, status, quiz_response_id) on public.waitlist to authenticated;
grant all on public.waitlist to service_role;

create policy "Visitors see the waitlist entry they name by e-mail" on public.waitlist
for select to anon
using (email = (select private.requested_waitlist_email()));

create policy "Admins see the waitlist, members the entry they name by e-mail" on public.waitlist
for select to authenticated
using ((select private.caller_is_admin()) or email = (select private.requested_waitlist_email()));

create policy "Visitors join at the end of the waitlist" on public.waitlist
for insert to anon
with check (status = 'waitlist');

create policy "Members join at the end of the waitlist, admins add anyone" on public.waitlist
for insert to authenticated
with check (status = 'waitlist' or (select private.caller_is_admin()));

create policy "Admins change the waitlist" on public.waitlist
for update to authenticated
using ((select private.caller_is_admin()));

create policy "Admins delete from the waitlist" on public.waitlist
for delete to authenticated
using ((select private.caller_is_admin()));

create policy "Suspended members cannot access the waitlist" on public.waitlist
as restrictive for all to authenticated using ((select private.caller_is_active()));

create function private.activate_waitlist_entry()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Only a confirmed address proves ownership of the entry.
  update public.waitlist set status = 'active'
  where email = lower(new.email) and status <> 'active';
  return null;
end
$$;
comment on function private.activate_waitlist_entry() is 'Marks the waitlist entry of a confirmed account active.';

create trigger activate_waitlist_entry_of_new_account
after insert on auth.users
for each row when (new.email_confirmed_at is not null)
execute function private.activate_waitlist_entry();

create trigger activate_waitlist_entry_of_confirmed_account
after update of email_confirmed_at on auth.users
for each row when (old.email_confirmed_at is null and new.email_confirmed_at is not null)
execute function private.activate_waitlist_entry();

-- The admin area follows new entries. The policies decide who is told of a row.
alter publication supabase_realtime add table public.waitlist;
