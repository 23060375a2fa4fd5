"""The open connections of this process: admission, idle ones, and writing at the end of a turn of the event loop."""

import asyncio
import time
from typing import Protocol

from emulator.realtime import errors
from emulator.realtime.topics.load import LoadMeter

IDLE_CHECK_S = 5.0


class Connection(Protocol):
    """A client's connection (serve/socket.py)."""

    def check_idle(self, now: float) -> None:
        """Close it when it was silent for too long; `now` in seconds of the monotonic clock."""

    def write_pending(self) -> None:
        """Write the frames that were held for the end of this turn."""


class Connections:
    """All of them, counted by the meter, too."""

    def __init__(self, meter: LoadMeter) -> None:
        self.all: set[Connection] = set()
        self._meter = meter
        self._pending: list[Connection] = []

    def admit(self, connection: Connection) -> None:
        """Add a connection; raises errors.Refused at a limit."""
        if not self._meter.has_capacity():
            raise errors.too_many_users()
        if not self._meter.may_join(time.monotonic()):
            raise errors.too_many_joins()
        self.all.add(connection)
        self._meter.connections = len(self.all)

    def remove(self, connection: Connection) -> None:
        self.all.discard(connection)
        self._meter.connections = len(self.all)

    async def close_idle(self) -> None:
        """Check all of them, again and again, until canceled."""
        while True:
            await asyncio.sleep(IDLE_CHECK_S)
            now = time.monotonic()
            for connection in tuple(self.all):
                connection.check_idle(now)

    def write_soon(self, connection: Connection) -> None:
        """Write a connection's frames at the end of this turn of the event loop."""
        if not self._pending:
            asyncio.get_running_loop().call_soon(self._write_pending)
        self._pending.append(connection)

    def _write_pending(self) -> None:
        connections, self._pending = self._pending, []
        for connection in connections:
            connection.write_pending()
