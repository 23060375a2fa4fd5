"""Every committed change once and in order, whatever breaks: a model test with faults drawn from a seed.

The log of a slot that is resumed repeats what was not confirmed; commits are in the log before any session can see
them; connections break in the middle of a transaction of many pieces. None of that may reach the client.
"""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

import psycopg
import pytest

from emulator.db.cluster import Cluster, ClusterError
from tests.support.postgres import Database

from .conftest import Client, Server, kill, serving, token, until

ROOM = "realtime:room"
CHANGES = {"postgres_changes": [{"event": "*", "schema": "public", "table": "counts"}]}
FAULTS, WRITERS, MAX_ROWS = 6, 2, 800  # more rows than a piece of the stream has


async def _subscribe(client: Client, topic: str = ROOM, **payload: object) -> None:
    assert (await client.join(topic, CHANGES, **payload))["status"] == "ok"
    assert (await client.expect("system", topic))["payload"]["status"] == "ok"


async def _next(client: Client, topic: str = ROOM) -> int:
    return int((await client.expect("postgres_changes", topic))["payload"]["data"]["record"]["id"])


async def _write(cluster: Cluster, seed: int, writer: int, done: asyncio.Event) -> None:
    """Transactions of any size, some rolled back, until stopped; a lock makes ids follow commits."""
    draw = random.Random(f"{seed}.{writer}")
    while not done.is_set():
        try:
            async with await psycopg.AsyncConnection.connect(cluster.dsn("postgres")) as connection:
                while not done.is_set():
                    await connection.execute("select pg_advisory_xact_lock(1)")
                    rows = draw.choice([1] * 12 + [3] * 6 + [20] * 3 + [MAX_ROWS])
                    await connection.execute(
                        "insert into counts select (select coalesce(max(id), 0) from counts) + n"
                        " from generate_series(1, %s) n order by n",
                        (rows,),
                    )
                    await (connection.rollback() if draw.random() < 0.2 else connection.commit())
                    await asyncio.sleep(draw.random() * 0.1)  # a pace that a busy machine can read at
        except psycopg.OperationalError:
            await asyncio.sleep(0.05)  # PostgreSQL is away


async def _break(cluster: Cluster, way: str) -> None:
    """One fault; returns when PostgreSQL serves again."""
    if way in ("kill", "restart"):
        await asyncio.to_thread(kill, cluster) if way == "kill" else await asyncio.to_thread(cluster.stop)
        async with asyncio.timeout(30):
            while True:  # what is left of the one that was killed may still hold its memory
                with contextlib.suppress(ClusterError):
                    await asyncio.to_thread(cluster.start)
                    return
                await asyncio.sleep(0.1)
    name = {"stream": "realtime_stream", "evaluator": "realtime_rls", "pool": "realtime"}[way]
    async with await psycopg.AsyncConnection.connect(cluster.dsn(), autocommit=True) as connection:
        await connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = %s", (name,)
        )


@pytest.mark.parametrize("seed", [1, 2])
async def test_every_commit_comes_once_and_in_order_through_faults(own_cluster: Cluster, seed: int) -> None:
    draw, done, got = random.Random(seed), asyncio.Event(), list[int]()
    async with serving(Database(own_cluster, "postgres")) as server, server.client() as client:
        await _subscribe(client)

        async def read() -> None:
            while True:
                got.append(int((await client.expect("postgres_changes"))["payload"]["data"]["record"]["id"]))

        reader = asyncio.ensure_future(read())
        writers = [asyncio.ensure_future(_write(own_cluster, seed, number, done)) for number in range(WRITERS)]
        ways = ["kill", "stream", "evaluator", "restart", "stream", "pool", "evaluator"]
        for way in [ways[0], *draw.choices(ways, k=FAULTS - 1)]:
            heard = len(got)
            await until(lambda heard=heard: len(got) > heard + 20 or reader.done())  # type: ignore[misc]
            await _break(own_cluster, way)
        done.set()
        await asyncio.gather(*writers)
        want = [row[0] for row in await server.sql("select id from counts order by id")]
        await until(lambda: len(got) >= len(want) or reader.done())
        reader.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reader
        wrong = next((n for n, (one, other) in enumerate(zip(got, want, strict=False)) if one != other), None)
        assert (wrong, len(got)) == (None, len(want)), f"seed {seed}: {got[wrong or 0 :][:5]}"
        assert await client.settle() == []


@pytest.fixture
async def lingering(own_cluster: Cluster) -> AsyncIterator[Server]:
    """A service on a PostgreSQL whose commits hang in the log before they are visible, until released."""
    with psycopg.connect(own_cluster.dsn(), autocommit=True) as connection:
        connection.execute("alter table counts enable row level security")
        connection.execute("create policy p on counts for select using (true)")
    async with serving(Database(own_cluster, "postgres")) as server:
        await server.sql("select 1")
        await _reload(own_cluster, "nobody")
        yield server
        await _reload(own_cluster, "")


async def _reload(cluster: Cluster, standby: str) -> None:
    """Make commits wait for a standby that never comes, or no longer."""
    async with await psycopg.AsyncConnection.connect(cluster.dsn(), autocommit=True) as connection:
        await connection.execute(f"alter system set synchronous_standby_names = '{standby}'".encode())
        await connection.execute("select pg_reload_conf()")


async def _insert(cluster: Cluster, number: int) -> None:
    async with await psycopg.AsyncConnection.connect(cluster.dsn("postgres"), autocommit=True) as connection:
        await connection.execute("insert into counts values (%s)", (number,))


async def _hang(cluster: Cluster, count: int) -> None:
    """Until so many commits hang."""
    async with asyncio.timeout(15), await psycopg.AsyncConnection.connect(cluster.dsn(), autocommit=True) as connection:
        while True:
            asked = await connection.execute("select count(*) from pg_stat_activity where wait_event = 'SyncRep'")
            if await asked.fetchone() == (count,):
                return
            await asyncio.sleep(0.01)


async def test_a_commit_is_delivered_when_it_is_visible(
    lingering: Server, own_cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    async with lingering.client() as before, lingering.client() as amid:
        await _subscribe(before)
        await _hang(own_cluster, 0)
        inserts = []
        for number in (1, 2):
            inserts.append(asyncio.ensure_future(_insert(own_cluster, number)))
            await _hang(own_cluster, number)
        await until(lambda: "not visible yet" in caplog.text)
        await _subscribe(amid, access_token=token("anon", sub="amid"))
        assert await lingering.sql("select * from counts") == [], "whoever reads now finds nothing"
        for client in (before, amid):
            assert await client.settle() == []
        await _reload(own_cluster, "")
        await asyncio.gather(*inserts)
        for client in (before, amid):
            assert sorted([await _next(client), await _next(client)]) == [1, 2]
            assert await client.settle() == []


async def test_a_log_of_another_system_starts_from_its_beginning(own_cluster: Cluster) -> None:
    async with serving(Database(own_cluster, "postgres")) as server, server.client() as client:
        await _subscribe(client)
        await _insert(own_cluster, 1)
        assert await _next(client) == 1
        # As after a restore: another system, whose places in the log are lower than those that were seen.
        progress = server.context.changes.progress
        progress.system, progress.delivered, progress.ended_lsn = ("another", "1"), (1 << 60, 0), 1 << 60
        await _break(own_cluster, "stream")
        assert (await client.expect("phx_error", ROOM))["payload"] == {"reason": "channel_crash"}, "it is told"
        await _subscribe(client)
        await _insert(own_cluster, 2)
        assert await _next(client) == 2
        assert await client.settle() == []
