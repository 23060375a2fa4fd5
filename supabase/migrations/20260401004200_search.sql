-- Search (§11.1 to §11.3): PostgreSQL's full text search over the posts of the feed and the published articles. The
-- words are in a table of their own, because a post is also found by its author's name, and so that `select *` on posts
-- stays what it is. Bypassing row-level security, as people search does: the planner would evaluate the policies of
-- posts on every row before it may look at the words.

create table private.post_words (
  post_id uuid primary key references public.posts (id) on delete cascade,
  author_id uuid,
  area text not null,
  created_at timestamptz not null,
  words tsvector not null
);
comment on table private.post_words is
'What posts are found by: title (A), tags (B), text (C) and the author''s name (D). Derived by triggers.';
comment on column private.post_words.area is 'lessons, posts (the rest of the feed) or articles (published ones).';

create index post_words_words_idx on private.post_words using gin (words);
create index post_words_area_idx on private.post_words (area, created_at desc, post_id desc);
create index post_words_author_id_idx on private.post_words (author_id);
-- Only with the frequencies of the words the planner knows when walking the newest posts is faster than the index.
alter table private.post_words alter column words set statistics 500;

alter table private.post_words enable row level security;

create policy "No client accesses the words of posts" on private.post_words
for all to public using (false);

create function private.words_of(post public.posts, author_name text)
returns tsvector
language sql
immutable
set search_path = ''
as $$
  -- Names in both forms: stemmed, as the words of a search are, and as they are written, for beginnings.
  select
    setweight(to_tsvector('pg_catalog.english', coalesce(post.title, '')), 'A')
    || setweight(to_tsvector('pg_catalog.english', array_to_string(post.tags, ' ')), 'B')
    || setweight(to_tsvector('pg_catalog.english', post.content), 'C')
    || setweight(to_tsvector('pg_catalog.english', coalesce(author_name, '')), 'D')
    || setweight(to_tsvector('pg_catalog.simple', coalesce(author_name, '')), 'D')
$$;
comment on function private.words_of(public.posts, text) is 'The words by which a post is found.';

create function private.findable_name(author_id uuid)
returns text
language sql
stable
security definer
set search_path = ''
as $$
  -- Posts of members who hide their profile appear without a name, so the name must not find them.
  select p.full_name from public.profiles as p
  where p.id = author_id and coalesce(p.privacy_settings ->> 'profile_visibility', 'public') = 'public'
$$;
comment on function private.findable_name(uuid) is 'The name by which an author''s posts are found; null if hidden.';

create function private.index_post()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.is_blog_post and not new.is_public_blog then
    delete from private.post_words as w where w.post_id = new.id;
    return null;
  end if;
  insert into private.post_words (post_id, author_id, area, created_at, words)
  select
    new.id, new.user_id,
    case when new.is_blog_post then 'articles' when new.kind = 'lesson' then 'lessons' else 'posts' end,
    new.created_at, private.words_of(new, private.findable_name(new.user_id))
  on conflict (post_id) do update
  set author_id = excluded.author_id, area = excluded.area, created_at = excluded.created_at, words = excluded.words;
  return null;
end
$$;
comment on function private.index_post() is 'Makes a new or changed post findable, and a draft unfindable.';

create trigger index_post
after insert or update of user_id, kind, title, content, tags, is_blog_post, is_public_blog, created_at on public.posts
for each row execute function private.index_post();

create function private.index_renamed_author()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update private.post_words as w
  set words = private.words_of(p, private.findable_name(new.id))
  from public.posts as p
  where w.author_id = new.id and p.id = w.post_id;
  return null;
end
$$;
comment on function private.index_renamed_author() is
'Posts are found by the new name of their author, and by none while the profile is hidden.';

create trigger index_renamed_author
after update of full_name, privacy_settings on public.profiles
for each row when (
  old.full_name is distinct from new.full_name
  or old.privacy_settings -> 'profile_visibility' is distinct from new.privacy_settings -> 'profile_visibility'
)
execute function private.index_renamed_author();

create function private.rebuild_post_words()
returns void
language sql
set search_path = ''
as $$
  -- For writers that disable triggers.
  lock table private.post_words in share row exclusive mode;
  delete from private.post_words;
  insert into private.post_words (post_id, author_id, area, created_at, words)
  select
    p.id, p.user_id,
    case when p.is_blog_post then 'articles' when p.kind = 'lesson' then 'lessons' else 'posts' end,
    p.created_at,
    private.words_of(
      p,
      case
        when coalesce(author.privacy_settings ->> 'profile_visibility', 'public') = 'public' then author.full_name
      end
    )
  from public.posts as p
  left join public.profiles as author on p.user_id = author.id
  where not p.is_blog_post or p.is_public_blog;
$$;
comment on function private.rebuild_post_words() is 'Rebuilds private.post_words from posts. For operators.';

select private.rebuild_post_words();

create function private.search_query(term text)
returns tsquery
language plpgsql
immutable
set search_path = ''
as $$
declare
  cleaned constant text := left(regexp_replace(coalesce(term, ''), '\s+', ' ', 'g'), 200);
  -- The word that is still being typed: not closed by a space or a quote, not inside quotes, not excluded.
  last_word constant text := substring(cleaned from '(?:^| )([[:alnum:]]{2,})$');
  is_typed constant boolean := last_word is not null and lower(last_word) <> 'or'
    and (char_length(cleaned) - char_length(replace(cleaned, '"', ''))) % 2 = 0;
  head tsquery;
  typed tsquery;
begin
  if not is_typed then
    return websearch_to_tsquery('pg_catalog.english', cleaned);
  end if;
  head := websearch_to_tsquery('pg_catalog.english', left(cleaned, -char_length(last_word)));
  typed := to_tsquery('pg_catalog.simple', last_word || ':*')
    || websearch_to_tsquery('pg_catalog.english', last_word);
  -- "hose or lad": what follows `or` is an alternative.
  return case
    when numnode(head) = 0 then typed
    when left(cleaned, -char_length(last_word)) ~* ' or $' then head || typed
    else head && typed
  end;
end
$$;
comment on function private.search_query(text) is
'A search as people write it: words in any order, "phrases", -excluded, or; the last word may be a beginning.';

grant execute on function private.search_query(text) to authenticated;

create function private.matching_posts(
  asked tsquery, wanted_area text, before_at timestamptz, before_id uuid, most integer
)
returns table (post_id uuid, created_at timestamptz, words tsvector)
language plpgsql
rows 100
security definer
set search_path = ''
-- Compiling costs more than it saves.
set jit = off
as $$
declare
  rare constant integer := 2000;
  walked constant integer := 3000;
  silent constant uuid[] := private.silent_to_caller();
  -- What the index can find: without exclusions, and words of a phrase in any order.
  indexed constant text := regexp_replace(querytree(asked), '<(-|\d+)>', '&', 'g');
  plan json;
begin
  -- Published articles are everybody's.
  if numnode(asked) = 0
    or wanted_area <> 'articles' and ((select auth.uid()) is null or not private.caller_is_active()) then
    return;
  end if;
  -- The planner knows the frequencies of the words. The index finds rare combinations; for common ones it would read most
  -- of itself, while the newest posts have enough of them.
  if indexed <> 'T' then
    execute format('explain (format json) select from private.post_words as w where w.words @@ %L::tsquery', indexed)
    into plan;
  end if;
  if (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric < rare then
    return query
    with found as materialized (
      select w.post_id, w.created_at, w.words
      from private.post_words as w
      where w.words @@ asked and w.area = wanted_area and (w.author_id = any(silent)) is not true
        and (before_at is null or (w.created_at, w.post_id) < (before_at, before_id))
    )
    select f.post_id, f.created_at, f.words from found as f order by f.created_at desc, f.post_id desc limit most;
    return;
  end if;
  return query
  select newest.post_id, newest.created_at, newest.words
  from (
    select w.post_id, w.created_at, w.words, w.author_id
    from private.post_words as w
    where w.area = wanted_area
      and (w.created_at, w.post_id) < (
        coalesce(before_at, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      )
    order by w.created_at desc, w.post_id desc
    limit walked
  ) as newest
  where newest.words @@ asked and (newest.author_id = any(silent)) is not true
  order by newest.created_at desc, newest.post_id desc
  limit most;
end
$$;
comment on function private.matching_posts(tsquery, text, timestamptz, uuid, integer) is
'The newest posts of an area that match, older than a row. Combinations of common words (by the planner''s estimate in
2,000 posts or more) are looked for in the next 3,000 posts of the area only, which bounds the time of every search.';

create function private.search_posts(
  term text, wanted_area text, by_match boolean, after_rank real, before_at timestamptz, before_id uuid, wanted integer
)
returns table (post_id uuid, rank real, created_at timestamptz)
language plpgsql
rows 20
security definer
set search_path = ''
as $$
declare
  -- The best are looked for among the newest that match: ranking reads every candidate's words.
  most_ranked constant integer := 300;
  asked constant tsquery := private.search_query(term);
begin
  if not by_match then
    return query
    select m.post_id, 0::real, m.created_at
    from private.matching_posts(asked, wanted_area, before_at, before_id, wanted) as m
    order by m.created_at desc, m.post_id desc;
    return;
  end if;
  return query
  select ranked.post_id, ranked.rank, ranked.created_at
  from (
    select m.post_id, ts_rank(m.words, asked) as rank, m.created_at
    from private.matching_posts(asked, wanted_area, null, null, most_ranked) as m
  ) as ranked
  where after_rank is null or (ranked.rank, ranked.created_at, ranked.post_id) < (after_rank, before_at, before_id)
  order by ranked.rank desc, ranked.created_at desc, ranked.post_id desc
  limit wanted;
end
$$;
comment on function private.search_posts(text, text, boolean, real, timestamptz, uuid, integer) is
'A page of the posts that match, without their contents, for public.search_posts.';
grant execute on function private.search_posts(text, text, boolean, real, timestamptz, uuid, integer)
to anon, authenticated;

create function private.marked(written text, term text, fragments text)
returns text
language sql
stable
set search_path = ''
as $$
  -- Two characters of the private use area enclose a match. Clients split at them: what members write is never markup.
  -- A third one stands in for `<`, as tags would be left out. Only the beginning of an article is read: finding fragments
  -- in all of it would take most of the time.
  select translate(
    ts_headline(
      'pg_catalog.english', translate(left(written, 3000), U&'<\E000\E001\E002', U&'\E002'), private.search_query(term),
      U&'StartSel=\E000, StopSel=\E001, ' || fragments
    ),
    U&'\E002', '<'
  )
$$;
comment on function private.marked(text, text, text) is 'A text with its matches between U+E000 and U+E001.';
grant execute on function private.marked(text, text, text) to authenticated;

create function public.search_posts(
  term text, area text default 'posts', sort text default 'best', after_rank real default null,
  before_at timestamptz default null, before_id uuid default null, page_size integer default 20
)
returns table (
  id uuid, kind text, slug text, title text, excerpt text, created_at timestamptz, author_id uuid, author_name text,
  author_avatar text, author_department text, comment_count integer, reaction_count integer, rank real
)
language sql
rows 20
set search_path = ''
as $$
  -- As the caller: row-level security applies to posts and profiles once more.
  select
    p.id, p.kind, p.slug,
    private.marked(p.title, term, 'HighlightAll=true'),
    private.marked(
      p.content, term,
      case
        when char_length(p.content) <= 200 then 'HighlightAll=true'
        else 'MaxFragments=2, MaxWords=24, MinWords=8, FragmentDelimiter=" ... "'
      end
    ),
    p.created_at, author.id, author.full_name, author.avatar_url, author.department,
    public.comment_count(p), public.reaction_count(p), page.rank
  from private.search_posts(
    left(term, 200), area, sort is distinct from 'newest', after_rank, before_at, before_id,
    least(greatest(coalesce(page_size, 20), 1), 50)
  ) as page
  inner join public.posts as p on page.post_id = p.id
  left join public.profiles as author on p.user_id = author.id
  order by page.rank desc, page.created_at desc, page.post_id desc
$$;
comment on function public.search_posts(text, text, text, real, timestamptz, uuid, integer) is
'A page of posts (area: posts, lessons, articles) by words of title, text, tags and author. The last word may be a
beginning; "a phrase", -excluded. sort: best (of the newest 300 that match) or newest. For the next page pass rank,
created_at and id of the last row. Matches in title and excerpt are between U+E000 and U+E001. page_size: 20, at most 50.';
grant execute on function public.search_posts(text, text, text, real, timestamptz, uuid, integer) to authenticated;

-- Trainings (§11.1): coming ones only, so that there are few; the soonest first.

create function private.training_words(title text, place text, description text)
returns tsvector
language sql
immutable
set search_path = ''
as $$
  select
    setweight(to_tsvector('pg_catalog.english', title), 'A')
    || setweight(to_tsvector('pg_catalog.english', coalesce(place, '')), 'B')
    || setweight(to_tsvector('pg_catalog.english', coalesce(description, '')), 'C')
$$;
comment on function private.training_words(text, text, text) is 'The words by which a training is found.';
grant execute on function private.training_words(text, text, text) to authenticated, service_role;

create index trainings_words_idx on public.trainings using gin (private.training_words(title, place, description));

create function private.matching_trainings(asked tsquery, most integer)
returns table (training_id uuid, starts_at timestamptz)
language plpgsql
rows 20
security definer
set search_path = ''
set jit = off
as $$
declare
  blocked constant uuid[] := private.blocked_with_caller();
begin
  if (select auth.uid()) is null or not private.caller_is_active() or numnode(asked) = 0 then
    return;
  end if;
  return query
  select t.id, t.starts_at
  from public.trainings as t
  where private.training_words(t.title, t.place, t.description) @@ asked
    and t.ends_at > now() and not t.is_canceled and (t.user_id = any(blocked)) is not true
  order by t.starts_at, t.id
  limit most;
end
$$;
comment on function private.matching_trainings(tsquery, integer) is 'The next trainings that match, the soonest first.';

create function private.search_trainings(term text, most integer)
returns table (training_id uuid, starts_at timestamptz)
language sql
rows 20
security definer
set search_path = ''
as $$
  select * from private.matching_trainings(private.search_query(term), most)
$$;
comment on function private.search_trainings(text, integer) is 'Implements public.search_trainings.';
grant execute on function private.search_trainings(text, integer) to authenticated;

create function public.search_trainings(term text, max_results integer default 20)
returns setof public.trainings
language sql
rows 20
set search_path = ''
as $$
  -- As the caller: row-level security applies once more.
  select t.*
  from private.search_trainings(left(term, 200), least(greatest(coalesce(max_results, 20), 1), 50)) as found
  inner join public.trainings as t on found.training_id = t.id
  order by t.starts_at, t.id
$$;
comment on function public.search_trainings(text, integer) is
'Coming trainings by words of title, place and description, as search_posts reads them; the soonest first, at most 50.';
grant execute on function public.search_trainings(text, integer) to authenticated;

create function private.search_counts(term text)
returns table (area text, matches integer)
language sql
rows 4
security definer
set search_path = ''
as $$
  select each.area, (
    select count(*)::integer from private.matching_posts(private.search_query(term), each.area, null, null, 100)
  )
  from unnest(array['posts', 'lessons', 'articles']) as each (area)
  where (select auth.uid()) is not null and private.caller_is_active()
  union all
  select 'trainings', (select count(*)::integer from private.matching_trainings(private.search_query(term), 100))
  where (select auth.uid()) is not null and private.caller_is_active()
$$;
comment on function private.search_counts(text) is 'Implements public.search_counts.';
grant execute on function private.search_counts(text) to authenticated;

create function public.search_counts(term text)
returns table (area text, matches integer)
language sql
rows 4
set search_path = ''
as $$
  select * from private.search_counts(left(term, 200))
$$;
comment on function public.search_counts(text) is
'How many posts, lessons, articles and coming trainings match, counted up to 100: then there are 100 or more.';
grant execute on function public.search_counts(text) to authenticated;

create function public.search_articles(term text)
returns setof public.posts
language sql
rows 24
set search_path = ''
as $$
  -- As the caller: row-level security applies once more.
  select p.*
  from private.search_posts(left(term, 200), 'articles', true, null, null, null, 24) as page
  inner join public.posts as p on page.post_id = p.id
  order by page.rank desc, page.created_at desc, page.post_id desc
$$;
comment on function public.search_articles(text) is
'The 24 published articles that match best, by words of title, text, tags and author. For visitors, too.';
grant execute on function public.search_articles(text) to anon, authenticated;

create function public.article_topics()
returns table (category text, articles integer)
language sql
stable
rows 8
set search_path = ''
as $$
  select newest.category, count(*)::integer as articles
  from (
    select p.category from public.posts as p
    where p.is_blog_post and p.is_public_blog and not p.is_command_post
    order by p.created_at desc
    limit 1000
  ) as newest
  group by newest.category
  order by articles desc, newest.category
  limit 8
$$;
comment on function public.article_topics() is
'The 8 most frequent categories of the published articles, of the newest 1,000.';
grant execute on function public.article_topics() to anon, authenticated;

create function public.related_articles(article uuid)
returns table (
  id uuid,
  user_id uuid,
  title text,
  summary text,
  content text,
  category text,
  featured_image text,
  slug text,
  tags text[],
  created_at timestamptz,
  reading_minutes integer
)
language sql
stable
rows 3
set search_path = ''
as $$
  -- The texts, which are long, are read only of those that are returned.
  select
    p.id, p.user_id, p.title, p.summary, left(p.content, 600), p.category, p.featured_image, p.slug, p.tags,
    p.created_at, greatest(1, ceil(array_length(regexp_split_to_array(btrim(p.content), '\s+'), 1) / 200.0))::integer
  from (
    select
      other.id,
      2 * cardinality(array(select unnest(other.tags) intersect select unnest(this.tags)))
      + (other.category = this.category)::integer as points
    from (
      select p.id, p.tags, p.category from public.posts as p
      where p.is_blog_post and p.is_public_blog and not p.is_command_post and p.id <> article
      order by p.created_at desc
      limit 1000
    ) as other
    inner join public.posts as this on this.id = article and this.is_public_blog
  ) as scored
  inner join public.posts as p on scored.id = p.id
  order by scored.points desc, p.created_at desc
  limit 3
$$;
comment on function public.related_articles(uuid) is
'Three of the newest 1,000 other articles, by tags and category in common; texts are cut at 600 characters.';
grant execute on function public.related_articles(uuid) to anon, authenticated;
