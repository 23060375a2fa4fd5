"""The HTTP side: broadcasts, pings, health, metrics."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import StatelessLifespan

from emulator.asgi.cors import CorsPolicy
from emulator.asgi.headers import find_header
from emulator.asgi.types import ASGIApp, Receive, Scope, Send
from emulator.errors import ApiError
from emulator.realtime import errors
from emulator.realtime.context import Context
from emulator.realtime.serve.answers import Format, answer, error_page, negotiate
from emulator.realtime.serve.broadcast_api import BroadcastApi
from emulator.realtime.wire.frames import dump

Endpoint = Callable[[Request], Awaitable[Response]]
PREFIX = "/realtime/v1"  # of the gateway


def create_http(
    context: Context,
    lifespan: StatelessLifespan[Starlette],
    metrics: Callable[[], str],
    is_ready: Callable[[], bool],
) -> ASGIApp:
    """The service's HTTP application; `metrics` renders its figures, `is_ready` says whether joins work."""
    broadcasts, admin = BroadcastApi(context), AdminApi(context, metrics)
    routes = [
        Route("/api/ping", accepting(ping, "json")),
        Route("/healthcheck", healthcheck),
        Route("/ready", readiness(is_ready)),
        Route("/api/tenants/{tenant:path}/health", admin.health),
        Route("/metrics", admin.metrics),
        Route("/metrics/{region:path}", admin.metrics),
        Route("/api/broadcast", accepting(broadcasts.batch, "json"), methods=["POST"], middleware=_OPEN),
        Route(
            "/api/broadcast/{topic}/events/{event}",
            accepting(broadcasts.single, "json", "octet-stream"),
            methods=["POST"],
            middleware=_OPEN,
        ),
    ]
    handlers: dict[Any, Any] = {
        ApiError: _on_api_error,
        errors.Refused: _on_refused,
        errors.Invalid: _on_invalid,
        HTTPException: _on_no_route,
    }
    return RawPaths(Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan))


class OpenToAll:
    """Pages of any origin may read the answers. Preflights have no route: they are the gateway's."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        origin = find_header(scope["headers"], b"origin")
        await self._app(scope, receive, send if origin is None else _ANY_ORIGIN.applied(send, origin))


_ANY_ORIGIN = CorsPolicy()
_OPEN = [Middleware(OpenToAll)]


class RawPaths:
    """Routes by the path as it was sent, so that an escaped slash is part of a topic's name."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            raw: bytes = scope.get("raw_path") or scope["path"].encode()
            path = raw.decode("ascii", "replace").partition("?")[0].rstrip("/").removeprefix(PREFIX)
            await self._app({**scope, "path": path, "root_path": ""}, receive, send)


def accepting(endpoint: Endpoint, *offered: Format) -> Endpoint:
    """The endpoint, for clients that accept one of its formats; 406 for others."""

    async def negotiated(request: Request) -> Response:
        accept = request.headers.get("accept", "")
        if negotiate(accept, offered) is None:
            return error_page(406, "Not Acceptable", accept)
        return await endpoint(request)

    return negotiated


async def ping(_request: Request) -> Response:
    return answer(200, dump({"message": "Success"}))


async def healthcheck(_request: Request) -> Response:
    """As Realtime answers it, whether joins work or not."""
    return answer(200, "ok")


def readiness(is_ready: Callable[[], bool]) -> Endpoint:
    """200 as soon as joins work, 503 until then and while the database is away; the gateway has no route to it."""

    async def check(_request: Request) -> Response:
        return answer(200, "ok") if is_ready() else answer(503, "the database or its schema is not there")

    return check


class AdminApi:
    """Endpoints for tokens that are signed with the administration's secret."""

    def __init__(self, context: Context, metrics: Callable[[], str]) -> None:
        self._context = context
        self._metrics = metrics

    async def metrics(self, request: Request) -> Response:
        return answer(200, self._metrics()) if self._is_admin(request) else answer(403)

    async def health(self, request: Request) -> Response:
        """The health of the one tenant."""
        if not self._is_admin(request):
            return answer(403)
        if request.path_params["tenant"] != self._context.settings.tenant:
            return answer(404, dump({"message": "not found"}))
        is_live = self._context.changes.is_streaming.is_set()
        data = {
            "healthy": is_live,
            "db_connected": is_live,
            "replication_connected": is_live,
            "connected_cluster": self._context.meter.connections,
            "region": None,
            "node": self._context.hub.node,
        }
        return answer(200, dump({"data": data}))

    def _is_admin(self, request: Request) -> bool:
        token = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        return self._context.tokens.is_admin(token)


async def _on_api_error(_request: Request, error: ApiError) -> Response:
    return answer(error.status, dump({"message": error.message}))


async def _on_refused(_request: Request, refused: errors.Refused) -> Response:
    return answer(503, dump({"message": refused.text}))


async def _on_invalid(_request: Request, invalid: errors.Invalid) -> Response:
    return answer(422, dump({"errors": invalid.problems}))


async def _on_no_route(request: Request, _error: HTTPException) -> Response:
    """An unknown path, or another method than a known path has."""
    return error_page(404, "Not Found", request.headers.get("accept", ""))
