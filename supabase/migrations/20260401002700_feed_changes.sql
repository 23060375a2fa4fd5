-- Open feeds and posts follow what is talked about, by broadcasts of the topic `feed`. Row changes would be checked
-- against the policies of every member online, one by one; a broadcast is authorized once, when the topic is joined,
-- and says no more than which post changed: its counts are others for who blocks somebody.

create function private.announce_post()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  post public.posts := case tg_op when 'DELETE' then old else new end;
begin
  if not post.is_blog_post then
    perform realtime.send(
      jsonb_build_object('id', post.id), 'post_' || lower(tg_op), 'feed', true
    );
  end if;
  return null;
end
$$;
comment on function private.announce_post() is 'Broadcasts that a post of the feed was written, changed or deleted.';

create trigger announce_post
after insert or delete or update of title, content, featured_image on public.posts
for each row execute function private.announce_post();

create function private.announce_count()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_table_name = 'comment_counts' then
    perform realtime.send(jsonb_build_object('id', c.post_id), 'comment_update', 'feed', true)
    from public.comments as c
    where c.id = new.comment_id;
  else
    perform realtime.send(jsonb_build_object('id', p.id), 'post_update', 'feed', true)
    from public.posts as p
    where p.id = new.post_id and not p.is_blog_post;
  end if;
  return null;
end
$$;
comment on function private.announce_count() is
'Broadcasts that a post of the feed, or one of its comments, has another number of comments or reactions.';

create trigger announce_count
after insert or update on private.post_counts
for each row execute function private.announce_count();

create trigger announce_count
after insert or update on private.comment_counts
for each row execute function private.announce_count();

create function private.announce_comment()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Written and deleted ones change the post's count, which is announced.
  perform realtime.send(jsonb_build_object('id', new.post_id), 'comment_update', 'feed', true);
  return null;
end
$$;
comment on function private.announce_comment() is 'Broadcasts that a comment was edited.';

create trigger announce_comment
after update of content on public.comments
for each row execute function private.announce_comment();

create policy "Members follow the feed" on realtime.messages
for select to authenticated
using ((select realtime.topic()) = 'feed' and extension = 'broadcast' and (select private.caller_is_active()));
