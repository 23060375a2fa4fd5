"""Forward one request to a server behind a Unix socket: streamed both ways, and given up when the client leaves."""

import asyncio
from collections.abc import AsyncIterator

import httpx

from emulator.asgi.headers import content_length, find_header
from emulator.asgi.types import Headers, Receive, Scope, Send

# RFC 9110, section 7.6.1: these belong to one connection and are never forwarded.
HOP_BY_HOP = frozenset(
    {
        b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"te", b"trailer",
        b"transfer-encoding", b"upgrade",
    }
)  # fmt: skip


class NoAnswer(Exception):
    """The server could not be reached, or ended, before it answered. Nothing has been sent to the client."""


class _ClientLeft(Exception):
    pass


async def forward(
    client: httpx.AsyncClient, path: str, headers: Headers, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer with what the server behind `client` answers. Raises NoAnswer, TimeoutError by the client's own timeout.

    `path` is the request target there. A client that leaves ends the request; a server that fails in the middle of its
    answer ends the connection.
    """
    has_body = content_length(headers) != 0 and (
        find_header(headers, b"content-length") is not None or find_header(headers, b"transfer-encoding") is not None
    )
    kept = [pair for pair in headers if pair[0] not in HOP_BY_HOP]
    consumed = asyncio.Event()
    request = httpx.Request(
        scope["method"], f"http://upstream{path}", headers=kept, content=_body(receive, consumed) if has_body else None
    )
    if not has_body:
        await _drain(receive)
        consumed.set()
    leaving = asyncio.create_task(_left(receive, consumed))
    serving = asyncio.create_task(_exchange(client, request, send))
    try:
        await asyncio.wait([leaving, serving], return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            serving.result()
    finally:
        for task in (leaving, serving):
            task.cancel()
        await asyncio.gather(leaving, serving, return_exceptions=True)


async def _exchange(client: httpx.AsyncClient, request: httpx.Request, send: Send) -> None:
    try:
        answer = await client.send(request, stream=True)
    except _ClientLeft:
        return
    except httpx.TimeoutException as error:
        raise TimeoutError from error
    except httpx.TransportError as error:
        raise NoAnswer(str(error)) from error
    try:
        dropped = HOP_BY_HOP | {b"date"}  # ours is added to every answer
        kept = [(name.lower(), value) for name, value in answer.headers.raw if name.lower() not in dropped]
        await send({"type": "http.response.start", "status": answer.status_code, "headers": kept})
        async for chunk in answer.aiter_raw():
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        await answer.aclose()


async def _body(receive: Receive, consumed: asyncio.Event) -> AsyncIterator[bytes]:
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _ClientLeft
        more = message.get("more_body", False)
        if message.get("body"):
            yield message["body"]
    consumed.set()


async def _drain(receive: Receive) -> None:
    while (await receive()).get("more_body", False):
        pass


async def _left(receive: Receive, consumed: asyncio.Event) -> None:
    """Return when the client has left after its whole body came."""
    await consumed.wait()
    while (await receive())["type"] != "http.disconnect":
        pass
