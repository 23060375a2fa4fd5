"""Rules for notifications (§3.16, §7.14): no forged senders, no spam."""

from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.types.json import Jsonb

from muster_product.database.policies import act_as
from muster_product.database.policy_world import PARAMETERS, member_id

INSERT = "insert into public.notifications (user_id, type, title, metadata) values (%s, %s, 'Hi', %s)"


def notify(connection: psycopg.Connection, actor: str, recipient: str, kind: str, **metadata: object) -> None:
    """Insert a notification as a client would."""
    with connection.transaction():
        act_as(connection, actor)
        connection.execute(INSERT, (PARAMETERS[recipient], kind, Jsonb(metadata)))
    connection.execute("set local role none")


def test_notification_names_its_author(world: psycopg.Connection) -> None:
    """§3.16 §7.14: actor and metadata.user_id are the caller's, also when the caller leaves them out."""
    notify(world, "other", "owner", "message", url="/messages")
    got = world.execute(
        "select actor_id, metadata, seen from notifications where user_id = %s order by created_at desc, metadata desc",
        (member_id("owner"),),
    ).fetchall()
    assert (member_id("other"), {"user_id": str(member_id("other")), "url": "/messages"}, False) in got


@pytest.mark.parametrize("actor", ["stranger", "other", "admin"])
def test_author_cannot_be_forged(world: psycopg.Connection, actor: str) -> None:
    """§6.2: metadata.user_id of somebody else is refused, for admins too."""
    with pytest.raises(psycopg.Error, match="has to name its sender") as refused:
        notify(world, actor, "owner", "message", user_id=str(member_id("asked")))
    assert refused.value.sqlstate == "PT403"


@pytest.mark.parametrize(
    "url",
    [
        "https://elsewhere.test/",
        "//elsewhere.test",
        "javascript:alert(1)",
        "/\\elsewhere.test",
        "",
        "/auth/callback?code=x",
        "/auth",
        "/messages#access_token=x",
    ],
)
def test_notification_links_to_this_site_only(world: psycopg.Connection, url: str) -> None:
    """§3.16: metadata.url is a path of this site."""
    with pytest.raises(psycopg.errors.CheckViolation, match="notifications_url_stays_here"):
        notify(world, "other", "owner", "message", url=url)


@pytest.mark.parametrize(
    ("title", "want"),
    [
        ("Muster security: your account is locked", "Other: Muster security: your account is locked"),
        ("Other sent you a message", "Other sent you a message"),
        ("x" * 200, "Other: " + "x" * 193),
    ],
)
def test_a_notification_says_who_speaks(world: psycopg.Connection, title: str, want: str) -> None:
    """What members write in the name of the house shows their own."""
    world.execute("update profiles set full_name = 'Other' where id = %s", (member_id("other"),))
    act_as(world, "other")
    world.execute(
        "insert into notifications (user_id, type, title) values (%s, 'message', %s)", (member_id("owner"), title)
    )
    world.execute("set local role none")
    got = world.execute("select title from notifications where actor_id = %s", (member_id("other"),)).fetchall()
    assert (want,) in got


ABOUT = """
insert into public.notifications (user_id, type, title, content, reference_id, metadata)
values (%s, %s, %s, %s, %s, %s)
"""


def tell(connection: psycopg.Connection, kind: str, content: str, reference: UUID, **metadata: object) -> None:
    """`other` notifies `owner` of something; the clock of an open notification is put back first."""
    connection.execute("update notifications set created_at = created_at - interval '2 seconds'")
    with connection.transaction():
        act_as(connection, "other")
        connection.execute(ABOUT, (member_id("owner"), kind, "Other did it", content, reference, Jsonb(metadata)))
    connection.execute("set local role none")


def contents(connection: psycopg.Connection) -> list[str]:
    """The content of owner's open notifications from `other`."""
    query = "select content from notifications where user_id = %s and actor_id = %s and not seen and content <> ''"
    return sorted(str(row[0]) for row in connection.execute(query, (member_id("owner"), member_id("other"))))


def test_an_open_notification_is_replaced_by_the_next_about_the_same(world: psycopg.Connection) -> None:
    """One per actor, kind and reference; messages are one per conversation. What was seen stays."""
    world.execute("update profiles set full_name = 'Other' where id = %s", (member_id("other"),))
    tell(world, "message", "first", uuid4())
    tell(world, "message", "second", uuid4())
    assert contents(world) == ["second"]
    world.execute("update notifications set seen = true where content = 'second'")
    tell(world, "message", "third", uuid4())
    assert contents(world) == ["third"]
    got = world.execute("select metadata ->> 'name' from notifications where content = 'third'").fetchone()
    assert got == ("Other",)


def test_reading_the_messages_sees_their_notification(world: psycopg.Connection) -> None:
    """§4.21: reading a conversation leaves nothing of it in the bell."""
    tell(world, "message", "unread", uuid4())
    world.execute(
        "insert into messages (sender_id, recipient_id, content) values (%s, %s, 'Hi')",
        (member_id("other"), member_id("owner")),
    )
    world.execute("update messages set read = true where recipient_id = %s", (member_id("owner"),))
    assert contents(world) == []


def test_a_notification_goes_with_its_cause(world: psycopg.Connection) -> None:
    """A like taken back, a deleted comment, a deleted post, a withdrawn request."""
    post = world.execute(
        "insert into posts (user_id, content) values (%s, 'Truss') returning id", (member_id("owner"),)
    ).fetchone()
    assert post is not None
    reaction, comment = uuid4(), uuid4()
    world.execute(
        "insert into reactions (id, user_id, post_id) values (%s, %s, %s)", (reaction, member_id("other"), post[0])
    )
    world.execute(
        "insert into comments (id, user_id, post_id, content) values (%s, %s, %s, 'Yes')",
        (comment, member_id("other"), post[0]),
    )
    tell(world, "reaction", "liked", post[0], reaction_id=str(reaction))
    tell(world, "comment", "said", post[0], comment_id=str(comment))
    assert contents(world) == ["liked", "said"]
    world.execute("delete from reactions where id = %s", (reaction,))
    assert contents(world) == ["said"]
    world.execute("delete from comments where id = %s", (comment,))
    assert contents(world) == []
    tell(world, "comment", "again", post[0])
    world.execute("delete from posts where id = %s", (post[0],))
    assert contents(world) == []


def test_old_events_are_no_cause(world: psycopg.Connection) -> None:
    """A message of last week does not allow a notification today."""
    world.execute("update messages set created_at = now() - interval '8 days'")
    with pytest.raises(psycopg.Error, match="You can only notify a member of something you did"):
        notify(world, "other", "owner", "message")


def test_ten_notifications_an_hour_to_a_non_connection(world: psycopg.Connection) -> None:
    """§6.2: after a message ten notifications to a non-connection are allowed, then no more."""
    world.execute(
        "insert into messages (sender_id, recipient_id, content) values (%s, %s, 'Hi')",
        (member_id("stranger"), member_id("owner")),
    )
    for _ in range(10):
        notify(world, "stranger", "owner", "message")
    with pytest.raises(psycopg.Error, match="Too many notifications. Try again later.") as refused:
        notify(world, "stranger", "owner", "message")
    assert refused.value.sqlstate == "PT429"


def test_notifications_to_a_connection_have_a_higher_limit(world: psycopg.Connection) -> None:
    """More than ten to a connection; 120 notifications an hour are the limit."""
    for _ in range(12):
        notify(world, "other", "owner", "message")
    world.execute(
        "insert into notifications (user_id, actor_id, type, title)"
        " select %s, %s, 'message', 'Hi' from generate_series(1, 110)",
        (member_id("owner"), member_id("other")),
    )
    with pytest.raises(psycopg.Error, match="Too many notifications"):
        notify(world, "other", "owner", "message")


def test_admin_may_try_every_type(world: psycopg.Connection) -> None:
    """§1.9 §2.42: the notification tester of admins."""
    for kind in ("system", "mention", "admin_waitlist"):
        notify(world, "admin", "stranger", kind)
        notify(world, "admin", "admin", kind)
