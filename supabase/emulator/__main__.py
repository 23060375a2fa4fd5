"""`python -m emulator`: the whole emulator on one port, configured by the environment, on an existing PostgreSQL.

As one of several processes of a stack it serves on a socket that its parent bound (MUSTER_LISTEN_FD), and ends when the
parent does (MUSTER_LIFELINE_FD, the reading end of a pipe).
"""

import os
import socket
import sys

from emulator.app import build
from emulator.asgi.server import AddressInUse, serve, serve_on
from emulator.observe.logs import LogSettings, configure
from emulator.settings import SettingsError


def main() -> int:
    """Serve until a signal comes; 1 and one line when that can't start."""
    try:
        configure(LogSettings.from_env(os.environ))
        emulator = build(os.environ)
        inherited = os.environ.get("MUSTER_LISTEN_FD")
        if inherited is not None:
            lifeline = os.environ.get("MUSTER_LIFELINE_FD")
            listener = socket.socket(fileno=int(inherited))
            fd = int(lifeline) if lifeline else None
            serve_on(listener, emulator.app, ws_protocol=emulator.ws_protocol, lifeline=fd)
        else:
            at = emulator.settings
            serve(emulator.app, host=at.host, port=at.port, ws_protocol=emulator.ws_protocol)
    except (SettingsError, AddressInUse) as error:
        sys.stderr.write(f"emulator: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
