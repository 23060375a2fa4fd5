"""`python -m emulator.auth`: the auth service alone, configured by the GOTRUE_* variables of its container.

Its schema is migrated first, as GoTrue does. A database that does not answer yet is waited for while serving: requests
and `/health` are 503 until it does. One that can't be migrated ends the process with one line.
"""

import logging
import os
import sys

import psycopg

from emulator.asgi.server import AddressInUse, SecondPort, serve
from emulator.auth.app import create_app
from emulator.auth.conf.metrics import MetricsSettings
from emulator.auth.conf.settings import AuthSettings
from emulator.auth.metrics import MetricsApp
from emulator.auth.startup import migrate_at
from emulator.observe.app import Observer
from emulator.observe.logs import LogSettings, configure
from emulator.settings import SettingsError

log = logging.getLogger("emulator.auth")


def main() -> int:
    """Serve until a signal ends the process; the exit status."""
    try:
        logs = LogSettings.from_env(os.environ)
        configure(logs)
        settings = AuthSettings.from_env(os.environ)
        migrate_first(settings.database_url)
        app = create_app(settings)
        address = MetricsSettings.from_env(os.environ).address
        second = SecondPort(MetricsApp(app.metrics), *address) if address is not None else None
        serve(
            app,
            host=settings.host,
            port=settings.port,
            on_ready=lambda port: log.info("listening on %s:%d", settings.host, port),
            second=second,
            observer=Observer("auth", logs),
        )
    except (SettingsError, AddressInUse, psycopg.Error) as error:
        sys.stderr.write(f"auth: {error}\n")
        return 2
    return 0


def migrate_first(database_url: str) -> None:
    """Migrate the schema now if the database answers. Raises psycopg.Error when it does and refuses."""
    try:
        migrate_at(database_url)
    except psycopg.OperationalError as error:
        log.warning("the database does not answer yet: %s", str(error).strip().splitlines()[0])


if __name__ == "__main__":
    sys.exit(main())
