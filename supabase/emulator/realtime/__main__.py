"""`python -m emulator.realtime`: the service alone, told by the Realtime container's variables."""

import os

from emulator.realtime.app import create_service
from emulator.realtime.settings import RealtimeSettings
from emulator.server import serve


def main() -> None:
    """Serve until stopped."""
    settings = RealtimeSettings.from_env(os.environ)
    service = create_service(settings)
    serve(service.asgi, host=settings.host, port=settings.port, ws_protocol=service.ws_protocol())


main()
