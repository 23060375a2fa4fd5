"""What clients keep when PostgreSQL or the service goes away and comes back."""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import psycopg
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from emulator.db.cluster import Cluster
from tests.support.commands import Started, start
from tests.support.patience import PATIENCE_S
from tests.support.postgres import Database, free_port

from .conftest import ANON, SECRET, Client, Server, kill, serving, until

ROOM = "realtime:room"
CHANGES = {"postgres_changes": [{"event": "*", "schema": "public", "table": "counts"}]}


async def _subscribe(client: Client) -> None:
    assert (await client.join(ROOM, CHANGES))["status"] == "ok"
    assert (await client.expect("system"))["payload"]["status"] == "ok"


async def _received(client: Client, count: int) -> list[int]:
    got = [(await client.expect("postgres_changes"))["payload"]["data"]["record"]["id"] for _ in range(count)]
    return [int(one) for one in got]


def _insert(cluster: Cluster, first: int, last: int) -> None:
    with psycopg.connect(cluster.dsn("postgres"), autocommit=True) as connection:
        for number in range(first, last + 1):
            connection.execute("insert into counts values (%s)", (number,))


@pytest.mark.parametrize("way", ["stopped", "killed"])
async def test_a_restart_of_postgresql_loses_nothing(own_cluster: Cluster, way: str) -> None:
    async with serving(Database(own_cluster, "postgres")) as server, server.client() as client:
        await _subscribe(client)
        await asyncio.to_thread(_insert, own_cluster, 1, 20)
        started = time.monotonic()
        await asyncio.to_thread(own_cluster.stop if way == "stopped" else lambda: kill(own_cluster))
        assert time.monotonic() - started < 20, "a reader does not hold up the shutdown: it had to be an immediate one"
        await until(lambda: not server.context.changes.is_streaming.is_set())
        assert (await client.join("realtime:meanwhile", CHANGES))["status"] == "ok"
        reply = await client.join("realtime:private", {"private": True})
        assert reply["response"]["reason"].startswith("UnableToConnectToProject: ")
        await asyncio.to_thread(own_cluster.start)
        await asyncio.to_thread(_insert, own_cluster, 21, 40)
        topics: dict[str, list[int]] = {ROOM: [], "realtime:meanwhile": []}
        while len(topics[ROOM]) < 40:
            frame = await client.expect("postgres_changes")
            topics[frame["topic"]].append(frame["payload"]["data"]["record"]["id"])
        assert topics[ROOM] == list(range(1, 41)), str(topics)
        await client.expect("system", "realtime:meanwhile")
        await asyncio.to_thread(_insert, own_cluster, 41, 41)
        assert (await client.expect("postgres_changes", "realtime:meanwhile"))["payload"]["ids"] == [1]


async def test_a_temporary_slot_reports_what_it_may_have_missed(own_cluster: Cluster) -> None:
    with psycopg.connect(own_cluster.dsn(), autocommit=True) as connection:
        connection.execute("alter system set max_slot_wal_keep_size = -1")
    own_cluster.stop()
    own_cluster.settings = {**own_cluster.settings, "max_slot_wal_keep_size": "-1"}
    own_cluster.start()
    async with serving(Database(own_cluster, "postgres")) as server, server.client() as client:
        await _subscribe(client)
        slots = await server.sql("select temporary from pg_replication_slots")
        assert slots == [(True,)]
        await asyncio.to_thread(kill, own_cluster)
        await asyncio.to_thread(own_cluster.start)
        error = await client.expect("phx_error", ROOM)
        assert error["ref"] == error["join_ref"] == "1"
        await _subscribe(client)
        await asyncio.to_thread(_insert, own_cluster, 1, 1)
        assert await _received(client, 1) == [1]


async def test_a_restart_of_the_service_loses_nothing_for_returning_clients(own_cluster: Cluster) -> None:
    database = Database(own_cluster, "postgres")
    async with serving(database) as server, server.client() as client:
        await _subscribe(client)
        await asyncio.to_thread(_insert, own_cluster, 1, 3)
        assert await _received(client, 3) == [1, 2, 3]
        await client.settle()
    await asyncio.to_thread(_insert, own_cluster, 4, 5)
    async with serving(database) as server:
        await asyncio.to_thread(_insert, own_cluster, 6, 7)
        catch_up = server.context.changes._catch_up
        await until(lambda: catch_up.backlog is not None and len(catch_up.backlog.kept) == 4)
        async with server.client() as again, server.client() as fresh:
            again.refs = client.refs  # a library counts on when it connects again
            await _subscribe(again)
            await _subscribe(fresh)
            await asyncio.to_thread(_insert, own_cluster, 8, 8)
            assert await _received(again, 5) == [4, 5, 6, 7, 8]
            assert await _received(fresh, 1) == [8], "who was not here before has missed nothing"
            assert await again.settle() == []
            assert await fresh.settle() == []


def _outrun(cluster: Cluster) -> str:
    """Write more log than the slot may hold back; returns what PostgreSQL then says of the slot."""
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        for number in range(1000, 1006):
            connection.execute("insert into counts values (%s)", (number,))
            connection.execute("select pg_switch_wal()")
            connection.execute("checkpoint")
        row = connection.execute("select wal_status from pg_replication_slots").fetchone()
        return str(row[0]) if row is not None else "none"


async def test_a_slot_that_lost_its_log_is_created_again(own_cluster: Cluster) -> None:
    own_cluster.stop()
    own_cluster.settings = {**own_cluster.settings, "max_slot_wal_keep_size": "1MB"}
    own_cluster.start()
    database = Database(own_cluster, "postgres")
    async with serving(database) as server:
        name = server.context.changes._slot
    assert await asyncio.to_thread(_outrun, own_cluster) == "lost"
    async with serving(database) as server, server.client() as client:
        await _subscribe(client)
        await asyncio.to_thread(_insert, own_cluster, 1, 1)
        assert await _received(client, 1) == [1]
        slots = await server.sql("select wal_status, temporary, slot_name from pg_replication_slots")
        assert [slot[:2] for slot in slots] == [("reserved", False)]
        assert slots[0][2].startswith(f"{name}_")


async def test_two_services_on_one_database_both_serve(own_cluster: Cluster) -> None:
    database = Database(own_cluster, "postgres")
    async with serving(database) as one, serving(database) as two, one.client() as ada, two.client() as ben:
        await _subscribe(ada)
        await _subscribe(ben)
        await asyncio.to_thread(_insert, own_cluster, 1, 1)
        assert await _received(ada, 1) == await _received(ben, 1) == [1]


async def test_slots_do_not_outlive_their_use(own_cluster: Cluster) -> None:
    async with serving(Database(own_cluster, "postgres")) as server:
        slots = await server.sql("select slot_name, temporary from pg_replication_slots")
        assert len(slots) == 1
        assert slots[0][1] is False
    with psycopg.connect(own_cluster.dsn(), autocommit=True) as connection:
        row = connection.execute("select active from pg_replication_slots").fetchone()
        assert row == (False,)


async def test_slots_of_processes_that_do_not_come_back_are_dropped(database: Database, tmp_path: Path) -> None:
    env = {"BUS_DIR": str(tmp_path / "b")}
    names = "select slot_name::text from pg_replication_slots where database = current_database() order by 1"
    async with serving(database, **env) as first:
        async with serving(database, **env), serving(database, **env):
            before = await first.sql(names)
            assert len(before) == 3
            assert first.service.abandoned_slots is not None
            for _ in range(3):
                await first.service.abandoned_slots.drop()
            assert await first.sql(names) == before, "those that are read stay"
        active = "select count(*) from pg_replication_slots where database = current_database() and active"
        async with asyncio.timeout(PATIENCE_S):
            while await first.sql(active) != [(1,)]:  # noqa: ASYNC110 (PostgreSQL tells nobody)
                await asyncio.sleep(0.01)
        await first.service.abandoned_slots.drop()
        assert await first.sql(names) == before, "a process may come back at once"
        await first.service.abandoned_slots.drop()
        assert len(await first.sql(names)) == 1


async def test_a_stalled_check_of_policies_only_delays(realtime: Server) -> None:
    """A lock on the table holds back the check of policies, not the other sockets."""
    await realtime.sql("create table public.held (id int primary key); grant select on held to anon;"
                       "alter table held enable row level security; create policy p on held for select using (true);"
                       "alter publication supabase_realtime add table held")  # fmt: skip
    changes = {"postgres_changes": [{"event": "*", "schema": "public", "table": "held"}]}
    async with realtime.client() as client, realtime.client() as other:
        assert (await client.join(ROOM, changes))["status"] == "ok"
        await client.expect("system", ROOM)
        async with await psycopg.AsyncConnection.connect(realtime.database.dsn()) as blocker:
            await realtime.sql("insert into held values (1)")
            await client.expect("postgres_changes")
            await blocker.execute("lock table held in access exclusive mode")
            await other.join("realtime:other", {"broadcast": {"self": True}})
            await other.send("realtime:other", "broadcast", {"event": "x", "payload": {}})
            await other.expect("broadcast")
            await blocker.rollback()
        await realtime.sql("insert into held values (2)")
        assert await _received(client, 1) == [2]


async def _started(cluster: Cluster, port: int) -> Started:
    """The service in a process of its own, streaming."""
    env = {
        **os.environ, "DB_HOST": str(cluster.sockets), "DB_PORT": str(cluster.port), "DB_PASSWORD": cluster.password,
        "API_JWT_SECRET": SECRET, "PORT": str(port),
    }  # fmt: skip
    process = await asyncio.to_thread(start, "emulator.realtime", env=env)
    async with (
        asyncio.timeout(PATIENCE_S),
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S) as http,
    ):
        while True:
            with contextlib.suppress(httpx.TransportError):
                answer = await http.get("/api/tenants/realtime-dev/health", headers={"authorization": f"Bearer {ANON}"})
                if answer.json()["data"]["replication_connected"]:
                    return process
            await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def _connected(port: int) -> AsyncIterator[Client]:
    async with connect(f"ws://127.0.0.1:{port}/socket/websocket?apikey={ANON}&vsn=2.0.0") as connection:
        yield Client(connection, 2)


async def test_a_killed_service_loses_nothing_for_returning_clients(own_cluster: Cluster) -> None:
    port = free_port()
    process = await _started(own_cluster, port)
    try:
        async with _connected(port) as client:
            await _subscribe(client)
            await asyncio.to_thread(_insert, own_cluster, 1, 2)
            assert await _received(client, 2) == [1, 2]
            process.kill()
            process.wait()
            with pytest.raises(ConnectionClosed):
                await client.expect("never")
        await asyncio.to_thread(_insert, own_cluster, 3, 4)
        process = await _started(own_cluster, port)
        async with _connected(port) as again:
            again.refs = client.refs
            await _subscribe(again)
            await asyncio.to_thread(_insert, own_cluster, 5, 5)
            got: list[int] = []
            while 5 not in got:
                got += await _received(again, 1)
            assert [one for one in got if one > 2] == [3, 4, 5]
            assert got == sorted(set(got)), "what was not confirmed may come again, in order"
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait)


async def test_a_change_that_can_not_be_evaluated_blocks_no_other(realtime: Server) -> None:
    await realtime.sql(
        """
        create table public.slow (id int primary key); grant select on slow to anon;
        alter table slow enable row level security;
        create policy p on slow for select using (id <> 13 or pg_sleep(60) is null);
        create table public.gone (id int primary key); grant select on gone to anon;
        alter table gone enable row level security; create policy p on gone for select using (true);
        create table public.counts (id int primary key); grant select on counts to anon;
        alter publication supabase_realtime add table slow, gone, counts
        """
    )
    slow = {"postgres_changes": [{"event": "*", "schema": "public", "table": "slow"}]}
    gone = {"postgres_changes": [{"event": "*", "schema": "public", "table": "gone"}]}
    async with realtime.client() as client:
        for topic, config in (("realtime:slow", slow), ("realtime:gone", gone), (ROOM, CHANGES)):
            assert (await client.join(topic, config))["status"] == "ok"
            await client.expect("system", topic)
        await realtime.sql("begin; insert into gone values (1); insert into counts values (1); drop table gone; commit")
        await realtime.sql("insert into slow values (13); insert into counts values (2); insert into slow values (14)")
        assert await _received(client, 2) == [1, 2]
        await client.expect("phx_error", "realtime:slow")
        assert (await client.join("realtime:slow", slow))["status"] == "ok"
        await client.expect("system", "realtime:slow")
        await realtime.sql("insert into slow values (15)")
        assert await _received(client, 1) == [15]
