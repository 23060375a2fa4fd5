-- The audit log also tells what admins did to the waitlist, to feedback, to articles and to what members wrote.

alter table public.admin_acts
alter column member_id drop not null,
add column subject_id uuid,
add column subject text,
add column detail text,
drop constraint admin_acts_act_is_known,
add constraint admin_acts_act_is_known check (
  act in (
    'admin_granted', 'admin_revoked', 'suspended', 'restored', 'deleted',
    'waitlist_status', 'waitlist_removed', 'feedback_status', 'feedback_removed',
    'article_created', 'article_edited', 'article_published', 'article_unpublished', 'article_featured',
    'article_unfeatured', 'article_deleted', 'post_deleted', 'comment_deleted'
  )
),
add constraint admin_acts_are_about_something check (member_id is not null or subject_id is not null),
add column area text not null generated always as (
  case split_part(act, '_', 1)
    when 'waitlist' then 'waitlist' when 'feedback' then 'feedback' when 'article' then 'blog'
    when 'post' then 'content' when 'comment' then 'content' else 'members'
  end
) stored;
comment on column public.admin_acts.subject_id is 'The row it was done to, when that is no member.';
comment on column public.admin_acts.subject is 'What the row was called then: an address, a title, the first words.';
comment on column public.admin_acts.detail is 'The new status, where there is one.';
comment on column public.admin_acts.area is
'members, waitlist, feedback, blog or content: what the log is filtered by.';

create index admin_acts_area_idx on public.admin_acts (area, created_at desc, id desc);
create index admin_acts_subject_id_idx on public.admin_acts (subject_id, created_at desc);

alter table public.posts
add column is_featured boolean not null default false,
add constraint posts_are_featured_as_blog_posts check (not is_featured or is_blog_post);
comment on column public.posts.is_featured is
'The article comes before the others on the landing page. Set by admins only.';
grant insert (is_featured), update (is_featured) on public.posts to authenticated;
create index posts_featured_blog_idx on public.posts (is_featured desc, created_at desc)
where is_blog_post and is_public_blog and not is_command_post;

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
