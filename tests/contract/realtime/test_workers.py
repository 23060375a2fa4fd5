"""Several processes serve one stack: broadcasts, presence and changes reach the members of all of them."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.support.patience import PATIENCE_S
from tests.support.postgres import Database

from .conftest import ANON, Client, Server, serving, until

ROOM = "realtime:room"
HELLO = {"type": "broadcast", "event": "hi", "payload": {"a": 1}}
KIND_3_RAW = bytes.fromhex("0301010d02000031327265616c74696d653a726f6f6d6869010203")
PRESENCE = {"presence": {"enabled": True}}
Workers = list[Server]


@pytest.fixture
async def workers(database: Database, tmp_path: Path) -> AsyncIterator[Workers]:
    """Three services on one database and one bus (each as a process would be: own hub, own slot)."""
    async with contextlib.AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(serving(database, BUS_DIR=str(tmp_path / "b"))) for _ in range(3)]
        await until(lambda: sum(len(_peers(server)) for server in servers) == 4)
        yield servers


def _peers(server: Server) -> dict[object, str]:
    bus = getattr(server.context.hub.publish, "__self__", None)
    peers: dict[object, str] = bus._peers if bus is not None else {}
    return {writer: node for writer, node in peers.items() if node}


async def test_broadcasts_reach_every_process(workers: Workers) -> None:
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(server.client()) for server in workers]
        for client in clients:
            await client.join(ROOM)
        await clients[1].send(ROOM, "broadcast", HELLO)
        await clients[1].connection.send(KIND_3_RAW)
        for client in (clients[0], clients[2]):
            assert (await client.expect("broadcast"))["payload"] == HELLO
            assert (await client.expect("broadcast"))["payload"]["payload"] == b"\x01\x02\x03"
        async with httpx.AsyncClient(base_url=workers[2].http, headers={"apikey": ANON}, timeout=PATIENCE_S) as http:
            await http.post("/api/broadcast/room/events/hi", json={"a": 1})
        for client in clients:
            assert (await client.expect("broadcast"))["payload"] == HELLO
            assert await client.settle() == []


async def test_limits_hold_for_all_processes_together(database: Database, tmp_path: Path) -> None:
    env = {"BUS_DIR": str(tmp_path / "b"), "TENANT_MAX_CONCURRENT_USERS": "2"}
    async with serving(database, **env) as one, serving(database, **env) as two, two.client():
        await until(lambda: one.context.meter._remote.connections == 1)
        async with one.client():
            await until(lambda: two.context.meter._remote.connections == 1)
            for server in (one, two):
                with pytest.raises(InvalidStatus) as refused:
                    await connect(f"ws://127.0.0.1:{server.port}/socket/websocket?apikey={ANON}")
                assert refused.value.response.status_code == 429
        await until(lambda: two.context.meter._remote.connections == 0)
        async with two.client() as client:
            assert await client.settle() == []


async def test_the_database_broadcasts_once_to_every_client(workers: Workers) -> None:
    server = workers[0]
    await server.sql("create table public.shared (id int primary key); grant select on shared to anon;"
                     "alter publication supabase_realtime add table shared")  # fmt: skip
    changes = {"postgres_changes": [{"event": "*", "schema": "public", "table": "shared"}]}
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(worker.client()) for worker in workers]
        for client in clients:
            await client.join(ROOM, changes)
            await client.expect("system")
        await server.sql("insert into shared values (1); select realtime.send('{}', 'hi', 'room', false)")
        for client in clients:
            assert (await client.expect("postgres_changes"))["payload"]["data"]["record"] == {"id": 1}
            await client.expect("broadcast")
            assert await client.settle() == []
        slots = await server.sql("select count(*) from pg_replication_slots where database = current_database()"
                                 " and active and not temporary")  # fmt: skip
        assert slots == [(3,)]


async def _track(client: Client, key: str) -> object:
    await client.join(ROOM, {"presence": {"enabled": True, "key": key}})
    state = (await client.expect("presence_state"))["payload"]
    await client.ask(ROOM, "presence", {"event": "track", "payload": {"who": key}})
    await client.expect("presence_diff")
    return {name: [meta["who"] for meta in entry["metas"]] for name, entry in state.items()}


async def test_presence_is_shared_across_processes(workers: Workers) -> None:
    async with contextlib.AsyncExitStack() as stack:
        ada, ben, cleo = [await stack.enter_async_context(server.client()) for server in workers]
        await _track(ada, "ada")
        await until(lambda: workers[1].context.hub.all_tracked() and workers[2].context.hub.all_tracked())
        assert await _track(ben, "ben") == {"ada": ["ada"]}
        assert list((await ada.expect("presence_diff"))["payload"]["joins"]) == ["ben"]
        await until(lambda: len(workers[2].context.hub.all_tracked()) == 2)
        assert await _track(cleo, "cleo") == {"ada": ["ada"], "ben": ["ben"]}
        assert list((await ben.expect("presence_diff"))["payload"]["joins"]) == ["cleo"]
        ada.connection.transport.abort()
        assert list((await ben.expect("presence_diff"))["payload"]["leaves"]) == ["ada"]
        assert list((await cleo.expect("presence_diff"))["payload"]["leaves"]) == ["ada"]


async def test_a_process_that_ends_takes_its_presences_and_a_new_one_gets_the_others(
    database: Database, tmp_path: Path
) -> None:
    env = {"BUS_DIR": str(tmp_path / "b")}
    async with serving(database, **env) as leader_to_be:
        async with serving(database, **env) as second, second.client() as ben:
            await _track(ben, "ben")
            async with contextlib.AsyncExitStack() as stack:
                third = await stack.enter_async_context(serving(database, **env))
                await until(third.context.hub.all_tracked)
                cleo = await stack.enter_async_context(third.client())
                assert await _track(cleo, "cleo") == {"ben": ["ben"]}
                await ben.expect("presence_diff")
            assert list((await ben.expect("presence_diff"))["payload"]["leaves"]) == ["cleo"]
        await until(lambda: not leader_to_be.context.hub.topics)
