"""Forward requests to an application in another process, over its Unix socket. For what only one process may do."""

from pathlib import Path

import httpx

from emulator.asgi.forward import NoAnswer, forward
from emulator.asgi.response import respond
from emulator.asgi.types import Receive, Scope, Send

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
        try:
            await forward(self._client, path, scope["headers"], scope, receive, send)
        except (NoAnswer, TimeoutError):
            await respond(send, 502, [], b"")
