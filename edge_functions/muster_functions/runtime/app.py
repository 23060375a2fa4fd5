"""The service: health, the API description (development only), and the functions behind every other path."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from fastapi import APIRouter, Depends, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse

from emulator.jwt import KeySet
from muster_functions.runtime.dependencies import BEARER
from muster_functions.runtime.dispatcher import PREFIX, Dispatcher
from muster_functions.runtime.registry import Registry
from muster_functions.runtime.settings import RuntimeSettings


def create_app(
    settings: RuntimeSettings, registry: Registry, running: Callable[[], AbstractAsyncContextManager[None]]
) -> FastAPI:
    """The service over a registry of functions; `running` surrounds its life."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with running():
            yield

    description = f"{PREFIX}/openapi.json" if settings.development else None
    app = FastAPI(lifespan=lifespan, openapi_url=description, docs_url=None, redoc_url=None, redirect_slashes=False)
    app.openapi = lambda: describe(registry, settings.supabase_url)  # type: ignore[method-assign]  # as documented
    for path in ("/healthz", f"{PREFIX}/healthz"):
        app.add_api_route(path, _health, methods=["GET", "HEAD"], include_in_schema=False)
    keys = KeySet.parse(settings.jwt_secret)
    app.mount("", Dispatcher(registry, keys, timeout_s=settings.timeout_s, max_body_bytes=settings.max_body_bytes))
    return app


def describe(registry: Registry, server_url: str) -> dict[str, Any]:
    """FastAPI's description of every function that loads, as they are now."""
    described = APIRouter()
    for function in registry.load_all():
        token = [Depends(BEARER)] if function.rules.verify_jwt else []
        described.include_router(function.router, prefix=f"{PREFIX}/{function.name}", dependencies=token)
    servers: list[dict[str, Any]] = [{"url": server_url or "/"}]
    document = get_openapi(title="Functions", version="1", routes=described.routes, servers=servers)
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"].pop("422", None)  # a body of another shape is 400 here, INVALID_BODY
    return document


async def _health() -> JSONResponse:
    return JSONResponse({"status": "ok"}, headers={"cache-control": "no-store"})
