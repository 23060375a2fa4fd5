"""`python -m emulator`: the whole emulator on one port, configured by the environment, on an existing PostgreSQL.

As one of several processes of a stack it serves on a socket that its parent bound, and ends when the parent does.
"""

import os
import socket
import sys
from contextlib import suppress
from functools import partial

from emulator.app import build
from emulator.asgi.server import AddressInUse, serve, serve_on
from emulator.observe.logs import LogSettings, configure
from emulator.settings import Settings, SettingsError


class WorkerSettings(Settings):
    """What a parent process hands down: the listening socket, and two pipes.

    The lifeline closes with the parent; a byte in the other says that this process serves and is healthy.
    """

    prefix = "MUSTER_"

    listen_fd: int | None = None
    lifeline_fd: int | None = None
    ready_fd: int | None = None


def main() -> int:
    """Serve until a signal comes; 1 and one line when that can't start."""
    try:
        configure(LogSettings.from_env(os.environ))
        worker = WorkerSettings.from_env(os.environ)
        emulator = build(os.environ)
        if worker.listen_fd is not None:
            listener = socket.socket(fileno=worker.listen_fd)
            serve_on(
                listener,
                emulator.app,
                ws_protocol=emulator.ws_protocol,
                lifeline=worker.lifeline_fd,
                proxies=emulator.settings.trusted_proxies,
                observer=emulator.observer,
                on_ready=None if worker.ready_fd is None else partial(_tell, worker.ready_fd),
                until=emulator.wait_until_healthy,
            )
        else:
            gateway = emulator.settings
            serve(
                emulator.app, host=gateway.host, port=gateway.port, ws_protocol=emulator.ws_protocol,
                max_body_bytes=None, proxies=gateway.trusted_proxies, observer=emulator.observer,
            )  # fmt: skip
    except (SettingsError, AddressInUse) as error:
        sys.stderr.write(f"emulator: {error}\n")
        return 1
    return 0


def _tell(descriptor: int, _port: int) -> None:
    with suppress(OSError):  # a parent that is gone, which the lifeline tells
        os.write(descriptor, b".")


if __name__ == "__main__":
    sys.exit(main())
