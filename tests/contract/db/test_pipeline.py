"""The pipelined connection on a real PostgreSQL, under the event loop that serves: in the clear, and by TLS."""

import asyncio
import os
import subprocess
from collections.abc import Awaitable, Callable, Iterator

import psycopg
import pytest
import uvloop

from emulator.db.libpq_wire import LibpqWire
from emulator.db.pipeline import PipelineConnection
from emulator.db.prepared import MAX_PREPARED
from emulator.db.socket_wire import SocketWire
from emulator.db.statement import ConnectionLost, Recurring, Statement, StatementError
from tests.support.patience import PATIENCE_S
from tests.support.postgres import Database
from tests.support.stack import wait_until

# More than a backend reads ahead, so that some of it is unread when the backend ends: then the socket reports an error.
UNREAD = [Statement("select length($1)", (b"x" * 100_000,)) for _ in range(5)]

Run = Callable[[Callable[[PipelineConnection], Awaitable[None]]], None]


@pytest.fixture(scope="module", params=["disable", "require"])
def encryption(request: pytest.FixtureRequest, module_database: Database) -> Iterator[str]:
    """libpq's `sslmode`; the server has a certificate of its own where that is asked for."""
    mode = str(request.param)
    if mode == "disable":
        yield mode
        return
    data = module_database.cluster.data
    owner = data.stat()
    files = {"ssl_cert_file": data / "test-cert.pem", "ssl_key_file": data / "test-key.pem"}
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-keyout", files["ssl_key_file"], "-out", files["ssl_cert_file"]],
        check=True, capture_output=True,
    )  # fmt: skip
    for path in files.values():
        os.chown(path, owner.st_uid, owner.st_gid)
    with psycopg.connect(module_database.dsn("supabase_admin"), autocommit=True) as connection:
        for name, value in {**files, "ssl": "on"}.items():
            connection.execute(f"alter system set {name} = '{value}'".encode())
        connection.execute("select pg_reload_conf()")
        wait_until(lambda: _takes_tls(module_database))
        yield mode
        for name in (*files, "ssl"):
            connection.execute(f"alter system reset {name}".encode())
        connection.execute("select pg_reload_conf()")


def _takes_tls(database: Database) -> bool:
    try:
        psycopg.connect(f"{database.dsn('supabase_admin', socket=False)} sslmode=require").close()
    except psycopg.OperationalError:
        return False
    return True


@pytest.fixture
def run(module_database: Database, encryption: str) -> Iterator[Run]:
    """Run a coroutine function with one connection under uvloop."""
    conninfo = f"{module_database.dsn('supabase_admin', socket=False)} sslmode={encryption}"
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:

        def run_with_connection(body: Callable[[PipelineConnection], Awaitable[None]]) -> None:
            async def main() -> None:
                connection = await PipelineConnection.connect(conninfo)
                try:
                    async with asyncio.timeout(PATIENCE_S):
                        await body(connection)
                finally:
                    await connection.close()

            runner.run(main())

        yield run_with_connection


async def terminate(database: Database, pid: int) -> None:
    """End a backend, and wait until it is gone."""
    async with await psycopg.AsyncConnection.connect(database.dsn("supabase_admin"), autocommit=True) as other:
        await other.execute("select pg_terminate_backend(%s, 10000)", (pid,))


async def pid_of(connection: PipelineConnection) -> int:
    """The backend of a connection."""
    [[(text,)]] = await connection.execute([Statement("select pg_backend_pid()::text", is_prepared=False)])
    assert text is not None
    return int(text)


def test_rows_come_in_the_order_of_the_statements(run: Run) -> None:
    async def body(connection: PipelineConnection) -> None:
        batch = [Statement("select $1::text", (text,)) for text in (b"a", b"b")]
        assert await connection.execute(batch) == [[(b"a",)], [(b"b",)]]

    run(body)


def test_a_failed_statement_undoes_the_batch_and_leaves_the_connection_usable(run: Run) -> None:
    async def body(connection: PipelineConnection) -> None:
        await connection.execute([Statement("create temporary table kept (n int)", is_prepared=False)])
        with pytest.raises(StatementError) as refused:
            await connection.execute([Statement("insert into kept values (1)"), Statement("select 1/0")])
        assert refused.value.sqlstate == "22012"
        assert await connection.execute([Statement("select count(*)::text from kept")]) == [[(b"0",)]]

    run(body)


def test_a_backend_that_ends_with_unread_statements_fails_the_batch_at_once(
    run: Run, module_database: Database
) -> None:
    """Its last words and the socket's error arrive together; the reader is called once for both."""

    async def body(connection: PipelineConnection) -> None:
        pid = await pid_of(connection)
        running = asyncio.ensure_future(connection.execute([Statement("select pg_sleep(60)"), *UNREAD]))
        await asyncio.sleep(0)
        await terminate(module_database, pid)
        with pytest.raises((StatementError, ConnectionLost)):
            await running
        assert connection.is_closed

    run(body)


def test_a_backend_that_ended_while_nobody_asked_closes_the_connection(run: Run, module_database: Database) -> None:
    async def body(connection: PipelineConnection) -> None:
        await terminate(module_database, await pid_of(connection))
        while not connection.is_closed:  # noqa: ASYNC110 (libpq offers no event for it)
            await asyncio.sleep(0.01)

    run(body)


def test_only_an_encrypted_connection_goes_through_libpq(run: Run, encryption: str) -> None:
    async def body(connection: PipelineConnection) -> None:
        wanted = {"disable": SocketWire, "require": LibpqWire}[encryption]
        assert isinstance(connection._wire, wanted)

    run(body)


# More statements than a connection keeps prepared: those of the batch are closed and prepared again.
OTHERS = [Statement(f"select {number}") for number in range(MAX_PREPARED)]


@pytest.mark.parametrize("others", [[], OTHERS], ids=["alone", "among many"])
def test_a_recurring_batch_is_answered_each_time_for_its_parameters(run: Run, others: list[Statement]) -> None:
    before = [Statement("select set_config('test.name', $1, true)", (b"Dana",))]
    main = Statement("select $1::text, $2::int4::text, repeat('-', $2::int4), current_setting('test.name')")
    batch = Recurring(before, main, [Statement("select 'the end'")])
    asked = [
        (b"a", b"1"),
        (b"a", b"2"),
        (b"b", b"3"),
        (None, b"3"),
        (b"c" * 5_000, b"200000"),
        (b"", b"0"),
        (b"", None),
    ]

    async def body(connection: PipelineConnection) -> None:
        for text, length in asked * 3:
            dashes = None if length is None else b"-" * int(length)
            wanted = [[(b"Dana",)], [(text, length, dashes, b"Dana")], [(b"the end",)]]
            assert await connection.begin(batch, None, (text, length)) == wanted
            if others:
                await connection.execute(others)
            assert not connection.in_transaction

    run(body)


def test_a_recurring_batch_may_fail_and_succeed_again(run: Run) -> None:
    batch = Recurring([Statement("select 1")], Statement("select (10 / $1::int4)::text"))

    async def body(connection: PipelineConnection) -> None:
        for _ in range(8):
            assert (await connection.begin(batch, None, (b"2",)))[1] == [(b"5",)]
            with pytest.raises(StatementError) as refused:
                await connection.begin(batch, None, (b"0",))
            assert (refused.value.sqlstate, refused.value.message) == ("22012", "division by zero")
            with pytest.raises(StatementError) as refused:
                await connection.begin(batch, None, (b"two",))
            assert refused.value.sqlstate == "22P02"
            assert not connection.in_transaction

    run(body)


def test_a_recurring_batch_follows_a_table_that_changes(run: Run) -> None:
    batch = Recurring([], Statement("select * from changing where n = $1::int4"))

    async def body(connection: PipelineConnection) -> None:
        await connection.execute([Statement("create temporary table changing as select 1 as n", is_prepared=False)])
        for _ in range(6):
            assert await connection.begin(batch, None, (b"1",)) == [[(b"\0\0\0\1",)]]
            assert await connection.begin(batch, None, (b"2",)) == [[]]
        await connection.execute([Statement("alter table changing add m text default 'm'", is_prepared=False)])
        with pytest.raises(StatementError):
            await connection.begin(batch, None, (b"1",))
        connection.forget_prepared()
        for _ in range(6):
            assert await connection.begin(batch, None, (b"1",)) == [[(b"\0\0\0\1", b"m")]]

    run(body)


def test_a_transaction_over_several_batches(run: Run) -> None:
    begin, end = Statement("begin"), Statement("rollback")
    batch = Recurring([], Statement("select $1::text"))

    async def body(connection: PipelineConnection) -> None:
        for _ in range(6):
            await connection.execute([begin])
            assert connection.in_transaction
            assert await connection.begin(batch, None, (b"within",)) == [[(b"within",)]]
            assert connection.in_transaction
            await connection.execute([end])
            assert await connection.begin(batch, None, (b"alone",)) == [[(b"alone",)]]
            assert not connection.in_transaction

    run(body)


def test_large_answers_and_large_batches(run: Run) -> None:
    async def body(connection: PipelineConnection) -> None:
        large = b"x" * 5_000_000
        rows = Statement("select repeat('r', 10) from generate_series(1, 50000)")
        [[(echoed,)], many] = await connection.execute([Statement("select $1::text", (large,)), rows])
        assert echoed == large
        assert many == [(b"r" * 10,)] * 50_000

    run(body)


def test_a_statement_that_cannot_be_prepared_can_be_later(run: Run) -> None:
    later = Statement("select n::text from made_later")

    async def body(connection: PipelineConnection) -> None:
        for _ in range(2):
            with pytest.raises(StatementError) as refused:
                await connection.execute([Statement("select 'before'"), later, Statement("select 'after'")])
            assert refused.value.sqlstate == "42P01"
            assert refused.value.fields["statement_position"] == "21"
        await connection.execute([Statement("create temporary table made_later as select 7 as n", is_prepared=False)])
        assert await connection.execute([later, Statement("select 'after'")]) == [[(b"7",)], [(b"after",)]]
        notice = Statement("do $$ begin raise notice 'listen'; raise warning 'well'; end $$", is_prepared=False)
        assert await connection.execute([notice, Statement("", is_prepared=False)]) == [[], []]

    run(body)


def test_a_text_with_nul_is_refused_and_never_cut(run: Run) -> None:
    async def body(connection: PipelineConnection) -> None:
        with pytest.raises(StatementError) as refused:
            await connection.execute([Statement("select 'first'"), Statement("select 1 \0 from nowhere")])
        assert refused.value.sqlstate == "22021"
        assert await connection.execute([Statement("select 'first'")]) == [[(b"first",)]]

    run(body)
