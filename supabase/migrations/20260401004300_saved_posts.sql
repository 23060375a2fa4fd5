-- Saved posts, and the tags of posts (§11.4).

create table public.saved_posts (
  -- A key of its own: with one of the two references, `profiles` embedded in a post would also mean who saved it.
  id uuid primary key default gen_random_uuid(),
  member_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint saved_posts_once_key unique (member_id, post_id)
);
comment on table public.saved_posts is 'A post that a member saved. Only that member can read the row.';

create index saved_posts_member_id_idx on public.saved_posts (member_id, created_at desc, post_id desc);
create index saved_posts_post_id_idx on public.saved_posts (post_id);

alter table public.saved_posts enable row level security;
grant select, delete on public.saved_posts to authenticated;
grant insert (member_id, post_id) on public.saved_posts to authenticated;
grant all on public.saved_posts to service_role;

create policy "Members see the posts they saved and can read" on public.saved_posts
for select to authenticated
using (member_id = (select auth.uid()) and exists (select from public.posts as p where p.id = post_id));

create policy "Members save posts they can read" on public.saved_posts
for insert to authenticated
with check (member_id = (select auth.uid()) and exists (select from public.posts as p where p.id = post_id));

create policy "Members remove what they saved" on public.saved_posts
for delete to authenticated
using (member_id = (select auth.uid()));

create policy "Suspended members cannot access saved posts" on public.saved_posts
as restrictive for all to authenticated using ((select private.caller_is_active()));

create index posts_tags_idx on public.posts using gin (tags);

create function private.tags_in_use(prefix text, max_results integer)
returns table (tag text, uses bigint)
language plpgsql
stable
rows 10
security definer
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  silent constant uuid[] := private.silent_to_caller();
  pattern constant text := private.escape_like_pattern(lower(btrim(coalesce(prefix, '')))) || '%';
begin
  if (select auth.uid()) is null or not private.caller_is_active() then
    return;
  end if;
  -- Of the newest posts: what is talked about now.
  return query
  select used.tag, count(*)
  from (
    select p.tags, p.user_id
    from public.posts as p
    where not p.is_blog_post
    order by p.created_at desc, p.id desc
    limit 3000
  ) as recent
  cross join lateral unnest(recent.tags) as used (tag)
  where used.tag like pattern and (recent.user_id = any(silent)) is not true
  group by used.tag
  order by count(*) desc, used.tag
  limit least(greatest(coalesce(max_results, 10), 0), 50);
end
$$;
comment on function private.tags_in_use(text, integer) is 'Implements public.tags_in_use.';
grant execute on function private.tags_in_use(text, integer) to authenticated;

create function public.tags_in_use(prefix text default '', max_results integer default 10)
returns table (tag text, uses bigint)
language sql
stable
rows 10
set search_path = ''
as $$
  select * from private.tags_in_use(prefix, max_results)
$$;
comment on function public.tags_in_use(text, integer) is
'The tags of the newest 3,000 posts that begin with prefix, most used first; at most 50.';
grant execute on function public.tags_in_use(text, integer) to authenticated;
