"""The Realtime service as a whole: settings in; an ASGI application and a WebSocket protocol class out."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from starlette.applications import Starlette

from emulator.clock import MACHINE, Clock
from emulator.realtime.serve.handshake import ClientOf, Rewrite, no_client, no_rewrite
from emulator.realtime.serve.http import create_http
from emulator.realtime.serve.socket import Socket
from emulator.realtime.serve.turns import Turns
from emulator.realtime.service import RealtimeService
from emulator.realtime.settings import RealtimeSettings


class RealtimeApp:
    """A service, not started yet: `asgi` serves HTTP and the lifespan, `ws_protocol` the sockets.

    `is_busy`: whether the process serves HTTP requests, which go before what sockets send.
    """

    def __init__(self, settings: RealtimeSettings, is_busy: Callable[[], bool], clock: Clock) -> None:
        self.service = RealtimeService(settings, clock)
        self._turns = Turns(is_busy, self.service.connections)
        self.asgi = create_http(self.service.context, self._lifespan, self.metrics, lambda: self.service.is_ready)

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        await self.service.start()
        try:
            yield
        finally:
            await self.service.stop()

    async def streaming(self, timeout_s: float) -> None:
        """Wait until joins work, but not for long: a client that is refused asks again."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.service.context.changes.is_streaming.wait(), timeout_s)

    def has_delivered(self, lsn: int) -> bool:
        """Whether every change up to a place in the log has gone out; always where nothing is streamed."""
        changes = self.service.context.changes
        return not changes.is_streaming.is_set() or changes.progress.ended_lsn >= lsn

    def channels(self) -> list[dict[str, Any]]:
        """The topics of this process with their first subscribers."""
        return self.service.channels()

    def metrics(self) -> str:
        """The service's figures in Prometheus's text format."""
        return self.service.metrics()

    def ws_protocol(self, rewrite: Rewrite = no_rewrite, client_of: ClientOf = no_client) -> type[asyncio.Protocol]:
        """A class for uvicorn's `ws=`. `rewrite` may change a handshake, as a gateway does, or refuse it."""
        parts = {"context": self.service.context, "connections": self.service.connections, "turns": self._turns}
        functions = {"rewrite": staticmethod(rewrite), "client_of": staticmethod(client_of)}
        return type("BoundSocket", (Socket,), {**parts, **functions})


def create_app(
    settings: RealtimeSettings, is_busy: Callable[[], bool] = lambda: False, clock: Clock = MACHINE
) -> RealtimeApp:
    """The service of these settings, not started yet."""
    return RealtimeApp(settings, is_busy, clock)
