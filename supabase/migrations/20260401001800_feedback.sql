-- Feedback about the product (§3.38): sent by anyone, read and answered by admins.

create table public.feedback (
  id uuid primary key default gen_random_uuid(),
  user_id uuid default auth.uid() references public.profiles (id) on delete set null,
  email text,
  name text,
  category text not null default 'general',
  content text not null,
  status text not null default 'pending',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint feedback_email_is_an_address check (char_length(email) <= 254 and email ~ '^[^@\s]+@[^@\s]+$'),
  constraint feedback_name_is_short check (char_length(name) <= 120),
  constraint feedback_category_is_known check (
    category in ('general', 'bug', 'feature', 'improvement', 'question', 'other')
  ),
  constraint feedback_content_has_a_length check (char_length(content) <= 5000 and content ~ '\S'),
  constraint feedback_status_is_known check (status in ('pending', 'reviewed', 'resolved', 'dismissed'))
);
comment on table public.feedback is
'Feedback of members and visitors; that of a deleted member stays, without name and address.';

create index feedback_user_id_idx on public.feedback (user_id);
create index feedback_status_idx on public.feedback (status, created_at desc);
create index feedback_created_at_idx on public.feedback (created_at desc);

create trigger set_updated_at
before update on public.feedback
for each row execute function private.set_updated_at();

create function private.anonymize_feedback()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.feedback set user_id = null, email = null, name = null where user_id = old.id;
  return old;
end
$$;
comment on function private.anonymize_feedback() is
'Removes account, name and address from the feedback of a deleted member.';

create trigger anonymize_feedback
before delete on public.profiles
for each row execute function private.anonymize_feedback();

create trigger limit_visitors_rows
after insert on public.feedback
referencing new table as new_rows
for each statement when (current_user = 'anon')
execute function private.limit_visitors_rows();

alter table public.feedback enable row level security;
grant insert (id, user_id, email, name, category, content) on public.feedback to anon;
grant insert (id, user_id, email, name, category, content) on public.feedback to authenticated;
grant select, delete on public.feedback to authenticated;
grant update (status) on public.feedback to authenticated;
grant all on public.feedback to service_role;

create policy "Visitors send feedback" on public.feedback
for insert to anon
with check (user_id is null);

create policy "Members send feedback in their own name or none" on public.feedback
for insert to authenticated
with check (user_id is null or user_id = (select auth.uid()));

create policy "Admins read feedback" on public.feedback
for select to authenticated
using ((select private.caller_is_admin()));

create policy "Admins answer feedback" on public.feedback
for update to authenticated
using ((select private.caller_is_admin()));

create policy "Admins delete feedback" on public.feedback
for delete to authenticated
using ((select private.caller_is_admin()));

create policy "Suspended members cannot access feedback" on public.feedback
as restrictive for all to authenticated using ((select private.caller_is_active()));

-- The admin area follows new feedback. The policies decide who is told of a row.
alter publication supabase_realtime add table public.feedback;

-- What was answered: every admin sees it. It goes to the sender by e-mail, with or without an account.
create table public.feedback_answers (
  id uuid primary key default gen_random_uuid(),
  feedback_id uuid not null references public.feedback (id) on delete cascade,
  admin_id uuid default auth.uid() references public.profiles (id) on delete set null,
  content text not null,
  created_at timestamptz not null default now(),
  constraint feedback_answers_content_has_a_length check (char_length(content) <= 5000 and content ~ '\S')
);
comment on table public.feedback_answers is 'The answers of admins to feedback, mailed to its sender.';
comment on column public.feedback_answers.admin_id is 'Who answered. Null: an account that is gone.';

create index feedback_answers_feedback_id_idx on public.feedback_answers (feedback_id, created_at);
create index feedback_answers_admin_id_idx on public.feedback_answers (admin_id);

alter table public.feedback_answers enable row level security;
grant select on public.feedback_answers to authenticated;
grant insert (feedback_id, content) on public.feedback_answers to authenticated;
grant all on public.feedback_answers to service_role;

create policy "Admins read answers to feedback" on public.feedback_answers
for select to authenticated
using ((select private.caller_is_admin()));

create policy "Admins answer feedback in their own name" on public.feedback_answers
for insert to authenticated
with check ((select private.caller_is_admin()) and admin_id = (select auth.uid()));
