"""pgmq: queues, visibility time-outs under concurrent readers, archives, and the functions of the API.

Source: https://github.com/pgmq/pgmq, "SQL functions", and https://supabase.com/docs/guides/queues.
"""

import threading
from typing import Any

import psycopg
import pytest

from emulator.db.queues import expose_queues
from tests.contract.platform.conftest import Connect, Connection
from tests.support.patience import eventually


@pytest.fixture(scope="module", autouse=True)
def extension(postgres: Connection) -> None:
    postgres.execute("create extension pgmq")


def one(connection: Connection, text: str, *values: object) -> Any:
    """The one value of a query."""
    row = connection.execute(text, values or None).fetchone()
    return None if row is None else row[0]


def test_a_message_is_read_hidden_and_archived(postgres: Connection) -> None:
    postgres.execute("select pgmq.create('Life')")
    sent = one(postgres, "select pgmq.send('Life', '{\"a\": 1}', '{\"h\": 1}'::jsonb)")
    got = postgres.execute("select msg_id, read_ct, message, headers from pgmq.read('Life', 30, 5)").fetchall()
    assert got == [(sent, 1, {"a": 1}, {"h": 1})]
    assert postgres.execute("select * from pgmq.read('Life', 30, 5)").fetchall() == []
    postgres.execute("select pgmq.set_vt('Life', %s, 0)", (sent,))
    assert one(postgres, "select read_ct from pgmq.read('Life', 30, 5)") == 2
    assert one(postgres, "select pgmq.archive('Life', %s)", sent) is True
    assert one(postgres, "select pgmq.archive('Life', %s)", sent) is False
    assert one(postgres, "select message from pgmq.a_life") == {"a": 1}


def test_a_delayed_message_waits(postgres: Connection) -> None:
    postgres.execute("select pgmq.create_unlogged('later')")
    one(postgres, "select pgmq.send('later', '1', 100)")
    one(postgres, "select pgmq.send('later', '2', now() + interval '1 hour')")
    one(postgres, "select pgmq.send('later', '3')")
    assert one(postgres, "select message from pgmq.pop('later')") == 3
    assert one(postgres, "select message from pgmq.pop('later')") is None
    got = postgres.execute("select queue_length, queue_visible_length, total_messages from pgmq.metrics('later')")
    assert got.fetchone() == (2, 0, 3)


def test_concurrent_readers_never_get_the_same_message(postgres: Connection, connect: Connect) -> None:
    postgres.execute("select pgmq.create('shared')")
    postgres.execute("select pgmq.send_batch('shared', array_agg(to_jsonb(n))) from generate_series(1, 400) as n")
    got: list[int] = []

    def read(connection: Connection) -> None:
        while rows := connection.execute("select msg_id from pgmq.read('shared', 60, 7)").fetchall():
            got.extend(row[0] for row in rows)

    threads = [threading.Thread(target=read, args=(connect("postgres"),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == list(range(1, 401))


def test_a_poll_ends_when_a_message_comes(postgres: Connection, connect: Connect) -> None:
    postgres.execute("select pgmq.create('polled')")
    got: list[Any] = []
    reader = connect("postgres")
    thread = threading.Thread(
        target=lambda: got.append(one(reader, "select message from pgmq.read_with_poll('polled', 1, 1, 30, 10)"))
    )
    thread.start()
    waiting = (
        "select count(*) from pg_stat_activity where query like '%read_with_poll(''polled''%' and state = 'active'"
    )
    eventually(lambda: one(postgres, waiting) > 0)
    one(postgres, "select pgmq.send('polled', '7')")
    thread.join(30)
    assert got == [7]


def test_messages_are_read_by_their_content(postgres: Connection) -> None:
    postgres.execute("select pgmq.create('kinds')")
    postgres.execute("""select pgmq.send_batch('kinds', array['{"k": 1}', '{"k": 2}', '{"k": 1}']::jsonb[])""")
    got = postgres.execute("""select msg_id from pgmq.read('kinds', 30, 9, '{"k": 1}')""").fetchall()
    assert got == [(1,), (3,)]
    deleted = postgres.execute("select * from pgmq.delete('kinds', array[1, 2, 99])").fetchall()
    assert sorted(deleted) == [(1,), (2,)]
    assert one(postgres, "select pgmq.purge_queue('kinds')") == 1


def test_a_queue_is_dropped_and_goes_with_the_extension(postgres: Connection) -> None:
    with postgres.transaction(force_rollback=True):
        postgres.execute("select pgmq.create('gone')")
        assert one(postgres, "select pgmq.drop_queue('gone')") is True
        assert one(postgres, "select pgmq.drop_queue('gone')") is False
        assert one(postgres, "select to_regclass('pgmq.a_gone')") is None
        postgres.execute("select pgmq.create('kept')")
        postgres.execute("drop extension pgmq")
        assert one(postgres, "select to_regclass('pgmq.q_kept')") is None


@pytest.mark.parametrize(
    ("call", "want"),
    [
        pytest.param("pgmq.create('a;b')", "queue name contains invalid characters", id="characters"),
        pytest.param(f"pgmq.create('{'x' * 48}')", "queue name is too long, maximum length is 47", id="long"),
        pytest.param("pgmq.create_partitioned('p')", "pg_partman is required for partitioned queues", id="partitions"),
        pytest.param("pgmq.send('no_such_queue', '1')", 'relation "pgmq.q_no_such_queue" does not exist', id="missing"),
    ],
)
def test_bad_calls_are_refused(postgres: Connection, call: str, want: str) -> None:
    with pytest.raises(psycopg.Error, match=want):
        postgres.execute(f"select {call}")


def test_queues_are_exposed_once(postgres: Connection, connect: Connect) -> None:
    postgres.execute("select pgmq.create('exposed')")
    assert expose_queues(postgres) is True
    assert expose_queues(postgres) is False
    service = connect("postgres")
    service.execute("set role service_role")
    assert one(service, "select pgmq_public.send('exposed', '{\"a\": 1}')") == 1
    assert one(service, "select pgmq_public.send_batch('exposed', array['2', '3']::jsonb[])") == 2
    assert one(service, "select message from pgmq_public.read('exposed', 30, 1)") == {"a": 1}
    assert one(service, "select pgmq_public.archive('exposed', 1)") is True
    assert one(service, "select message from pgmq_public.pop('exposed')") == 2
    assert one(service, "select pgmq_public.delete('exposed', 3)") is True
    anon = connect("postgres")
    anon.execute("set role anon")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        anon.execute("select pgmq_public.send('exposed', '1')")
