"""The Realtime service as a whole: settings in; an ASGI application and a WebSocket protocol class out."""

import asyncio

from emulator.realtime.serve.http import Http
from emulator.realtime.serve.socket import Prepare, Socket, prepare_alone
from emulator.realtime.service import RealtimeService
from emulator.realtime.settings import RealtimeSettings


class RealtimeApp:
    """A service, not started yet, and its doors: `asgi` serves HTTP and the lifespan, `ws_protocol` the sockets."""

    def __init__(self, settings: RealtimeSettings) -> None:
        self.service = RealtimeService(settings)
        self.asgi = Http(self.service)

    def metrics(self) -> str:
        """A few numbers in Prometheus's text format."""
        return self.service.metrics()

    def ws_protocol(self, prepare: Prepare = prepare_alone) -> type[asyncio.Protocol]:
        """A class for uvicorn's `ws=`. `prepare` maps a handshake to the token it stands for, or refuses it."""
        return type("BoundSocket", (Socket,), {"service": self.service, "prepare": staticmethod(prepare)})


def create_app(settings: RealtimeSettings) -> RealtimeApp:
    """The service of these settings, not started yet."""
    return RealtimeApp(settings)
