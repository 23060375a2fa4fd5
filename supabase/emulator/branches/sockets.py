"""WebSockets of branches: the branch is opened while what the client sends waits, then its own protocol takes over.

And what happens to them when a test asks for a fault.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, cast

from websockets.http11 import Request
from websockets.server import ServerProtocol

from emulator.asgi.types import Headers
from emulator.branches.faults import Fault
from emulator.errors import ApiError

log = logging.getLogger(__name__)

# A request target and headers, to the class that serves it and the target there. Raises ApiError.
FindProtocol = Callable[[bytes, Headers], Awaitable[tuple[type[Any], bytes]]]


class Dropped(Exception):
    """A connection that is to be closed without an answer."""


class BranchSocket(asyncio.Protocol):
    """One connection, constructed by uvicorn when a request asks for an upgrade; `find` is bound by subclassing."""

    find: FindProtocol

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        self._arguments = (config, server_state, app_state)
        self._connections: set[Any] = server_state.connections
        self._transport: asyncio.Transport
        self._opening: asyncio.Task[None] | None = None
        self._early = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        if self._opening is None:
            self._opening = asyncio.get_running_loop().create_task(self._open(data))
        else:
            self._early += data
            self._transport.pause_reading()  # until there is somebody to hand it to

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._connections.discard(self)
        if self._opening is not None:
            self._opening.cancel()

    def shutdown(self) -> None:
        """uvicorn stops."""
        self._transport.close()

    async def _open(self, head: bytes) -> None:
        request, _, rest = head.partition(b"\r\n")
        method, target, version = request.split(b" ", 2)
        lines = (line.partition(b": ") for line in rest.rstrip(b"\r\n").split(b"\r\n"))
        headers = [(name.lower(), value) for name, _, value in lines]
        try:
            protocol, target = await type(self).find(target, headers)
        except ApiError as error:
            self._refuse(error.status, error.message)
        except Dropped:
            self._transport.abort()
        except Exception:
            log.exception("the branch of a WebSocket could not be opened")
            self._refuse(503, "the branch can't be opened")
        else:
            self._hand_over(protocol, b" ".join((method, target, version)) + b"\r\n" + rest)

    def _hand_over(self, protocol: type[Any], head: bytes) -> None:
        self._connections.discard(self)
        self._opening = None
        served = protocol(*self._arguments)
        served.connection_made(self._transport)
        self._transport.set_protocol(served)
        served.data_received(head)
        if self._early:
            served.data_received(bytes(self._early))
            self._transport.resume_reading()

    def _refuse(self, status: int, reason: str) -> None:
        body = reason.encode()
        self._transport.write(
            b"HTTP/1.1 %d \r\ncontent-type: text/plain\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
            % (status, len(body), body)
        )
        self._transport.close()


def branch_protocol(
    takes: Callable[[bytes, Headers], bool], find: FindProtocol, others: type[asyncio.Protocol]
) -> type[asyncio.Protocol]:
    """A class for uvicorn's `ws=`, of which limits.py asks by target and headers which one serves a connection."""
    inside = type("BoundBranchSocket", (BranchSocket,), {"find": staticmethod(find)})
    outside = getattr(others, "choose", lambda *_: others)

    def choose(target: bytes, headers: Headers) -> type[asyncio.Protocol]:
        return inside if takes(target, headers) else outside(target, headers)

    return type("Chosen", (others,), {"choose": staticmethod(choose)})


def counted(protocol: type[Any], sockets: set[Any], path: str) -> type[Any]:
    """A protocol class whose connections are in a set while they last, and can meet faults there."""

    class Counted(protocol):  # type: ignore[misc]  # a class that is known at run time
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self._line = cast(asyncio.Transport, transport)
            self._delay_s = 0.0
            self._late: deque[bytes] = deque()
            sockets.add(self)
            super().connection_made(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            sockets.discard(self)
            self._late.clear()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if not self._delay_s and not self._late:
                super().data_received(data)
                return
            self._late.append(data)
            asyncio.get_running_loop().call_later(self._delay_s, self._receive_late)

        def _receive_late(self) -> None:
            """Each timer takes the oldest, whichever of two timers comes first."""
            if self._late:
                super().data_received(self._late.popleft())

        def meet(self, fault: Fault) -> None:
            """Do what the fault says, if it is for this path."""
            if not fault.matches("GET", path, fault.websocket):
                return
            if fault.drop:
                self._line.abort()
            elif fault.close:
                self._line.write(_close_frame(fault.close))
                self._line.close()
            else:
                self._delay_s = fault.delay_ms / 1000

    return Counted


def closing_at_once(code: int) -> type[Any]:
    """A protocol class that accepts a WebSocket and closes it with a code."""

    class Closing(asyncio.Protocol):
        def __init__(self, *_: Any) -> None:
            self._protocol = ServerProtocol()

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self._transport = cast(asyncio.Transport, transport)

        def data_received(self, data: bytes) -> None:
            self._protocol.receive_data(data)
            for event in self._protocol.events_received():
                if isinstance(event, Request):
                    self._protocol.send_response(self._protocol.accept(event))
                    self._transport.write(b"".join(self._protocol.data_to_send()))
                    self._transport.write(_close_frame(code))
                    self._transport.close()

    return Closing


def _close_frame(code: int) -> bytes:
    """RFC 6455, 5.5.1: a final close frame of two bytes, unmasked as a server's are."""
    return b"\x88\x02" + code.to_bytes(2, "big")
