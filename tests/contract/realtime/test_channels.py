"""Joining, leaving, heartbeats, tokens and refusals, in both versions of the protocol."""

import contextlib
import time

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from emulator.jwt import sign
from tests.support.postgres import Database

from .conftest import ANON, SECRET, Client, Server, serving, sessions_of, token, until

VERSIONS = pytest.mark.parametrize("version", [1, 2])
ROOM = "realtime:room"


@pytest.fixture
def database(module_database: Database) -> Database:
    """One for all: channels write nothing to it."""
    return module_database


@VERSIONS
async def test_join_heartbeat_and_leave(realtime: Server, version: int) -> None:
    async with realtime.client(version) as client:
        assert await client.join(ROOM) == {"status": "ok", "response": {"postgres_changes": []}}
        assert await client.ask("phoenix", "heartbeat", {}) == {"status": "ok", "response": {}}
        assert await client.ask(ROOM, "phx_leave", {}) == {"status": "ok", "response": {}}
        closed = await client.expect("phx_close", ROOM)
        assert closed["ref"] == "1"
        assert closed["payload"] == {}
        assert await client.settle() == []
        assert realtime.context.hub.topics == {}


@VERSIONS
async def test_a_topic_that_was_not_joined(realtime: Server, version: int) -> None:
    unmatched = {"status": "error", "response": {"reason": "unmatched topic"}}
    async with realtime.client(version) as client:
        assert await client.ask(ROOM, "broadcast", {"type": "broadcast", "event": "x"}) == unmatched
        assert await client.ask(ROOM, "phx_leave", {}) == {"status": "ok", "response": {}}
        assert await client.join("room") == unmatched
        assert (await client.ask("realtime:x", "presence", {})) == unmatched
        reply = await client.join("realtime:")
        assert reply["response"] == {"reason": "TopicNameRequired: You must provide a topic name"}


@VERSIONS
async def test_unreadable_frames_are_dropped(realtime: Server, version: int) -> None:
    async with realtime.client(version) as client:
        for frame in ("", "{", "[]", "{}", "[1,2,3,4,5]", '{"topic":1,"event":2,"payload":{}}', "[" * 100_000):
            await client.connection.send(frame)
        for data in (b"", b"\x03", b"\x09abc", b"\x03\xff\xff\xff\xff\xff\x01x", b"\x00\x01\x01\x01\x0111rex"):
            await client.connection.send(data)
        await client.connection.send(b"\xff\xfe", text=True)
        assert await client.ask("phoenix", "heartbeat", {}) == {"status": "ok", "response": {}}


async def test_an_oversized_frame_closes_the_connection(realtime: Server) -> None:
    async with realtime.client() as client, realtime.client() as other:
        with pytest.raises(ConnectionClosed):
            await client.connection.send("x" * 5_000_001)
            await client.expect("never")
        assert (client.connection.close_code, client.connection.close_reason) == (1009, "")
        assert await other.settle() == []


async def test_fragments_make_one_frame(realtime: Server) -> None:
    async with realtime.client() as client:
        await client.connection.send(["[null,", '"77","pho', 'enix","heartbeat",{}]'])
        assert (await client.expect("phx_reply", "phoenix"))["ref"] == "77"


@pytest.mark.parametrize("ref", ["5", None, 7])
async def test_refs_are_echoed_as_they_came(realtime: Server, ref: object) -> None:
    async with realtime.client() as client:
        await client.connection.send(f'[null,{"null" if ref is None else repr(ref).replace(chr(39), chr(34))},'
                                     '"phoenix","heartbeat",{}]')  # fmt: skip
        assert (await client.expect("phx_reply", "phoenix"))["ref"] == ref


REFUSED = [
    ("?vsn=2.0.0", 401, "API key is missing"),
    (f"?apikey={ANON}&vsn=3.0.0", 403, ""),
    ("?apikey=nonsense&vsn=2.0.0", 401, "The token provided is not a valid JWT"),
    ("?apikey=", 401, "The token provided is not a valid JWT"),
    (f"?apikey={token(lives_s=-60)}", 401, "Token has expired"),
    (f"?apikey={sign({'role': 'anon', 'exp': 9e9}, 'x' * 32)}", 401, "Failed to validate JWT signature"),
    (f"?apikey={sign({'role': 'anon'}, SECRET)}", 401, "Fields `role` and `exp` are required in JWT"),
    (f"?apikey={sign({'exp': 9e9}, SECRET)}", 401, "Fields `role` and `exp` are required in JWT"),
]


@pytest.mark.parametrize(
    ("query", "status", "text"), REFUSED, ids=[f"{number}-{one[2]}" for number, one in enumerate(REFUSED)]
)
async def test_refused_handshakes(realtime: Server, query: str, status: int, text: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{realtime.port}/socket/websocket{query}")
    assert refused.value.response.status_code == status
    assert refused.value.response.body == (b'{"error":"%s"}' % text.encode() if text else b"")


async def test_the_key_may_be_a_header_and_paths_have_two_spellings(realtime: Server) -> None:
    for path in ("socket", "realtime/v1"):
        url = f"ws://127.0.0.1:{realtime.port}/{path}/websocket?apikey=nonsense"
        headers, origin = {"X-Api-Key": ANON}, Origin("https://else.where")
        async with connect(url, additional_headers=headers, origin=origin) as connection:
            await connection.send('{"topic":"phoenix","event":"heartbeat","payload":{},"ref":null}')
            assert '"ref":null' in str(await connection.recv())
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{realtime.port}/elsewhere?apikey={ANON}")
    assert refused.value.response.status_code == 404


JOIN_REFUSED = [
    (token(lives_s=-60), "InvalidJWTToken: Token has expired "),
    ("nonsense", "MalformedJWT: The token provided is not a valid JWT"),
    ("", "MalformedJWT: The token provided is not a valid JWT"),
    (token().replace(token().split(".")[0], "eyJhbGciOiJub25lIn0"), "JwtSignerError: Failed to generate JWT signer"),
    (sign({"role": "anon", "exp": 9e9}, "x" * 32), "JwtSignatureError: Failed to validate JWT signature"),
    (sign({"role": "anon"}, SECRET), "InvalidJWTToken: Fields `role` and `exp` are required in JWT"),
    (sign({"role": "anon", "exp": "soon"}, SECRET), "InvalidJWTToken: Token expiration time is invalid"),
]


@pytest.mark.parametrize(
    ("access_token", "reason"), JOIN_REFUSED, ids=[f"{number}-{one[1][:12]}" for number, one in enumerate(JOIN_REFUSED)]
)
async def test_refused_joins(realtime: Server, access_token: str, reason: str) -> None:
    async with realtime.client() as client:
        reply = await client.join(ROOM, access_token=access_token)
        assert reply["status"] == "error"
        assert reply["response"]["reason"].startswith(reason)
        assert (await client.join(ROOM, access_token="sb_publishable_x"))["status"] == "ok"


async def test_a_second_join_replaces_the_first(realtime: Server) -> None:
    async with realtime.client() as client:
        await client.join(ROOM)
        await client.join(ROOM)
        closed = await client.expect("phx_close", ROOM)
        assert (closed["join_ref"], closed["ref"]) == ("1", "1")
        assert realtime.context.hub.count_subscribers("room", False) == 1
        await client.send(ROOM, "phx_leave", {}, join_ref="1")
        assert await client.settle() == [], "the channel that was replaced can't be left"
        assert realtime.context.hub.count_subscribers("room", False) == 1
        async with realtime.client() as other:
            await other.join(ROOM)
            await client.send(ROOM, "broadcast", {"event": "hi"}, join_ref="1")
            assert (await other.expect("broadcast"))["payload"] == {"event": "hi"}, "but other frames are for this one"


async def test_an_expired_token_ends_the_channel(realtime: Server) -> None:
    async with realtime.client() as client:
        # Whole seconds: the token has between one and two to live.
        await client.join(ROOM, access_token=token(lives_s=2))
        system = (await client.expect("system", ROOM))["payload"]
        assert system == {
            "message": "Token has expired 0 seconds ago", "status": "error", "extension": "system", "channel": "room",
        }  # fmt: skip
        closed = await client.expect("phx_close", ROOM)
        assert closed["ref"] == closed["join_ref"] == "1"


async def test_a_refreshed_token_keeps_the_channel(realtime: Server) -> None:
    async with realtime.client() as client:
        await client.join(ROOM, access_token=token(lives_s=2))
        for ignored in (None, "sb_secret_x", 7, {"a": 1}):
            await client.send(ROOM, "access_token", {"access_token": ignored})
        await client.send(ROOM, "access_token", {"access_token": token(lives_s=3600)})
        assert await client.settle() == []
        channel = sessions_of(realtime)[0].channels[ROOM]
        assert channel._timer is not None
        assert (channel.state.principal.expires_at or 0) > time.time() + 3000


@pytest.mark.parametrize(
    ("access_token", "text"),
    [
        ("", "The token provided is not a valid JWT"),
        (token(lives_s=-9), "Token has expired"),
        (sign({"role": "anon", "exp": 9e9}, "x" * 32), ":signature_error"),
    ],
    ids=["empty", "expired", "forged"],
)
async def test_a_bad_new_token_closes_the_channel(realtime: Server, access_token: str, text: str) -> None:
    async with realtime.client() as client:
        await client.join(ROOM)
        await client.send(ROOM, "access_token", {"access_token": access_token})
        assert text in (await client.expect("system", ROOM))["payload"]["message"]
        await client.expect("phx_close", ROOM)


async def test_exceeded_limits_are_reported(database: object) -> None:
    limits = {"TENANT_MAX_CHANNELS_PER_CLIENT": "2", "TENANT_MAX_CONCURRENT_USERS": "1"}
    async with serving(database, **limits) as server, server.client() as client:  # type: ignore[arg-type]
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://127.0.0.1:{server.port}/socket/websocket?apikey={ANON}")
        assert refused.value.response.status_code == 429
        assert refused.value.response.body == b'{"error":"Too many connected users"}'
        await client.join("realtime:1")
        await client.join("realtime:2")
        reply = await client.join("realtime:3")
        assert reply["response"] == {"reason": "ChannelRateLimitReached: Too many channels"}


async def test_too_many_joins_close_the_socket(database: object) -> None:
    async with serving(database, TENANT_MAX_JOINS_PER_SECOND="1") as server, server.client() as client:  # type: ignore[arg-type]
        with pytest.raises(ConnectionClosed):
            for number in range(100):
                reply = await client.join(f"realtime:{number}")
                if reply["status"] == "error":
                    assert reply["response"] == {"reason": "ClientJoinRateLimitReached: Too many joins per second"}
        assert client.connection.close_code == 1001
        assert 50 <= number <= 60


async def test_replication_is_announced_when_it_is_live(realtime: Server) -> None:
    async with realtime.client() as client:
        realtime.context.changes.is_streaming.clear()
        assert (await client.join(ROOM, {"broadcast": {"replication_ready": True}}))["status"] == "ok"
        assert await client.settle() == []
        realtime.context.changes.is_streaming.set()
        system = (await client.expect("system"))["payload"]
        assert system == {
            "message": "Replication connection established", "status": "ok", "extension": "system", "channel": "room",
        }  # fmt: skip


async def test_private_only(database: object) -> None:
    async with serving(database, PRIVATE_ONLY="true") as server, server.client() as client:  # type: ignore[arg-type]
        reply = await client.join(ROOM)
        assert reply["response"] == {"reason": "PrivateOnly: This project only allows private channels"}


async def test_a_client_that_does_not_read_is_disconnected_and_delays_no_other(database: object) -> None:
    async with (
        serving(database, MAX_SOCKET_BUFFER_BYTES="1000000") as server,  # type: ignore[arg-type]
        server.client(max_queue=1) as stalled,
        server.client() as reader,
        server.client() as writer,
    ):
        for client in (stalled, reader, writer):
            await client.join(ROOM)
        big, sent = {"type": "broadcast", "event": "e", "payload": {"x": "y" * 500_000}}, 0
        while server.context.hub.count_subscribers("room", False) == 3:
            await writer.send(ROOM, "broadcast", big)
            await reader.expect("broadcast")
            sent += 1
            assert sent < 200
        assert len(server.service.connections.all) == 2
        stalled.connection.transport.abort()


async def test_a_vanished_client_leaves_nothing(realtime: Server) -> None:
    async with realtime.client() as client:
        await client.join(ROOM, {"presence": {"enabled": True}})
        await client.ask(ROOM, "presence", {"type": "presence", "event": "track", "payload": {}})
        client.connection.transport.abort()
        await until(lambda: not realtime.service.connections.all)
        assert realtime.context.hub.topics == {}
        assert realtime.context.changes.registry.subscribers() == ()


async def test_a_shutdown_is_announced(database: object) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with serving(database) as server:  # type: ignore[arg-type]
            client = await stack.enter_async_context(server.client())
            await client.join(ROOM)
        await _is_told_to_go(client)


async def _is_told_to_go(client: Client) -> None:
    assert (await client.expect("system"))["payload"]["message"] == "Server requested disconnect"
    with pytest.raises(ConnectionClosed):
        await client.expect("never")
    assert client.connection.close_code == 1012
