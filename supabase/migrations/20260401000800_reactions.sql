-- Reactions of members to posts and comments, one per member and post or comment.

create table public.reactions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  post_id uuid references public.posts (id) on delete cascade,
  comment_id uuid references public.comments (id) on delete cascade,
  type text not null default 'useful',
  created_at timestamptz not null default now(),
  constraint reactions_user_id_post_id_key unique (user_id, post_id),
  constraint reactions_user_id_comment_id_key unique (user_id, comment_id),
  constraint reactions_are_to_one_thing check (num_nonnulls(post_id, comment_id) = 1),
  constraint reactions_type_is_known check (type in ('useful', 'thanks', 'respect'))
);
comment on table public.reactions is 'The reaction of a member to a post or a comment.';

create index reactions_post_id_idx on public.reactions (post_id) where post_id is not null;
create index reactions_comment_id_idx on public.reactions (comment_id) where comment_id is not null;

alter table public.reactions enable row level security;
grant select, delete on public.reactions to authenticated;
grant insert (id, user_id, post_id, comment_id, type) on public.reactions to authenticated;
grant update (type) on public.reactions to authenticated;
grant all on public.reactions to service_role;

create policy "Members see who reacted to what they can read" on public.reactions
for select to authenticated
using (
  user_id = (select auth.uid())
  or exists (select from public.posts as p where p.id = post_id)
  or exists (select from public.comments as c where c.id = comment_id)
);

create policy "Members react in their own name to what they can read" on public.reactions
for insert to authenticated
with check (
  user_id = (select auth.uid())
  and (
    exists (select from public.posts as p where p.id = post_id)
    or exists (select from public.comments as c where c.id = comment_id)
  )
);

create policy "Members change their own reactions" on public.reactions
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Members remove their own reactions" on public.reactions
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Blocked members do not see each other's reactions" on public.reactions
as restrictive for select to authenticated
using ((user_id = any((select private.blocked_with_caller())::uuid[])) is not true);

create policy "Suspended members cannot access reactions" on public.reactions
as restrictive for all to authenticated using ((select private.caller_is_active()));
