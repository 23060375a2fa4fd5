"""The service: health, the API description (development only), and the functions behind every other path."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route

from emulator.jwt import KeySet
from muster_functions.runtime.dispatcher import PREFIX, Dispatcher
from muster_functions.runtime.registry import Registry
from muster_functions.runtime.settings import RuntimeSettings


def create_app(
    settings: RuntimeSettings, registry: Registry, running: Callable[[], AbstractAsyncContextManager[None]]
) -> Starlette:
    """The service over a registry of functions; `running` surrounds its life."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with running():
            yield

    async def description(_: Request) -> JSONResponse:
        from muster_functions.runtime.description import describe

        return JSONResponse(await run_in_threadpool(describe, registry, settings.supabase_url))

    routes: list[Route | Mount] = [Route(path, _health) for path in ("/healthz", f"{PREFIX}/healthz")]
    if settings.development:
        routes.append(Route(f"{PREFIX}/openapi.json", description))
    keys = KeySet.parse(settings.jwt_secret)
    functions = Dispatcher(registry, keys, timeout_s=settings.timeout_s, max_body_bytes=settings.max_body_bytes)
    app = Starlette(routes=[*routes, Mount("", functions)], lifespan=lifespan)
    app.router.redirect_slashes = False
    return app


async def _health(_: Request) -> JSONResponse:
    return JSONResponse({"status": "ok"}, headers={"cache-control": "no-store"})
