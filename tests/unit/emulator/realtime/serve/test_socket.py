"""A connection's own clock. What it reads and writes is shown over real sockets in tests/contract/realtime."""

import time
from types import SimpleNamespace
from typing import Any

from websockets.protocol import State

from emulator.realtime.serve.socket import Socket
from emulator.realtime.settings import Limits


class Transport:
    """Takes what is written."""

    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None: ...

    def abort(self) -> None: ...


async def test_a_silent_connection_is_closed_so_that_clients_connect_again() -> None:
    settings = SimpleNamespace(limits=Limits(), no_channel_timeout_ms=600_000)
    bound: dict[str, Any] = {"context": SimpleNamespace(settings=settings)}
    server_state: Any = SimpleNamespace(connections=set())
    socket = type("Bound", (Socket,), bound)(None, server_state, None)
    transport: Any = Transport()
    socket.connection_made(transport)
    socket._protocol.state = State.OPEN
    now = socket.last_seen = time.monotonic()
    socket.check_idle(now + 59)
    assert transport.written == b""
    socket.check_idle(now + 61)
    assert transport.written == b"\x88\x02" + (1001).to_bytes(2, "big")
