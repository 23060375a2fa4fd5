"""`python -m muster_functions`: the service alone, configured by its environment."""

import logging
import os
import sys

from emulator.asgi.server import AddressInUse, serve
from emulator.observe.app import Observer
from emulator.observe.logs import LogSettings, configure
from emulator.settings import SettingsError
from muster_functions.app import create_app
from muster_functions.settings import FunctionsSettings


def main() -> int:
    """Serve until stopped. Exit code 2: unusable environment; 1: the address is in use."""
    try:
        logs = LogSettings.from_env(os.environ)
        settings = FunctionsSettings.from_env(os.environ)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    configure(logs)
    try:
        observer = Observer("functions", logs)
        serve(create_app(settings), host=settings.host, port=settings.port, on_ready=_ready, observer=observer)
    except AddressInUse as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _ready(port: int) -> None:
    logging.getLogger("muster_functions").info("listening on port %d", port)


if __name__ == "__main__":
    sys.exit(main())
