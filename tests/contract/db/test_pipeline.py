"""The pipelined connection on a real PostgreSQL, under the event loop that serves."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import psycopg
import pytest
import uvloop

from emulator.db.pipeline import PipelineConnection
from emulator.db.statement import ConnectionLost, Statement, StatementError
from tests.support.patience import PATIENCE_S
from tests.support.postgres import Database

# More than a backend reads ahead, so that some of it is unread when the backend ends: then the socket reports an error.
UNREAD = [Statement("select length($1)", (b"x" * 100_000,)) for _ in range(5)]

Run = Callable[[Callable[[PipelineConnection], Awaitable[None]]], None]


@pytest.fixture
def run(module_database: Database) -> Iterator[Run]:
    """Run a coroutine function with one connection under uvloop."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:

        def run_with_connection(body: Callable[[PipelineConnection], Awaitable[None]]) -> None:
            async def main() -> None:
                connection = await PipelineConnection.connect(module_database.dsn("supabase_admin"))
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
