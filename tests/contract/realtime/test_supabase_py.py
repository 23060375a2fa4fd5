"""The official Python client against the service: what its strict models accept is what we send."""

import asyncio
from typing import Any

import pytest
from realtime import AsyncRealtimeChannel, AsyncRealtimeClient, RealtimeSubscribeStates
from realtime.types import RealtimeChannelOptions
from realtime.types import RealtimePostgresChangesListenEvent as Event

from tests.support.patience import PATIENCE_S

from .conftest import ANON, Server, token
from .test_changes import FILTERS, SCHEMA
from .test_supabase_js import PRIVATE_POLICIES

pytestmark = pytest.mark.filterwarnings("default")


class Inbox:
    """What callbacks were called with."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Any] = asyncio.Queue()

    def __call__(self, *arguments: Any) -> None:
        self.queue.put_nowait(arguments[0] if arguments else None)

    async def next(self) -> Any:
        async with asyncio.timeout(PATIENCE_S):
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
    async with asyncio.timeout(PATIENCE_S):
        assert await done == (RealtimeSubscribeStates.SUBSCRIBED, None)


async def test_changes_of_every_kind(realtime: Server) -> None:
    await realtime.sql("create table public.todos (id int primary key, body text); grant select on todos to anon;"
                       "alter publication supabase_realtime add table todos")  # fmt: skip
    client, everything, inserts, system = await _client(realtime), Inbox(), Inbox(), Inbox()
    channel = client.channel("todos")
    channel.on_postgres_changes(Event.All, everything, table="todos", schema="public")
    channel.on_postgres_changes(Event.Insert, inserts, table="todos", filter="id=eq.1")
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
    assert [dict(meta)["at"] for meta in listener.presence_state()["two"]] == ["sea"]
    await speaker.untrack()
    await synced.next()
    assert "two" not in listener.presence_state()
    await one.close()
    await two.close()


async def _outcome(channel: AsyncRealtimeChannel) -> tuple[RealtimeSubscribeStates, Exception | None]:
    """What a subscription comes to."""
    done: asyncio.Future[tuple[RealtimeSubscribeStates, Exception | None]] = asyncio.get_running_loop().create_future()
    await channel.subscribe(lambda state, error: None if done.done() else done.set_result((state, error)))
    async with asyncio.timeout(PATIENCE_S):
        return await done


async def test_filters_of_every_operator(realtime: Server) -> None:
    await realtime.sql(SCHEMA)
    client, told, system = await _client(realtime), Inbox(), Inbox()
    channel = client.channel("notes")
    wanted = [(text, want) for text, want in FILTERS if want is not None]
    for text, _ in wanted:
        channel.on_postgres_changes(Event.Insert, told, table="notes", schema="public", filter=text)
    channel.on_system(system)
    await _subscribed(channel)
    assert (await system.next()).message == "Subscribed to PostgreSQL"
    await realtime.sql(
        "insert into notes values (1, 'ada', 'Hello, World', 3, 1.50, true, '2024-01-02 03:04:05+00', null)"
    )
    hits = [number for number, (_, want) in enumerate(wanted, 1) if want]
    got = (await told.next())["ids"]
    assert got == hits, (set(got) ^ set(hits), got)
    await client.close()


async def test_private_channels_and_new_tokens(realtime: Server) -> None:
    await realtime.sql(PRIVATE_POLICIES)
    private: RealtimeChannelOptions = {"config": {"private": True, "presence": {"key": "", "enabled": False},
                          "broadcast": {"ack": True, "self": False}}}  # fmt: skip
    ada, ben, anon = await _client(realtime), await _client(realtime), await _client(realtime)
    await ada.set_auth(token("authenticated", sub="ada"))
    await ben.set_auth(token("authenticated", sub="ben"))
    speaker, listener, heard, states = ada.channel("crew", private), ben.channel("crew", private), Inbox(), Inbox()
    listener.on_broadcast("hi", heard)
    await _subscribed(speaker)
    await listener.subscribe(lambda state, error: states((state, str(error))))
    assert (await states.next())[0] == RealtimeSubscribeStates.SUBSCRIBED
    state, error = await _outcome(anon.channel("crew", private))
    assert state == RealtimeSubscribeStates.CHANNEL_ERROR
    assert "You do not have permissions" in str(error)
    await speaker.send_broadcast("hi", {"n": 1})
    assert (await heard.next())["payload"] == {"n": 1}
    await ben.set_auth(ANON)
    state, text = await states.next()
    assert state == RealtimeSubscribeStates.CHANNEL_ERROR
    assert "You do not have permissions to read from this Channel topic: crew" in text
    assert (await states.next())[0] == RealtimeSubscribeStates.CLOSED
    for client in (ada, ben, anon):
        await client.close()
