"""Broadcasts between clients, over HTTP and from the database; presence; both versions and both encodings."""

import json
from typing import Any

import httpx
import pytest

from tests.support.patience import PATIENCE_S
from tests.support.postgres import Database

from .conftest import ANON, Client, Server, serving, token

ROOM = "realtime:room"
HELLO = {"type": "broadcast", "event": "hi", "payload": {"a": 1}}
KIND_3 = bytes.fromhex("0301010d02000131327265616c74696d653a726f6f6d68697b2261223a317d")
KIND_3_RAW = bytes.fromhex("0301010d02000031327265616c74696d653a726f6f6d6869010203")


@pytest.fixture
def database(module_database: Database) -> Database:
    """One for all: what is written to it is sent once, or is of a table of the test's own."""
    return module_database


async def test_a_text_broadcast_reaches_the_others_unchanged(realtime: Server) -> None:
    async with realtime.client(1) as one, realtime.client(2) as two, realtime.client(2) as sender:
        for client in (one, two, sender):
            await client.join(ROOM)
        await sender.send(ROOM, "broadcast", {**HELLO, "extra": [1]})
        for client in (one, two):
            frame = await client.expect("broadcast")
            assert frame["payload"] == {**HELLO, "extra": [1]}
            assert frame["ref"] is None
        assert await sender.settle() == [], "neither itself nor an answer"


@pytest.mark.parametrize("version", [1, 2])
async def test_self_and_ack(realtime: Server, version: int) -> None:
    async with realtime.client(version) as client:
        await client.join(ROOM, {"broadcast": {"self": True, "ack": True}})
        assert await client.ask(ROOM, "broadcast", HELLO) == {"status": "ok", "response": {}}
        assert (await client.expect("broadcast"))["payload"] == HELLO


async def test_binary_broadcasts_in_both_encodings(realtime: Server) -> None:
    async with realtime.client(1) as one, realtime.client(2) as two, realtime.client(2) as sender:
        for client in (one, two):
            await client.join(ROOM)
        await sender.join(ROOM, {"broadcast": {"ack": True}})
        await sender.connection.send(KIND_3)
        assert (await sender.expect("phx_reply", ref="2"))["payload"]["status"] == "ok"
        await sender.connection.send(KIND_3_RAW)
        frame = await two.expect("broadcast")
        assert frame["binary"]
        assert frame["payload"] == HELLO
        assert (await two.expect("broadcast"))["payload"]["payload"] == b"\x01\x02\x03"
        assert (await one.expect("broadcast"))["payload"] == HELLO
        assert await one.settle() == [], "protocol 1.0.0 can't carry raw bytes"


async def test_a_binary_push_reaches_receivers_of_protocol_2(realtime: Server) -> None:
    async with realtime.client(1) as one, realtime.client(2) as two, realtime.client(2) as sender:
        for client in (one, two, sender):
            await client.join(ROOM)
        push = bytes((0, 1, 1, len(ROOM), 9)) + b"12" + ROOM.encode() + b"broadcast" + b"\x01\x02"
        await sender.connection.send(push)
        want = bytes((2, len(ROOM), 9)) + ROOM.encode() + b"broadcast" + b"\x01\x02"
        assert await two.connection.recv() == want
        assert await one.settle() == [], "protocol 1.0.0 can't carry bytes"
        # Metadata that is no JSON drops the frame; any other encoding than 0 is JSON.
        await sender.connection.send(bytes((3, 0, 0, len(ROOM), 1, 1, 1)) + ROOM.encode() + b"e" + b"x" + b"{}")
        await sender.connection.send(bytes((3, 0, 0, len(ROOM), 1, 0, 7)) + ROOM.encode() + b"e" + b'{"n":1}')
        await sender.settle()
        assert [frame["payload"]["payload"] for frame in await two.settle()] == [{"n": 1}]


async def test_an_event_of_more_than_255_bytes_travels_as_text(realtime: Server) -> None:
    event = "e" * 300
    async with realtime.client() as client:
        await client.join(ROOM)
        async with httpx.AsyncClient(base_url=realtime.http, headers={"apikey": ANON}, timeout=PATIENCE_S) as http:
            answer = await http.post(f"/api/broadcast/room/events/{event}", json={"a": 1})
        assert answer.status_code == 202
        frame = await client.expect("broadcast")
        assert "binary" not in frame
        assert frame["payload"]["event"] == event


async def test_a_payload_above_the_limit_is_refused(realtime: Server) -> None:
    async with realtime.client() as client, realtime.client() as other:
        await client.join(ROOM, {"broadcast": {"ack": True}})
        await other.join(ROOM)
        fits = {**HELLO, "payload": {"x": "y" * 1_000_000}}
        assert (await client.ask(ROOM, "broadcast", fits))["status"] == "ok"
        assert (await other.expect("broadcast"))["payload"] == fits
        reply = await client.ask(ROOM, "broadcast", {**HELLO, "payload": {"x": "y" * 3_000_600}})
        assert reply == {"status": "error", "response": {"error": "payload_size_exceeded"}}
        assert await other.settle() == []


async def test_too_many_messages_close_the_channel(database: object) -> None:
    async with serving(database, TENANT_MAX_EVENTS_PER_SECOND="1") as server, server.client() as client:  # type: ignore[arg-type]
        await client.join(ROOM)
        for _ in range(60):
            await client.send(ROOM, "broadcast", HELLO)
        assert (await client.expect("system"))["payload"]["message"] == "Too many messages per second"
        await client.expect("phx_close")


# HTTP


async def test_the_batch_endpoint(realtime: Server) -> None:
    message = {"topic": "room", "event": "hi", "payload": {"a": 1}}
    async with realtime.client(1) as one, realtime.client(2) as two:
        for client in (one, two):
            await client.join(ROOM)
        async with httpx.AsyncClient(base_url=realtime.http, timeout=PATIENCE_S) as http:
            answer = await http.post("/api/broadcast", json={"messages": [message, {**message, "topic": "else"}]},
                                     headers={"apikey": "nonsense", "authorization": f"Bearer {ANON}"})  # fmt: skip
            assert (answer.status_code, answer.content) == (202, b"")
            assert "access-control-allow-origin" not in answer.headers
            for client in (one, two):
                assert (await client.expect("broadcast"))["payload"] == HELLO
                assert await client.settle() == []
            for headers in ({}, {"apikey": "nonsense"}, {"apikey": token(lives_s=-9)}):
                answer = await http.post("/api/broadcast", json={"messages": [message]}, headers=headers)
                assert (answer.status_code, answer.json()) == (401, {"message": "Unauthorized"})
            bad = {"messages": [{**message, "topic": ""}, message, {"topic": "room"}]}
            answer = await http.post("/api/broadcast", json=bad, headers={"apikey": ANON})
            blank = ["can't be blank"]
            assert answer.status_code == 422
            assert answer.json() == {
                "errors": {"messages": [{"topic": blank}, {}, {"event": blank, "payload": blank}]}
            }  # fmt: skip
            for kind, status in (("application/json", 400), ("text/plain", 422), ("", 422)):
                headers = {"apikey": ANON, **({"content-type": kind} if kind else {})}
                answer = await http.post("/api/broadcast", content=b"{", headers=headers)
                assert answer.status_code == status
            assert answer.json() == {"errors": {"messages": blank}}
        assert await one.settle() == []


async def test_pages_of_any_origin_may_read_what_a_broadcast_is_answered(realtime: Server) -> None:
    elsewhere = {"origin": "https://elsewhere.example"}
    async with httpx.AsyncClient(base_url=realtime.http, timeout=PATIENCE_S) as http:
        for path in ("/api/broadcast", "/api/broadcast/room/events/hi"):
            refused = await http.post(path, json={}, headers=elsewhere)
            assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (401, "*")
            asked = await http.options(path, headers={**elsewhere, "access-control-request-method": "POST"})
            assert (asked.status_code, asked.text) == (404, "Not Found")
        assert "access-control-allow-origin" not in (await http.get("/api/ping", headers=elsewhere)).headers


async def test_the_single_endpoint(realtime: Server) -> None:
    async with realtime.client(2) as client:
        await client.join("realtime:a/b room")
        async with httpx.AsyncClient(base_url=realtime.http, headers={"apikey": ANON}, timeout=PATIENCE_S) as http:
            path = "/api/broadcast/a%2Fb%20room/events/h%20i"
            assert (await http.post(path, json={"a": 1})).status_code == 202
            frame = await client.expect("broadcast")
            assert frame["binary"]
            assert frame["payload"] == {"type": "broadcast", "event": "h i", "payload": {"a": 1}}
            assert (await http.post(path, json=[1])).status_code == 202
            assert (await client.expect("broadcast"))["payload"]["payload"] == {"_json": [1]}
            raw = {"content-type": "application/octet-stream"}
            assert (await http.post(path, content=b"\x00\x01", headers=raw)).status_code == 202
            assert (await client.expect("broadcast"))["payload"]["payload"] == b"\x00\x01"
            answer = await http.post(path, content=b"x", headers={"content-type": "text/plain"})
            assert answer.status_code == 415
            answer = await http.post(path, content=b"x" * 3_000_501, headers=raw)
            assert answer.status_code == 422
            assert answer.json() == {"errors": {"payload": ["Payload size exceeds tenant limit"]}}
            assert (await http.post(path, content=b"x")).status_code == 202
            assert (await client.expect("broadcast"))["payload"]["payload"] == {}, "no type: the body is not read"
            assert (await http.post("/api/broadcast/x/events", json={})).status_code == 404


async def test_health_and_pings(realtime: Server) -> None:
    async with httpx.AsyncClient(base_url=realtime.http, timeout=PATIENCE_S) as http:
        assert (await http.get("/api/ping")).json() == {"message": "Success"}
        assert (await http.head("/api/ping")).status_code == 200
        assert (await http.get("/api/ping", headers={"accept": "text/html"})).status_code == 406
        for accept, body in (("*/*", "Not Found"), ("text/html", "Not Found"), ("application/json", '"Not Found"')):
            unknown = await http.get("/api/nothing", headers={"accept": accept})
            assert (unknown.status_code, unknown.text) == (404, body)
        assert (await http.get("/ready")).text == "ok"
        realtime.context.changes.is_streaming.clear()
        assert (await http.get("/ready")).status_code == 503, "nobody could subscribe"
        assert (await http.get("/healthcheck")).text == "ok"
        realtime.context.changes.is_streaming.set()
        path = "/api/tenants/realtime-dev/health"
        assert (await http.get(path)).status_code == 403
        answer = await http.get(path, headers={"authorization": f"Bearer {ANON}"})
        assert answer.json()["data"]["healthy"] is True
        assert answer.json()["data"]["replication_connected"] is True
        other = await http.get("/api/tenants/other/health", headers={"authorization": f"Bearer {ANON}"})
        assert (other.status_code, other.json()) == (404, {"message": "not found"})
        assert (await http.get("/metrics")).status_code == 403
        metrics = await http.get("/metrics", headers={"authorization": f"Bearer {ANON}"})
        assert "realtime_connected_sockets 0" in metrics.text


# From the database


async def test_messages_from_the_database(realtime: Server) -> None:
    async with realtime.client(1) as one, realtime.client(2) as two:
        for client in (one, two):
            await client.join(ROOM)
        await realtime.sql("select realtime.send('{\"a\": 1}', 'hi', 'room', false)")
        frame = await two.expect("broadcast")
        assert frame["binary"]
        identity = frame["payload"]["meta"]["id"]
        assert frame["payload"] == {**HELLO, "payload": {"a": 1, "id": identity}, "meta": {"id": identity}}
        assert (await one.expect("broadcast"))["payload"] == frame["payload"]
        await realtime.sql("select realtime.send('{\"id\": \"own\"}', 'hi', 'room', false)")
        assert (await two.expect("broadcast"))["payload"]["payload"] == {"id": "own"}
        await realtime.sql("select realtime.send_binary('\\x0102', 'hi', 'room', false)")
        assert (await two.expect("broadcast"))["payload"]["payload"] == b"\x01\x02"
        await realtime.sql("select realtime.send('{}', 'hi', 'room', true)")
        await realtime.sql("select realtime.send(null, 'hi', 'room', false), realtime.send('{}', null, 'room', false)")
        await realtime.sql("select realtime.send(jsonb_build_object('x', repeat('y', 3000501)), 'hi', 'room', false)")
        await realtime.sql("begin; select realtime.send('{}', 'hi', 'room', false); rollback")
        await realtime.sql("insert into realtime.messages (topic, extension, event, payload) "
                           "values ('room', 'presence', 'last', '{}')")  # fmt: skip
        frame = await two.expect("broadcast")
        assert frame["payload"]["event"] == "last", "private, rolled back, incomplete and too large ones reach nobody"


async def test_broadcast_changes_from_a_trigger(realtime: Server) -> None:
    await realtime.sql(
        """
        create table public.bulletins (id int primary key, body text);
        create function public.tell() returns trigger language plpgsql security definer as $$
        begin
          perform realtime.broadcast_changes('posts', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
          return null;
        end $$;
        create trigger tell after insert or update on bulletins for each row execute function tell();
        create policy "Everyone listens" on realtime.messages for select to anon using (true);
        """
    )
    async with realtime.client() as client:
        await client.join("realtime:posts", {"private": True})
        await realtime.sql("insert into bulletins values (1, 'a')")
        payload = (await client.expect("broadcast"))["payload"]
        assert payload["event"] == "INSERT"
        assert {name: value for name, value in payload["payload"].items() if name != "id"} == {
            "old_record": None, "record": {"id": 1, "body": "a"}, "operation": "INSERT", "table": "bulletins",
            "schema": "public",
        }  # fmt: skip


# Presence


async def _tracking(client: Client, key: str, state: object | None = None) -> dict[str, Any]:
    await client.join(ROOM, {"presence": {"key": key, "enabled": True}})
    first = (await client.expect("presence_state"))["payload"]
    if state is not None:
        reply = await client.ask(ROOM, "presence", {"type": "presence", "event": "track", "payload": state})
        assert reply == {"status": "ok", "response": {}}
    return dict(first)


@pytest.mark.parametrize("version", [1, 2])
async def test_presence_of_three_clients(realtime: Server, version: int) -> None:
    async with realtime.client(version) as ada, realtime.client() as ben, realtime.client() as watcher:
        await watcher.join(ROOM)  # presence disabled: no state, but differences
        assert await _tracking(ada, "ada", {"at": "home"}) == {}
        joined = (await ada.expect("presence_diff"))["payload"]
        meta = joined["joins"]["ada"]["metas"][0]
        assert joined["leaves"] == {}
        assert meta["at"] == "home"
        assert len(meta["phx_ref"]) == 16
        assert (await watcher.expect("presence_diff"))["payload"] == joined
        assert await _tracking(ben, "ada") == {"ada": {"metas": [meta]}}
        await ben.ask(ROOM, "presence", {"event": "TRACK", "payload": {"at": "work"}})
        other = (await ada.expect("presence_diff"))["payload"]["joins"]["ada"]["metas"]
        assert [one["at"] for one in other] == ["work"], "a second meta under the same key"
        assert (await ada.ask(ROOM, "presence", {"event": "track", "payload": {"at": "home"}}))["status"] == "ok"
        assert await ada.settle() == [], "the same again changes nothing"
        await ada.ask(ROOM, "presence", {"event": "track", "payload": {"at": "sea"}})
        await watcher.expect("presence_diff")
        moved = (await watcher.expect("presence_diff"))["payload"]
        assert moved["leaves"]["ada"]["metas"] == [meta]
        assert moved["joins"]["ada"]["metas"][0]["phx_ref_prev"] == meta["phx_ref"]
        await ada.ask(ROOM, "presence", {"event": "untrack"})
        assert (await watcher.expect("presence_diff"))["payload"]["leaves"]["ada"]["metas"][0]["at"] == "sea"
        ben.connection.transport.abort()
        gone = (await watcher.expect("presence_diff"))["payload"]
        assert gone["joins"] == {}
        assert gone["leaves"]["ada"]["metas"][0]["at"] == "work"


async def test_refused_presence_calls(realtime: Server) -> None:
    async with realtime.client() as client:
        await client.join(ROOM)
        reply = await client.ask(ROOM, "presence", {"event": "track", "payload": [1]})
        assert reply == {"status": "error", "response": {"reason": "Presence track payload must be a map"}}
        assert await client.ask(ROOM, "presence", {"event": "dance"}) == {"status": "error", "response": {}}
        assert await client.ask(ROOM, "presence", {"event": "track"}) == {"status": "ok", "response": {}}
        assert list((await client.expect("presence_diff"))["payload"]["joins"]) != [""], "a key was made"


async def test_presence_calls_are_limited_when_asked_to(database: object) -> None:
    async with serving(database, CLIENT_PRESENCE_MAX_CALLS="5") as server, server.client() as client:  # type: ignore[arg-type]
        await client.join(ROOM)
        for number in range(6):
            await client.send(ROOM, "presence", {"event": "track", "payload": {"n": number}})
        assert (await client.expect("system"))["payload"]["message"] == "Client presence rate limit exceeded"
        await client.expect("phx_close")


async def test_a_track_that_is_too_large_closes_the_channel(database: object) -> None:
    async with serving(database, TENANT_MAX_PAYLOAD_SIZE_IN_KB="1") as server, server.client() as client:  # type: ignore[arg-type]
        await client.join(ROOM)
        await client.send(ROOM, "presence", {"event": "track", "payload": {"x": "y" * 2000}})
        assert (await client.expect("system"))["payload"]["message"] == "Track message size exceeded"


def test_the_vectors_are_valid() -> None:
    assert json.loads(KIND_3[-7:]) == HELLO["payload"]
