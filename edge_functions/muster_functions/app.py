"""The service: a FastAPI application with health, the API description and the runner behind every other path.

What is rarely needed (database pool, mailer, templates) is made by `Services` when a function first asks for it.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.responses import JSONResponse

from emulator.jwt import KeySet
from muster_functions.blog.shell import Source
from muster_functions.runtime.openapi import describe
from muster_functions.runtime.registry import Registry
from muster_functions.runtime.runner import PREFIX, Runner
from muster_functions.services import Services
from muster_functions.settings import FunctionsSettings

log = logging.getLogger("muster.functions")


def create_app(settings: FunctionsSettings, shell: Source | None = None) -> FastAPI:
    """The service over one folder of functions. Startup never waits for the database or the mail server.

    `shell` gives the application's document; without it, it is fetched from `settings.web_url`.
    """
    registry = Registry(settings.functions_dir)
    services = Services(settings, shell)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with services.running():
            yield

    description = f"{PREFIX}/openapi.json" if settings.development else None
    app = FastAPI(
        title="Muster functions", version="1", lifespan=lifespan, openapi_url=description, docs_url=None, redoc_url=None
    )
    app.router.redirect_slashes = False
    app.state.services = services

    def openapi() -> dict[str, Any]:
        return describe(registry, settings.supabase_url)

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's documented way to describe what is no route

    async def health() -> JSONResponse:
        return JSONResponse({"status": "ok"}, headers={"cache-control": "no-store"})

    for path in ("/healthz", f"{PREFIX}/healthz"):
        app.add_api_route(path, health, methods=["GET", "HEAD"], include_in_schema=False)
    keys = KeySet.parse(settings.jwt_secret)
    app.mount("", Runner(registry, keys, timeout_s=settings.timeout_s, max_body_bytes=settings.max_body_bytes))
    return app
