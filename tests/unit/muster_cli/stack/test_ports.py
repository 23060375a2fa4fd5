"""Ports: any free one, and one that stays free until somebody listens there."""

import socket
import sys

import pytest

from muster_cli.stack.ports import free_port, reserved_port


def test_a_taken_port_is_replaced() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        assert free_port(taken) != taken
        with reserved_port(taken) as port:
            assert port not in (0, taken)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a port can't be kept")
def test_a_reserved_port_is_for_who_listens_there() -> None:
    with reserved_port(0) as port:
        with socket.socket() as stranger, pytest.raises(OSError, match="in use"):
            stranger.bind(("127.0.0.1", port))
        with socket.create_server(("127.0.0.1", port)) as service:
            assert service.getsockname()[1] == port
