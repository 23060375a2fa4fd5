"""`python -m emulator.realtime`: the service alone, configured by the Realtime container's variables."""

import os
import sys

from emulator.asgi.server import AddressInUse, serve
from emulator.observe.app import Observer
from emulator.observe.logs import LogSettings, configure
from emulator.observe.metrics import Requests
from emulator.realtime.app import create_app
from emulator.realtime.settings import RealtimeSettings
from emulator.settings import SettingsError


def main() -> int:
    """Serve until stopped."""
    try:
        logs = LogSettings.from_env(os.environ)
        configure(logs)
        settings = RealtimeSettings.from_env(os.environ)
        requests = Requests()
        realtime = create_app(settings, requests.is_busy)
        serve(
            realtime.asgi, host=settings.host, port=settings.port, ws_protocol=realtime.ws_protocol(),
            observer=Observer("realtime", logs, requests),
        )  # fmt: skip
    except (SettingsError, AddressInUse) as error:
        sys.stderr.write(f"realtime: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
