-- How many comments and reactions there are, as each member may know: stored once, less those of members with whom the
-- caller is blocked (§13.3). The tables are not exposed; REST has the numbers as computed fields of posts and comments.

create table private.post_counts (
  post_id uuid primary key references public.posts (id) on delete cascade,
  comments integer not null default 0,
  reactions integer not null default 0,
  uses integer not null default 0
);
comment on table private.post_counts is
'Comments on a post, reactions to it, uses of a lesson, of everybody. No row: none.';

create table private.comment_counts (
  comment_id uuid primary key references public.comments (id) on delete cascade,
  reactions integer not null default 0
);
comment on table private.comment_counts is 'Reactions to a comment, of everybody. No row: none.';

alter table private.post_counts enable row level security;
alter table private.comment_counts enable row level security;

create policy "No client accesses counts of posts" on private.post_counts
for all to public using (false);

create policy "No client accesses counts of comments" on private.comment_counts
for all to public using (false);

create function private.count_comment()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.post_counts as c (post_id, comments) values (new.post_id, 1)
    on conflict (post_id) do update set comments = c.comments + 1;
  else
    update private.post_counts as c set comments = c.comments - 1 where c.post_id = old.post_id;
  end if;
  return null;
end
$$;
comment on function private.count_comment() is 'Counts the comments of a post.';

create trigger count_comment
after insert or delete on public.comments
for each row execute function private.count_comment();

create function private.count_reaction()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    update private.post_counts as c set reactions = c.reactions - 1 where c.post_id = old.post_id;
    update private.comment_counts as c set reactions = c.reactions - 1 where c.comment_id = old.comment_id;
  elsif new.post_id is not null then
    insert into private.post_counts as c (post_id, reactions) values (new.post_id, 1)
    on conflict (post_id) do update set reactions = c.reactions + 1;
  else
    insert into private.comment_counts as c (comment_id, reactions) values (new.comment_id, 1)
    on conflict (comment_id) do update set reactions = c.reactions + 1;
  end if;
  return null;
end
$$;
comment on function private.count_reaction() is 'Counts the reactions to a post or comment.';

create trigger count_reaction
after insert or delete on public.reactions
for each row execute function private.count_reaction();

create function private.comment_count(post uuid)
returns integer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  counted constant integer := (select c.comments from private.post_counts as c where c.post_id = post);
  hidden uuid[];
begin
  -- Most members block nobody, and most posts have nothing to count: then there is nothing to subtract.
  if coalesce(counted, 0) = 0 then
    return 0;
  end if;
  hidden := private.blocked_with_caller();
  if hidden = '{}' then
    return counted;
  end if;
  return counted - (select count(*) from public.comments as c where c.post_id = post and c.user_id = any(hidden));
end
$$;
comment on function private.comment_count(uuid) is 'Implements public.comment_count.';
grant execute on function private.comment_count(uuid) to authenticated, service_role;

create function private.reaction_count(post uuid)
returns integer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  counted constant integer := (select c.reactions from private.post_counts as c where c.post_id = post);
  hidden uuid[];
begin
  if coalesce(counted, 0) = 0 then
    return 0;
  end if;
  hidden := private.blocked_with_caller();
  if hidden = '{}' then
    return counted;
  end if;
  return counted - (select count(*) from public.reactions as r where r.post_id = post and r.user_id = any(hidden));
end
$$;
comment on function private.reaction_count(uuid) is 'Implements public.reaction_count of posts.';
grant execute on function private.reaction_count(uuid) to authenticated, service_role;

create function private.comment_reaction_count(comment uuid)
returns integer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  counted constant integer := (select c.reactions from private.comment_counts as c where c.comment_id = comment);
  hidden uuid[];
begin
  if coalesce(counted, 0) = 0 then
    return 0;
  end if;
  hidden := private.blocked_with_caller();
  if hidden = '{}' then
    return counted;
  end if;
  return counted - (
    select count(*) from public.reactions as r where r.comment_id = comment and r.user_id = any(hidden)
  );
end
$$;
comment on function private.comment_reaction_count(uuid) is 'Implements public.reaction_count of comments.';
grant execute on function private.comment_reaction_count(uuid) to authenticated, service_role;

-- Their argument has no name: REST can compute them for rows that it read, and nobody can call them with made-up ones.

create function public.comment_count(public.posts)
returns integer
language plpgsql
stable
set search_path = ''
as $$
begin
  return private.comment_count($1.id);
end
$$;
comment on function public.comment_count(public.posts) is
'A computed field: the comments on a post that the caller may know of.';
grant execute on function public.comment_count(public.posts) to authenticated, service_role;

create function public.reaction_count(public.posts)
returns integer
language plpgsql
stable
set search_path = ''
as $$
begin
  return private.reaction_count($1.id);
end
$$;
comment on function public.reaction_count(public.posts) is
'A computed field: the reactions to a post that the caller may know of.';
grant execute on function public.reaction_count(public.posts) to authenticated, service_role;

create function public.reaction_count(public.comments)
returns integer
language plpgsql
stable
set search_path = ''
as $$
begin
  return private.comment_reaction_count($1.id);
end
$$;
comment on function public.reaction_count(public.comments) is
'A computed field: the reactions to a comment that the caller may know of.';
grant execute on function public.reaction_count(public.comments) to authenticated, service_role;
