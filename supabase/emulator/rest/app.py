"""The ASGI face of the REST service: bytes in, bytes out, start and stop. I/O.

Raw ASGI and no framework: per request this file costs two messages and one dictionary.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from typing import Any

from emulator.asgi.status import Status
from emulator.rest.compiler import Incoming
from emulator.rest.cors import expose_headers, preflight
from emulator.rest.handler import handle
from emulator.rest.listen import Listener
from emulator.rest.response.respond import VERSION, Response
from emulator.rest.service import RestService
from emulator.rest.settings import RestSettings

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_SERVER = (b"server", f"postgrest/{VERSION}".encode())
_BODYLESS = frozenset({"GET", "HEAD", "OPTIONS", "DELETE"})


class RestApp:
    """One REST service as an ASGI application. `service` is open for the admin port and for tests."""

    def __init__(self, settings: RestSettings) -> None:
        self.service = RestService(settings)
        self.listener = Listener(self.service)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection's message exchange."""
        if scope["type"] == "http":
            await self._serve(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)

    async def startup(self) -> None:
        """Start loading the schema cache, listening and pooling; requests get 503 until the cache is there."""
        self.service.pool.start()
        await self.listener.start()

    async def shutdown(self) -> None:
        """Close every connection."""
        await self.listener.stop()
        await self.service.pool.close()

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.startup()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self.shutdown()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        service, method = self.service, scope["method"]
        headers = service.headers(tuple(map(tuple, scope["headers"])))
        body = b"" if method in _BODYLESS else await _read_body(receive)
        if body is None:
            return
        by_name = headers.by_name
        origins = service.settings.server_cors_allowed_origins
        response = preflight(method, by_name, origins) if method == "OPTIONS" else None
        if response is None:
            incoming = Incoming(method, _raw_path(scope), scope["query_string"], headers, body)
            try:
                response = await handle(service, incoming, lambda: asyncio.create_task(_gone(receive)))
            except asyncio.CancelledError:
                if (task := asyncio.current_task()) is not None and task.cancelling():
                    task.uncancel()
                return
            if "origin" in by_name:
                known = {name for name, _ in response.headers}
                exposed = expose_headers(by_name["origin"], origins)
                response.headers.extend(pair for pair in exposed if pair[0] not in known)
        trace = service.settings.server_trace_header
        if trace:
            response.headers.append((trace, by_name.get(trace.lower(), "")))
        await send_response(send, method, response)


async def _read_body(receive: Receive) -> bytes | None:
    """Return the whole body, or None when the client went away before its end."""
    message = await receive()
    if message["type"] == "http.disconnect":
        return None
    body: bytes = message.get("body", b"")
    if not message.get("more_body"):
        return body
    parts = [body]
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


async def _gone(receive: Receive) -> None:
    """Return when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _raw_path(scope: Scope) -> bytes:
    """Return the path as it was sent, without a prefix that a gateway took off `path`."""
    raw: bytes | None = scope.get("raw_path")
    path: str = scope["path"]
    plain = path.encode("utf-8", "surrogateescape")
    if raw is None or b"%" not in raw:
        return plain
    prefix: str = scope.get("root_path", "")
    return raw[len(prefix) :] if prefix and raw.startswith(prefix.encode()) else raw


@lru_cache(4096)
def _encode_header(pair: tuple[str, str]) -> tuple[bytes, bytes]:
    return pair[0].encode("latin-1", "replace"), pair[1].encode("utf-8", "replace")


async def send_response(send: Send, method: str, response: Response) -> None:
    """Send an answer; HEAD and 204 have no Content-Length."""
    status = response.status if response.reason is None else Status(response.status, response.reason)
    headers = [_SERVER, *map(_encode_header, response.headers)]
    body = b"" if method == "HEAD" else response.body
    if status != 204 and method != "HEAD":
        headers.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def create_app(settings: RestSettings) -> RestApp:
    """Return the service as an ASGI application."""
    return RestApp(settings)
