"""HTTP/1.1 as uvicorn speaks it, with limits on what a client may hold: heads, slow bodies, unread answers, lines.

Without them one client could send a head that never ends, a byte of a body now and then, ask for large answers and read
none, or open all the connections that the process can have.
"""

import asyncio
from typing import Any, ClassVar

from httptools import HttpParserError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from emulator.asgi.connections import ConnectionLimits

MAX_HEAD_BYTES = 64 * 1024  # request line and headers
HEAD_S = 20.0  # from the connection, or from the first byte of a later request
BODY_S = 30.0  # a body that takes longer must come at LEAST_BODY_RATE on average
LEAST_BODY_RATE = 1000.0  # bytes per second
BODY_CHECK_S = 5.0
UNSENT_S = 30.0  # without progress


class AnswerTransport(asyncio.Transport):
    """What one answer is written to: its head goes out with the first piece of its body, as one system call.

    A head whose body does not follow in the same turn of the loop goes out alone.
    """

    __slots__ = ("_head", "_is_begun", "_loop", "_transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head: bytes | None = None
        self._is_begun = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keep the first piece until there is a second, or this turn of the loop ends."""
        if self._is_begun:
            self._transport.write(data)
        elif self._head is None:
            self._head = bytes(data)
            self._loop.call_soon(self.flush)
        else:
            head, self._head, self._is_begun = self._head, None, True
            self._transport.writelines((head, data))

    def flush(self) -> None:
        """Send what is kept."""
        if self._head is not None:
            head, self._head, self._is_begun = self._head, None, True
            if not self._transport.is_closing():
                self._transport.write(head)

    def is_closing(self) -> bool:
        """Whether the connection is being closed."""
        return self._transport.is_closing()

    def close(self) -> None:
        """Close the connection when everything has been sent."""
        self.flush()
        self._transport.close()


class LimitedHttp(HttpToolsProtocol):
    """A connection. 431 for a head that is too large, 408 for a head or body that comes too slowly; then it is closed.

    Time in which the application reads nothing is not the client's. make_server binds `limits` by subclassing.
    """

    limits: ClassVar[ConnectionLimits]
    is_abortable: ClassVar[bool] = False  # whether a request may close its connection at once: for tests of clients
    _counted_as: str | None = None
    _head_open = True
    _head_size = 0  # what has come of a head that is not complete
    _received = 0  # the size of the last piece
    _is_too_large = False
    _deadline: asyncio.TimerHandle | None = None
    _body_open = False
    _body_size = 0
    _body_since = 0.0
    _body_deadline: asyncio.TimerHandle | None = None
    _unsent = 0
    _unsent_deadline: asyncio.TimerHandle | None = None
    _answering: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock for the first request; refuse a connection beyond the limits."""
        super().connection_made(transport)
        socket = transport.get_extra_info("socket")
        descriptor = -1 if socket is None else socket.fileno()
        self._counted_as = self.limits.take(self.client[0] if self.client else None, descriptor)
        if self._counted_as is None:
            self._reject(b"503 Service Unavailable")
        else:
            self._deadline = self.loop.call_later(HEAD_S, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clocks, and tell every request of the connection: uvicorn tells the last of a pipeline only."""
        self._leave()
        for cycle in (self._answering, *(waiting for waiting, _ in self.pipeline)):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over; its clocks and its count are the other protocol's from here.

        The class for WebSockets may differ by the request's target and headers (tunnel.py).
        """
        choose = getattr(self.ws_protocol_class, "choose", None)
        if choose is not None:
            self.ws_protocol_class = choose(self.url, self.headers)
        self._leave()
        super().handle_websocket_upgrade()

    # Requests

    def data_received(self, data: bytes) -> None:
        """Parse; a head or a body that is not complete afterwards is measured and timed."""
        if self.transport.is_closing():
            return
        self._received = len(data)
        super().data_received(data)
        if self._body_open:
            if self._body_deadline is not None:
                self._body_size += len(data)
            elif not self.transport.is_closing():
                self._begin_body()
        elif self._head_open and not self.transport.is_closing():
            self._head_size += len(data)
            if self._head_size > MAX_HEAD_BYTES:
                self._reject(b"431 Request Header Fields Too Large")
            elif self._deadline is None:
                self._deadline = self.loop.call_later(HEAD_S, self._too_slow)

    def on_message_begin(self) -> None:
        """A request begins."""
        self._head_open, self._head_size = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its head is complete; one that came in a single piece is measured here."""
        self._head_open = False
        if self._deadline is not None:
            self._stop_head_clock()
        # It is no longer than the pieces that it came in, and those are nearly always short.
        if self._head_size + self._received > MAX_HEAD_BYTES and self._is_head_too_large():
            self._is_too_large = True
            raise HttpParserError("the head is too large")
        self._body_open = True
        super().on_headers_complete()

    def _is_head_too_large(self) -> bool:
        return len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MAX_HEAD_BYTES

    def on_message_complete(self) -> None:
        """All of it has come."""
        self._body_open = False
        if self._body_deadline is not None:
            self._body_deadline.cancel()
            self._body_deadline = None
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer when the parser stops: 431 where we stopped it."""
        if self._is_too_large:
            self._reject(b"431 Request Header Fields Too Large")
        else:
            super().send_400_response(msg)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answering = cycle
        if self.is_abortable:
            cycle.scope["muster.abort"] = cycle.transport.abort
        cycle.transport = AnswerTransport(cycle.transport, self.loop)
        super()._start_asgi_task(cycle, app)

    # Answers

    def on_response_complete(self) -> None:
        """An answer is complete; the client may still have to read it."""
        self._answering.transport.flush()  # the answer to HEAD has no body
        super().on_response_complete()
        self._watch_unsent()

    def pause_writing(self) -> None:
        """The client reads more slowly than we write."""
        super().pause_writing()
        self._watch_unsent()

    def resume_writing(self) -> None:
        """The client has read."""
        super().resume_writing()
        self._stop_unsent_clock()
        self._watch_unsent()

    def _watch_unsent(self) -> None:
        if self._unsent_deadline is None:
            self._unsent = self.transport.get_write_buffer_size()
            if self._unsent:
                self._unsent_deadline = self.loop.call_later(UNSENT_S, self._check_unsent)

    def _check_unsent(self) -> None:
        before, self._unsent_deadline = self._unsent, None
        if self.transport.get_write_buffer_size() < before:
            self._watch_unsent()
        else:
            self.transport.abort()

    # Clocks

    def _begin_body(self) -> None:
        self._body_size, self._body_since = 0, self.loop.time()
        self._body_deadline = self.loop.call_later(BODY_S, self._check_body)

    def _check_body(self) -> None:
        self._body_deadline = None
        if self.transport.is_closing():
            return
        if self.flow.read_paused:  # we read nothing, so nothing could come
            self._begin_body()
        elif self._body_size < (self.loop.time() - self._body_since) * LEAST_BODY_RATE:
            self._too_slow()
        else:
            self._body_deadline = self.loop.call_later(BODY_CHECK_S, self._check_body)

    def _too_slow(self) -> None:
        self._deadline = None
        if self.transport.is_closing():
            return
        if self._body_open and self.cycle is not None and self.cycle.response_started:
            self.transport.abort()
        else:
            self._reject(b"408 Request Timeout")

    def _reject(self, status: bytes) -> None:
        self._stop_head_clock()
        self._head_open = self._body_open = False
        head: list[Any] = [b"HTTP/1.1 ", status, b"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"]
        self.transport.write(b"".join(head))
        self.transport.close()

    def _leave(self) -> None:
        self._stop_head_clock()
        self._stop_unsent_clock()
        if self._body_deadline is not None:
            self._body_deadline.cancel()
            self._body_deadline = None
        if self._counted_as is not None:
            self.limits.release(self._counted_as)
            self._counted_as = None

    def _stop_head_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _stop_unsent_clock(self) -> None:
        if self._unsent_deadline is not None:
            self._unsent_deadline.cancel()
            self._unsent_deadline = None


def limited(limits: ConnectionLimits, *, is_abortable: bool = False) -> type[LimitedHttp]:
    """The protocol of one server, with the limits of its process."""
    return type("LimitedHttp", (LimitedHttp,), {"limits": limits, "is_abortable": is_abortable})
