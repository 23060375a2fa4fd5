"""The body of an ASGI request: read whole, or capped on its way."""

from emulator.asgi.types import Message, Receive


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


def capped(receive: Receive, limit: int) -> Receive:
    """`receive` for an application that reads by itself: beyond `limit` bytes the client appears to have left."""
    size = 0

    async def receiving() -> Message:
        nonlocal size
        message = await receive()
        if message["type"] == "http.request":
            size += len(message.get("body", b""))
            if size > limit:
                return {"type": "http.disconnect"}
        return message

    return receiving


async def wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
