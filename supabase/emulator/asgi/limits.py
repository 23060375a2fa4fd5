"""HTTP/1.1 as uvicorn speaks it, with limits on what a client may hold: heads, slow bodies, unread answers, lines.

Without them one client could send a head that never ends, a byte of a body now and then, ask for large answers and read
none, or open all the connections that the process can have.
"""

import asyncio
from collections import deque
from typing import Any, ClassVar
from urllib.parse import unquote

from httptools import HttpParserError, HttpParserUpgrade, parse_url
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from emulator.asgi.answer import Answer
from emulator.asgi.connections import ConnectionLimits
from emulator.asgi.known_heads import KnownHeads
from emulator.asgi.types import WHOLE, Headers, Observer, Scope

MAX_HEAD_BYTES = 64 * 1024  # request line and headers
HEAD_S = 20.0  # from the connection, or from the first byte of a later request
BODY_S = 30.0  # a body that takes longer must come at LEAST_BODY_RATE on average
LEAST_BODY_RATE = 1000.0  # bytes per second
BODY_CHECK_S = 5.0
UNSENT_S = 30.0  # without progress
KEEP_ALIVE_S = 5.0  # between requests

_ASGI = {"version": "3.0", "spec_version": "2.3"}
_EXTENSIONS: dict[str, dict[str, object]] = {WHOLE: {}}
# `b"%" in text` first tries to take it for a number, which takes as long as to look through 1,000 bytes.
_PERCENT, _FRAGMENT = ord("%"), ord("#")
_known_heads = KnownHeads()


class LimitedHttp(HttpToolsProtocol):
    """A connection. 431 for a head that is too large, 408 for a head or body that comes too slowly; then it is closed.

    Time in which the application reads nothing is not the client's. make_server binds `limits` by subclassing.
    """

    limits: ClassVar[ConnectionLimits]
    is_abortable: ClassVar[bool] = False  # whether a request may close its connection at once: for tests of clients
    observer: Observer | None = None
    _usual: dict[str, Any]
    _counted_as: str | None = None
    _head_open = True
    _head_size = 0  # what has come of a head that is not complete
    _received = 0  # the size of the last piece
    _is_too_large = False
    _deadline: asyncio.TimerHandle | None = None
    _is_handshake = False
    _body_open = False
    _body_size = 0
    _body_since = 0.0
    _body_deadline: asyncio.TimerHandle | None = None
    _unsent = 0
    _unsent_deadline: asyncio.TimerHandle | None = None
    _idle_since = 0.0
    _idle_deadline: asyncio.TimerHandle | None = None
    scope: Scope  # type: ignore[assignment]
    cycle: Answer | None  # type: ignore[assignment]  # the newest
    _answering: Answer | None = None
    pipeline: deque[Answer]  # type: ignore[assignment]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock for the first request; refuse a connection beyond the limits."""
        super().connection_made(transport)
        self._usual = {
            "type": "http", "asgi": _ASGI, "http_version": "", "server": self.server, "client": self.client,
            "scheme": "http", "method": "", "root_path": "", "path": "", "raw_path": b"", "query_string": b"",
            "headers": [], "state": {}, "extensions": _EXTENSIONS,
        }  # fmt: skip
        socket = transport.get_extra_info("socket")
        descriptor = -1 if socket is None else socket.fileno()
        self._counted_as = self.limits.take(self.client[0] if self.client else None, descriptor)
        if self._counted_as is None:
            self._reject(b"503 Service Unavailable")
        else:
            self._deadline = self.loop.call_later(HEAD_S, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clocks, and tell every request of the connection."""
        self._leave()
        self.connections.discard(self)
        for answer in (self._answering, self.cycle, *self.pipeline):
            if answer is not None and not answer.response_complete:
                answer.disconnected = True
                answer.news()
        self.flow.resume_writing()
        if exc is None:
            self.transport.close()
        # Each has a reference to this: without one back they go at once, not when the collector comes.
        self.parser = self.cycle = self._answering = None  # type: ignore[assignment]

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
        before = self.cycle
        is_between = (
            self._head_open and not self._head_size
            if before is None
            else before.response_complete and not self._head_open and not self._body_open
        )
        if is_between and self._serve_known(data):
            return
        self._received = len(data)
        try:
            self.parser.feed_data(data)
        except HttpParserError:
            self.send_400_response("Invalid HTTP request received.")
        except HttpParserUpgrade:
            if self._is_handshake:
                self.handle_websocket_upgrade()
            elif self.cycle is not None:  # served without an upgrade, but the parser reads no further
                self.cycle.keep_alive = False
        if is_between and self.cycle is not before and not self._head_open and not self._body_open:
            _known_heads.keep(data, self.headers)
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
        self.url = b""
        self.headers = []
        self.expect_100_continue = False

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
        parser = self.parser
        version = parser.get_http_version()
        path, query = self._target()
        self.scope = self._scope(parser.get_method().decode("ascii"), path, query, version, self.headers)
        self._is_handshake = parser.should_upgrade() and self._should_upgrade()
        if self._is_handshake:
            return
        before = self.cycle
        keep_alive = version != "1.0" and parser.should_keep_alive()
        answer = Answer(self, self.scope, keep_alive=keep_alive, awaits_continue=self.expect_100_continue)
        self.cycle = answer
        if before is None or before.response_complete:
            self._start(answer)
        else:  # of a pipeline: in turn
            self.flow.pause_reading()
            self.pipeline.appendleft(answer)

    def _serve_known(self, data: bytes) -> bool:
        """Serve a whole request whose headers the parser has read before; whether it is one."""
        known = _known_heads.read(data)
        if known is None:
            return False
        if self._head_open:  # the first of the connection
            self._head_open = False
            self._stop_head_clock()
        method, target, headers, body = known
        path, _, query = target.partition(b"?")
        self.scope = self._scope(method, path, query, "1.1", headers)
        answer = self.cycle = Answer(self, self.scope, keep_alive=True, awaits_continue=False)
        answer.take(body)
        answer.more_body = False
        answer.news()
        self._start(answer)
        return True

    def _scope(self, method: str, path: bytes, query: bytes, version: str, headers: Headers) -> Scope:
        scope = self._usual.copy()  # takes a third of the time that a new dictionary does
        scope["http_version"], scope["method"], scope["headers"] = version, method, headers
        scope["path"] = unquote(path.decode("ascii")) if _PERCENT in path else path.decode("ascii")
        scope["raw_path"], scope["query_string"], scope["state"] = path, query, self.app_state.copy()
        return scope

    def _target(self) -> tuple[bytes, bytes]:
        """The path and the query string that are asked for."""
        url = self.url
        if url[:1] == b"/" and _FRAGMENT not in url and url.isascii():
            path, _, query = url.partition(b"?")
            return path, query
        parsed = parse_url(url)
        return parsed.path, parsed.query or b""

    def _should_upgrade(self) -> bool:
        """Whether it is a handshake: a GET (RFC 6455, section 4.1). What else asks for an upgrade does without."""
        return self.scope["method"] == "GET" and super()._should_upgrade()

    def _is_head_too_large(self) -> bool:
        return len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MAX_HEAD_BYTES

    def on_body(self, body: bytes) -> None:
        """A piece of the body has come."""
        answer = self.cycle
        if answer is None or answer.response_complete or self._is_handshake:
            return
        answer.take(body)
        if answer.waiting_bytes > HIGH_WATER_LIMIT:
            self.flow.pause_reading()
        answer.news()

    def on_message_complete(self) -> None:
        """All of it has come."""
        self._body_open = False
        if self._body_deadline is not None:
            self._body_deadline.cancel()
            self._body_deadline = None
        answer = self.cycle
        if answer is None or answer.response_complete or self._is_handshake:
            return
        answer.more_body = False
        answer.news()

    def send_400_response(self, msg: str) -> None:
        """Answer when the parser stops: 431 where we stopped it."""
        if self._is_too_large:
            self._reject(b"431 Request Header Fields Too Large")
        else:
            super().send_400_response(msg)

    def _start(self, answer: Answer) -> None:
        self._answering = answer
        if self.is_abortable:
            answer.scope["muster.abort"] = self.transport.abort
        answer.task = asyncio.Task(answer.run(self.app), loop=self.loop, name="request")  # to make up a name takes time
        self.tasks.add(answer.task)

    # Answers

    def on_response_complete(self) -> None:
        """An answer is complete: the next request is served, or awaited. The client may still have to read it."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        if self.flow.read_paused:
            self.flow.resume_reading()
        if self.pipeline:
            self._start(self.pipeline.pop())
        else:
            self._idle_since = self.loop.time()
            if self._idle_deadline is None:
                self._idle_deadline = self.loop.call_later(KEEP_ALIVE_S, self._check_idle)
        if self.transport.get_write_buffer_size():
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

    def _check_idle(self) -> None:
        """Close a connection that nothing was asked of. One clock for all its requests: to stop it takes long."""
        self._idle_deadline = None
        is_answered = self.cycle is None or self.cycle.response_complete
        if self.transport.is_closing() or self._deadline is not None or not is_answered:
            return
        left_s = self._idle_since + KEEP_ALIVE_S - self.loop.time()
        if left_s > 0:
            self._idle_deadline = self.loop.call_later(left_s, self._check_idle)
        else:
            self.transport.close()

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
        head = [b"HTTP/1.1 ", status, b"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"]
        self.transport.write(b"".join(head))
        self.transport.close()

    def _leave(self) -> None:
        self._stop_head_clock()
        self._stop_unsent_clock()
        if self._idle_deadline is not None:
            self._idle_deadline.cancel()
            self._idle_deadline = None
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


def limited(
    limits: ConnectionLimits, observer: Observer | None = None, *, is_abortable: bool = False
) -> type[LimitedHttp]:
    """The protocol of one server, with the limits of its process."""
    bound = {"limits": limits, "observer": observer, "is_abortable": is_abortable}
    return type("LimitedHttp", (LimitedHttp,), bound)
