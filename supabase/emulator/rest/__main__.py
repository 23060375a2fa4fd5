"""`python -m emulator.rest [--workers N]`: the REST service alone, configured as its container is (PGRST_*)."""

import argparse
import logging
import os
import sys

from emulator.asgi.server import AddressInUse
from emulator.observe.logs import LogSettings, configure
from emulator.rest.settings import RestSettings
from emulator.rest.standalone import serve_all
from emulator.settings import SettingsError

log = logging.getLogger("emulator.rest")


def main() -> int:
    """Serve until SIGINT or SIGTERM; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m emulator.rest")
    parser.add_argument("--workers", type=int, default=1, help="processes that share the port")
    workers = max(parser.parse_args().workers, 1)
    try:
        configure(LogSettings.from_env(os.environ))
        settings = RestSettings.from_env(os.environ)
        for name in settings.ignored:
            log.warning("%s is not read: see docs/known-differences.md", name)
        serve_all(settings, workers)
    except (SettingsError, AddressInUse) as error:
        sys.stderr.write(f"rest: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
