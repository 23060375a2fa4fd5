"""The floods of `muster bench attack`: what one visitor sends, with the publishable key alone. Loopback only."""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from bench.realtime_client import Subscriber, connect, masked

SOCKETS = "/realtime/v1/websocket"
MIB = 1024 * 1024
# Another address than the honest client's, as a stranger has; Linux takes all of 127/8 for its own.
LOCAL = ("127.0.0.2", 0) if sys.platform == "linux" else None


class Counter(Protocol):
    """Shared with the process that measures."""

    value: int


Flood = Callable[[int, str, float, Counter], Awaitable[None]]


def run(flood: Flood, port: int, key: str, seconds: float, sent: Counter) -> None:
    """Run one flood in this process; it ends with whatever it has left open."""
    until = time.monotonic() + seconds

    async def bounded() -> None:
        try:
            async with asyncio.timeout(seconds + 2):
                await flood(port, key, until, sent)
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            pass

    asyncio.run(bounded())


# Sockets


async def _sockets(port: int, key: str, count: int) -> list[Subscriber]:
    return [await connect(port, key, lambda _payload, _now: None, SOCKETS, LOCAL) for _ in range(count)]


async def _joined(port: int, key: str, count: int, config: dict[str, Any]) -> list[Subscriber]:
    clients = await _sockets(port, key, count)
    for client in clients:
        client.send(["1", "1", "realtime:room", "phx_join", {"config": config}])
    for client in clients:
        await client.joined
        client.counts_bytes = True
    return clients


async def _send_all(clients: list[Subscriber], frame: Callable[[int], bytes], until: float, sent: Counter) -> None:
    """One frame after another on every socket that takes it."""
    number = 0
    while time.monotonic() < until:
        for client in clients:
            if client.transport.get_write_buffer_size() < MIB and not client.transport.is_closing():
                client.transport.write(frame(number))
                number += 1
                sent.value += 1
        await asyncio.sleep(0)


def _text(frame: list[Any]) -> bytes:
    return masked(0x81, json.dumps(frame).encode())


async def presence(port: int, key: str, until: float, sent: Counter) -> None:
    """A hundred sockets on one topic track 2 kB each, again and again."""
    clients = await _joined(port, key, 100, {"presence": {"enabled": True}})

    def track(number: int) -> bytes:
        payload = {"event": "track", "payload": {"n": number, "x": "y" * 2000}}
        return _text(["1", str(number), "realtime:room", "presence", payload])

    await _send_all(clients, track, until, sent)


async def broadcasts(port: int, key: str, until: float, sent: Counter) -> None:
    """A hundred sockets on one topic broadcast to each other."""
    clients = await _joined(port, key, 100, {"broadcast": {"self": True}})
    frame = _text(["1", "2", "realtime:room", "broadcast", {"event": "e", "payload": {"x": "y" * 200}}])
    await _send_all(clients, lambda _: frame, until, sent)


async def joins(port: int, key: str, until: float, sent: Counter) -> None:
    """Ten sockets join and leave."""
    clients = await _sockets(port, key, 10)
    for client in clients:
        client.joined.set_result(None)
        client.counts_bytes = True

    def frame(number: int) -> bytes:
        join = _text(["1", str(number), f"realtime:r{number}", "phx_join", {"config": {}}])
        return join + _text(["1", str(number), f"realtime:r{number}", "phx_leave", {}])

    await _send_all(clients, frame, until, sent)


async def unread(port: int, key: str, until: float, sent: Counter) -> None:
    """Sixty sockets read nothing while one broadcasts 200 kB at a time."""
    clients = await _joined(port, key, 61, {})
    for client in clients[1:]:
        client.transport.pause_reading()
    frame = _text(["1", "2", "realtime:room", "broadcast", {"event": "e", "payload": {"x": "y" * 200_000}}])
    await _send_all(clients[:1], lambda _: frame, until, sent)


async def large_frames(port: int, key: str, until: float, sent: Counter) -> None:
    """Twenty sockets send frames of five megabytes: brackets, which are slow to parse."""
    clients = await _joined(port, key, 20, {})
    body = b'["1","2","realtime:room","broadcast",{"x":[' + b"[]," * 1_600_000 + b"[]]}]"
    frame = masked(0x81, body)
    await _send_all(clients, lambda _: frame, until, sent)


async def partial_frames(port: int, key: str, until: float, sent: Counter) -> None:
    """A hundred sockets begin a message of five megabytes and never end it."""
    clients = await _joined(port, key, 100, {})
    frame = masked(0x81, b"x" * 4_900_000)[:-1]
    for client in clients:
        client.transport.write(frame)
        sent.value += 1
        await asyncio.sleep(0)
    await asyncio.sleep(max(0.0, until - time.monotonic()))


async def pings(port: int, key: str, until: float, sent: Counter) -> None:
    """Twenty sockets send the smallest frames there are."""
    clients = await _joined(port, key, 20, {})
    frame = masked(0x89, b"") * 1000
    await _send_all(clients, lambda _: frame, until, sent)


# Bodies


def _post(path: str, body: bytes, media_type: str) -> Flood:
    async def flood(port: int, key: str, until: float, sent: Counter) -> None:
        head = (
            f"POST {path} HTTP/1.1\r\nhost: localhost\r\napikey: {key}\r\ncontent-type: {media_type}\r\n"
            f"content-length: {len(body)}\r\n\r\n"
        ).encode()

        async def one() -> None:
            while time.monotonic() < until:
                await _request(port, head + body)
                sent.value += 1

        await asyncio.gather(*(one() for _ in range(4)))

    return flood


def _get(path: str) -> Flood:
    async def flood(port: int, key: str, until: float, sent: Counter) -> None:
        request = f"GET {path} HTTP/1.1\r\nhost: localhost\r\napikey: {key}\r\n\r\n".encode()

        async def one() -> None:
            while time.monotonic() < until:
                await _request(port, request)
                sent.value += 1

        await asyncio.gather(*(one() for _ in range(4)))

    return flood


async def _request(port: int, request: bytes) -> None:
    """One request on a connection of its own; a server may refuse it before it has read all of it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=LOCAL)
    try:
        writer.write(request)
        await reader.readuntil(b"\r\n\r\n")
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.transport.abort()


# Lines


async def slow_lines(port: int, key: str, until: float, sent: Counter) -> None:
    """Three hundred connections whose body comes a byte at a time."""
    head = f"POST /rest/v1/stations HTTP/1.1\r\nhost: localhost\r\napikey: {key}\r\ncontent-length: 100000\r\n\r\n"
    writers = []
    for _ in range(300):
        _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=LOCAL)
        writer.write(head.encode())
        writers.append(writer)
        sent.value += 1
    while time.monotonic() < until:
        for writer in writers:
            if not writer.transport.is_closing():
                writer.write(b"[")
        await asyncio.sleep(0.2)


async def silent_lines(port: int, key: str, until: float, sent: Counter) -> None:  # noqa: ARG001
    """Three hundred connections that say nothing."""
    writers = []
    for _ in range(300):
        writers.append((await asyncio.open_connection("127.0.0.1", port, local_addr=LOCAL))[1])
        sent.value += 1
    await asyncio.sleep(max(0.0, until - time.monotonic()))


ROWS = "/rest/v1/stations"
JSON = "application/json"
FLOODS: dict[str, Flood] = {
    "presence, 100 sockets": presence,
    "broadcasts, 100 sockets": broadcasts,
    "joins, 10 sockets": joins,
    "broadcasts of 200 kB, 60 read none": unread,
    "frames of 5 MB, 20 sockets": large_frames,
    "frames cut short, 100 sockets": partial_frames,
    "pings, 20 sockets": pings,
    "CSV of 8 MB": _post(ROWS, b"name\n" + b"x\n" * 4_000_000, "text/csv"),
    "JSON numbers, 8 MB": _post(ROWS, b"[" + b"1234," * 1_600_000 + b"1]", JSON),
    "uneven rows, 8 MB": _post(ROWS, b"[" + b'{"name":1},' * 700_000 + b"{}]", JSON),
    "form of 8 MB": _post("/rest/v1/rpc/none", b"a=1&" * 2_000_000 + b"a=1", "application/x-www-form-urlencoded"),
    "broadcast body of 7 MB": _post(
        "/realtime/v1/api/broadcast", b'{"messages":[' + b"{}," * 2_300_000 + b"{}]}", JSON
    ),
    "auth body of 1 MB": _post("/auth/v1/signup", b"{" + b'"a":[],' * 140_000 + b'"b":1}', JSON),
    "auth form of 1 MB": _post("/auth/v1/token", b"a=1&" * 250_000 + b"a=1", "application/x-www-form-urlencoded"),
    "wide select": _get(ROWS + "?select=" + ",".join(f"a{n}:name" for n in range(1600))),
    "many embeds": _get(ROWS + "?select=" + ",".join(f"n{n}:notes(id)" for n in range(1000))),
    "slow lines": slow_lines,
    "silent lines": silent_lines,
}
