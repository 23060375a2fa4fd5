"""Ports of this machine."""

import socket

from muster_cli.output import UserError


def free_port(wanted: int) -> int:
    """`wanted` if it is free, else any free port of 127.0.0.1."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except (OSError, OverflowError):
                continue
            return int(probe.getsockname()[1])
    raise UserError("no free port is left on 127.0.0.1")
