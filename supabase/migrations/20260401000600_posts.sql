-- Posts of the feed (§1.1) and articles of the blog (§3.39): one table, distinguished by kind and flags.

create table public.posts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid default auth.uid() references public.profiles (id) on delete set null,
  kind text not null default 'general',
  title text,
  summary text,
  content text not null,
  category text not null default 'Firefighting',
  featured_image text,
  slug text,
  tags text[] not null default '{}',
  is_command_post boolean not null default false,
  is_blog_post boolean not null default false,
  is_public_blog boolean not null default false,
  starts_at timestamptz,
  ends_at timestamptz,
  location text,
  link text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_featured boolean not null default false,
  published_at timestamptz,
  constraint posts_slug_key unique (slug),
  constraint posts_kind_is_known check (kind in ('lesson', 'training', 'project', 'question', 'general')),
  constraint posts_title_is_short check (char_length(title) <= 200),
  constraint posts_summary_is_short check (char_length(summary) <= 500),
  constraint posts_content_has_a_length check (char_length(content) <= 50000 and content ~ '\S'),
  constraint posts_feed_content_is_short check (is_blog_post or char_length(content) <= 5000),
  constraint posts_category_is_short check (char_length(category) between 1 and 60),
  constraint posts_slug_is_a_path_segment check (
    char_length(slug) <= 120 and slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'
  ),
  constraint posts_tags_are_few check (
    cardinality(tags) <= case when is_blog_post then 12 else 5 end
    and char_length(array_to_string(tags, '', '')) <= 400
  ),
  -- Members' pictures are of this site, or in the row: another server would be told who looks at them.
  constraint posts_featured_image_is_a_picture check (
    (char_length(featured_image) <= 2048 and featured_image ~ '^/[^/\\]')
    or (char_length(featured_image) <= 200000 and featured_image ~ '^data:image/(png|jpeg|webp);base64,')
  ),
  constraint posts_link_is_a_web_address check (char_length(link) <= 2048 and link ~ '^https?://'),
  constraint posts_location_is_short check (char_length(location) <= 160),
  constraint posts_end_after_they_start check (ends_at >= starts_at),
  constraint posts_of_the_blog_have_title_and_slug check (
    not is_blog_post or (title is not null and slug is not null)
  ),
  constraint posts_are_public_as_blog_posts check (not is_public_blog or is_blog_post),
  constraint posts_are_featured_as_blog_posts check (not is_featured or is_blog_post)
);
comment on table public.posts is
'Posts of the feed, and articles of the blog. A deleted author''s posts stay, without the author.';
comment on column public.posts.user_id is 'The author; null once their account is gone.';
comment on column public.posts.kind is 'Lesson learned, training opportunity, project, question or general.';
comment on column public.posts.is_command_post is 'An announcement of the operators. Set by admins only.';
comment on column public.posts.is_blog_post is 'An article; not in the feed. Set by admins only.';
comment on column public.posts.is_public_blog is 'The article is published: visitors may read it. Set by admins only.';
comment on column public.posts.is_featured is
'The article comes first on the landing page. Set by admins only.';
comment on column public.posts.published_at is
'When the article was first published. Its created_at is then the same time: readers see it as new, and in its place.';
comment on column public.posts.starts_at is 'When a training opportunity takes place.';

create index posts_user_id_idx on public.posts (user_id, created_at desc);
-- Flags are columns of the index, not its predicate: they arrive as parameters, which a generic plan cannot match with
-- a partial index.
create index posts_feed_idx on public.posts (is_blog_post, created_at desc, id desc);
create index posts_feed_kind_idx on public.posts (is_blog_post, kind, created_at desc, id desc);
create index posts_public_blog_idx on public.posts (created_at desc)
where is_blog_post and is_public_blog and not is_command_post;
create index posts_featured_blog_idx on public.posts (is_featured desc, created_at desc)
where is_blog_post and is_public_blog and not is_command_post;
create index posts_blog_author_idx on public.posts (user_id)
where is_blog_post and is_public_blog and not is_command_post;
create index posts_starts_at_idx on public.posts (kind, starts_at) where starts_at is not null;

create function private.set_updated_at_on_edit()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- The end of the author's account is not an edit.
  if to_jsonb(new) - 'user_id' is distinct from to_jsonb(old) - 'user_id' then
    new.updated_at := now();
  end if;
  return new;
end
$$;
comment on function private.set_updated_at_on_edit() is 'Sets updated_at when another column than the author changed.';

create trigger set_updated_at_on_edit
before update on public.posts
for each row execute function private.set_updated_at_on_edit();

create function private.normalize_tags()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- One way to write a tag, or the same one would be offered twice.
  new.tags := array(
    select t.tag
    from (
      select lower(btrim(regexp_replace(given.tag, '[\s,#]+', ' ', 'g'))) as tag, min(given.place) as place
      from unnest(new.tags) with ordinality as given (tag, place)
      group by 1
    ) as t
    where t.tag <> ''
    order by t.place
  );
  return new;
end
$$;
comment on function private.normalize_tags() is 'Tags of the feed are in lower case, without commas, each once.';

create trigger normalize_tags
before insert or update of tags on public.posts
for each row when (not new.is_blog_post and cardinality(new.tags) > 0)
execute function private.normalize_tags();

create function private.date_first_publication()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- Every list of the blog is by created_at. An article that was taken back and is published again keeps its place.
  if tg_op = 'INSERT' then
    new.published_at := new.created_at;
  else
    new.published_at := now();
    new.created_at := now();
  end if;
  return new;
end
$$;
comment on function private.date_first_publication() is 'Dates an article by its first publication.';

create trigger date_inserted_publication
before insert on public.posts
for each row when (new.is_public_blog)
execute function private.date_first_publication();

create trigger date_first_publication
before update of is_public_blog on public.posts
for each row when (new.is_public_blog and old.published_at is null)
execute function private.date_first_publication();

alter table public.posts enable row level security;
grant select on public.posts to anon, authenticated;
grant delete on public.posts to authenticated;
grant insert (
  id, user_id, kind, title, summary, content, category, featured_image, slug, tags, is_command_post, is_blog_post,
  is_public_blog, is_featured, starts_at, ends_at, location, link
) on public.posts to authenticated;
grant update (
  kind, title, summary, content, category, featured_image, slug, tags, is_command_post, is_blog_post,
  is_public_blog, is_featured, starts_at, ends_at, location, link
) on public.posts to authenticated;
grant all on public.posts to service_role;

create policy "Visitors read the published articles" on public.posts
for select to anon
using (is_blog_post and is_public_blog and not is_command_post);

create policy "Members read the feed and published articles, admins drafts too" on public.posts
for select to authenticated
using (not is_blog_post or is_public_blog or (select private.caller_is_admin()));

create policy "Members post in their own name, only admins set the flags" on public.posts
for insert to authenticated
with check (
  user_id = (select auth.uid())
  and (not (is_command_post or is_blog_post or is_public_blog) or (select private.caller_is_admin()))
);

create policy "Members edit their own posts, admins any post" on public.posts
for update to authenticated
using (user_id = (select auth.uid()) or (select private.caller_is_admin()))
with check (
  (user_id = (select auth.uid()) and not (is_command_post or is_blog_post or is_public_blog))
  or (select private.caller_is_admin())
);

create policy "Members delete their own posts, admins any post" on public.posts
for delete to authenticated
using (user_id = (select auth.uid()) or (select private.caller_is_admin()));

-- Announcements and published articles are the house's words, whoever wrote them; the profile is hidden all the same.
create policy "Posts of blocked and muted members do not reach the reader" on public.posts
as restrictive for select to authenticated
using (
  (user_id = any((select private.silent_to_caller())::uuid[])) is not true
  or is_command_post
  or is_public_blog
);

create policy "Suspended members cannot access posts" on public.posts
as restrictive for all to authenticated using ((select private.caller_is_active()));

-- The columns of the author card (§3.40), for visitors of the blog.
grant select (id, full_name, avatar_url, position, department) on public.profiles to anon;

create policy "Visitors see the author card of published articles" on public.profiles
for select to anon
using (
  exists (
    select from public.posts as p
    where p.user_id = profiles.id and p.is_blog_post and p.is_public_blog and not p.is_command_post
  )
);
