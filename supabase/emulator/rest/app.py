"""The REST service as an ASGI application: bytes in, bytes out, start and stop. I/O.

Raw ASGI and no framework: per request this file costs two messages and one dictionary.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import lru_cache

from emulator.asgi.body import ClientDisconnected, read_head, wait_for_disconnect
from emulator.asgi.status import Status
from emulator.asgi.types import WHOLE, Message, Receive, Scope, Send
from emulator.asgi.types import Headers as RawHeaderPairs
from emulator.db.statement import new_tuple
from emulator.rest.api_request.http_request import Headers, HttpRequest
from emulator.rest.api_request.query_params import PERCENT
from emulator.rest.cors import cors_policy
from emulator.rest.handler import HEAD_BYTES, handle, receive_rest
from emulator.rest.introspect import Catalogs
from emulator.rest.listen import Listener
from emulator.rest.response.types import VERSION, HeaderPairs, Response
from emulator.rest.service import RestService
from emulator.rest.settings import RestSettings

_SERVER = (b"server", f"postgrest/{VERSION}".encode())
_METHODS_WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS", "DELETE"})


class RestApp:
    """One REST service. `service` and `listener` are public for the admin port, for signals and for tests."""

    def __init__(
        self, settings: RestSettings, catalogs: Catalogs | None = None, now: Callable[[], float] = time.time
    ) -> None:
        self.service = RestService(settings, catalogs, now)
        self.listener = Listener(self.service)
        self._cors = cors_policy(settings.server_cors_allowed_origins)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve one request, or the lifespan. A coroutine less for each step of a request to go through."""
        if scope["type"] == "http":
            return self._serve(scope, receive, send)
        return self._follow_lifespan(receive, send)

    async def startup(self) -> None:
        """Start loading the schema cache, listening and pooling; requests get 503 until the cache is loaded."""
        self.service.pool.start()
        await self.listener.start()

    async def shutdown(self) -> None:
        """Close every connection."""
        await self.listener.stop()
        await self.service.close()

    async def _follow_lifespan(self, receive: Receive, send: Send) -> None:
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
        method: str = scope["method"]
        headers = self.service.headers(tuple(scope["headers"]))
        preflight = self._cors.preflight(scope["headers"]) if method == "OPTIONS" else None
        if preflight is not None:
            response: Response | None = Response(200, _decode_headers(preflight))
        else:
            response = await self._respond(scope, receive, headers)
        if response is None:
            return
        trace_header = self.service.settings.server_trace_header
        if trace_header:
            response.headers.append((trace_header, headers.by_name.get(trace_header.lower(), "")))
        await send_response(send, method, response, is_whole=WHOLE in scope.get("extensions", ()))

    async def _respond(self, scope: Scope, receive: Receive, headers: Headers) -> Response | None:
        """Answer a request; None when its client has disconnected."""
        method: str = scope["method"]
        try:
            body, rest = b"", None
            if method not in _METHODS_WITHOUT_BODY:
                body, rest = await read_head(receive, HEAD_BYTES)
            request = new_tuple(HttpRequest, (method, _raw_path(scope), scope["query_string"], headers, body))
            if rest is not None:
                received = await receive_rest(self.service, request, rest)
                if isinstance(received, Response):
                    return received
                request = received
            response = await handle(self.service, request, lambda: asyncio.create_task(wait_for_disconnect(receive)))
        except ClientDisconnected:
            return None
        except asyncio.CancelledError:
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise
            return None  # the client has disconnected, and its statement is canceled
        origin = headers.by_name.get("origin")
        if origin is not None and method != "OPTIONS":
            known = {name.lower() for name, _ in response.headers}
            allowed = _decode_headers(self._cors.apply([], origin.encode()))
            # What SQL or OPTIONS set itself stays.
            response.headers.extend(pair for pair in allowed if pair[0] not in known)
        return response


def _decode_headers(headers: RawHeaderPairs) -> HeaderPairs:
    return [(name.decode("ascii"), value.decode("latin-1")) for name, value in headers]


def _raw_path(scope: Scope) -> bytes:
    """Return the path as it was sent, without a prefix that a gateway removed from `path`."""
    raw: bytes | None = scope.get("raw_path")
    path: str = scope["path"]
    if raw is None or PERCENT not in raw:
        return path.encode("utf-8", "surrogateescape")
    prefix: str = scope.get("root_path", "")
    return raw[len(prefix) :] if prefix and raw.startswith(prefix.encode()) else raw


@lru_cache(256)
def _encode_name(name: str) -> bytes:
    return name.encode("latin-1", "replace")


def send_response(send: Send, method: str, response: Response, *, is_whole: bool = False) -> Awaitable[None]:
    """Send a response, by one message where the server takes it (`is_whole`).

    Unlike most servers PostgREST omits Content-Length for HEAD, and for 204 as everyone.
    """
    status = response.status if response.reason is None else Status(response.status, response.reason)
    try:
        headers = [(_encode_name(name), value.encode()) for name, value in response.headers]
    except UnicodeEncodeError:  # half of a pair of surrogates
        headers = [(_encode_name(name), value.encode("utf-8", "replace")) for name, value in response.headers]
    headers.append(_SERVER)
    body = b"" if method == "HEAD" else response.body
    if status != 204 and method != "HEAD":
        headers.append((b"content-length", b"%d" % len(body)))
    start: Message = {"type": "http.response.start", "status": status, "headers": headers}
    if is_whole:
        start["body"] = body
        return send(start)
    return _send_both(send, start, {"type": "http.response.body", "body": body})


async def _send_both(send: Send, start: Message, body: Message) -> None:
    await send(start)
    await send(body)


def create_app(
    settings: RestSettings, catalogs: Catalogs | None = None, now: Callable[[], float] = time.time
) -> RestApp:
    """Return the service as an ASGI application.

    `catalogs` are shared by services over copies of one database; tokens expire by `now`, in seconds since 1970.
    """
    return RestApp(settings, catalogs, now)
