"""The weekly digest (§10.7), with the clock as an argument."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
import pytest
from psycopg.types.json import Jsonb

from muster_product.database.policy_world import member_id

OWNER, OTHER, STRANGER = (member_id(name) for name in ("owner", "other", "stranger"))
TODAY = datetime.now(UTC).date()
MONDAY = TODAY + timedelta(days=7 - TODAY.weekday())
ON = {"preferences": {"digest": {"email_enabled": True}}}


@pytest.fixture
def quiet(world: psycopg.Connection[Any]) -> psycopg.Connection[Any]:
    """The owner wants digests and has nothing waiting; other is their connection."""
    for table in ("messages", "certifications", "posts", "notifications", "functions.mail_requests"):
        world.execute(f"delete from {table}")
    world.execute("delete from connections where status <> 'accepted'")
    world.execute("update profiles set full_name = 'Ada Stone' where id = %s", (OTHER,))
    settle(world, ON)
    return world


def settle(world: psycopg.Connection[Any], settings: object, zone: str = "America/Denver") -> None:
    world.execute(
        "update profiles set notification_settings = %s, time_zone = %s where id = %s", (Jsonb(settings), zone, OWNER)
    )


def lesson(world: psycopg.Connection[Any], author: Any, title: str, useful: int = 0, days_ago: int = 1) -> None:
    row = world.execute(
        "insert into posts (user_id, kind, title, content, created_at) values (%s, 'lesson', %s, 'x', %s) returning id",
        (author, title, MONDAY - timedelta(days=days_ago)),
    ).fetchone()
    assert row is not None
    world.execute(
        "insert into reactions (user_id, post_id, type) select id, %s, 'useful' from profiles order by id limit %s",
        (row[0], useful),
    )


def run(world: psycopg.Connection[Any], day: date = MONDAY, at: str = "07:00", zone: str = "America/Denver") -> int:
    moment = datetime.combine(day, time.fromisoformat(at), ZoneInfo(zone))
    row = world.execute("select private.give_weekly_digests(%s)", (moment,)).fetchone()
    assert row is not None
    return int(row[0])


def facts(world: psycopg.Connection[Any]) -> dict[str, Any]:
    row = world.execute("select facts from functions.mail_requests where recipient_id = %s", (OWNER,)).fetchone()
    assert row is not None
    got: dict[str, Any] = row[0]
    return got


def write_to_owner(world: psycopg.Connection[Any]) -> None:
    world.execute("insert into messages (sender_id, recipient_id, content) values (%s, %s, 'Hi')", (OTHER, OWNER))


@pytest.mark.parametrize("zone", ["America/Denver", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_it_is_given_once_on_monday_morning(quiet: psycopg.Connection[Any], zone: str) -> None:
    """§10.7: at 07:00 of the member's Monday, or later that day when a run was missed."""
    settle(quiet, ON, zone)
    write_to_owner(quiet)
    assert run(quiet, MONDAY - timedelta(days=1), "23:59", zone) == run(quiet, MONDAY, "06:59", zone) == 0
    assert run(quiet, MONDAY, "07:00", zone) == 1
    assert run(quiet, MONDAY, "07:00", zone) == run(quiet, MONDAY, "23:45", zone) == 0
    assert run(quiet, MONDAY + timedelta(days=1), "07:00", zone) == 0
    assert run(quiet, MONDAY + timedelta(days=7), "15:00", zone) == 1


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({}, id="by default"),
        pytest.param({"preferences": {"digest": {"email_enabled": False}}}, id="off"),
        pytest.param({"preferences": {"digest": {"email_enabled": True, "enabled": False}}}, id="kind off"),
        pytest.param({**ON, "emailGlobalMute": True}, id="all e-mail paused"),
    ],
)
def test_it_is_off_unless_switched_on(quiet: psycopg.Connection[Any], settings: object) -> None:
    """§10.7."""
    settle(quiet, settings)
    write_to_owner(quiet)
    assert run(quiet) == 0


def test_with_nothing_to_say_there_is_no_mail(quiet: psycopg.Connection[Any]) -> None:
    """§10.7: what is long expired, read, answered, old or a stranger's is nothing; nor is there one later that day."""
    quiet.execute(
        "insert into certifications (user_id, name, expires_on) values (%s, 'EMT', %s), (%s, 'CPR', %s)",
        (OWNER, MONDAY - timedelta(days=1), OWNER, MONDAY + timedelta(days=91)),
    )
    quiet.execute(
        "insert into messages (sender_id, recipient_id, content, read) values (%s, %s, 'Hi', true)", (OTHER, OWNER)
    )
    lesson(quiet, STRANGER, "A stranger's", useful=3)
    lesson(quiet, OTHER, "Of last week", useful=3, days_ago=8)
    assert run(quiet) == 0
    write_to_owner(quiet)
    assert run(quiet, at="12:00") == 0


def test_it_says_what_waits(quiet: psycopg.Connection[Any]) -> None:
    """§10.7: certifications, requests, unread messages, and the three most useful lessons of connections."""
    quiet.execute(
        "insert into certifications (user_id, name, expires_on) values (%s, 'EMT', %s), (%s, 'CPR', %s)",
        (OWNER, MONDAY + timedelta(days=90), OWNER, MONDAY),
    )
    quiet.execute("insert into connections (user_id, connected_user_id) values (%s, %s)", (STRANGER, OWNER))
    write_to_owner(quiet)
    write_to_owner(quiet)
    for title, useful in (("First", 1), ("None", 0), ("Third", 3), ("Second", 2)):
        lesson(quiet, OTHER, title, useful)
    assert run(quiet) == 1
    got = facts(quiet)
    assert got["certifications"] == [
        {"name": "CPR", "expires_on": str(MONDAY), "words": "expires today"},
        {"name": "EMT", "expires_on": str(MONDAY + timedelta(days=90)), "words": "expires in 90 days"},
    ]
    assert got["requests"]["count"] == 1
    assert got["unread"] == {"count": 2, "names": "Ada Stone"}
    assert [(one["title"], one["author"], one["useful"]) for one in got["lessons"]] == [
        ("Third", "Ada Stone", 3), ("Second", "Ada Stone", 2), ("First", "Ada Stone", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "silence",
    [
        "insert into blocks (blocker_id, blocked_id) values (%(owner)s, %(other)s)",
        "insert into blocks (blocker_id, blocked_id) values (%(other)s, %(owner)s)",
        "insert into mutes (member_id, muted_id) values (%(owner)s, %(other)s)",
    ],
    ids=["blocked", "blocked by", "muted"],
)
def test_it_names_nobody_who_is_blocked_or_muted(quiet: psycopg.Connection[Any], silence: str) -> None:
    """§10.7 §13.3 §13.4: neither requests nor messages nor lessons, whatever tie is left."""
    write_to_owner(quiet)
    lesson(quiet, OTHER, "Theirs", useful=1)
    quiet.execute("set local session_replication_role = replica")  # the tie stays
    quiet.execute(silence, {"owner": OWNER, "other": OTHER})
    quiet.execute("set local session_replication_role = origin")
    assert run(quiet) == 0


def test_it_counts_nobody_who_is_blocked(quiet: psycopg.Connection[Any]) -> None:
    """§13.3: among those who found a lesson useful, either."""
    lesson(quiet, OTHER, "Liked", useful=100)
    quiet.execute("insert into blocks (blocker_id, blocked_id) values (%s, %s)", (STRANGER, OWNER))
    row = quiet.execute("select count(*) from reactions where post_id = (select id from posts where title = 'Liked')")
    everybody = row.fetchone()
    assert everybody is not None
    assert run(quiet) == 1
    assert facts(quiet)["lessons"][0]["useful"] == everybody[0] - 1


@pytest.mark.parametrize(
    ("names", "total", "want"),
    [
        (["Ada"], 1, "Ada"), (["Ada", "Ben"], 2, "Ada and Ben"), (["Ada", "Ben", "Cleo"], 3, "Ada, Ben and Cleo"),
        (["Ada", "Ben", "Cleo"], 9, "Ada, Ben, Cleo and 6 more"),
    ],
)  # fmt: skip
def test_names_are_listed(world: psycopg.Connection[Any], names: list[str], total: int, want: str) -> None:
    assert world.execute("select private.names_in_words(%s, %s)", (names, total)).fetchone() == (want,)


def test_it_names_trainings_within_14_days(quiet: psycopg.Connection[Any]) -> None:
    """§10.7 §12.4: answered, one's own and those of connections; not a stranger's, canceled, later or muted ones."""
    quiet.execute("delete from trainings")
    for title, organizer, days, is_canceled in (
        ("Of a connection", OTHER, 13, False),
        ("Own", OWNER, 2, False),
        ("Answered", STRANGER, 5, False),
        ("Of a stranger", STRANGER, 5, False),
        ("Canceled", OTHER, 5, True),
        ("Later", OTHER, 15, False),
        ("Earlier", OTHER, -1, False),
    ):
        start = datetime.combine(MONDAY + timedelta(days=days), time(12), UTC)
        quiet.execute(
            "insert into trainings (user_id, title, kind, starts_at, ends_at, time_zone, is_online, is_canceled)"
            " values (%s, %s, 'class', %s, %s, 'America/New_York', true, %s)",
            (organizer, title, start, start + timedelta(hours=2), is_canceled),
        )
    quiet.execute(
        "insert into training_attendances (training_id, user_id, answer)"
        " select id, %s, 'interested' from trainings where title = 'Answered'",
        (OWNER,),
    )
    assert run(quiet) == 1
    said = facts(quiet)["trainings"]
    assert [(one["title"], one.get("answer")) for one in said] == [
        ("Own", "yours"), ("Answered", "interested"), ("Of a connection", None),
    ]  # fmt: skip
    assert said[0]["when"].endswith(", Eastern Time")
    assert said[0]["where"] == "Online"
    quiet.execute("insert into mutes (member_id, muted_id) values (%s, %s)", (OWNER, OTHER))
    quiet.execute("delete from private.weekly_digests")
    quiet.execute("delete from functions.mail_requests")
    run(quiet)
    assert [one["title"] for one in facts(quiet)["trainings"]] == ["Own", "Answered"]
