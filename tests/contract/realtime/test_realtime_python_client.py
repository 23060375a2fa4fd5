"""The official Python client against the service: what its strict models accept is what we send."""

import asyncio
from typing import Any

import pytest
from realtime import AsyncRealtimeChannel, AsyncRealtimeClient, RealtimeSubscribeStates

from .conftest import ANON, WAIT_S, Server, token

pytestmark = pytest.mark.filterwarnings("default")


class Inbox:
    """What callbacks were called with."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Any] = asyncio.Queue()

    def __call__(self, *arguments: Any) -> None:
        self.queue.put_nowait(arguments[0] if arguments else None)

    async def next(self) -> Any:
        async with asyncio.timeout(WAIT_S):
            return await self.queue.get()


async def _client(server: Server, key: str = ANON) -> AsyncRealtimeClient:
    client = AsyncRealtimeClient(f"ws://127.0.0.1:{server.port}/realtime/v1", key, auto_reconnect=False)
    await client.connect()
    return client


async def _subscribed(channel: AsyncRealtimeChannel) -> None:
    done = asyncio.get_running_loop().create_future()

    def told(state: RealtimeSubscribeStates, error: Exception | None) -> None:
        if not done.done():
            done.set_result((state, error))

    await channel.subscribe(told)
    async with asyncio.timeout(WAIT_S):
        assert await done == (RealtimeSubscribeStates.SUBSCRIBED, None)


async def test_changes_of_every_kind(realtime: Server) -> None:
    await realtime.sql("create table public.todos (id int primary key, body text); grant select on todos to anon;"
                       "alter publication supabase_realtime add table todos")  # fmt: skip
    client, everything, inserts, system = await _client(realtime), Inbox(), Inbox(), Inbox()
    channel = client.channel("todos")
    channel.on_postgres_changes("*", everything, table="todos", schema="public")
    channel.on_postgres_changes("INSERT", inserts, table="todos", filter="id=eq.1")
    channel.on_system(system)
    await _subscribed(channel)
    assert (await system.next()).message == "Subscribed to PostgreSQL"
    await realtime.sql("insert into todos values (1, 'a'); update todos set body = 'b'; delete from todos")
    kinds = [(await everything.next())["data"]["type"] for _ in range(3)]
    assert [str(getattr(kind, "value", kind)) for kind in kinds] == ["INSERT", "UPDATE", "DELETE"]
    assert (await inserts.next())["data"]["record"] == {"id": 1, "body": "a"}
    await client.close()


async def test_broadcast_and_presence(realtime: Server) -> None:
    one, two = await _client(realtime), await _client(realtime, token("authenticated", sub="x"))
    heard, synced = Inbox(), Inbox()
    listener = one.channel("room", {"config": {"presence": {"key": "one", "enabled": True}, "private": False,
                                               "broadcast": {"ack": False, "self": False}}})  # fmt: skip
    listener.on_broadcast("hi", heard)
    listener.on_presence_sync(synced)
    await _subscribed(listener)
    await synced.next()
    speaker = two.channel("room", {"config": {"presence": {"key": "two", "enabled": True}, "private": False,
                                              "broadcast": {"ack": True, "self": False}}})  # fmt: skip
    await _subscribed(speaker)
    await speaker.send_broadcast("hi", {"x": "é" * 1000})
    assert (await heard.next())["payload"] == {"x": "é" * 1000}
    await speaker.track({"at": "sea"})
    await synced.next()
    assert [meta["at"] for meta in listener.presence_state()["two"]] == ["sea"]
    await speaker.untrack()
    await synced.next()
    assert "two" not in listener.presence_state()
    await one.close()
    await two.close()
