"""Forward requests to an application in another process, over its Unix socket. For what only one process may do."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx

from emulator.asgi.types import Receive, Scope, Send

# RFC 9110, section 7.6.1: these belong to one connection and are never forwarded.
HOP_BY_HOP = frozenset(
    {
        b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"te", b"trailer",
        b"transfer-encoding", b"upgrade",
    }
)  # fmt: skip
TIMEOUT_S = 30.0


class Proxy:
    """Stands for an application that listens on a Unix socket. 502 while none does."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._client: httpx.AsyncClient | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the lifespan."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._forward(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        transport = httpx.AsyncHTTPTransport(uds=str(self._socket))
        async with httpx.AsyncClient(transport=transport, timeout=TIMEOUT_S) as self._client:
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _forward(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._client is not None, "the lifespan is not running"
        path = (scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")).decode("ascii")
        headers = [pair for pair in scope["headers"] if pair[0] not in HOP_BY_HOP]
        request = self._client.build_request(
            scope["method"], f"http://upstream{path}", headers=headers, content=_body(receive)
        )
        try:
            answer = await self._client.send(request, stream=True)
        except httpx.TransportError:
            await send({"type": "http.response.start", "status": 502, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body", "body": b""})
            return
        try:
            kept = [(name.lower(), value) for name, value in answer.headers.raw if name.lower() not in HOP_BY_HOP]
            await send({"type": "http.response.start", "status": answer.status_code, "headers": kept})
            async for chunk in answer.aiter_raw():
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            await answer.aclose()


async def _body(receive: Receive) -> AsyncIterator[bytes]:
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise httpx.ReadError("the client has gone")
        more = message.get("more_body", False)
        if message.get("body"):
            yield message["body"]
