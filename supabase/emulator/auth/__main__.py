"""`python -m emulator.auth`: the auth service alone, configured by the GOTRUE_* variables of its container."""

import os
import sys

from emulator.asgi.server import AddressInUse, SecondPort, serve
from emulator.auth.api.cors import with_cors
from emulator.auth.app import create_app
from emulator.auth.conf.metrics import MetricsSettings
from emulator.auth.conf.settings import AuthSettings
from emulator.auth.metrics import MetricsApp
from emulator.observe.app import Observed
from emulator.observe.logs import LogSettings, configure
from emulator.settings import SettingsError


def main() -> int:
    """Serve until a signal ends the process; the exit status."""
    try:
        logs = LogSettings.from_env(os.environ)
        configure(logs)
        settings = AuthSettings.from_env(os.environ)
        app = create_app(settings)
        address = MetricsSettings.from_env(os.environ).address
        second = SecondPort(MetricsApp(app.metrics), *address) if address is not None else None
        serve(Observed(with_cors(app), "auth", logs), host=settings.host, port=settings.port, second=second)
    except (SettingsError, AddressInUse) as error:
        sys.stderr.write(f"auth: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
