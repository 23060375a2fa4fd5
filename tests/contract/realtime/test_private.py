"""Private channels: who may join, listen, write and be present is what policies on realtime.messages say."""

import time

import httpx
import pytest

from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.payloads import Replay
from tests.support.patience import PATIENCE_S

from .conftest import ANON, SERVICE, Server, token, until

ADA = token("authenticated", sub="ada")
BEN = token("authenticated", sub="ben")
ROOM = "realtime:ada-room"
HELLO = {"type": "broadcast", "event": "hi", "payload": {"a": 1}}
# ada reads by realtime.topic(), ben by the row's columns and only broadcasts; only ada may write, and only broadcasts.
POLICIES = """
create policy "ada listens" on realtime.messages for select to authenticated using (
  (select auth.jwt() ->> 'sub') = 'ada' and realtime.topic() = 'ada-room' and extension in ('broadcast', 'presence'));
create policy "ben listens" on realtime.messages for select to authenticated using (
  (select auth.jwt() ->> 'sub') = 'ben' and topic = 'ada-room' and extension = 'broadcast');
create policy "ada speaks" on realtime.messages for insert to authenticated with check (
  (select auth.jwt() ->> 'sub') = 'ada' and realtime.topic() = 'ada-room');
"""
PRIVATE = {"private": True}


@pytest.fixture
async def server(realtime: Server) -> Server:
    await realtime.sql(POLICIES)
    return realtime


async def test_policies_decide_who_joins(server: Server) -> None:
    async with server.client() as client:
        for key, topic, want in ((ADA, ROOM, "ok"), (BEN, ROOM, "ok"), (SERVICE, ROOM, "ok"), (ANON, ROOM, "error"),
                                 (ADA, "realtime:other", "error"), (token("nobody"), ROOM, "error"),
                                 (token("supabase_admin"), ROOM, "error")):  # fmt: skip
            reply = await client.join(topic, PRIVATE, access_token=key)
            assert reply["status"] == want, (key, topic)
        assert reply["response"] == {
            "reason": "Unauthorized: You do not have permissions to read from this Channel topic: ada-room"
        }
    assert await server.sql("select count(*) from realtime.messages") == [(0,)], "asking leaves no rows"


async def test_private_and_public_are_different_topics(server: Server) -> None:
    async with server.client() as private, server.client() as public:
        await private.join(ROOM, PRIVATE, access_token=ADA)
        await public.join(ROOM, {"private": "yes"})  # does not validate: as if it were not there
        await private.send(ROOM, "broadcast", HELLO)
        await public.send(ROOM, "broadcast", HELLO)
        assert await private.settle() == []
        assert await public.settle() == []


async def test_writing_needs_a_policy_and_is_refused_without_a_reply(server: Server) -> None:
    config = {"private": True, "broadcast": {"ack": True}}
    async with server.client() as ada, server.client() as ben:
        await ada.join(ROOM, config, access_token=ADA)
        await ben.join(ROOM, config, access_token=BEN)
        await ben.send(ROOM, "broadcast", HELLO)
        await server.sql("select 1")
        assert await ada.ask(ROOM, "broadcast", HELLO) == {"status": "ok", "response": {}}
        assert (await ben.expect("broadcast"))["payload"] == HELLO
        assert await ben.settle() == [], "not even with ack"
        assert await ada.settle() == []


async def test_presence_follows_its_own_policies(server: Server) -> None:
    config = {"private": True, "presence": {"enabled": True, "key": "k"}}
    async with server.client() as ada, server.client() as ben:
        await ada.join(ROOM, config, access_token=ADA)
        await ada.expect("presence_state")
        await ben.join(ROOM, config, access_token=BEN)
        assert await ben.settle() == [], "no state for whom presence is not readable"
        assert await ben.ask(ROOM, "presence", {"event": "track", "payload": {}}) == {"status": "error", "response": {}}
        assert (await ada.ask(ROOM, "presence", {"event": "track", "payload": {}}))["status"] == "ok"
        await ada.expect("presence_diff")
        assert await ben.settle() == []


async def test_presence_that_was_not_asked_for_at_the_join_comes_from_the_channel(server: Server) -> None:
    async with server.client() as ada, server.client() as other:
        await ada.join(ROOM, {"private": True, "presence": {"enabled": False}}, access_token=ADA)
        await other.join(ROOM, {"private": True, "presence": {"enabled": True, "key": "k"}}, access_token=ADA)
        await other.expect("presence_state")
        assert (await ada.ask(ROOM, "presence", {"event": "track", "payload": {}}))["status"] == "ok"
        assert (await ada.expect("presence_diff"))["join_ref"] is not None
        assert (await other.expect("presence_diff"))["join_ref"] is None
        await ada.send(ROOM, "access_token", {"access_token": SERVICE})
        await ada.ask(ROOM, "presence", {"event": "track", "payload": {"at": "sea"}})
        assert (await ada.expect("presence_diff"))["join_ref"] is None, "the new token was asked about presence"


async def test_frames_stay_in_order_while_permission_is_checked(server: Server) -> None:
    async with server.client() as ada, server.client() as ben:
        await ada.join(ROOM, PRIVATE, access_token=ADA)
        await ben.join(ROOM, PRIVATE, access_token=BEN)
        for number in range(50):
            await ada.send(ROOM, "broadcast", {**HELLO, "payload": {"n": number}})
        got = [(await ben.expect("broadcast"))["payload"]["payload"]["n"] for _ in range(50)]
        assert got == list(range(50))


async def test_a_new_token_is_checked_again(server: Server) -> None:
    config = {"private": True, "broadcast": {"ack": True}}
    async with server.client() as client:
        await client.join(ROOM, config, access_token=ADA)
        assert (await client.ask(ROOM, "broadcast", HELLO))["status"] == "ok"
        await client.send(ROOM, "access_token", {"access_token": BEN})
        await client.send(ROOM, "broadcast", HELLO)
        assert await client.settle() == [], "what ada may write is forgotten"
        await client.send(ROOM, "access_token", {"access_token": ANON})
        system = (await client.expect("system", ROOM))["payload"]
        assert system["message"] == "You do not have permissions to read from this Channel topic: ada-room"
        await client.expect("phx_close", ROOM)


async def test_http_broadcasts_pass_the_same_policies(server: Server) -> None:
    async with server.client() as client, httpx.AsyncClient(base_url=server.http, timeout=PATIENCE_S) as http:
        await client.join(ROOM, PRIVATE, access_token=BEN)
        message = {"topic": "ada-room", "event": "hi", "payload": {"a": 1}, "private": True}
        for key, status, want in ((BEN, 403, 0), (ADA, 202, 2), (SERVICE, 202, 2)):
            headers = {"authorization": f"Bearer {key}"}
            answer = await http.post("/api/broadcast/ada-room/events/hi?private=true", json={"a": 1}, headers=headers)
            assert answer.status_code == status
            assert (await http.post("/api/broadcast", json={"messages": [message]}, headers=headers)).status_code == 202
            assert len(await client.settle()) == want
        assert answer.content == b""


async def test_the_database_broadcasts_to_private_topics(server: Server) -> None:
    async with server.client() as client:
        await client.join(ROOM, PRIVATE, access_token=BEN)
        await server.sql("select realtime.send('{}', 'hi', 'ada-room')")
        assert (await client.expect("broadcast"))["payload"]["event"] == "hi"


async def test_replay(server: Server) -> None:
    for number in range(4):
        await server.sql("select realtime.send(jsonb_build_object('n', %s::int), 'hi', 'ada-room')", number)
    await server.sql("select realtime.send_binary('\\x01', 'raw', 'ada-room')")
    await server.sql("select realtime.send('{}', 'hi', 'ada-room', false)")
    since = int((time.time() - 60) * 1000)
    config = {"private": True, "broadcast": {"replay": {"since": since, "limit": 3}}}
    async with server.client(1) as one, server.client(2) as two:
        for client, want in ((one, [2, 3]), (two, [2, 3, b"\x01"])):
            await client.join(ROOM, config, access_token=BEN)
            frames = [await client.expect("broadcast") for _ in want]
            payloads = [frame["payload"] for frame in frames]
            got = [one["payload"]["n"] if isinstance(one["payload"], dict) else one["payload"] for one in payloads]
            assert got == want
            assert all(one["meta"]["replayed"] is True and len(one["meta"]["id"]) == 36 for one in payloads)
            assert await client.settle() == []


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"broadcast": {"replay": {"since": 1}}}, "Replay is not allowed for public channels"),
        ({"private": True, "broadcast": {"replay": {"since": "x"}}}, "Replay params are not valid"),
        ({"broadcast": {"replay": None}}, "Replay is not allowed for public channels"),
    ],
    ids=["public", "since", "null"],
)
async def test_refused_replays(server: Server, config: object, reason: str) -> None:
    async with server.client() as client:
        reply = await client.join(ROOM, config, access_token=ADA)
        assert reply["response"] == {"reason": f"UnableToReplayMessages: {reason}"}


async def test_missing_partitions_are_created_again(server: Server) -> None:
    await server.sql(
        """do $$ declare one record; begin
        for one in select inhrelid::regclass as name from pg_inherits where inhparent = 'realtime.messages'::regclass
        loop execute format('drop table %s', one.name); end loop; end $$""",
        user="supabase_admin",
    )
    async with server.client() as client:
        assert (await client.join(ROOM, PRIVATE, access_token=ADA))["status"] == "ok"
        await server.sql("select realtime.send('{}', 'hi', 'ada-room')")
        assert (await client.expect("broadcast"))["payload"]["event"] == "hi"


PERSIST = """
create policy "ada keeps" on realtime.messages for insert to authenticated with check (
  (select auth.jwt() ->> 'sub') = 'ada' and extension in ('broadcast', 'persistence'));
"""


def _kept(payload: bytes, *, is_json: bool = True, ref: str = "9", meta: bytes = b'{"persist":true}') -> bytes:
    """A user broadcast of protocol 2.0.0 that asks to be stored."""
    topic = ROOM.encode()
    head = bytes((3, 0, len(ref), len(topic), 2, len(meta), int(is_json)))
    return head + ref.encode() + topic + b"hi" + meta + payload


async def test_a_stored_broadcast_comes_once_and_again_on_replay(server: Server) -> None:
    await server.sql(PERSIST)
    config = {"private": True, "broadcast": {"ack": True}}
    async with server.client() as ada, server.client() as ben:
        await ada.join(ROOM, config, access_token=ADA)
        await ben.join(ROOM, config, access_token=BEN)
        await ada.connection.send(_kept(b'{"a":1}'))
        reply = (await ada.expect("phx_reply", ref="9"))["payload"]
        assert reply["status"] == "ok"
        frame = (await ben.expect("broadcast"))["payload"]
        assert frame == {**HELLO, "meta": {"id": reply["response"]["id"]}}
        await ada.connection.send(_kept(b"\x01", is_json=False, ref="10", meta=b'{"persist":{"ttl":60}}'))
        await ada.expect("phx_reply", ref="10")
        assert (await ben.expect("broadcast"))["payload"]["payload"] == b"\x01"
        assert (await ada.settle(), await ben.settle()) == ([], []), "once, and not to who sent it"
        await ben.connection.send(_kept(b'{"a":2}'))
        await ada.connection.send(_kept(b'{"a":"\\u0000"}', ref="11"))
        assert (await ada.expect("phx_reply", ref="11"))["payload"]["status"] == "error", "jsonb has no such character"
        assert await ben.settle() == [], "who may not write is met with silence"
    since = {"private": True, "broadcast": {"replay": {"since": int((time.time() - 60) * 1000)}}}
    async with server.client() as late:
        await late.join(ROOM, since, access_token=BEN)
        assert (await late.expect("broadcast"))["payload"]["payload"] == {"a": 1}
        assert (await late.expect("broadcast"))["payload"]["payload"] == b"\x01"
        assert await late.settle() == []


async def test_storing_needs_a_policy_of_its_own_and_a_private_channel(server: Server) -> None:
    await server.sql('drop policy "ada speaks" on realtime.messages')
    await server.sql(PERSIST.replace("'broadcast', 'persistence'", "'broadcast'"))
    async with server.client() as ada, server.client() as ben, server.client() as open_room:
        await ada.join(ROOM, PRIVATE, access_token=ADA)
        await ben.join(ROOM, PRIVATE, access_token=BEN)
        await open_room.join(ROOM, {"broadcast": {"self": True}})
        await ada.connection.send(_kept(b'{"a":1}'))
        assert await ada.settle() == []
        assert await ben.settle() == []
        await open_room.connection.send(_kept(b'{"a":1}'))
        assert (await open_room.expect("broadcast"))["payload"] == HELLO, "public: metadata is ignored"
        assert await server.sql("select count(*) from realtime.messages") == [(0,)]


async def test_http_broadcasts_can_be_stored(server: Server) -> None:
    await server.sql(PERSIST)
    path = "/api/broadcast/ada-room/events/hi?private=true&"
    async with server.client() as ben, httpx.AsyncClient(base_url=server.http, timeout=PATIENCE_S) as http:
        await ben.join(ROOM, PRIVATE, access_token=BEN)
        for key, query, status in ((ADA, "persist=true", 202), (ADA, "persist[ttl]=60", 202),
                                   (BEN, "persist=true", 403),
                                   (ADA, "private=false&persist=true", 422)):  # fmt: skip
            headers = {"authorization": f"Bearer {key}"}
            assert (await http.post(path + query, json={"a": 1}, headers=headers)).status_code == status
        for _ in range(2):
            assert (await ben.expect("broadcast"))["payload"]["payload"] == {"a": 1}
        assert await ben.settle() == []
        assert await server.sql("select count(*) from realtime.messages") == [(2,)]


def _has_received_live(server: Server) -> bool:
    topics = server.context.hub.topics.values()
    return any(subscriber.received_live for topic in topics for subscriber in topic.subscribers)


async def test_replayed_and_live_messages_do_not_repeat(server: Server) -> None:
    config = {"private": True, "broadcast": {"replay": {"since": 0, "limit": 25}}}
    read = server.context.messages.replay

    async def slow(topic: str, replay: Replay) -> tuple[Broadcast, ...] | None:
        """Once the channel has joined, and before stored broadcasts are read, another one is stored."""
        await server.sql("select realtime.send('{\"n\": 2}', 'hi', 'ada-room')")
        await until(lambda: _has_received_live(server))
        return await read(topic, replay)

    server.context.messages.replay = slow  # type: ignore[method-assign]
    await server.sql("select realtime.send('{\"n\": 1}', 'hi', 'ada-room')")
    async with server.client() as client:
        await client.join(ROOM, config, access_token=BEN)
        got = [(await client.expect("broadcast"))["payload"]["payload"]["n"] for _ in range(2)]
        assert sorted(got) == [1, 2]
        assert await client.settle() == []
