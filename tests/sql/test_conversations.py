"""Conversations (§3.19): who sees what, in which order, page by page; and that no message is missed."""

import threading
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from muster_product.database.policies import act_as, make_world
from muster_product.database.policy_world import PARAMETERS
from tests.support.postgres import Database

Row = Mapping[str, Any]


def conversations(connection: psycopg.Connection, actor: str, arguments: str = "") -> list[Row]:
    """The rows that an actor gets; `arguments` as SQL."""
    with connection.transaction(), connection.cursor(row_factory=dict_row) as cursor:
        act_as(connection, actor)
        rows: list[Row] = list(cursor.execute(f"select * from public.conversations({arguments})".encode()))
        connection.execute("reset role")
    return rows


def write(connection: psycopg.Connection, sender: str, recipient: str, content: str, ago: str = "0 s") -> uuid.UUID:
    """Insert a past message as a superuser; its id."""
    row = connection.execute(
        "insert into messages (sender_id, recipient_id, content, created_at)"
        " values (%s, %s, %s, now() - %s::interval) returning id",
        (PARAMETERS[sender], PARAMETERS[recipient], content, ago),
    ).fetchone()
    assert row is not None
    found: uuid.UUID = row[0]
    return found


def stored(connection: psycopg.Connection) -> set[tuple[Any, ...]]:
    """The rows of private.conversations."""
    return set(
        connection.execute("select member_id, partner_id, last_message_id from private.conversations").fetchall()
    )


def derived(connection: psycopg.Connection) -> set[tuple[Any, ...]]:
    """The same, computed from messages."""
    return set(
        connection.execute(
            "select distinct on (member, partner) member, partner, id from ("
            " select sender_id as member, recipient_id as partner, id, created_at from messages"
            " union all select recipient_id, sender_id, id, created_at from messages) as s"
            " order by member, partner, created_at desc, id desc"
        ).fetchall()
    )


def contents(rows: Sequence[Row]) -> list[str]:
    """The newest message of each."""
    return [row["last_message_content"] for row in rows]


def test_a_conversation_is_with_whom_what_last_and_how_many_unread(world: psycopg.Connection) -> None:
    """§3.19 §3.18: the other member, the newest message and its sender, and the number of unread ones."""
    write(world, "other", "owner", "First", "-1 min")
    newest = write(world, "other", "owner", "Second", "-2 min")
    got = conversations(world, "owner")
    assert [{**row, "last_message_at": None} for row in got] == [
        {
            "participant_id": PARAMETERS["other"], "participant_name": "Other", "participant_avatar": None,
            "unread_count": 3, "last_message_id": newest, "last_message_content": "Second", "last_message_at": None,
            "last_message_is_mine": False, "last_message_is_read": False,
        }
    ]  # fmt: skip
    (theirs,) = conversations(world, "other")
    assert (theirs["participant_id"], theirs["last_message_is_mine"]) == (PARAMETERS["owner"], True)
    assert theirs["unread_count"] == 1
    world.execute("update messages set read = true where recipient_id = %(owner)s", PARAMETERS)
    (read,) = conversations(world, "owner")
    assert (read["unread_count"], read["last_message_is_read"]) == (0, True)


@pytest.mark.parametrize("actor", ["stranger", "asked", "admin", "suspended", "service"])
def test_nobody_sees_the_conversations_of_others(world: psycopg.Connection, actor: str) -> None:
    """§6.2: admins and the service have their own only; a suspended member has none."""
    assert len(conversations(world, "owner")) == 1
    assert conversations(world, actor) == []


def test_visitors_may_not_ask(world: psycopg.Connection) -> None:
    """§6.1: visitors get nothing."""
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        conversations(world, "visitor")


def test_nobody_reads_what_is_kept(world: psycopg.Connection) -> None:
    """Only functions read the derived table; the inner one returns the caller's own rows."""
    for actor in ("stranger", "owner", "admin", "service"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), world.transaction():
            act_as(world, actor)
            world.execute("select from private.conversations")
    with world.transaction():
        act_as(world, "stranger")
        inner = "select from private.newest_conversations('', null, null, 100)"
        assert world.execute(inner.encode()).rowcount == 0
        world.execute("reset role")


def test_a_hidden_partner_has_no_name(world: psycopg.Connection) -> None:
    """§3.18: messages stay; name and picture follow profile_visibility, also in the search."""
    write(world, "hidden", "owner", "Hush")
    row = next(row for row in conversations(world, "owner") if row["last_message_content"] == "Hush")
    assert (row["participant_id"], row["participant_name"]) == (PARAMETERS["hidden"], None)
    assert conversations(world, "owner", "'hidden'") == []
    (seen,) = conversations(world, "hidden", "'owner'")
    assert seen["participant_name"] == "Owner"


@pytest.mark.parametrize(
    ("term", "want"),
    [
        pytest.param("'oth'", ["other"], id="part"),
        pytest.param("' THER '", ["other"], id="any-case-trimmed"),
        pytest.param("'e'", ["other", "stranger"], id="one-letter"),
        pytest.param("'nobody'", [], id="nobody"),
        pytest.param("'%'", [], id="wildcard-is-a-letter"),
        pytest.param("'_'", [], id="underscore-is-a-letter"),
        pytest.param(r"'\'", [], id="backslash"),
        pytest.param("''' or true --'", [], id="quotes"),
        pytest.param("repeat('x', 100000)", [], id="long"),
        pytest.param("null", ["other", "stranger"], id="null"),
    ],
)
def test_conversations_are_found_by_name(world: psycopg.Connection, term: str, want: list[str]) -> None:
    """§3.19: by a part of the participant's name, matched literally."""
    write(world, "stranger", "owner", "Hi", "1 h")
    got = [row["participant_id"] for row in conversations(world, "owner", term)]
    assert got == [PARAMETERS[name] for name in want]


def test_pages_follow_each_other(world: psycopg.Connection) -> None:
    """§3.19: no row twice and none missing, also where two messages have the same time."""
    world.execute("delete from messages")
    for name, ago in (("other", "1 h"), ("asked", "2 h"), ("stranger", "2 h"), ("admin", "2 h"), ("guarded", "3 h")):
        write(world, name, "owner", name, ago)
    everything = conversations(world, "owner")
    assert sorted(contents(everything)) == ["admin", "asked", "guarded", "other", "stranger"]
    assert (contents(everything)[0], contents(everything)[-1]) == ("other", "guarded")
    paged: list[Row] = []
    after = "null, null"
    for size in (1, 2, 2):
        page = conversations(world, "owner", f"'', {after}, {size}")
        assert len(page) == size
        paged += page
        last = page[-1]
        after = f"'{last['last_message_at'].isoformat()}', '{last['last_message_id']}'"
    assert paged == everything
    assert conversations(world, "owner", f"'', {after}") == []


@pytest.mark.parametrize(("size", "want"), [("null", 30), ("-1", 1), ("0", 1), ("2147483647", 100)])
def test_pages_are_bounded(world: psycopg.Connection, size: str, want: int) -> None:
    """A page has thirty rows, a hundred at most."""
    world.execute(
        "insert into auth.users (id, email) select gen_random_uuid(), 'many' || n || '@members.test'"
        " from generate_series(1, 120) as s (n)"
    )
    world.execute(
        "insert into messages (sender_id, recipient_id, content)"
        " select id, %(owner)s, 'Hi' from profiles where email like 'many%%'",
        PARAMETERS,
    )
    assert len(conversations(world, "owner", f"page_size => {size}")) == want


def test_a_message_dated_earlier_does_not_lead(world: psycopg.Connection) -> None:
    """§3.19: whichever commits last, the newest message stays the newest."""
    write(world, "owner", "other", "Newest", "-1 h")
    write(world, "other", "owner", "Late, but older", "1 h")
    assert contents(conversations(world, "owner")) == ["Newest"]


CHANGES = [
    pytest.param("delete from messages where content = 'Newest'", id="newest-deleted"),
    pytest.param("delete from messages where content <> 'Newest'", id="older-deleted"),
    pytest.param("delete from messages", id="all-deleted"),
    pytest.param("truncate messages", id="truncated"),
    pytest.param("update messages set created_at = now() - interval '9 days' where content = 'Newest'", id="backdated"),
    pytest.param("update messages set recipient_id = %(guarded)s where content = 'Newest'", id="given-to-another"),
    pytest.param("update messages set id = gen_random_uuid()", id="new-ids"),
    pytest.param("delete from auth.users where id = %(owner)s", id="member-deleted"),
    pytest.param("delete from auth.users where id = %(other)s", id="partner-deleted"),
    pytest.param("delete from auth.users", id="all-members-deleted"),
    pytest.param("insert into messages (sender_id, recipient_id, content, created_at)"
                 " select a.id, b.id, 'Many', now() - random() * interval '1 day'"
                 " from profiles as a, profiles as b, generate_series(1, 5) where a.id <> b.id", id="many-at-once"),
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_kept_is_what_the_messages_say(world: psycopg.Connection, change: str) -> None:
    """§3.19: after any change to messages each pair has its newest one, for both members."""
    for sender, recipient in (("owner", "other"), ("other", "owner"), ("stranger", "owner"), ("admin", "other")):
        write(world, sender, recipient, "Older", "2 h")
        write(world, sender, recipient, "Newest", "-1 h")
    assert stored(world) == derived(world) != set()
    world.execute(change.encode(), PARAMETERS)
    assert stored(world) == derived(world)


def test_rebuilt_from_messages(world: psycopg.Connection) -> None:
    """rebuild_conversations() includes messages written with triggers disabled."""
    world.execute("set local session_replication_role = replica")
    write(world, "stranger", "owner", "Unseen", "-1 h")
    world.execute("set local session_replication_role = origin")
    assert stored(world) != derived(world)
    world.execute("select private.rebuild_conversations()")
    assert stored(world) == derived(world)


def test_both_sides_write_at_once(database: Database) -> None:
    """§3.19: concurrent messages of two members cause no deadlock and lose no newest message."""
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        make_world(connection)
    gate = threading.Barrier(8)
    failed: list[str] = []

    def one(sender: str, recipient: str) -> None:
        with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as connection:
            gate.wait(timeout=30)
            try:
                for _ in range(20):
                    with connection.transaction():
                        act_as(connection, sender)
                        connection.execute(
                            "insert into public.messages (sender_id, recipient_id, content) values (%s, %s, 'Hi')",
                            (PARAMETERS[sender], PARAMETERS[recipient]),
                        )
            except psycopg.Error as error:
                failed.append(str(error))

    pairs = [("owner", "other"), ("other", "owner"), ("owner", "guarded"), ("guarded", "owner")] * 2
    threads = [threading.Thread(target=one, args=pair) for pair in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert failed == []
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        assert stored(connection) == derived(connection)
        assert connection.execute("select count(*) from messages").fetchone() == (162,)
