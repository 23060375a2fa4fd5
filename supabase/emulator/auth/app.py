"""The auth service as one ASGI application: its routes, its lifespan, and where errors become responses."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
import psycopg_pool
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router

from emulator.asgi.body import ClientDisconnected
from emulator.asgi.response import respond
from emulator.asgi.types import ASGIApp, Message, Receive, Scope, Send
from emulator.auth import errors
from emulator.auth.api.cors import Cors
from emulator.auth.api.responses import VERSION_HEADER, error_response
from emulator.auth.api.router import ROUTES, Handler, guard_of, without_slash
from emulator.auth.conf.settings import AuthSettings
from emulator.auth.context import RequestContext, Service
from emulator.auth.crypto.keyring import Keyring
from emulator.auth.crypto.password import Hasher
from emulator.auth.mailer.sender import make_sender
from emulator.auth.metrics import NO_ROUTE, Counters, text
from emulator.auth.ratelimit.limits import RateLimits
from emulator.auth.startup import migrate_when_reachable
from emulator.clock import MACHINE, Clock
from emulator.db.noted_cursor import NotedCursor
from emulator.errors import ApiError

log = logging.getLogger("emulator.auth")
POOL_TIMEOUT_S = 3.0
CHECK_AFTER_IDLE_S = 1.0
MAX_IDLE_S = 30.0  # then a connection is closed, which holds 2 to 4 MiB of the server's memory


def create_app(settings: AuthSettings, clock: Clock = MACHINE) -> "AuthApp":
    """The service, at the root; it connects when its lifespan starts. `clock`: what tokens, codes and limits go by."""
    for name in settings.without_effect:
        log.warning("%s is set and has no effect: this service lacks that feature", name)
    service = _make_service(settings, clock)
    paths: dict[str, dict[str, Handler]] = {}
    for row in ROUTES:
        paths.setdefault(row.path, {})[row.method] = row.handler()
    routes = [Route(path, _Endpoint(service, path, handlers)) for path, handlers in paths.items()]

    @asynccontextmanager
    async def lifespan(_app: object) -> AsyncIterator[None]:
        await service.pool.open(wait=False)
        migration = asyncio.create_task(migrate_when_reachable(service))
        try:
            yield
        finally:
            migration.cancel()
            await service.close()

    router = Router(routes, redirect_slashes=False, default=_NoEndpoint(service), lifespan=lifespan)
    return AuthApp(router, service)


def _make_service(settings: AuthSettings, clock: Clock) -> Service:
    pool = AsyncConnectionPool(
        settings.database_url,
        min_size=0,
        max_size=settings.pool_size,
        max_idle=MAX_IDLE_S,
        timeout=POOL_TIMEOUT_S,
        open=False,
        check=_check_when_idle(),
        reconnect_timeout=30,
        kwargs={
            "autocommit": True,
            "options": "-c timezone=UTC -c search_path=auth",
            "application_name": "auth",
            "cursor_factory": NotedCursor,
        },
        name="auth",
    )
    return Service(
        settings,
        Keyring.from_settings(settings.jwt),
        Hasher(),
        make_sender(settings.smtp),
        pool,
        RateLimits(settings.rates, settings.saml.assertions),
        now=clock.now,
        clock=clock.monotonic,
    )


def _check_when_idle() -> Callable[[AsyncConnection[Any]], Awaitable[None]]:
    """Check a pooled connection before it is used, unless it was used a moment ago: the check is a round trip."""
    used_at: WeakKeyDictionary[AsyncConnection[Any], float] = WeakKeyDictionary()

    async def check(connection: AsyncConnection[Any]) -> None:
        now = time.monotonic()
        if now - used_at.get(connection, 0.0) > CHECK_AFTER_IDLE_S:
            await AsyncConnectionPool.check_connection(connection)
        used_at[connection] = now

    return check


class AuthApp:
    """The service as a server sees it: answers have their cross-origin headers, and are counted."""

    def __init__(self, router: ASGIApp, service: Service) -> None:
        self._router, self._service = router, service
        self._counters = Counters()
        self._cors = Cors(service.settings.cors_allowed_headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one exchange."""
        if scope["type"] != "http":
            await self._router(scope, receive, send)
            return
        preflight = self._cors.preflight(scope)
        if preflight is not None:
            await respond(send, 204, preflight, None)
            return
        if scope["path"].endswith("/"):
            scope = {**scope, "path": without_slash(scope["path"])}

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                endpoint = scope.get("endpoint")
                self._counters.add(endpoint.path if isinstance(endpoint, _Endpoint) else NO_ROUTE, message["status"])
                message = {**message, "headers": [*message["headers"], *self._cors.headers(scope)]}
            await send(message)

        await self._router(scope, receive, sending)

    async def settled(self) -> None:
        """Wait until what goes on after answers is done: mails."""
        await self._service.background.wait()

    def metrics(self) -> str:
        """The service's metrics in Prometheus' text format."""
        return text(self._counters, self._service.pool, self._service.rate_limits.dropped_mails)


class _Endpoint:
    """One path with its methods."""

    def __init__(self, service: Service, path: str, handlers: Mapping[str, Handler]) -> None:
        self._service, self.path, self._handlers = service, path, handlers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handler = self._handlers.get(scope["method"]) or self._wrong_method
        request = Request(scope, receive)
        try:
            response = await self._respond(request, handler)
        except ClientDisconnected:
            return
        await response(scope, receive, send)

    async def _wrong_method(self, ctx: RequestContext) -> Response:
        guard = guard_of(self.path)
        if guard is not None:
            await guard(ctx)
        return Response(status_code=405, headers={"allow": ", ".join(sorted(self._handlers))})

    async def _respond(self, request: Request, handler: Handler) -> Response:
        try:
            async with asyncio.timeout(self._service.settings.max_request_duration_s):
                return await handler(await RequestContext.receive(self._service, request))
        except ClientDisconnected:
            raise
        except Exception as error:
            api_error = _as_api_error(error, request)
            if api_error.status >= 500:
                log.warning("answered %d: %s", api_error.status, api_error.message)
            named = self._service.settings.request_id_header
            error_id = request.headers.get(named, "") if named else ""
            return error_response(api_error, request.headers.get(VERSION_HEADER, ""), error_id)


class _NoEndpoint(_Endpoint):
    """A path that there is not. A group's guard comes first: who may not go below /admin learns nothing of it."""

    def __init__(self, service: Service) -> None:
        super().__init__(service, NO_ROUTE, {})

    async def _wrong_method(self, ctx: RequestContext) -> Response:
        guard = guard_of(ctx.request.url.path)
        if guard is not None:
            await guard(ctx)
        return PlainTextResponse("404 page not found\n", 404)


def _as_api_error(error: Exception, request: Request) -> ApiError:
    """The error for the client; the cause of an unexpected one goes to the log alone."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, TimeoutError):
        return errors.request_timeout()
    if isinstance(error, (psycopg_pool.PoolTimeout, psycopg_pool.PoolClosed, psycopg.OperationalError)):
        log.warning("the database does not answer: %s", error)
        return errors.database_unavailable()
    log.error("unexpected failure in %s %s", request.method, request.url.path, exc_info=error)
    return errors.unexpected_failure()
