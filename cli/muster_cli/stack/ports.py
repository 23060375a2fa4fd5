"""Ports of this machine."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def reserved_port(wanted: int) -> Iterator[int]:
    """The same, kept from everybody else during the block, so that it is still free when a service listens there.

    Another program's connection may otherwise be given it meanwhile. A socket that is bound and does not listen lets
    those listen that ask for this very port, with SO_REUSEADDR; on Linux only.
    """
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        port = free_port(wanted)
        if sys.platform == "linux":
            try:
                holder.bind(("127.0.0.1", port))
            except OSError:  # taken since
                port = free_port(0)
                holder.bind(("127.0.0.1", port))
        yield port
