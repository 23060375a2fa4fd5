"""`python -m emulator.storage`: the storage service alone, configured by its container's variables."""

import os
import sys

import psycopg

from emulator.asgi.server import AddressInUse, serve
from emulator.observe.app import Observer
from emulator.observe.logs import LogSettings, configure
from emulator.settings import SettingsError
from emulator.storage.app import create_app
from emulator.storage.migrate import OutdatedSchema, migrate
from emulator.storage.settings import StorageSettings


def main() -> int:
    """Migrate, then serve until a signal ends the process; the exit status."""
    try:
        logs = LogSettings.from_env(os.environ)
        configure(logs)
        settings = StorageSettings.from_env(os.environ)
        if settings.migrates:
            with psycopg.connect(settings.migration_url or settings.database_url, autocommit=True) as connection:
                migrate(connection)
        serve(
            create_app(settings), host=settings.host, port=settings.port,
            max_body_bytes=None,  # buckets have limits of their own
            observer=Observer("storage", logs),
        )  # fmt: skip
    except (SettingsError, AddressInUse, OutdatedSchema, psycopg.Error) as error:
        sys.stderr.write(f"storage: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
