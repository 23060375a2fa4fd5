"""Rules for notifications (§3.16, §7.14): no forged senders, no spam."""

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
    with pytest.raises(psycopg.Error, match="names the member who sends it") as refused:
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
    with pytest.raises(psycopg.Error, match="Too many notifications, try again later") as refused:
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
