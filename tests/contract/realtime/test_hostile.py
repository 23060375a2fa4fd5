"""What a hostile client sends harms no other: texts that break receivers, floods, frames held back."""

import asyncio
import contextlib
import json

import httpx
import psycopg
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from emulator.asgi.server import bind, make_server
from emulator.realtime.app import create_app
from tests.support.patience import PATIENCE_S
from tests.support.postgres import Database

from .conftest import ANON, Server, serving, sessions_of, settings_of, until

ROOM = "realtime:room"
HELLO = {"type": "broadcast", "event": "hi", "payload": {"a": 1}}
# Each would make a browser close its connection, or a receiver's parser fail.
POISON = [
    pytest.param(b'{"event":"e","payload":{"x":"\\ud800"}}', id="half-surrogate"),
    pytest.param(b'{"event":"\\udfff","payload":{}}', id="half-surrogate-event"),
    pytest.param(b'{"event":"e","payload":{"x":1e999}}', id="infinite"),
    pytest.param(b'{"event":"e","payload":{"x":NaN}}', id="nan"),
    pytest.param(b'{"event":"e","payload":{"x":"\xed\xa0\x80"}}', id="surrogate-bytes"),
    pytest.param(b'{"event":"e","payload":{"x":"\xff"}}', id="not-utf8"),
    pytest.param(b'{"event":"e","payload":' + b'{"x":' * 900 + b"1" + b"}" * 901, id="deep"),
    pytest.param(b'{"event":"e","payload":' + b"[" * 100_000, id="deeper"),
]


@pytest.fixture
def database(module_database: Database) -> Database:
    """One for all: its only policy is of private channels, which one test joins."""
    return module_database


@pytest.mark.parametrize("body", POISON)
async def test_text_that_breaks_receivers_is_not_passed_on(realtime: Server, body: bytes) -> None:
    head = f'[null,"7","{ROOM}","broadcast",'.encode()
    binary = bytes((3, 0, 1, len(ROOM), 1, 0, 1)) + b"7" + ROOM.encode() + b"e" + body
    async with realtime.client() as sender, realtime.client(1) as one, realtime.client(2) as two:
        for client in (sender, one, two):
            await client.join(ROOM)
        await sender.connection.send(head + body + b"]", text=True)
        await sender.connection.send(binary)
        async with httpx.AsyncClient(base_url=realtime.http, headers={"apikey": ANON}, timeout=PATIENCE_S) as http:
            kind = {"content-type": "application/json"}
            answer = await http.post("/api/broadcast/room/events/e", content=body, headers=kind)
            assert answer.status_code in (202, 400)
            answer = await http.post("/api/broadcast", content=b'{"messages":[' + body + b"]}", headers=kind)
            assert answer.status_code in (400, 422)
        await sender.send(ROOM, "broadcast", HELLO)
        await sender.settle()
        for client in (one, two):
            frames = await client.settle()  # parses whatever came: all of it is JSON and UTF-8
            assert frames[-1]["payload"] == HELLO
            json.dumps(frames, ensure_ascii=False, allow_nan=False, default=str).encode()


@pytest.mark.parametrize("ref", ["²", "9" * 5000, 7, {"a": 1}, True])
async def test_odd_refs_of_a_join_are_echoed(realtime: Server, ref: object) -> None:
    async with realtime.client() as client:
        await client.connection.send(json.dumps([ref, ref, ROOM, "phx_join", {}]))
        assert (await client.expect("phx_reply"))["ref"] == ref


async def test_frames_held_back_are_bounded(realtime: Server) -> None:
    await realtime.sql('create policy "Everyone" on realtime.messages for select to anon using (true)')
    async with realtime.client() as client:
        await client.join(ROOM, {"private": True})
        channel = sessions_of(realtime)[0].channels[ROOM]
        async with await psycopg.AsyncConnection.connect(realtime.database.dsn("supabase_admin")) as blocker:
            await blocker.execute("lock table realtime.messages in access exclusive mode")
            big = {"event": "e", "payload": {"x": "y" * 2_000_000}}
            for _ in range(12):
                await client.send(ROOM, "broadcast", big)
            await client.ask("phoenix", "heartbeat", {})  # answered once all of them were read
            assert [type(event).__name__ for event, _ in channel._waiting] == ["Failed"]
            assert channel._client.held_bytes == 0
            await blocker.rollback()
        assert (await client.expect("system"))["payload"]["message"] == "Too many messages per second"
        await client.expect("phx_close")


async def test_too_many_joins_refuse_handshakes_too(database: Database) -> None:
    async with serving(database, TENANT_MAX_JOINS_PER_SECOND="1") as server, server.client() as client:
        for number in range(59):
            await client.join(f"realtime:{number}")
        with pytest.raises(ConnectionClosed):
            await client.join("realtime:60")
            await client.settle()
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://127.0.0.1:{server.port}/socket/websocket?apikey={ANON}")
        assert refused.value.response.status_code == 429
        assert refused.value.response.body == b'{"error":"Too many joins per second"}'


async def test_too_many_presence_events_close_the_channel(database: Database) -> None:
    async with serving(database, TENANT_MAX_PRESENCE_EVENTS_PER_SECOND="1") as server, server.client() as client:
        await client.join(ROOM)
        for number in range(40):
            await client.send(ROOM, "presence", {"event": "track", "payload": {"n": number}})
        assert (await client.expect("system"))["payload"]["message"] == "Too many presence messages per second"
        await client.expect("phx_close")


async def test_a_client_that_joins_too_often_is_refused_alone(database: Database) -> None:
    limits = {"CLIENT_MAX_JOINS_PER_SECOND": "1", "TENANT_MAX_CHANNELS_PER_CLIENT": "2"}
    async with serving(database, **limits) as server, server.client() as client, server.client() as other:
        replies = [await client.join(ROOM) for _ in range(5)]
        assert [reply["status"] for reply in replies] == ["ok"] * 4 + ["error"]
        assert replies[-1]["response"] == {"reason": "ClientJoinRateLimitReached: Too many joins per second"}
        assert (await client.ask("phoenix", "heartbeat", {}))["status"] == "ok", "its connection stays"
        assert (await other.join(ROOM))["status"] == "ok"


async def test_frames_above_a_client_s_rate_wait(database: Database) -> None:
    async with serving(database, CLIENT_MAX_FRAMES_PER_SECOND="100") as server, server.client() as client:
        refs = [await client.send("phoenix", "heartbeat", {}) for _ in range(220)]
        assert [(await client.expect("phx_reply"))["ref"] for _ in refs] == refs


async def test_presence_above_a_client_s_rate_closes_the_channel(database: Database) -> None:
    async with serving(database, CLIENT_MAX_PRESENCE_PER_SECOND="1") as server, server.client() as client:
        await client.join(ROOM)
        for number in range(8):
            await client.send(ROOM, "presence", {"event": "track", "payload": {"n": number}})
        assert (await client.expect("system"))["payload"]["message"] == "Client presence rate limit exceeded"


async def test_texts_of_very_many_values_are_dropped_and_long_strings_are_not(realtime: Server) -> None:
    async with realtime.client() as sender, realtime.client() as receiver:
        for client in (sender, receiver):
            await client.join(ROOM)
        await sender.connection.send(f'[null,"7","{ROOM}","broadcast",{{"x":[{"[]," * 200_000}[]]}}]')
        commas = {**HELLO, "payload": {"x": '",\\[{' * 100_000}}
        await sender.send(ROOM, "broadcast", commas)
        assert (await receiver.expect("broadcast"))["payload"] == commas


async def test_a_message_of_many_fragments_closes_the_connection(database: Database) -> None:
    # Frames that come faster than the usual rate wait; the bound on fragments is another one.
    async with serving(database, CLIENT_MAX_FRAMES_PER_SECOND="100000") as server, server.client() as client:
        with pytest.raises(ConnectionClosed):
            await client.connection.send(["x"] * 10_002)
            await client.expect("never")
        assert client.connection.close_code == 1009


async def test_addresses_that_a_gateway_names_are_limited(database: Database) -> None:
    app = create_app(settings_of(database, MAX_SOCKETS_PER_ADDRESS="2"))
    url = "ws://127.0.0.1:{}/socket/websocket?apikey=" + ANON
    protocol = app.ws_protocol(client_of=lambda _, headers: dict(headers)[b"x-client"].decode())
    listener = bind("127.0.0.1", 0)
    server = make_server(app.asgi, ws_protocol=protocol)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
    task = asyncio.ensure_future(server.serve(sockets=[listener]))
    try:
        await until(lambda: server.started)
        address = url.format(listener.getsockname()[1])
        async with contextlib.AsyncExitStack() as stack:
            for client in ("203.0.113.9", "203.0.113.9", "203.0.113.8"):
                await stack.enter_async_context(connect(address, additional_headers={"X-Client": client}))
            with pytest.raises(InvalidStatus) as refused:
                await connect(address, additional_headers={"X-Client": "203.0.113.9"})
            assert refused.value.response.status_code == 429
    finally:
        server.should_exit = True
        await task
        listener.close()
