"""The service: `/functions/v1/<slug>/...`, to the function of that name, or to what stands beside them."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from emulator.asgi.cors import CorsPolicy, requested_or
from emulator.asgi.headers import has_header
from emulator.asgi.lifespan import all_running
from emulator.asgi.response import respond
from emulator.asgi.tunnel import Refused, Upstream
from emulator.asgi.types import ASGIApp, Headers, Message, Receive, Scope, Send
from emulator.clock import MACHINE, Clock
from emulator.functions.binaries import find_deno
from emulator.functions.discovery import Function, find_function, list_functions
from emulator.functions.errors import FunctionError, worker_limit
from emulator.functions.settings import FunctionsSettings
from emulator.functions.token import check_token
from emulator.jwt import KeySet

if TYPE_CHECKING:
    from emulator.functions.supervisor import Supervisor

PREFIX = "/functions/v1"
SERVE_SOCKET = "functions-serve.sock"  # of `muster functions serve`, in the stack's folder of sockets
# What the local gateway of the containers says to a preflight, whatever headers are asked for.
_PREFLIGHT = CorsPolicy(
    methods=b"GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS, TRACE, CONNECT",
    allowed_headers=requested_or(b"authorization, x-client-info, apikey, content-type"),
    max_age_s=3600,
)
_TEXT: Headers = [(b"content-type", b"text/plain;charset=UTF-8")]


class Functions:
    """An ASGI application. Slugs that are no function of the folder go to `beside`, functions of another runtime.

    Where several processes share a stack, one of them has the functions' processes: `elsewhere` hands requests to it.
    While somebody serves the functions in a terminal, `served` hands them to that.
    """

    def __init__(
        self,
        settings: FunctionsSettings,
        beside: ASGIApp | None,
        elsewhere: ASGIApp | None,
        served: ASGIApp | None,
        clock: Clock,
    ) -> None:
        self._clock = clock
        self._settings = settings
        self._served = served
        self._beside = beside
        self._elsewhere = elsewhere
        self._keys = KeySet.parse(settings.jwt_secret).merged(KeySet.parse(settings.jwks))
        self._supervisor: Supervisor | None = None
        self._supervising: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the lifespan."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        functions = await asyncio.to_thread(list_functions, self._settings)
        if functions and self._elsewhere is None:
            self._start_supervisor()
        try:
            others = {"beside": self._beside, "elsewhere": self._elsewhere, "served": self._served}
            async with all_running({name: app for name, app in others.items() if app is not None}):
                await send({"type": "lifespan.startup.complete"})
                await receive()
        except Exception as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            raise
        finally:
            if self._supervising is not None:
                self._supervising.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await self._supervising
        await send({"type": "lifespan.shutdown.complete"})

    def _start_supervisor(self) -> Supervisor:
        """Loaded when there is a function: a project without any pays neither its time nor its memory."""
        from emulator.functions.supervisor import Supervisor

        self._supervisor = Supervisor(self._settings)
        self._supervising = asyncio.create_task(self._supervisor.run())
        return self._supervisor

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"].removeprefix(PREFIX)
        if path == "/_internal/health":
            await respond(send, 200, [(b"content-type", b"application/json")], b'{"message":"ok"}')
            return
        function = find_function(self._settings, path.removeprefix("/").partition("/")[0])
        if function is None:
            if self._beside is not None:
                await self._beside(scope, receive, send)
            else:
                await respond(send, 404, _TEXT, b"Function not found")
            return
        other = self._served if self._is_served() else self._elsewhere
        if other is not None:
            await other(scope, receive, send)
            return
        try:
            await self._call(function, scope, receive, send)
        except FunctionError as error:
            await respond(send, error.status, error.headers, error.body)

    async def is_working(self) -> bool:
        """Whether a function answers, or goes on after its answer, in a process of this service."""
        return self._supervisor is not None and await self._supervisor.is_working()

    def _is_served(self) -> bool:
        return self._settings.serve_socket is not None and self._settings.serve_socket.exists()

    async def upgrade(self, target: bytes, headers: Headers) -> Upstream:
        """Where the handshake of a WebSocket goes: to the function's process. Raises Refused."""
        if self._settings.serve_socket is not None and self._is_served():
            return Upstream(self._settings.serve_socket, target, headers, lambda: None)
        path, _, query = target.decode("latin-1").partition("?")
        path = path.removeprefix(PREFIX)
        function = find_function(self._settings, path.removeprefix("/").partition("/")[0])
        if function is None:
            raise Refused(404, _TEXT, b"Function not found")
        try:
            if function.rules.verify_jwt:
                check_token(headers, self._keys, self._clock.time())
            worker = await (self._supervisor or self._start_supervisor()).worker(function)
        except FunctionError as error:
            raise Refused(error.status, error.headers, error.body) from error
        worker.open_sockets += 1
        return Upstream(worker.socket, f"{path}?{query}".rstrip("?").encode("latin-1"), headers, worker.end_socket)

    async def _call(self, function: Function, scope: Scope, receive: Receive, send: Send) -> None:
        preflight = _PREFLIGHT.preflight(scope["headers"]) if scope["method"] == "OPTIONS" else None
        if preflight is not None:
            send = _permitting(send, preflight)
        if function.rules.verify_jwt and scope["method"] != "OPTIONS":
            check_token(scope["headers"], self._keys, self._clock.time())
        from emulator.asgi.forward import NoAnswer, forward  # httpx: 110 ms, 4.5 MiB

        worker = await (self._supervisor or self._start_supervisor()).worker(function)
        worker.begin()
        started = asyncio.Event()

        async def sending(message: Any) -> None:
            started.set()
            await send(message)

        try:
            request = forward(worker.client, _target(scope), scope["headers"], scope, receive, sending)
            await _within(self._settings.wall_clock_s, started, request)
        except NoAnswer as error:
            raise await worker.failure() from error
        except TimeoutError as error:
            raise worker_limit() from error
        finally:
            worker.end()


def create_app(
    settings: FunctionsSettings,
    beside: ASGIApp | None = None,
    elsewhere: ASGIApp | None = None,
    served: ASGIApp | None = None,
    clock: Clock = MACHINE,
) -> Functions:
    """The service over the functions of `settings.directory`, by whichever Deno there is. Tokens expire by `clock`."""
    if settings.deno is None:
        settings = settings.model_copy(update={"deno": find_deno()})
    return Functions(settings, beside, elsewhere, served, clock)


def _permitting(send: Send, permission: Headers) -> Send:
    """`send` for the answer to a preflight: the function's own, or the gateway's where the function permits nothing.

    The hosted service has the function's alone, the containers have the gateway's alone. A function that forgot its
    own works as in the containers, and one that has it is seen to work as hosted.
    """
    replaced = False

    async def sending(message: Message) -> None:
        nonlocal replaced
        if message["type"] == "http.response.start":
            replaced = not has_header(message["headers"], b"access-control-allow-origin")
            if replaced:
                await respond(send, 200, permission, b"")
        if not replaced:
            await send(message)

    return sending


async def _within(limit_s: float, started: asyncio.Event, request: Any) -> None:
    """Run the exchange; raise TimeoutError when its answer has not begun in time. A stream may go on."""
    exchange = asyncio.ensure_future(request)
    begun = asyncio.ensure_future(started.wait())
    try:
        await asyncio.wait([exchange, begun], timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        if not exchange.done() and not started.is_set():
            raise TimeoutError
        await exchange
    finally:
        begun.cancel()
        exchange.cancel()


def _target(scope: Scope) -> str:
    """The request target as the function sees it: from its slug on, as the client wrote it."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    path = raw.decode("latin-1").removeprefix(PREFIX)
    query: bytes = scope["query_string"]
    return f"{path}?{query.decode('latin-1')}" if query else path
