"""The body of an ASGI request: read whole, or capped on its way."""

from collections.abc import Awaitable, Callable

from emulator.asgi.response import respond
from emulator.asgi.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 10 * 1024 * 1024  # of a service that stands alone; behind the gateway routes.toml says it


class BodyTooLarge(Exception):
    """More than `limit` bytes came; the rest is left unread."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the body has more than {limit} bytes")
        self.limit = limit


class ClientDisconnected(Exception):
    """The client left before its body was complete."""


async def read_body(receive: Receive, limit: int | None = None) -> bytes:
    """The whole body. Raises BodyTooLarge once it has more than `limit` bytes, ClientDisconnected."""
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnected
    first: bytes = message.get("body", b"")
    if limit is not None and len(first) > limit:
        raise BodyTooLarge(limit)
    if not message.get("more_body"):  # nearly every body comes in one message
        return first
    parts, size = [first], len(first)
    while message.get("more_body"):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        part: bytes = message.get("body", b"")
        size += len(part)
        if limit is not None and size > limit:
            raise BodyTooLarge(limit)
        parts.append(part)
    return b"".join(parts)


async def read_head(receive: Receive, size: int) -> tuple[bytes, Receive | None]:
    """The first `size` bytes of a body, or a little more, and what receives the rest; None when that is all.

    Raises ClientDisconnected.
    """
    head = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        part: bytes = message.get("body", b"")
        head = head + part if head else part
        if not message.get("more_body"):
            return head, None
        if len(head) > size:
            return head, receive


# Of a request that has a body: RFC 9112, section 6.3.
BODY_HEADERS = frozenset({b"content-length", b"transfer-encoding"})


def call_capped(
    app: ASGIApp, scope: Scope, receive: Receive, send: Send, limit: int, refuse: Callable[[Send], Awaitable[None]]
) -> Awaitable[None]:
    """Call an application that reads its body by itself; `refuse` answers in its place when that is too large.

    A declared length is refused at once. Without one the client appears to have left when more than `limit` bytes came,
    and what the application answers to that is not sent.
    """
    # No coroutine of its own where nothing is to be counted: every request of every service comes along here.
    for name, value in scope["headers"]:
        if name in BODY_HEADERS:
            if name == b"content-length" and value.isdigit():
                return app(scope, receive, send) if int(value) <= limit else refuse(send)
            return _call_counted(app, scope, receive, send, limit, refuse)
    return app(scope, receive, send)


async def _call_counted(
    app: ASGIApp, scope: Scope, receive: Receive, send: Send, limit: int, refuse: Callable[[Send], Awaitable[None]]
) -> None:
    size, is_answered = 0, False

    async def receiving() -> Message:
        nonlocal size
        message = await receive()
        if message["type"] == "http.request":
            size += len(message.get("body", b""))
            if size > limit:
                return {"type": "http.disconnect"}
        return message

    async def sending(message: Message) -> None:
        nonlocal is_answered
        if size <= limit or is_answered:
            is_answered = True
            await send(message)

    await app(scope, receiving, sending)
    if size > limit and not is_answered:
        await refuse(send)


class BodyLimit:
    """An application whose bodies have at most `limit` bytes: 413 for what is larger."""

    def __init__(self, app: ASGIApp, limit: int = MAX_BODY_BYTES) -> None:
        self._app = app
        self._limit = limit

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve one request; everything else passes."""
        if scope["type"] == "http":
            return call_capped(self._app, scope, receive, send, self._limit, respond_too_large)
        return self._app(scope, receive, send)


async def respond_too_large(send: Send) -> None:
    """The refusal, in the words of the hosted service's gateway."""
    headers = [(b"content-type", b"application/json; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
    await respond(send, 413, headers, b'{"message":"Request body too large"}')


async def wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
