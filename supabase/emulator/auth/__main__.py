"""`python -m emulator.auth`: the auth service alone, configured by the GOTRUE_* variables of its container."""

import logging
import os
import sys

from emulator.auth.app import create_app
from emulator.auth.cors import with_cors
from emulator.auth.env import SettingsError
from emulator.auth.settings import AuthSettings
from emulator.server import AddressInUse, serve


def main() -> int:
    """Serve until told to stop."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    try:
        settings = AuthSettings.from_env(os.environ)
        serve(with_cors(create_app(settings)), host=settings.host, port=settings.port)
    except (SettingsError, AddressInUse) as error:
        sys.stderr.write(f"auth: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
