-- What admins did: to members, the waitlist, feedback, articles and what members wrote. Written by triggers, so that no
-- way around the admin area (the command line, the service key) leaves it out; read by admins, changed by nobody.
-- It needs no policy for suspended members: it is for admins, and whoever is suspended is none.

create table public.admin_acts (
  id uuid primary key default gen_random_uuid(),
  actor_id uuid default auth.uid(),
  actor_email text,
  act text not null,
  member_id uuid,
  member_email text,
  created_at timestamptz not null default now(),
  subject_id uuid,
  subject text,
  detail text,
  area text not null generated always as (
    case split_part(act, '_', 1)
      when 'waitlist' then 'waitlist' when 'feedback' then 'feedback' when 'article' then 'blog'
      when 'post' then 'content' when 'comment' then 'content' else 'members'
    end
  ) stored,
  constraint admin_acts_act_is_known check (
    act in (
      'admin_granted', 'admin_revoked', 'suspended', 'restored', 'deleted',
      'waitlist_status', 'waitlist_removed', 'feedback_status', 'feedback_removed',
      'article_created', 'article_edited', 'article_published', 'article_unpublished', 'article_featured',
      'article_unfeatured', 'article_deleted', 'post_deleted', 'comment_deleted'
    )
  ),
  constraint admin_acts_are_about_something check (member_id is not null or subject_id is not null)
);
comment on table public.admin_acts is 'The audit log of the admin area: acts on members, kept after both are gone.';
comment on column public.admin_acts.actor_id is 'Who did it; null for the operators'' command line and services.';
comment on column public.admin_acts.member_email is
'The address at that time: after a deletion nothing else says who it was.';
comment on column public.admin_acts.subject_id is 'The row it was done to, when that is no member.';
comment on column public.admin_acts.subject is 'What the row was called then: an address, a title, the first words.';
comment on column public.admin_acts.detail is 'The new status, where there is one.';
comment on column public.admin_acts.area is
'members, waitlist, feedback, blog or content: what the log is filtered by.';

create index admin_acts_created_at_idx on public.admin_acts (created_at desc, id desc);
create index admin_acts_member_id_idx on public.admin_acts (member_id, created_at desc);
create index admin_acts_area_idx on public.admin_acts (area, created_at desc, id desc);
create index admin_acts_subject_id_idx on public.admin_acts (subject_id, created_at desc);

alter table public.admin_acts enable row level security;
grant select on public.admin_acts to authenticated;
grant select on public.admin_acts to service_role;

create policy "Admins read the audit log" on public.admin_acts
for select to authenticated
using ((select private.caller_is_admin()));

create function private.note_admin_act(act text, member uuid, email text)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.admin_acts (actor_id, actor_email, act, member_id, member_email)
  select
    (select auth.uid()),
    (select u.email from auth.users as u where u.id = (select auth.uid())),
    act, member, email
$$;
comment on function private.note_admin_act(text, uuid, text) is
'Writes a line of the audit log, in the caller''s name.';

create function private.note_content_act(act text, id uuid, subject text, detail text)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.admin_acts (actor_id, actor_email, act, subject_id, subject, detail)
  select
    (select auth.uid()),
    (select u.email from auth.users as u where u.id = (select auth.uid())),
    act, id, left(subject, 200), detail
$$;
comment on function private.note_content_act(text, uuid, text, text) is
'Writes a line of the audit log about something that is no member, in the caller''s name.';

create function private.note_admin_role()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  member constant uuid := coalesce(new.user_id, old.user_id);
  email text;
begin
  -- An account that is being deleted loses the role with it: the deletion is noted, not this.
  select u.email into email from auth.users as u where u.id = member;
  if found then
    perform private.note_admin_act(
      case tg_op when 'INSERT' then 'admin_granted' else 'admin_revoked' end, member, email
    );
  end if;
  return null;
end
$$;
comment on function private.note_admin_role() is 'Notes who becomes an admin and who no longer is one.';

create trigger note_admin_role
after insert or delete on private.admins
for each row execute function private.note_admin_role();

create function private.note_suspension()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.note_admin_act(
    case when new.banned_until > now() then 'suspended' else 'restored' end, new.id, new.email
  );
  return null;
end
$$;
comment on function private.note_suspension() is 'Notes that an account may no longer sign in, or may again.';

create trigger note_suspension
after update of banned_until on auth.users
for each row when (old.banned_until is distinct from new.banned_until)
execute function private.note_suspension();

create function private.note_deletion()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.note_admin_act('deleted', old.id, old.email);
  return null;
end
$$;
comment on function private.note_deletion() is 'Notes that an account was deleted.';

create trigger note_deletion
after delete on auth.users
for each row execute function private.note_deletion();

create function private.note_waitlist_act()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- An entry becomes active by itself when its account is confirmed: nobody did that.
  if not (private.caller_is_admin() or ((select auth.uid()) is null and new.status is distinct from 'active')) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform private.note_content_act('waitlist_removed', old.id, old.email, null);
  else
    perform private.note_content_act('waitlist_status', new.id, new.email, new.status);
  end if;
  return null;
end
$$;
comment on function private.note_waitlist_act() is 'Notes who was invited, set back or taken off the waitlist.';

create trigger note_waitlist_status
after update of status on public.waitlist
for each row when (old.status is distinct from new.status)
execute function private.note_waitlist_act();

create trigger note_waitlist_removal
after delete on public.waitlist
for each row execute function private.note_waitlist_act();

create function private.note_feedback_act()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    perform private.note_content_act('feedback_removed', old.id, left(old.content, 100), null);
  else
    perform private.note_content_act('feedback_status', new.id, left(new.content, 100), new.status);
  end if;
  return null;
end
$$;
comment on function private.note_feedback_act() is 'Notes what became of feedback.';

create trigger note_feedback_status
after update of status on public.feedback
for each row when (old.status is distinct from new.status)
execute function private.note_feedback_act();

create trigger note_feedback_removal
after delete on public.feedback
for each row execute function private.note_feedback_act();

create function private.note_article_act()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Seeds and services write articles too; the log is of admins.
  if not private.caller_is_admin() then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform private.note_content_act('article_created', new.id, new.title, null);
  end if;
  if tg_op = 'DELETE' then
    perform private.note_content_act('article_deleted', old.id, old.title, null);
    return null;
  end if;
  if new.is_public_blog is distinct from (tg_op = 'UPDATE' and old.is_public_blog) then
    perform private.note_content_act(
      case when new.is_public_blog then 'article_published' else 'article_unpublished' end, new.id, new.title, null
    );
  end if;
  if new.is_featured is distinct from (tg_op = 'UPDATE' and old.is_featured) then
    perform private.note_content_act(
      case when new.is_featured then 'article_featured' else 'article_unfeatured' end, new.id, new.title, null
    );
  end if;
  if tg_op = 'UPDATE' and row(old.title, old.slug, old.summary, old.content, old.category, old.tags, old.featured_image)
    is distinct from row(new.title, new.slug, new.summary, new.content, new.category, new.tags, new.featured_image) then
    perform private.note_content_act('article_edited', new.id, new.title, null);
  end if;
  return null;
end
$$;
comment on function private.note_article_act() is 'Notes who wrote, published, featured, changed and deleted articles.';

create trigger note_article_creation
after insert on public.posts
for each row when (new.is_blog_post)
execute function private.note_article_act();

create trigger note_article_change
after update of title, slug, summary, content, category, tags, featured_image, is_public_blog, is_featured
on public.posts
for each row when (new.is_blog_post)
execute function private.note_article_act();

create trigger note_article_deletion
after delete on public.posts
for each row when (old.is_blog_post)
execute function private.note_article_act();

create function private.note_moderation()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if private.caller_is_admin() and old.user_id is distinct from (select auth.uid()) then
    perform private.note_content_act(tg_argv[0], old.id, left(old.content, 100), null);
  end if;
  return null;
end
$$;
comment on function private.note_moderation() is 'Notes that an admin deleted what somebody else wrote.';

create trigger note_post_deletion
after delete on public.posts
for each row when (not old.is_blog_post)
execute function private.note_moderation('post_deleted');

-- Comments that go with their post are not noted one by one.
create trigger note_comment_deletion
after delete on public.comments
for each row when (pg_trigger_depth() = 0)
execute function private.note_moderation('comment_deleted');
