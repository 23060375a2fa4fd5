"""Forward requests to an application in another process, over its Unix socket. For what only one process may do."""

from pathlib import Path
from typing import TYPE_CHECKING

from emulator.asgi.response import respond
from emulator.asgi.types import Receive, Scope, Send

if TYPE_CHECKING:
    import httpx

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
        await send({"type": "lifespan.startup.complete"})
        await receive()
        if self._client is not None:
            await self._client.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    async def _forward(self, scope: Scope, receive: Receive, send: Send) -> None:
        from emulator.asgi.forward import NoAnswer, forward  # with the first request: httpx takes 4 MiB

        client = self._client = self._client or self._make_client()
        path = (scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")).decode("ascii")
        try:
            await forward(client, path, scope["headers"], scope, receive, send)
        except (NoAnswer, TimeoutError):
            await respond(send, 502, [], b"")

    def _make_client(self) -> "httpx.AsyncClient":
        import httpx

        # Without TLS on its own socket, and so without the certificates, which take 25 ms to read.
        transport = httpx.AsyncHTTPTransport(uds=str(self._socket), verify=False)
        return httpx.AsyncClient(transport=transport, timeout=TIMEOUT_S)
