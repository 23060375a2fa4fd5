"""One request and its answer, between the parser of HTTP/1.1 and an ASGI application.

What uvicorn's RequestResponseCycle does, with less to do for a short answer: a head is checked whole, not header by
header, an answer may come in one message, and nobody makes an event before there is something to wait for.
"""

import asyncio
import logging
import re
from functools import lru_cache
from typing import NamedTuple, Protocol

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.server import ServerState

from emulator.asgi.status import status_line
from emulator.asgi.types import CLIENT_CLOSED_REQUEST, ASGIApp, Header, Message, Observer, Scope

log = logging.getLogger("uvicorn.error")

_SHORT = 16_384  # bytes that are sooner copied than sent apart
_INVALID_NAME = re.compile(rb'[\x00-\x1f\x7f()<>@,;:\[\]={} \t\\"]')
_LF, _CR = b"\n\r"  # as numbers: `b"\n" in text` first tries to take it for one
_FAILED: Message = {
    "type": "http.response.start",
    "status": 500,
    "headers": [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"21"), (b"connection", b"close")],
    "body": b"Internal Server Error",
}


class Connection(Protocol):
    """What an answer needs of its connection."""

    flow: FlowControl
    transport: asyncio.Transport
    server_state: ServerState
    observer: Observer | None

    def on_response_complete(self) -> None:
        """The answer is complete: the next request may be served."""


class Layout(NamedTuple):
    """Of heads with the same names in the same order: `template` takes the status line and the values.

    `kept`: the places of the values that are sent, where not all are. `length`, `encodings` and `connections`: the
    places of those that say how the body is sent.
    """

    template: bytes
    kept: tuple[int, ...] | None
    length: int | None
    encodings: tuple[int, ...]
    connections: tuple[int, ...]


@lru_cache(512)
def _layout(names: tuple[bytes, ...], usual: int, own: int) -> Layout:
    """The application's headers are between those that any answer has (`usual`), which yield to them, and our `own`.

    Raises RuntimeError for a name that can't be sent.
    """
    if any(map(_INVALID_NAME.search, names)):
        raise RuntimeError("Invalid HTTP header name.")
    lower = [name.lower() for name in names]
    between, last = range(usual, len(names) - own), lower[len(names) - own :]
    given = {lower[at] for at in between}
    dropped = {at for at in range(usual) if lower[at] in given} | {at for at in between if lower[at] in last}
    kept = tuple(at for at in range(len(names)) if at not in dropped)
    lower = [lower[at] for at in kept]
    template = b"".join((b"%b\r\n", *(name.replace(b"%", b"%%") + b": %b\r\n" for name in lower), b"\r\n"))
    at = {name: tuple(n for n, one in enumerate(lower) if one == name) for name in lower}
    length = at.get(b"content-length", (None,))[0]
    places = kept if dropped else None
    return Layout(template, places, length, at.get(b"transfer-encoding", ()), at.get(b"connection", ()))


class Answer:
    """One request. The protocol gives it the body and calls `news`; an application receives and sends."""

    __slots__ = (
        "_awaits_continue", "_body", "_chunked", "_connection", "_has_news", "_kept", "_left", "_news", "_own",
        "disconnected", "keep_alive", "more_body", "response_complete", "response_started", "scope", "status", "task",
    )  # fmt: skip

    def __init__(self, connection: Connection, scope: Scope, *, keep_alive: bool, awaits_continue: bool) -> None:
        self._connection = connection
        self.scope = scope
        self.keep_alive = keep_alive
        self.more_body = True
        self.disconnected = False
        self.response_started = False
        self.response_complete = False
        self.status = CLIENT_CLOSED_REQUEST  # until one is sent
        self.task: asyncio.Task[None] | None = None
        self._body: bytes | bytearray = b""
        self._awaits_continue = awaits_continue
        self._has_news = False
        self._news: asyncio.Event | None = None
        self._kept = b""  # the head, until it is sent
        self._left = 0  # bytes of the body to come
        self._chunked = False
        self._own: tuple[Header, ...] = ()

    def take(self, piece: bytes) -> None:
        """A piece of the body came."""
        if self._body:
            if isinstance(self._body, bytes):
                self._body = bytearray(self._body)  # it may come in very many
            self._body += piece
        else:
            self._body = piece

    @property
    def waiting_bytes(self) -> int:
        """How much of the body the application has not received yet."""
        return len(self._body)

    def news(self) -> None:
        """Wake who receives: a piece of the body came, its end, or that of the connection."""
        self._has_news = True
        if self._news is not None:
            self._news.set()

    async def run(self, app: ASGIApp) -> None:
        """Let the application answer; 500, or a closed connection, when it fails to."""
        observer, begun = self._connection.observer, None
        if observer is not None:
            header, begun = observer.begin(self.scope)
            self._own = (header,)
        try:
            await app(self.scope, self.receive, self.send)
        except BaseException as error:  # as uvicorn: a canceled request is answered, too
            log.error("Exception in ASGI application\n", exc_info=error)
            await self._fail()
            self.status = 500
        else:
            if not self.response_complete and not self.disconnected:
                log.error("ASGI callable returned without completing response.")
                await self._fail()
        finally:
            if self.task is not None:
                self._connection.server_state.tasks.discard(self.task)
                self.task = None
            if observer is not None:
                observer.end(self.scope, begun, self.status)

    async def _fail(self) -> None:
        if self.response_started:
            self._flush()
            self._connection.transport.close()
        else:
            await self.send(_FAILED)

    async def receive(self) -> Message:
        """The next piece of the body, or that the client left or has its answer."""
        connection = self._connection
        if self._awaits_continue and not connection.transport.is_closing():
            connection.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self._awaits_continue = False
        if not self.disconnected and not self.response_complete:
            connection.flow.resume_reading()
            if not self._has_news:
                self._news = self._news or asyncio.Event()
                self._news.clear()
                await self._news.wait()
            self._has_news = False
        if self.disconnected or self.response_complete:
            return {"type": "http.disconnect"}
        body, self._body = self._body, b""
        return {"type": "http.request", "body": bytes(body), "more_body": self.more_body}

    async def send(self, message: Message) -> None:
        """Send the head, or a piece of the body. Raises RuntimeError for what can't be sent, or not now."""
        connection = self._connection
        if connection.flow.write_paused and not self.disconnected:
            await connection.flow.drain()
        if self.disconnected:
            return
        kind = message["type"]
        if not self.response_started and kind == "http.response.start":
            head = self._head(message)
            if "body" in message:
                self._write(head, self._piece(message["body"], is_last=True))
                self.response_started = True
                self._complete()
            else:
                self._kept = head
                self.response_started = True
                asyncio.get_running_loop().call_soon(self._flush)
        elif self.response_started and not self.response_complete and kind == "http.response.body":
            is_last = not message.get("more_body", False)
            piece = self._piece(message.get("body", b""), is_last=is_last)
            head, self._kept = self._kept, b""
            self._write(head, piece)
            if is_last:
                self._complete()
        else:
            raise RuntimeError(f"Unexpected ASGI message '{kind}'.")

    def _write(self, head: bytes, piece: bytes) -> None:
        """Write both by one system call."""
        transport = self._connection.transport
        if head and len(piece) > _SHORT:
            transport.writelines((head, piece))
        elif head or piece:
            transport.write(head + piece)

    def _flush(self) -> None:
        """Send a head whose body does not follow in the same turn of the loop."""
        head, self._kept = self._kept, b""
        if head and not self.disconnected and not self._connection.transport.is_closing():
            self._connection.transport.write(head)

    def _head(self, message: Message) -> bytes:
        status = message["status"]
        self.status = int(status)  # REST's may carry a phrase (status.py)
        usual, own = self._connection.server_state.default_headers, self._own
        pairs = (*usual, *message.get("headers", ()), *own)
        names, values = zip(*pairs, strict=True) if pairs else ((), ())
        layout = _layout(names, len(usual), len(own))
        if layout.kept is not None:
            values = tuple(values[at] for at in layout.kept)
        said = b"".join(values)
        if _LF in said or _CR in said or 0 in said:  # one would begin another header
            raise RuntimeError("Invalid HTTP header value.")
        head = layout.template % (status_line(status), *values)
        self._left = 0 if layout.length is None else int(values[layout.length])
        self._chunked = False
        for at in layout.encodings:
            self._chunked = self._chunked or values[at].lower() == b"chunked"
        if layout.length is None and not self._chunked and status not in (204, 304) and self.scope["method"] != "HEAD":
            self._chunked = True
            head = head[:-2] + b"transfer-encoding: chunked\r\n\r\n"
        closes = False
        for at in layout.connections:
            closes = closes or b"close" in map(bytes.strip, values[at].lower().split(b","))
        if closes:
            self.keep_alive = False
        elif not self.keep_alive:
            head = head[:-2] + b"connection: close\r\n\r\n"
        return head

    def _piece(self, body: bytes, *, is_last: bool) -> bytes:
        """What is written of a body. Raises RuntimeError if that is not as long as was said."""
        if self.scope["method"] == "HEAD":
            return b""
        if self._chunked:
            piece = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
            return piece + b"0\r\n\r\n" if is_last else piece
        self._left -= len(body)
        if self._left < 0:
            raise RuntimeError("Response content longer than Content-Length")
        if is_last and self._left:
            raise RuntimeError("Response content shorter than Content-Length")
        return body

    def _complete(self) -> None:
        self.response_complete = True
        self.news()
        if not self.keep_alive:
            self._connection.transport.close()
        self._connection.on_response_complete()
