"""Messages to non-connections (§5.19): what the database refuses, with which message, and the counters."""

import threading
from collections import Counter

import psycopg
import pytest
from psycopg.types.json import Jsonb

from muster_product.database.policies import act_as, make_world
from muster_product.database.policy_world import PARAMETERS, member_id
from tests.support.postgres import Database

SEND = "insert into public.messages (sender_id, recipient_id, content, read) values (%(me)s, %(to)s, 'Hi', false)"
ONLY_CONNECTIONS = "This user only accepts messages from connections"
DAILY_LIMIT = "You have reached your daily limit for messages to non-connections"


def send(connection: psycopg.Connection, sender: str, recipient: str) -> None:
    """Send a message as the wire would."""
    with connection.transaction():
        me = act_as(connection, sender)
        connection.execute(SEND, {"me": me, "to": PARAMETERS[recipient]})
    connection.execute("set local role none")


def settings(connection: psycopg.Connection, name: str) -> dict[str, object]:
    """A member's privacy settings."""
    row = connection.execute("select privacy_settings from profiles where id = %s", (member_id(name),)).fetchone()
    assert row is not None
    found: dict[str, object] = row[0]
    return found


def set_settings(connection: psycopg.Connection, name: str, **changed: object) -> None:
    """Change a member's privacy settings, as superuser."""
    connection.execute(
        "update profiles set privacy_settings = privacy_settings || %s where id = %s",
        (Jsonb(changed), member_id(name)),
    )


def test_stranger_who_wants_none_is_not_written_to(world: psycopg.Connection) -> None:
    """§5.20 §3.6 §6.2: the error has exactly this message, and nothing is inserted."""
    set_settings(world, "asked", allow_messages_from_anyone=False)
    with pytest.raises(psycopg.Error) as refused:
        send(world, "stranger", "asked")
    assert refused.value.diag.message_primary == ONLY_CONNECTIONS
    assert refused.value.sqlstate == "PT403"
    assert settings(world, "stranger")["non_connection_messages_today"] == 0


def test_connections_may_write_whatever_the_setting(world: psycopg.Connection) -> None:
    """§5.20 §6.2: allow_messages_from_anyone false still lets connections write."""
    set_settings(world, "other", allow_messages_from_anyone=False)
    send(world, "owner", "other")


@pytest.mark.parametrize("status", ["pending", "declined"])
def test_only_accepted_connections_count(world: psycopg.Connection, status: str) -> None:
    """§5.20: a pending or declined request is no connection."""
    set_settings(world, "owner", allow_messages_from_anyone=False)
    world.execute("update connections set status = %s where id = %s", (status, PARAMETERS["request"]))
    with pytest.raises(psycopg.Error, match=ONLY_CONNECTIONS):
        send(world, "asked", "owner")


def test_fourth_message_to_strangers_is_refused(world: psycopg.Connection) -> None:
    """§5.21 §9.3 §5.22 §3.7 §3.8: three a day to all non-connections; counter and flag are in the sender's settings."""
    for recipient in ("asked", "admin", "asked"):
        send(world, "stranger", recipient)
    after = settings(world, "stranger")
    assert (after["non_connection_messages_today"], after["daily_message_limit_reached"]) == (3, True)
    with pytest.raises(psycopg.Error) as refused:
        send(world, "stranger", "other")
    assert refused.value.diag.message_primary == DAILY_LIMIT
    assert refused.value.sqlstate == "PT429"
    assert settings(world, "stranger")["non_connection_messages_today"] == 3
    sent = world.execute("select count(*) from messages where sender_id = %s", (member_id("stranger"),)).fetchone()
    assert sent == (3,)


def test_messages_to_connections_are_not_counted(world: psycopg.Connection) -> None:
    """§5.21: messages to connections are unlimited, before and after the limit."""
    for _ in range(5):
        send(world, "owner", "other")
    for _ in range(3):
        send(world, "owner", "stranger")
    send(world, "owner", "other")
    assert settings(world, "owner")["non_connection_messages_today"] == 3


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param({"allow_messages_from_anyone": False}, id="left-out"),
        pytest.param(
            {"non_connection_messages_today": 0, "daily_message_limit_reached": False, "last_limit_reset": None},
            id="reset",
        ),
        pytest.param({"non_connection_messages_today": -100}, id="negative"),
        pytest.param({"last_limit_reset": "2000-01-01T00:00:00Z"}, id="backdated"),
        pytest.param({"last_limit_reset": "2999-01-01T00:00:00Z"}, id="postdated"),
    ],
)
def test_sender_cannot_change_the_counters(world: psycopg.Connection, sent: dict[str, object]) -> None:
    """§5.22 §7.6 §3.9: members cannot change the counters by writing privacy_settings."""
    for _ in range(3):
        send(world, "stranger", "asked")
    before = settings(world, "stranger")
    with world.transaction():
        act_as(world, "stranger")
        world.execute("update profiles set privacy_settings = %s", (Jsonb(sent),))
    world.execute("set local role none")
    after = settings(world, "stranger")
    for counter in ("non_connection_messages_today", "daily_message_limit_reached", "last_limit_reset"):
        assert after[counter] == before[counter]
    with pytest.raises(psycopg.Error, match=DAILY_LIMIT):
        send(world, "stranger", "other")


def test_counters_start_afresh_on_another_day(world: psycopg.Connection) -> None:
    """§5.21 §3.9: messages of yesterday (UTC) do not count today."""
    set_settings(
        world, "stranger", non_connection_messages_today=3, daily_message_limit_reached=True,
        last_limit_reset="2001-02-03T23:59:59Z",
    )  # fmt: skip
    send(world, "stranger", "asked")
    after = settings(world, "stranger")
    assert (after["non_connection_messages_today"], after["daily_message_limit_reached"]) == (1, False)


def reset(connection: psycopg.Connection, actor: str) -> None:
    """Call reset_daily_message_limits as an actor."""
    with connection.transaction():
        act_as(connection, actor)
        connection.execute("select public.reset_daily_message_limits()")
    connection.execute("set local role none")


def test_reset_is_no_way_around_the_limit(world: psycopg.Connection) -> None:
    """§7.41: called after each message it resets nothing on the same day, and never others' counters."""
    for _ in range(3):
        send(world, "stranger", "asked")
    stale = {"non_connection_messages_today": 3, "last_limit_reset": "2001-02-03T00:00:00Z"}
    set_settings(world, "other", **stale)
    reset(world, "stranger")
    assert settings(world, "stranger")["non_connection_messages_today"] == 3
    assert settings(world, "other")["non_connection_messages_today"] == 3
    reset(world, "other")
    assert settings(world, "other")["non_connection_messages_today"] == 0
    assert settings(world, "other")["daily_message_limit_reached"] is False


def test_reset_by_the_service_is_everyones(world: psycopg.Connection) -> None:
    """§7.41: with the service_role key it resets all stale counters."""
    for name in ("other", "asked"):
        set_settings(world, name, non_connection_messages_today=2, last_limit_reset="2001-02-03T00:00:00Z")
    reset(world, "service")
    assert {settings(world, name)["non_connection_messages_today"] for name in ("other", "asked")} == {0}


def test_writing_in_anothers_name_tells_nothing(world: psycopg.Connection) -> None:
    """A forged sender is refused by the policy before anything is looked up: no limit, no setting, no counter."""
    set_settings(world, "asked", allow_messages_from_anyone=False)
    with pytest.raises(psycopg.errors.InsufficientPrivilege), world.transaction():
        act_as(world, "stranger")
        world.execute(SEND, {"me": member_id("other"), "to": member_id("asked")})


def test_parallel_messages_at_the_cap(database: Database) -> None:
    """§5.21: of twenty concurrent messages exactly three are inserted, the others are refused."""
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        make_world(connection)
    gate = threading.Barrier(20)
    outcomes: Counter[str] = Counter()
    lock = threading.Lock()

    def one() -> None:
        with psycopg.connect(database.dsn("supabase_admin")) as connection:
            gate.wait(timeout=30)
            try:
                send(connection, "stranger", "asked")
                connection.commit()
                said = "sent"
            except psycopg.Error as error:
                said = error.diag.message_primary or "?"
        with lock:
            outcomes[said] += 1

    threads = [threading.Thread(target=one) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert outcomes == {"sent": 3, DAILY_LIMIT: 17}
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        sent = connection.execute("select count(*) from messages where sender_id = %s", (member_id("stranger"),))
        assert sent.fetchone() == (3,)
        assert settings(connection, "stranger")["non_connection_messages_today"] == 3
