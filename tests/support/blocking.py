"""Every way in which one member sees or reaches another (§13.3), as data: a statement, and what it gives with a block.

The world is symmetrical: ada and ben each have written a post, a comment on cleo's post and a message to the other, and
so on. So each way is tried by both, whoever blocks.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg

NAMES = ("ada", "ben", "cleo")


def _id(kind: int, name: str) -> UUID:
    return UUID(int=0xC0000000_0000_4000_8000_000000000000 + 16 * kind + NAMES.index(name))


MEMBERS = {name: _id(0, name) for name in NAMES}
OTHER = {"ada": "ben", "ben": "ada"}
KINDS = ("post", "comment", "thread", "side", "training", "past")


@dataclass(frozen=True)
class Way:
    """`statement` gives `free` without a block and `blocked` with one: a number of rows, or an SQLSTATE.

    `before` runs first, as superuser. `role` is the one that the statement runs as.
    """

    name: str
    statement: str
    free: str
    blocked: str = "0"
    before: str = ""
    role: str = "authenticated"


_IN_TABLES = (
    ("posts", "user_id = %(them)s"),
    ("comments", "user_id = %(them)s"),
    ("reactions", "user_id = %(them)s"),
    ("certifications", "user_id = %(them)s"),
    ("awards", "user_id = %(them)s"),
    ("career_milestones", "user_id = %(them)s"),
    ("projects", "user_id = %(them)s"),
    ("growth_plans", "user_id = %(them)s"),
    ("mentors", "user_id = %(them)s"),
    ("notifications", "actor_id = %(them)s"),
)

# Their post is the newest that is found, then cleo's.
_FOUND = """
update public.posts
set content = case when user_id = %(me)s then 'Something else' else 'Hydrant' end,
  created_at = case when user_id = %(them)s then now() else now() - interval '1 hour' end
"""

WAYS = (
    Way("profile", "select from public.profiles where id = %(them)s", "1"),
    *(Way(table, f"select from public.{table} where {mine}", "1") for table, mine in _IN_TABLES),
    Way("comments of others on their post", "select from public.comments where post_id = %(their_post)s", "1"),
    Way("reactions of others to their post", "select from public.reactions where post_id = %(their_post)s", "1"),
    Way("mentions by them", "select from public.mentions where mentioned_by_id = %(them)s", "1"),
    Way("mentions of them", "select from public.mentions where mentioned_user_id = %(them)s", "1"),
    Way("mentions on their post", "select from public.mentions where comment_id = %(their_thread)s", "1"),
    Way(
        "use of their lesson",
        "insert into public.lesson_uses (post_id) values (%(their_post)s)",
        "1",
        "42501",
        before="update public.posts set kind = 'lesson'",
    ),
    Way(
        "their training, on a record",
        "select from public.issue_record('{trainings}') as r, jsonb_array_elements(r.document -> 'trainings')",
        "1",
    ),
    Way(
        "a request that was declined",
        "select from public.connections where %(them)s in (user_id, connected_user_id)"
        " and %(me)s in (user_id, connected_user_id)",
        "1",
        before="insert into public.connections (user_id, connected_user_id, status)"
        " values (%(me)s, %(them)s, 'declined')",
    ),
    Way(
        "a request of theirs that was declined",
        "select from public.connections where user_id = %(them)s and connected_user_id = %(me)s",
        "1",
        before="insert into public.connections (user_id, connected_user_id, status)"
        " values (%(them)s, %(me)s, 'declined')",
    ),
    Way("pictures of their post", "select from public.files where user_id = %(them)s", "1",
        before="insert into public.files (user_id, bucket_id, mime_type, bytes, width, height, preview, post_id)"
        " values (%(them)s, 'post-pictures', 'image/jpeg', 1, 1, 1, 'data:image/webp;base64,AAAA', %(their_post)s)"),
    Way("messages from them", "select from public.messages where sender_id = %(them)s", "1"),
    Way("messages to them", "select from public.messages where recipient_id = %(them)s", "1"),
    Way("unread messages", "select from public.messages where recipient_id = %(me)s and not read", "2", "1"),
    Way("conversation", "select from public.conversations() where participant_id = %(them)s", "1"),
    Way("page of conversations", "select from public.conversations('', null, null, 1) where participant_id = %(third)s",
        "0", "1"),
    Way("page of conversations with a name",
        "select from public.conversations('tester', null, null, 1) where participant_id = %(third)s", "0", "1"),
    Way("page of conversations with two letters",
        "select from public.conversations('te', null, null, 1) where participant_id = %(third)s", "0", "1"),
    Way("search by name", "select from public.search_profiles(%(their_name)s) where id = %(them)s", "1"),
    Way("search by two letters", "select from public.search_profiles(left(%(their_name)s, 2)) where id = %(them)s",
        "1"),
    Way("search by address", "select from public.search_profiles(%(their_name)s || '@block') where id = %(them)s",
        "1"),
    Way("search of posts", "select from public.search_posts('hydrant') where author_id = %(them)s", "1"),
    Way("search of posts, newest first",
        "select from public.search_posts('hydrant', 'posts', 'newest') where author_id = %(them)s", "1"),
    Way("page of found posts", "select from public.search_posts('hydrant', 'posts', 'best', null, null, null, 1)"
        " where author_id = %(third)s", "0", "1", before=_FOUND),
    Way("page of found posts, newest first",
        "select from public.search_posts('hydrant', 'posts', 'newest', null, null, null, 1)"
        " where author_id = %(third)s", "0", "1", before=_FOUND),
    Way("number of found posts",
        "select from public.search_counts('hydrant') cross join generate_series(1, matches)", "2", "1"),
    Way("number of comments on the post of another",
        "select from public.posts as p cross join generate_series(1, public.comment_count(p))"
        " where p.id = %(third_post)s", "4", "3"),
    Way("number of reactions to the post of another",
        "select from public.posts as p cross join generate_series(1, public.reaction_count(p))"
        " where p.id = %(third_post)s", "2", "1"),
    Way("number of reactions to a comment of another",
        "select from public.comments as c cross join generate_series(1, public.reaction_count(c))"
        " where c.user_id = %(third)s and c.post_id = %(third_post)s", "2",
        before="insert into public.reactions (user_id, comment_id) select %(them)s, c.id from public.comments as c"
        " where c.user_id = %(third)s and c.post_id = %(third_post)s"),
    Way("number of uses of a lesson of another",
        "select from public.posts as p cross join generate_series(1, public.use_count(p)) where p.id = %(third_post)s",
        "1", before="insert into public.lesson_uses (member_id, post_id) values (%(them)s, %(third_post)s)"),
    *(
        Way(f"number of members who said {answer} to the training of another",
            "select from public.trainings as t"
            f" cross join generate_series(1, public.{count}(t)) where t.id = %(third_training)s", "1",
            before="insert into public.training_attendances (training_id, user_id, answer)"
            f" values (%(third_training)s, %(them)s, '{answer}')")
        for answer, count in (("going", "going_count"), ("interested", "interested_count"))
    ),
    Way("directory", "select from public.directory() where id = %(them)s", "1"),
    Way("page of the directory",
        "select from public.directory('{}', null, null, null, 1) where id <> %(them)s", "0", "1"),
    Way("number of members in the directory", "select from public.directory_counts() as c"
        " cross join generate_series(1, c.members) where c.facet = 'everyone'", "3", "2"),
    Way("number of members in their department", "select from public.directory_counts() as c"
        " where c.facet = 'department' and c.value = 'of ' || %(their_name)s", "1",
        before="update public.profiles set department = 'Of ' || %(their_name)s where id = %(them)s"),
    Way("a push of their notification",
        "select from public.notifications as n cross join public.push_subscriptions as s"
        " inner join public.profiles as p on p.id = s.user_id"
        " where n.actor_id = %(them)s and s.user_id = %(me)s and n.user_id = p.id and private.is_pushed(n, s, p)", "1",
        before="with session as (insert into auth.sessions (id, user_id, created_at, updated_at)"
        " values (%(me)s, %(me)s, now(), now())) insert into public.push_subscriptions"
        " (user_id, session_id, endpoint, p256dh, auth, server_key, preferences) select %(me)s, %(me)s,"
        " 'https://push.example.net/1', rpad('B', 87, 'A'), rpad('', 22, 'A'), rpad('B', 87, 'A'),"
        " array_agg(preference) from private.notification_kinds where not mail_only and preference is not null",
        role="postgres"),
    Way("search of trainings", "select from public.search_trainings('ladders') where user_id = %(them)s", "1"),
    Way("number of found trainings",
        "select from public.search_counts('ladders') cross join generate_series(1, matches) where area = 'trainings'",
        "2", "1"),
    Way("tags of their posts", "select from public.tags_in_use('from ' || %(their_name)s)", "1",
        before="update public.posts set tags = array['from ' || %(their_name)s] where user_id = %(them)s"),
    Way("a saved post of theirs", "select from public.saved_posts", "1",
        before="insert into public.saved_posts (member_id, post_id) values (%(me)s, %(their_post)s)"),
    Way("saves their post", "insert into public.saved_posts (post_id) values (%(their_post)s)", "1", "42501"),
    Way("connections of others", "select from public.connections_of(%(third)s) where id = %(them)s", "1"),
    Way("number of connections of others", "select from generate_series(1, public.connection_count(%(third)s))",
        "2", "1"),
    Way("their connections", "select from public.connections_of(%(them)s)", "1"),
    Way("number of their connections", "select from generate_series(1, public.connection_count(%(them)s))", "1"),
    Way("what one has in common with them", "select from public.shared_connections(array[%(them)s]::uuid[])", "1"),
    Way("what they have in common with others", "select from public.shared_connections(array[%(third)s]::uuid[]) as c"
        " cross join generate_series(1, c.shared)", "1",
        before="insert into public.connections (user_id, connected_user_id, status)"
        " values (%(me)s, %(them)s, 'accepted')"),
    Way("people one may know", "select from public.people_you_may_know() where id = %(them)s", "1"),
    Way("asks to connect",
        "insert into public.connections (user_id, connected_user_id) values (%(me)s, %(them)s)", "1", "42501"),
    Way("writes", "insert into public.messages (sender_id, recipient_id, content) values (%(me)s, %(them)s, 'Hi')",
        "1", "PT403"),
    Way("comments", "insert into public.comments (post_id, content) values (%(their_post)s, 'Hi')", "1", "42501"),
    Way("answers", "insert into public.comments (post_id, parent_id, content)"
        " values (%(third_post)s, %(their_comment)s, 'Hi')", "1", "42501"),
    Way("reacts to a post", "insert into public.reactions (post_id) values (%(their_post)s)", "1", "42501"),
    Way("reacts to a comment", "insert into public.reactions (comment_id) values (%(their_comment)s)", "1", "42501"),
    Way("mentions", "insert into public.mentions (mentioned_user_id, comment_id) values (%(them)s, %(my_comment)s)",
        "1", "42501"),
    Way("notifies", "insert into public.notifications (user_id, type, title) values (%(them)s, 'message', 'Hi')",
        "1", "PT403"),
    Way("notifies as an admin",
        "insert into public.notifications (user_id, type, title) values (%(them)s, 'mention', 'Hi')",
        "1", "PT403", before="insert into private.admins (user_id) values (%(me)s)"),
    Way("trainings", "select from public.trainings where user_id = %(them)s", "2"),
    Way("who came to one's training",
        "select from public.training_attendances where user_id = %(them)s and training_id = %(my_past)s", "1"),
    Way("goes to their training",
        "insert into public.training_attendances (training_id, answer) values (%(their_training)s, 'going')",
        "1", "42501"),
    Way("requirements of their plan", "select from public.requirements_of(%(them)s)", "1"),
    Way("what they said of others",
        "select from public.endorsements where endorser_id = %(them)s and member_id = %(third)s", "1"),
    Way("what others said of them",
        "select from public.endorsements where endorser_id = %(third)s and member_id = %(them)s", "1"),
    Way("endorses", "insert into public.endorsements (member_id, specialty, sentence)"
        " values (%(them)s, 'Ladders', 'Good.')", "1", "42501",
        before="insert into public.connections (user_id, connected_user_id, status)"
        " values (%(me)s, %(them)s, 'accepted')"),
    Way("asks for a mentor", "insert into public.mentorings (mentor_id, message) values (%(them)s, 'Hi')", "1", "42501",
        before="insert into public.connections (user_id, connected_user_id, status)"
        " values (%(me)s, %(them)s, 'accepted')"),
    Way("mails", "select from functions.accept_mail('message', %(their_name)s || '@block.test')", "1",
        role="postgres"),
)  # fmt: skip

_WORLD = """
insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, raw_user_meta_data, created_at,
  updated_at, confirmation_token, recovery_token, email_change, email_change_token_new)
select '00000000-0000-0000-0000-000000000000', m.id, 'authenticated', 'authenticated', m.name || '@block.test', now(),
  jsonb_build_object('full_name', initcap(m.name) || ' Tester', 'department', 'Station 9'), now() - interval '1 year',
  now(), '', '', '', ''
from unnest(%(ids)s::uuid[], %(names)s::text[]) as m (id, name);
update public.profiles set privacy_settings = privacy_settings || '{"connection_visibility": "public"}'
where id = any(%(ids)s);
insert into public.connections (user_id, connected_user_id, status)
values (%(ada)s, %(cleo)s, 'accepted'), (%(ben)s, %(cleo)s, 'accepted');
insert into public.posts (id, user_id, content) values
  (%(post_ada)s, %(ada)s, 'Hydrant tactics'), (%(post_ben)s, %(ben)s, 'Hydrant tactics'),
  (%(post_cleo)s, %(cleo)s, 'A question');
insert into public.comments (id, post_id, user_id, content) values
  (%(comment_ada)s, %(post_cleo)s, %(ada)s, 'A comment'), (%(comment_ben)s, %(post_cleo)s, %(ben)s, 'A comment'),
  (%(thread_ada)s, %(post_ada)s, %(cleo)s, 'Praise'), (%(thread_ben)s, %(post_ben)s, %(cleo)s, 'Praise'),
  (%(side_ada)s, %(post_cleo)s, %(cleo)s, 'For one'), (%(side_ben)s, %(post_cleo)s, %(cleo)s, 'For the other');
insert into public.reactions (user_id, post_id) values
  (%(ada)s, %(post_cleo)s), (%(ben)s, %(post_cleo)s), (%(cleo)s, %(post_ada)s), (%(cleo)s, %(post_ben)s);
insert into public.mentions (mentioned_by_id, mentioned_user_id, comment_id) values
  (%(ada)s, %(cleo)s, %(comment_ada)s), (%(ben)s, %(cleo)s, %(comment_ben)s),
  (%(cleo)s, %(ada)s, %(side_ada)s), (%(cleo)s, %(ben)s, %(side_ben)s);
insert into public.mentions (mentioned_by_id, mentioned_user_id, comment_id)
select %(cleo)s, extra.id, thread.id
from unnest(array[%(thread_ada)s, %(thread_ben)s]::uuid[]) as thread (id)
cross join lateral (select m.id from auth.users as m where m.email = 'bystander@block.test') as extra;
insert into public.messages (sender_id, recipient_id, content, created_at) values
  (%(cleo)s, %(ada)s, 'Older', now() - interval '1 hour'), (%(cleo)s, %(ben)s, 'Older', now() - interval '1 hour'),
  (%(ada)s, %(ben)s, 'Hello', now()), (%(ben)s, %(ada)s, 'Hello', now());
insert into public.notifications (user_id, actor_id, type, title) values
  (%(ada)s, %(ben)s, 'message', 'Ben Tester wrote'), (%(ben)s, %(ada)s, 'message', 'Ada Tester wrote');
insert into public.certifications (user_id, name) select unnest(%(pair)s::uuid[]), 'Paramedic';
insert into public.awards (user_id, title) select unnest(%(pair)s::uuid[]), 'Medal';
insert into public.career_milestones (user_id, title, started_on)
select unnest(%(pair)s::uuid[]), 'Recruit', '2020-01-01';
insert into public.projects (user_id, title) select unnest(%(pair)s::uuid[]), 'Alarms';
update public.profiles set specialties = '{Ropes,Ladders}' where id = any(%(ids)s);
insert into public.endorsements (member_id, endorser_id, specialty, sentence, is_shown)
select m.id, e.id, 'Ropes', 'Good.', true
from unnest(array[%(ada)s, %(ben)s, %(cleo)s]::uuid[]) as m (id)
cross join unnest(array[%(ada)s, %(ben)s, %(cleo)s]::uuid[]) as e (id)
where m.id <> e.id;
delete from public.notifications where type = 'endorsement';
insert into public.growth_plans (user_id, kind, title, visibility)
select unnest(%(pair)s::uuid[]), 'rank', 'Chief', 'members';
insert into public.plan_requirements (user_id, title, met_by) select unnest(%(pair)s::uuid[]), 'Hours', 'tick';
insert into public.mentors (user_id, topics, capacity) select unnest(%(pair)s::uuid[]), '{Ropes}', 2;
insert into public.trainings (id, user_id, title, kind, starts_at, ends_at, time_zone, is_online)
select t.id, t.user_id, 'Ladders', 'class', now() + '1 day', now() + '2 days', 'UTC', true
from (
  values (%(training_ada)s, %(ada)s), (%(training_ben)s, %(ben)s), (%(past_ada)s, %(ada)s), (%(past_ben)s, %(ben)s)
) as t (id, user_id);
insert into public.training_attendances (training_id, user_id, answer)
values (%(past_ada)s, %(ben)s, 'going'), (%(past_ben)s, %(ada)s, 'going');
insert into public.trainings (id, user_id, title, kind, starts_at, ends_at, time_zone, is_online)
values (%(training_cleo)s, %(cleo)s, 'Ropes', 'class', now() + '1 day', now() + '2 days', 'UTC', true);
update public.trainings set starts_at = now() - interval '2 days', ends_at = now() - interval '1 day'
where id in (%(past_ada)s, %(past_ben)s)
"""


def make_block_world(connection: psycopg.Connection) -> None:
    """Insert ada, ben, cleo and a bystander with what they wrote, as superuser, in the caller's transaction."""
    ids = [*MEMBERS.values(), UUID(int=0xC0000000_0000_4000_8000_000000000000 + 15)]
    rows = {f"{kind}_{name}": _id(at + 1, name) for at, kind in enumerate(KINDS) for name in NAMES}
    parameters: dict[str, Any] = {
        **MEMBERS, **rows, "ids": ids, "names": [*NAMES, "bystander"], "pair": [MEMBERS["ada"], MEMBERS["ben"]],
    }  # fmt: skip
    for statement in _WORLD.split(";\n"):
        connection.execute(statement, parameters)


def parameters_of(me: str) -> dict[str, Any]:
    """What the statements of WAYS name, for ada or ben."""
    them = OTHER[me]
    return {
        "me": MEMBERS[me], "them": MEMBERS[them], "third": MEMBERS["cleo"], "their_name": them,
        "their_post": _id(1, them), "third_post": _id(1, "cleo"), "their_comment": _id(2, them),
        "my_comment": _id(2, me), "their_thread": _id(3, them),
        "their_training": _id(5, them), "my_past": _id(6, me),
        "third_training": _id(5, "cleo"),
    }  # fmt: skip
