"""The statements of the scale seed: rows low..high of each kind, made from their numbers (see seed.py)."""

SECONDARY_INDEXES = """
select i.relname, pg_get_indexdef(i.oid)
from pg_index as x
inner join pg_class as i on i.oid = x.indexrelid
inner join pg_class as t on t.oid = x.indrelid
where t.relnamespace = 'public'::regnamespace and t.relname = any(%(tables)s) and not x.indisunique
order by i.relname
"""

# {seed}, {members}, {posts} and {conversations} are put in as integers by seed.py. The functions are all inlined:
# that makes a row some twenty times cheaper, and is why they are declared stable and hold no settings.
PREPARE = r"""
-- A number in [0, 1) for the n-th thing of a kind; the same for the same seed.
create or replace function pg_temp.u(n bigint, salt integer) returns double precision language sql stable as $$
  select ((hashint8extended(n, salt + 1000 * {seed}::bigint) >> 11) & 9007199254740991)::double precision
    / 9007199254740992::double precision
$$;
-- A member's number: the lower it is, the more often it is chosen.
create or replace function pg_temp.some_member(n bigint, salt integer, skew double precision)
returns integer language sql stable as $$
  select 1 + floor({members} * power(pg_temp.u(n, salt), skew))::integer
$$;
create or replace function pg_temp.id(kind text, n bigint) returns uuid language sql stable as $$
  select overlay(overlay(md5(kind || n || ' of {seed}') placing '4' from 13) placing 'a' from 17)::uuid
$$;
create or replace function pg_temp.pick(words text[], n bigint, salt integer) returns text language sql stable as $$
  select words[1 + floor(cardinality(words) * pg_temp.u(n, salt))::integer]
$$;
create or replace function pg_temp.some_time(n bigint, salt integer, days double precision)
returns timestamptz language sql stable as $$
  -- More of it lately than long ago.
  select date_trunc('day', now()) - interval '1 second' * (days * 86400 * power(pg_temp.u(n, salt), 1.6))
$$;
create or replace function pg_temp.some_phrase(n bigint, salt integer) returns integer language sql stable as $$
  select floor(8192 * pg_temp.u(n, salt))::integer
$$;
create temporary table if not exists scale_phrases (n integer primary key, words text not null);
truncate scale_phrases;
insert into scale_phrases
select p.n, string_agg(pg_temp.pick(array[
    'engine','truck','roof','hose','ladder','search','crew','captain','radio','line','drill','shift','station','smoke',
    'water','hydrant','saw','door','window','stairs','basement','tanker','brush','burn','medic','patient','foam','pump',
    'nozzle','officer','training','the','the','and','of','after','before','with','without','first','second','two','our',
    'we','learned','asked','found','lost','kept','moved','opened','closed','again','never','slowly','early','late'
  ], p.n * 64 + w.n, 9), ' ' order by w.n)
from generate_series(0, 8191) as p (n)
cross join lateral generate_series(1, 5 + p.n % 14) as w (n)
group by p.n;
create temporary table if not exists scale_members (n integer primary key, id uuid not null);
truncate scale_members;
insert into scale_members
select n, pg_temp.id('member', n) from generate_series(1, {members}) as s (n);
create temporary table if not exists scale_posts (n integer primary key, comments integer, reactions integer);
truncate scale_posts;
insert into scale_posts
select n, sum(comments), sum(reactions)
from (
  select 1 + floor({posts} * power(pg_temp.u(i, 21), 1.2))::integer as n,
    1 as comments, 0 as reactions
  from generate_series(1, {posts}) as s (i)
  union all
  select distinct on (n, member) n, 0, 1
  from (
    select 1 + floor({posts} * power(pg_temp.u(i, 31), 1.4))::integer as n,
      pg_temp.some_member(i, 32, 1.2) as member
    from generate_series(1, {posts}) as s (i)
  ) as r
) as both_kinds
group by n;
analyze scale_members, scale_posts, scale_phrases;
"""

_FIRST = """array['Ada','Ben','Carla','Dev','Elena','Frank','Grace','Hugo','Iris','Jamal','Kira','Liam','Mona','Nils',
  'Olga','Pavel','Quinn','Rosa','Sven','Tara','Umar','Vera','Will','Ximena','Yusuf','Zoe','Aaron','Bella','Cyrus','Dina',
  'Eli','Faye','Gil','Hope','Ivan','June','Karl','Lena','Milo','Nina','Otis','Pia','Rami','Sara','Theo','Uma','Vik',
  'Wendy','Xander','Yara']"""
_LAST = """array['Ash','Birk','Carr','Dal','Elm','Fer','Gran','Hart','Iver','Jar','Kell','Lang','Mor','Nor','Oak',
  'Penn','Quar','Rav','Stan','Thorn','Ulm','Van','West','Yar','Zim','Brad','Crom','Dun','East','Falk']"""
_ENDING = """array['berg','dale','field','ford','gate','ham','land','ley','man','more','ner','ridge','sen','shaw',
  'smith','son','stone','strom','ton','vale','ville','wall','water','well','wick','wood','worth','yard']"""

STATEMENTS: dict[str, tuple[str, ...]] = {
    "members": (
        """
        insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
          raw_app_meta_data, raw_user_meta_data, last_sign_in_at, created_at, updated_at, confirmation_token,
          recovery_token, email_change_token_new, email_change)
        select '00000000-0000-0000-0000-000000000000', m.id, 'authenticated', 'authenticated',
          'member' || m.n || case when {seed} = 1 then '' else '.{seed}' end || '@scale.test',
          %(password_hash)s, now(),
          '{"provider": "email", "providers": ["email"]}', '{}',
          case when pg_temp.u(m.n, 14) < 0.9 then pg_temp.some_time(m.n, 14, 60) end,
          pg_temp.some_time(m.n, 1, 900), now(), '', '', '', ''
        from scale_members as m
        where m.n between %(low)s and %(high)s
        on conflict do nothing
        """,
        """
        insert into auth.identities (id, provider_id, user_id, identity_data, provider, created_at, updated_at)
        select pg_temp.id('identity', m.n), u.id::text, u.id,
          jsonb_build_object('sub', u.id, 'email', u.email, 'email_verified', true), 'email', u.created_at, u.created_at
        from scale_members as m
        inner join auth.users as u on u.id = m.id
        where m.n between %(low)s and %(high)s
        on conflict do nothing
        """,
        f"""
        insert into public.profiles (id, full_name, email, department, position, rank, years_of_service,
          firefighter_type, state, specialties, bio, privacy_settings, created_at)
        select m.id,
          pg_temp.pick({_FIRST}, m.n, 2) || ' ' || pg_temp.pick({_LAST}, m.n, 3) || pg_temp.pick({_ENDING}, m.n, 4),
          u.email,
          pg_temp.pick({_LAST}, m.n / 97, 5) || pg_temp.pick({_ENDING}, m.n / 97, 6) || ' Fire Department',
          pg_temp.pick(array['Firefighter','Engineer','Lieutenant','Captain','Battalion chief'], m.n, 7) || ', Engine '
            || (m.n %% 40 + 1),
          pg_temp.pick(array['Firefighter','Engineer','Lieutenant','Captain','Battalion Chief'], m.n, 7),
          floor(35 * pg_temp.u(m.n, 8)),
          pg_temp.pick(array['Career','Career','Career','Career','Volunteer','Volunteer','Volunteer','Volunteer',
            'Combination','Combination','Wildland','Industrial','Military','Retired'], m.n, 9),
          -- A department is in one state; the first of these have the most.
          pg_temp.pick(array['CA','CA','CA','TX','TX','NY','NY','FL','FL','PA','IL','OH','GA','NC','MI','NJ','VA','WA',
            'AZ','TN','MA','IN','MO','MD','WI','CO','MN','SC','AL','LA','KY','OR','OK','CT','UT','IA','NV','AR','KS',
            'MS','NM','NE','ID','WV','HI','NH','ME','MT','RI','DE','SD','ND','AK','DC','VT','WY'], m.n / 97, 18),
          array[pg_temp.pick(array['EMS','Hazmat','Rope rescue','Pump operations','Instruction'], m.n, 10),
            pg_temp.pick(array['Truck operations','Water supply','Live fire','Building construction',
              'Swiftwater rescue','Confined space','Fire investigation','Prevention','Mentoring','Wildland'], m.n, 19)],
          i.words,
          jsonb_build_object(
            'profile_visibility', case when pg_temp.u(m.n, 12) < 0.03 then 'private'
              when pg_temp.u(m.n, 12) < 0.08 then 'connections' else 'public' end,
            'connection_visibility', 'connections',
            'allow_messages_from_anyone', pg_temp.u(m.n, 13) < 0.9,
            'daily_message_limit_reached', false, 'non_connection_messages_today', 0, 'last_limit_reset', null),
          u.created_at
        from scale_members as m
        inner join auth.users as u on u.id = m.id
        inner join scale_phrases as i on i.n = pg_temp.some_phrase(m.n, 11)
        where m.n between %(low)s and %(high)s
        on conflict do nothing
        """,
    ),
    "connections": (
        """
        insert into public.connections (id, user_id, connected_user_id, status, created_at, updated_at)
        select pg_temp.id('connection', s.n), a.id, b.id,
          case when pg_temp.u(s.n, 15) < 0.06 then 'pending' when pg_temp.u(s.n, 15) < 0.08 then 'declined'
            else 'accepted' end,
          pg_temp.some_time(s.n, 16, 800), pg_temp.some_time(s.n, 16, 800)
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        inner join scale_members as a on a.n = 1 + s.n %% {members}
        inner join scale_members as b on b.n = pg_temp.some_member(s.n, 17, 1.6)
        where a.n <> b.n
        on conflict do nothing
        """,
    ),
    "posts": (
        """
        with counted as (
          insert into private.post_counts (post_id, comments, reactions)
          select pg_temp.id('post', c.n), c.comments, c.reactions
          from scale_posts as c
          where c.n between %(low)s::integer and %(high)s::integer
          on conflict do nothing
        )
        insert into public.posts (id, user_id, kind, title, content, category, tags, starts_at, created_at, updated_at)
        select pg_temp.id('post', s.n), a.id, k.kind,
          case when pg_temp.u(s.n, 41) < 0.5 then initcap(left(i.words, 60)) end,
          i.words || '. ' || j.words || '. ' || l.words,
          pg_temp.pick(array['Firefighting','Tactics','Training','Equipment','Leadership','Career'], s.n, 45),
          array[pg_temp.pick(array['size up','water supply','drills','apparatus'], s.n, 46)],
          case when k.kind = 'training' then t.created_at + make_interval(days => 30) end,
          t.created_at, t.created_at
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        inner join scale_members as a on a.n = pg_temp.some_member(s.n, 47, 1.5)
        inner join scale_phrases as i on i.n = pg_temp.some_phrase(s.n, 42)
        inner join scale_phrases as j on j.n = pg_temp.some_phrase(s.n, 43)
        inner join scale_phrases as l on l.n = pg_temp.some_phrase(s.n, 44)
        cross join lateral (select pg_temp.some_time(s.n, 48, 800)) as t (created_at)
        cross join lateral (
          select pg_temp.pick(array['lesson','lesson','lesson','training','project','question','question','general',
            'general','general'], s.n, 49)
        ) as k (kind)
        on conflict do nothing
        """,
    ),
    "articles": (
        """
        insert into public.posts (id, user_id, kind, title, summary, content, category, slug, is_blog_post,
          is_public_blog, created_at, updated_at)
        select pg_temp.id('article', s.n), a.id, 'lesson', initcap(left(i.words, 60)), i.words,
          (select string_agg(p.words, '. ' order by p.n) from scale_phrases as p where p.n %% 137 = s.n %% 137),
          pg_temp.pick(array['Firefighting','Tactics','Training','Equipment','Leadership','Career'], s.n, 54),
          'scale-' || '{seed}' || '-' || s.n, true, pg_temp.u(s.n, 55) < 0.9,
          pg_temp.some_time(s.n, 56, 800), now()
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        inner join scale_members as a on a.n = 1 + s.n %% 10
        inner join scale_phrases as i on i.n = pg_temp.some_phrase(s.n, 51)
        on conflict do nothing
        """,
    ),
    "comments": (
        """
        insert into public.comments (id, post_id, user_id, content, created_at, updated_at)
        select pg_temp.id('comment', s.n), p.id, a.id,
          i.words,
          p.created_at + (now() - p.created_at) * pg_temp.u(s.n, 63), now()
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        inner join scale_members as a on a.n = pg_temp.some_member(s.n, 64, 1.4)
        inner join scale_phrases as i on i.n = pg_temp.some_phrase(s.n, 61)
        inner join public.posts as p on p.id = pg_temp.id('post',
          1 + floor({posts} * power(pg_temp.u(s.n, 21), 1.2))::integer)
        on conflict do nothing
        """,
    ),
    "reactions": (
        """
        insert into public.reactions (id, user_id, post_id, type, created_at)
        select pg_temp.id('reaction', s.n), a.id, p.id, pg_temp.pick(array['useful','useful','thanks'], s.n, 71),
          p.created_at + (now() - p.created_at) * pg_temp.u(s.n, 72)
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        inner join scale_members as a on a.n = pg_temp.some_member(s.n, 32, 1.2)
        inner join public.posts as p on p.id = pg_temp.id('post',
          1 + floor({posts} * power(pg_temp.u(s.n, 31), 1.4))::integer)
        on conflict do nothing
        """,
    ),
    "messages": (
        """
        -- Conversations of 25 messages on average; the n-th message belongs to one of them.
        insert into public.messages (id, sender_id, recipient_id, content, read, created_at)
        select pg_temp.id('message', s.n),
          case when s.n %% 2 = 0 then a.id else b.id end, case when s.n %% 2 = 0 then b.id else a.id end,
          i.words,
          t.created_at < now() - interval '2 days' or pg_temp.u(s.n, 83) < 0.7, t.created_at
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        cross join lateral (
          select s.n %% {conversations}
        ) as c (conversation)
        inner join scale_members as a
          on a.n = 1 + floor({members} * pg_temp.u(c.conversation, 84))::integer
        inner join scale_members as b on b.n = pg_temp.some_member(c.conversation, 85, 1.7)
        inner join scale_phrases as i on i.n = pg_temp.some_phrase(s.n, 81)
        cross join lateral (select pg_temp.some_time(s.n, 86, 700)) as t (created_at)
        where a.n <> b.n
        on conflict do nothing
        """,
    ),
    "notifications": (
        """
        insert into public.notifications (id, user_id, actor_id, type, title, content, metadata, seen, created_at)
        select pg_temp.id('notification', s.n), b.id, a.id,
          pg_temp.pick(array['message','connection','mention','comment','reaction'], s.n, 91),
          'Something happened', i.words,
          jsonb_build_object('user_id', a.id, 'url', '/notifications'),
          t.created_at < now() - interval '3 days' or pg_temp.u(s.n, 93) < 0.5, t.created_at
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        inner join scale_members as a on a.n = 1 + s.n %% {members}
        inner join scale_members as b on b.n = pg_temp.some_member(s.n, 94, 1.5)
        inner join scale_phrases as i on i.n = pg_temp.some_phrase(s.n, 92)
        cross join lateral (select pg_temp.some_time(s.n, 95, 400)) as t (created_at)
        where a.n <> b.n
        on conflict do nothing
        """,
    ),
    "certifications": (
        """
        insert into public.certifications (id, user_id, name, issuer, issued_on, expires_on)
        select pg_temp.id('certification', s.n), a.id,
          pg_temp.pick(array['Paramedic','Firefighter II','Fire Instructor I','Hazmat Operations','Rope Technician'],
            s.n, 101), 'State Fire Academy', current_date - (900 * pg_temp.u(s.n, 102))::integer,
          current_date + (900 * pg_temp.u(s.n, 103))::integer
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        inner join scale_members as a on a.n = 1 + s.n %% {members}
        on conflict do nothing
        """,
    ),
    "career_milestones": (
        """
        insert into public.career_milestones (id, user_id, title, organization, started_on, is_current)
        select pg_temp.id('milestone', s.n), a.id, 'Firefighter', 'Fire Department',
          current_date - (9000 * pg_temp.u(s.n, 111))::integer, true
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        inner join scale_members as a on a.n = s.n
        on conflict do nothing
        """,
    ),
    "waitlist": (
        """
        insert into public.quiz_responses (id, firefighter_type, current_rank, years_of_service, linkedin_missing,
          created_at)
        select pg_temp.id('quiz', s.n), pg_temp.pick(array['career','volunteer','wildland','retired'], s.n, 121),
          pg_temp.pick(array['Firefighter','Engineer','Lieutenant','Captain','Battalion Chief'], s.n, 125),
          pg_temp.pick(array['less-than-1','1-5','6-10','11-20','more-than-20'], s.n, 122),
          '{"is_waitlist_quiz": true}', pg_temp.some_time(s.n, 123, 400)
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        on conflict do nothing
        """,
        """
        insert into public.waitlist (id, email, status, quiz_response_id, created_at)
        select pg_temp.id('waitlist', s.n),
          'waiting' || s.n || '.' || '{seed}' || '@scale.test',
          pg_temp.pick(array['waitlist','waitlist','waitlist','pending','invited'], s.n, 124), pg_temp.id('quiz', s.n),
          pg_temp.some_time(s.n, 123, 400)
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        on conflict do nothing
        """,
    ),
    "feedback": (
        """
        insert into public.feedback (id, user_id, category, content, status, created_at)
        select pg_temp.id('feedback', s.n), a.id,
          pg_temp.pick(array['general','bug','feature','question'], s.n, 131), i.words,
          pg_temp.pick(array['pending','reviewed','resolved'], s.n, 133), pg_temp.some_time(s.n, 134, 400)
        from generate_series(%(low)s::integer, %(high)s::integer) as s (n)
        inner join scale_members as a on a.n = s.n
        inner join scale_phrases as i on i.n = pg_temp.some_phrase(s.n, 132)
        on conflict do nothing
        """,
    ),
}
