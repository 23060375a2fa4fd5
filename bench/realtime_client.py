"""Thousands of frugal WebSocket clients in one process: they join, count, and note when frames came."""

import asyncio
import base64
import json
import os
import struct
import time
from collections.abc import Callable
from typing import Any, cast

OnFrame = Callable[[bytes, float], None]


class Subscriber(asyncio.Protocol):
    """One client of protocol 2.0.0. `on_frame` gets each frame's payload once `is_quiet` is off; else bytes count."""

    def __init__(self, path: str, on_frame: OnFrame) -> None:
        loop = asyncio.get_running_loop()
        self._path = path
        self._buffer = b""
        self._is_open = False
        self.on_frame = on_frame
        self.opened: asyncio.Future[None] = loop.create_future()
        self.joined: asyncio.Future[None] = loop.create_future()
        self.live: asyncio.Future[None] = loop.create_future()
        self.counts_bytes = False
        self.bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport = cast(asyncio.Transport, transport)  # uvloop's are no subclasses
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def send(self, frame: list[Any]) -> None:
        """Send a text frame (masked with zeros, as the wire allows)."""
        self.transport.write(masked(0x81, json.dumps(frame).encode()))

    def data_received(self, data: bytes) -> None:
        if self.counts_bytes:
            self.bytes += len(data)
            return
        now = time.perf_counter()
        self._buffer += data
        if not self._is_open:
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                raise SystemExit(f"refused: {head!r} {rest!r}")
            self._is_open, self._buffer = True, rest
            self.opened.set_result(None)
        while len(self._buffer) >= 2:
            size, at = self._buffer[1], 2
            if size == 126:
                size, at = int.from_bytes(self._buffer[2:4], "big"), 4
            elif size == 127:
                size, at = int.from_bytes(self._buffer[2:10], "big"), 10
            if len(self._buffer) < at + size:
                return
            payload, self._buffer = self._buffer[at : at + size], self._buffer[at + size :]
            self._take(payload, now)

    def _take(self, payload: bytes, now: float) -> None:
        if not self.joined.done() and b'"phx_reply"' in payload:
            if b'"status":"ok"' not in payload:
                raise SystemExit(f"join refused: {payload!r}")
            self.joined.set_result(None)
        elif not self.live.done() and b'"system"' in payload:
            self.live.set_result(None)
        else:
            self.on_frame(payload, now)


def masked(first: int, payload: bytes) -> bytes:
    """A client frame; a mask of zeros leaves the payload as it is."""
    size = len(payload)
    if size < 126:
        head = bytes((first, 0x80 | size))
    elif size < 65536:
        head = struct.pack(">BBH", first, 0x80 | 126, size)
    else:
        head = struct.pack(">BBQ", first, 0x80 | 127, size)
    return head + b"\0\0\0\0" + payload


async def connect(
    port: int, token: str, on_frame: OnFrame, path: str = "/socket/websocket", local: tuple[str, int] | None = None
) -> Subscriber:
    """One open connection, from an address of this machine."""
    path = f"{path}?apikey={token}&vsn=2.0.0"
    _, client = await asyncio.get_running_loop().create_connection(
        lambda: Subscriber(path, on_frame), "127.0.0.1", port, local_addr=local
    )
    await client.opened
    return client


async def keep_alive(clients: list[Subscriber], every_s: float = 25.0) -> None:
    """Send heartbeats, spread over the period as those of real clients are."""
    while True:
        for number, client in enumerate(clients):
            client.send([None, str(number), "phoenix", "heartbeat", {}])
            await asyncio.sleep(every_s / max(1, len(clients)))
