-- The audit log: what admins did to members, the waitlist, feedback, articles and what members wrote. Written by
-- triggers, so that actions of the command line and of the service_role key are logged too; read by admins, changed by
-- nobody. It needs no policy for suspended members: they are no admins.

create table public.admin_audit_log (
  id uuid primary key default gen_random_uuid(),
  actor_id uuid default auth.uid(),
  actor_email text,
  action text not null,
  area text not null generated always as (
    case split_part(action, '_', 1)
      when 'waitlist' then 'waitlist' when 'feedback' then 'feedback' when 'article' then 'blog'
      when 'post' then 'content' when 'comment' then 'content' when 'message' then 'content'
      when 'profile' then 'content' when 'report' then 'content' when 'appeal' then 'content'
      when 'goal' then 'content' when 'endorsement' then 'content' else 'members'
    end
  ) stored,
  member_id uuid,
  member_email text,
  subject_id uuid,
  subject text,
  detail text,
  created_at timestamptz not null default now(),
  constraint admin_audit_log_action_is_known check (
    action in (
      'admin_granted', 'admin_revoked', 'suspended', 'restored', 'deleted',
      'waitlist_status', 'waitlist_removed', 'feedback_status', 'feedback_removed',
      'article_created', 'article_edited', 'article_published', 'article_unpublished', 'article_featured',
      'article_unfeatured', 'article_deleted', 'post_deleted', 'comment_deleted', 'message_removed', 'profile_removed',
      'report_dismissed', 'report_warned', 'appeal_granted', 'appeal_refused', 'scan_opened', 'goal_saved',
      'goal_removed', 'endorsement_removed'
    )
  ),
  constraint admin_audit_log_has_a_target check (member_id is not null or subject_id is not null)
);
comment on table public.admin_audit_log is
'The audit log of the admin area. Entries stay after the accounts of actor and member are deleted.';
comment on column public.admin_audit_log.actor_id is 'The admin; null for the command line and backend services.';
comment on column public.admin_audit_log.member_email is
'The address at that time, which outlives the account.';
comment on column public.admin_audit_log.subject_id is 'The row it was done to, unless that is a member.';
comment on column public.admin_audit_log.subject is
'The name of that row at the time: an address, a title, the first words.';
comment on column public.admin_audit_log.detail is 'The new status, or the reason of a decision, if there is one.';
comment on column public.admin_audit_log.area is
'members, waitlist, feedback, blog or content: a filter of the log.';

create index admin_audit_log_created_at_idx on public.admin_audit_log (created_at desc, id desc);
create index admin_audit_log_member_id_idx on public.admin_audit_log (member_id, created_at desc);
create index admin_audit_log_area_idx on public.admin_audit_log (area, created_at desc, id desc);
create index admin_audit_log_subject_id_idx on public.admin_audit_log (subject_id, created_at desc);

alter table public.admin_audit_log enable row level security;
grant select on public.admin_audit_log to authenticated;
grant select on public.admin_audit_log to service_role;

create policy "Admins read the audit log" on public.admin_audit_log
for select to authenticated
using ((select private.caller_is_admin()));

create function private.reason_of_decision()
returns text
language sql
stable
set search_path = ''
as $$
  select nullif(current_setting('muster.reason', true), '')
$$;
comment on function private.reason_of_decision() is
'Why an admin decides what the triggers of the audit log see; set for the transaction by private.decide_reports.';

create function private.log_member_action(action text, member uuid, email text)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.admin_audit_log (actor_id, actor_email, action, member_id, member_email, detail)
  select
    (select auth.uid()),
    (select u.email from auth.users as u where u.id = (select auth.uid())),
    action, member, email, private.reason_of_decision()
$$;
comment on function private.log_member_action(text, uuid, text) is
'Writes an entry about a member to the audit log, in the caller''s name.';

create function private.log_content_action(action text, id uuid, subject text, detail text)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.admin_audit_log (actor_id, actor_email, action, subject_id, subject, detail)
  select
    (select auth.uid()),
    (select u.email from auth.users as u where u.id = (select auth.uid())),
    action, id, left(subject, 200), detail
$$;
comment on function private.log_content_action(text, uuid, text, text) is
'Writes an entry about another row to the audit log, in the caller''s name.';

create function private.log_admin_role()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  member constant uuid := coalesce(new.user_id, old.user_id);
  email text;
begin
  -- A deleted account loses the role with it: only the deletion is logged.
  select u.email into email from auth.users as u where u.id = member;
  if found then
    perform private.log_member_action(
      case tg_op when 'INSERT' then 'admin_granted' else 'admin_revoked' end, member, email
    );
  end if;
  return null;
end
$$;
comment on function private.log_admin_role() is 'Logs grants and revocations of the admin role.';

create trigger log_admin_role
after insert or delete on private.admins
for each row execute function private.log_admin_role();

create function private.log_suspension()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.log_member_action(
    case when new.banned_until > now() then 'suspended' else 'restored' end, new.id, new.email
  );
  return null;
end
$$;
comment on function private.log_suspension() is 'Logs suspensions of accounts and their end.';

create trigger log_suspension
after update of banned_until on auth.users
for each row when (old.banned_until is distinct from new.banned_until)
execute function private.log_suspension();

create function private.log_account_deletion()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.log_member_action('deleted', old.id, old.email);
  return null;
end
$$;
comment on function private.log_account_deletion() is 'Logs deletions of accounts.';

create trigger log_account_deletion
after delete on auth.users
for each row execute function private.log_account_deletion();

create function private.log_waitlist_action()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- An entry becomes active when its account is confirmed: that is no admin's action.
  if not (private.caller_is_admin() or ((select auth.uid()) is null and new.status is distinct from 'active')) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform private.log_content_action('waitlist_removed', old.id, old.email, null);
  else
    perform private.log_content_action('waitlist_status', new.id, new.email, new.status);
  end if;
  return null;
end
$$;
comment on function private.log_waitlist_action() is 'Logs changes of status and removals on the waitlist.';

create trigger log_waitlist_status
after update of status on public.waitlist
for each row when (old.status is distinct from new.status)
execute function private.log_waitlist_action();

create trigger log_waitlist_removal
after delete on public.waitlist
for each row execute function private.log_waitlist_action();

create function private.log_feedback_action()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    perform private.log_content_action('feedback_removed', old.id, left(old.content, 100), null);
  else
    perform private.log_content_action('feedback_status', new.id, left(new.content, 100), new.status);
  end if;
  return null;
end
$$;
comment on function private.log_feedback_action() is 'Logs changes of status and deletions of feedback.';

create trigger log_feedback_status
after update of status on public.feedback
for each row when (old.status is distinct from new.status)
execute function private.log_feedback_action();

create trigger log_feedback_removal
after delete on public.feedback
for each row execute function private.log_feedback_action();

create function private.log_article_action()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Articles of seeds and backend services are not logged.
  if not private.caller_is_admin() then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform private.log_content_action('article_created', new.id, new.title, null);
  end if;
  if tg_op = 'DELETE' then
    perform private.log_content_action('article_deleted', old.id, old.title, null);
    return null;
  end if;
  if new.is_public_blog is distinct from (tg_op = 'UPDATE' and old.is_public_blog) then
    perform private.log_content_action(
      case when new.is_public_blog then 'article_published' else 'article_unpublished' end, new.id, new.title, null
    );
  end if;
  if new.is_featured is distinct from (tg_op = 'UPDATE' and old.is_featured) then
    perform private.log_content_action(
      case when new.is_featured then 'article_featured' else 'article_unfeatured' end, new.id, new.title, null
    );
  end if;
  if tg_op = 'UPDATE' and row(old.title, old.slug, old.summary, old.content, old.category, old.tags, old.featured_image)
    is distinct from row(new.title, new.slug, new.summary, new.content, new.category, new.tags, new.featured_image) then
    perform private.log_content_action('article_edited', new.id, new.title, null);
  end if;
  return null;
end
$$;
comment on function private.log_article_action() is
'Logs that an article was created, edited, published, featured or deleted.';

create trigger log_article_creation
after insert on public.posts
for each row when (new.is_blog_post)
execute function private.log_article_action();

create trigger log_article_change
after update of title, slug, summary, content, category, tags, featured_image, is_public_blog, is_featured
on public.posts
for each row when (new.is_blog_post)
execute function private.log_article_action();

create trigger log_article_deletion
after delete on public.posts
for each row when (old.is_blog_post)
execute function private.log_article_action();

create function private.log_moderation()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if private.caller_is_admin() and old.user_id is distinct from (select auth.uid()) then
    perform private.log_content_action(tg_argv[0], old.id, left(old.content, 100), private.reason_of_decision());
  end if;
  return null;
end
$$;
comment on function private.log_moderation() is 'Logs that an admin deleted a post or comment of somebody else.';

create trigger log_post_deletion
after delete on public.posts
for each row when (not old.is_blog_post)
execute function private.log_moderation('post_deleted');

-- Comments deleted with their post are not logged one by one.
create trigger log_comment_deletion
after delete on public.comments
for each row when (pg_trigger_depth() = 0)
execute function private.log_moderation('comment_deleted');
