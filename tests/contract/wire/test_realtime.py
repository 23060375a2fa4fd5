"""Realtime's part of the contract: row changes, broadcast, presence, refusals. The same questions to every backend."""

import asyncio
import json
import time
from typing import Any

import pytest
from websockets.asyncio.client import connect

from tests.support.patience import PATIENCE_S
from tests.support.wire import Backend, Member

Frame = dict[str, Any]


class Socket:
    """A connection that speaks either version of the protocol."""

    def __init__(self, connection: Any, version: int) -> None:
        self._connection = connection
        self._version = version

    async def send(self, topic: str, event: str, payload: object) -> None:
        """A frame of this version."""
        parts = ("1", "1", topic, event, payload)
        names = ("join_ref", "ref", "topic", "event", "payload")
        text = json.dumps(parts if self._version == 2 else dict(zip(names, parts, strict=True)))
        await self._connection.send(text)

    async def expect(self, event: str, timeout_s: float = PATIENCE_S) -> Frame:
        """The payload of the next frame of that event."""
        deadline = time.monotonic() + timeout_s
        while True:
            raw = json.loads(await asyncio.wait_for(self._connection.recv(), deadline - time.monotonic()))
            name, payload = (raw[3], raw[4]) if self._version == 2 else (raw["event"], raw["payload"])
            if name == event:
                found: Frame = payload
                return found

    async def join(self, topic: str, config: Frame, token: str | None = None) -> Frame:
        """Join a channel; the reply's payload."""
        payload = {"config": config} | ({"access_token": token} if token else {})
        await self.send(topic, "phx_join", payload)
        return await self.expect("phx_reply")

    async def follow(self, topic: str, changes: list[Frame], token: str | None) -> None:
        """Join for row changes and wait until they are followed."""
        reply = await self.join(topic, {"postgres_changes": changes}, token)
        assert reply["status"] == "ok", reply
        while "Subscribed to PostgreSQL" not in str((await self.expect("system")).get("message")):
            pass


def _at(backend: Backend, version: int = 2) -> str:
    return f"{backend.socket}&vsn={version}.0.0"


def _notice(member: Member, title: str) -> Frame:
    return {"user_id": member.id, "type": "system", "title": title, "content": "", "seen": False}


@pytest.mark.parametrize("version", [1, 2])
def test_a_row_change_reaches_the_sockets_that_may_see_it(backend: Backend, version: int) -> None:
    """Row-level security decides: what is written for somebody else is never heard."""
    member, other = backend.member(), backend.member()

    async def scenario() -> list[str]:
        async with connect(_at(backend, version)) as connection:
            socket = Socket(connection, version)
            wanted = {"event": "INSERT", "schema": "public", "table": "notifications"}
            await socket.follow("realtime:bell", [wanted], member.token)
            for row in (_notice(other, "Not yours"), _notice(member, "For you"), _notice(member, "The last")):
                await asyncio.to_thread(backend.rows, "POST", "notifications", json=row)
            heard = []
            while "The last" not in heard:
                heard.append((await socket.expect("postgres_changes"))["data"]["record"]["title"])
            return heard

    assert asyncio.run(scenario()) == ["For you", "The last"]


def test_changes_are_filtered_by_a_column(backend: Backend) -> None:
    member = backend.member()

    async def scenario() -> list[tuple[str, str]]:
        async with connect(_at(backend)) as connection:
            socket = Socket(connection, 2)
            wanted = {"event": "*", "schema": "public", "table": "notifications", "filter": "title=eq.Wanted"}
            await socket.follow("realtime:bell", [wanted], member.token)
            for title in ("Unwanted", "Wanted"):
                await asyncio.to_thread(backend.rows, "POST", "notifications", json=_notice(member, title))
            path = f"notifications?user_id=eq.{member.id}&title=eq.Wanted"
            await asyncio.to_thread(backend.rows, "PATCH", path, json={"seen": True})
            found = [(await socket.expect("postgres_changes"))["data"] for _ in range(2)]
            return [(change["type"], change["record"]["title"]) for change in found]

    assert asyncio.run(scenario()) == [("INSERT", "Wanted"), ("UPDATE", "Wanted")]


@pytest.mark.parametrize("version", [1, 2])
def test_a_broadcast_reaches_the_other_socket(backend: Backend, version: int) -> None:
    async def scenario() -> Frame:
        async with connect(_at(backend, version)) as one, connect(_at(backend, version)) as two:
            sockets = [Socket(one, version), Socket(two, version)]
            for socket in sockets:
                reply = await socket.join("realtime:station-9", {"broadcast": {"ack": False, "self": False}})
                assert reply["status"] == "ok"
            message = {"type": "broadcast", "event": "hose", "payload": {"length_m": 20}}
            await sockets[0].send("realtime:station-9", "broadcast", message)
            return await sockets[1].expect("broadcast")

    heard = asyncio.run(scenario())
    assert (heard["event"], heard["payload"]) == ("hose", {"length_m": 20})


def test_a_broadcast_over_http_reaches_sockets(backend: Backend) -> None:
    async def scenario() -> Frame:
        async with connect(_at(backend)) as connection:
            socket = Socket(connection, 2)
            await socket.join("realtime:station-10", {"broadcast": {"self": False}})
            message = {"topic": "station-10", "event": "bell", "payload": {"rings": 3}}
            path = "/realtime/v1/api/broadcast"
            sent = await asyncio.to_thread(backend.ask, "POST", path, "SECRET_KEY", json={"messages": [message]})
            assert sent.status_code == 202, sent.text
            return await socket.expect("broadcast")

    assert asyncio.run(scenario())["payload"] == {"rings": 3}


def test_presence_tells_joins_and_leaves(backend: Backend) -> None:
    async def scenario() -> tuple[list[str], list[str], list[str]]:
        async with connect(_at(backend)) as watching:
            watcher = Socket(watching, 2)
            await watcher.join("realtime:crew", {"presence": {"key": "ada", "enabled": True}})
            first = await watcher.expect("presence_state")
            async with connect(_at(backend)) as coming:
                guest = Socket(coming, 2)
                await guest.join("realtime:crew", {"presence": {"key": "ben", "enabled": True}})
                track = {"type": "presence", "event": "track", "payload": {"rank": "captain"}}
                await guest.send("realtime:crew", "presence", track)
                came = await watcher.expect("presence_diff")
            left = await watcher.expect("presence_diff")
            return list(first), list(came["joins"]), list(left["leaves"])

    assert asyncio.run(scenario()) == ([], ["ben"], ["ben"])


def test_a_heartbeat_is_answered_and_a_bad_join_refused(backend: Backend) -> None:
    async def scenario() -> tuple[Frame, Frame]:
        async with connect(_at(backend)) as connection:
            socket = Socket(connection, 2)
            await socket.send("phoenix", "heartbeat", {})
            beat = await socket.expect("phx_reply")
            refused = await socket.join("realtime:x", {}, "not.a.token")
            return beat, refused

    beat, refused = asyncio.run(scenario())
    assert (beat["status"], refused["status"]) == ("ok", "error")
