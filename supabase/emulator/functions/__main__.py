"""`python -m emulator.functions`: the functions alone, configured by the variables of settings.py."""

import os
import sys

from emulator.asgi.server import AddressInUse, serve
from emulator.asgi.tunnel import tunnel_protocol
from emulator.functions.app import create_app
from emulator.functions.settings import FunctionsSettings
from emulator.observe.logs import LogSettings, configure
from emulator.settings import SettingsError


def main() -> int:
    """Serve until SIGINT or SIGTERM; returns the exit code."""
    try:
        configure(LogSettings.from_env(os.environ))
        settings = FunctionsSettings.from_env(os.environ)
        app = create_app(settings)
        serve(app, host=settings.host, port=settings.port, ws_protocol=tunnel_protocol(app.upgrade))
    except (SettingsError, AddressInUse) as error:
        sys.stderr.write(f"functions: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
