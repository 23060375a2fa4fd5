-- Comments on posts; a comment may answer another one of the same post.

create table public.comments (
  id uuid primary key default gen_random_uuid(),
  post_id uuid not null references public.posts (id) on delete cascade,
  user_id uuid default auth.uid() references public.profiles (id) on delete set null,
  parent_id uuid,
  content text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint comments_id_post_id_key unique (id, post_id),
  constraint comments_answer_on_the_same_post foreign key (parent_id, post_id)
  references public.comments (id, post_id) on delete cascade,
  constraint comments_content_has_a_length check (char_length(content) <= 2000 and content ~ '\S'),
  constraint comments_do_not_answer_themselves check (parent_id <> id)
);
comment on table public.comments is 'A comment on a post. A deleted author''s comments stay, without the author.';
comment on column public.comments.parent_id is 'The comment of the same post that this one answers.';

create index comments_post_id_idx on public.comments (post_id, created_at);
create index comments_user_id_idx on public.comments (user_id, created_at desc);
create index comments_parent_id_idx on public.comments (parent_id, post_id);

create trigger set_updated_at_on_edit
before update on public.comments
for each row execute function private.set_updated_at_on_edit();

create function private.author_of_comment(comment_id uuid)
returns uuid
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  -- A policy on comments cannot read comments: it would be evaluated for that, too.
  return (select c.user_id from public.comments as c where c.id = comment_id);
end
$$;
comment on function private.author_of_comment(uuid) is 'Who wrote a comment; for the policies on comments.';
grant execute on function private.author_of_comment(uuid) to authenticated, service_role;

alter table public.comments enable row level security;
grant select, delete on public.comments to authenticated;
grant insert (id, post_id, user_id, parent_id, content) on public.comments to authenticated;
grant update (content) on public.comments to authenticated;
grant all on public.comments to service_role;

create policy "Members read the comments of posts they can read" on public.comments
for select to authenticated
using (exists (select from public.posts as p where p.id = post_id));

create policy "Members comment in their own name on posts they can read" on public.comments
for insert to authenticated
with check (
  user_id = (select auth.uid())
  and exists (select from public.posts as p where p.id = post_id)
  -- Not as a restrictive policy: its name would be in the error, and tell of the block.
  and (
    parent_id is null
    or (private.author_of_comment(parent_id) = any((select private.blocked_with_caller())::uuid[])) is not true
  )
);

create policy "Members edit their own comments" on public.comments
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Members delete their own comments, admins any comment" on public.comments
for delete to authenticated
using (user_id = (select auth.uid()) or (select private.caller_is_admin()));

create policy "Blocked members do not read each other's comments" on public.comments
as restrictive for select to authenticated
using ((user_id = any((select private.blocked_with_caller())::uuid[])) is not true);

create policy "Suspended members cannot access comments" on public.comments
as restrictive for all to authenticated using ((select private.caller_is_active()));
