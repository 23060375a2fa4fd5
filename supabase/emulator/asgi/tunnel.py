"""A WebSocket that another process serves: its handshake is judged here, its bytes are passed on unread."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from emulator.asgi.types import Headers

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Upstream:
    """Where a handshake goes: a Unix socket, the request target and headers there, and whom to tell of the end."""

    socket: Path
    target: bytes
    headers: Headers
    ended: Callable[[], None]


@dataclass(frozen=True)
class Refused(Exception):
    """The handshake is answered with this instead."""

    status: int
    headers: Headers
    body: bytes


Accept = Callable[[bytes, Headers], Awaitable[Upstream]]


class Tunnel(asyncio.Protocol):
    """One connection, constructed by uvicorn when a request asks for an upgrade.

    uvicorn takes a class, so `tunnel_protocol` binds `accept` by subclassing.
    """

    accept: Accept

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:  # noqa: ARG002
        self._uvicorn_connections: set[Any] = server_state.connections
        self._transport: asyncio.Transport
        self._other: asyncio.Transport | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._early = bytearray()
        self._ended: Callable[[], None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._uvicorn_connections.add(self)

    def data_received(self, data: bytes) -> None:
        if self._connecting is None:
            self._connecting = asyncio.get_running_loop().create_task(self._connect(data))
        elif self._other is None:
            self._early += data
            self._transport.pause_reading()  # until there is somebody to hand it to
        else:
            self._other.write(data)

    def eof_received(self) -> bool:
        if self._other is not None and self._other.can_write_eof():
            self._other.write_eof()
        return True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._uvicorn_connections.discard(self)
        if self._connecting is not None:
            self._connecting.cancel()
        if self._other is not None:
            self._other.close()
        if self._ended is not None:
            self._ended()
            self._ended = None

    def pause_writing(self) -> None:
        if self._other is not None:
            self._other.pause_reading()

    def resume_writing(self) -> None:
        if self._other is not None:
            self._other.resume_reading()

    def shutdown(self) -> None:
        """uvicorn stops."""
        self._transport.close()

    async def _connect(self, head: bytes) -> None:
        request, _, rest = head.partition(b"\r\n")
        lines = (line.partition(b": ") for line in rest.rstrip(b"\r\n").split(b"\r\n"))
        try:
            headers = [(name.lower(), value) for name, _, value in lines]
            upstream = await type(self).accept(request.split(b" ")[1], headers)
        except Refused as refused:
            self._answer(refused)
            return
        self._ended = upstream.ended
        try:
            await asyncio.get_running_loop().create_unix_connection(lambda: _Back(self), str(upstream.socket))
        except OSError as error:
            log.warning("a WebSocket's server can't be reached: %s", error)
            self._answer(Refused(502, [], b""))
            return
        assert self._other is not None
        fields = b"".join(b"%s: %s\r\n" % pair for pair in upstream.headers)
        self._other.write(b"GET %s HTTP/1.1\r\n%s\r\n" % (upstream.target, fields) + bytes(self._early))
        self._early.clear()
        self._transport.resume_reading()

    def _answer(self, refused: Refused) -> None:
        headers = [*refused.headers, (b"content-length", b"%d" % len(refused.body)), (b"connection", b"close")]
        fields = b"".join(b"%s: %s\r\n" % pair for pair in headers)
        self._transport.write(b"HTTP/1.1 %d \r\n%s\r\n%s" % (refused.status, fields, refused.body))
        self._transport.close()


class _Back(asyncio.Protocol):
    """The way back, from the server to the client."""

    def __init__(self, tunnel: Tunnel) -> None:
        self._tunnel = tunnel

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._tunnel._other = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._tunnel._transport.write(data)

    def pause_writing(self) -> None:
        self._tunnel._transport.pause_reading()

    def resume_writing(self) -> None:
        self._tunnel._transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._tunnel._transport.close()


def tunnel_protocol(accept: Accept) -> type[asyncio.Protocol]:
    """A class for uvicorn's `ws=`. `accept` names the server of a handshake (target, headers), or raises Refused."""
    return type("BoundTunnel", (Tunnel,), {"accept": staticmethod(accept)})


def choose_by_prefix(
    prefix: bytes, inside: type[asyncio.Protocol], outside: type[asyncio.Protocol]
) -> type[asyncio.Protocol]:
    """A class for `ws=` that limits.py asks which one serves a target: `inside` those below a prefix."""

    def choose(target: bytes, _headers: Headers) -> type[asyncio.Protocol]:
        return inside if target.startswith(prefix) else outside

    return type("Chosen", (outside,), {"choose": staticmethod(choose)})
