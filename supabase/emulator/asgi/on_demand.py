"""An ASGI application that is made and started by its first request."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack

from emulator.asgi.lifespan import running
from emulator.asgi.types import ASGIApp, Receive, Scope, Send


class OnDemand:
    """Stands for the application that `create` makes; its own lifespan ends what was started."""

    def __init__(self, create: Callable[[], ASGIApp]) -> None:
        self._create = create
        self._app: ASGIApp | None = None
        self._stack = AsyncExitStack()
        self._starting: asyncio.Task[None] | None = None

    @property
    def app(self) -> ASGIApp | None:
        """The application, once it was started."""
        return self._app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one exchange, or the lifespan."""
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await self._stop()
            await send({"type": "lifespan.shutdown.complete"})
            return
        app = self._app or await self.start()
        await app(scope, receive, send)

    async def start(self) -> ASGIApp:
        """Start the application unless it runs. Raises what it raises, and StartupFailed; the next call tries again."""
        if self._starting is None or (self._starting.done() and self._app is None):
            self._starting = asyncio.create_task(self._start())
        await asyncio.shield(self._starting)
        assert self._app is not None
        return self._app

    async def _start(self) -> None:
        app = self._create()
        await self._stack.enter_async_context(running(app))
        self._app = app

    async def _stop(self) -> None:
        if self._starting is not None:
            await asyncio.gather(self._starting, return_exceptions=True)
        await self._stack.aclose()
