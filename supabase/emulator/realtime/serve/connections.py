"""The open connections of this process: admission, what they hold, idle ones, and writing at the end of a turn."""

import asyncio
import logging
import time
from typing import Protocol

from emulator.asgi.connections import ConnectionLimits
from emulator.realtime import errors
from emulator.realtime.settings import Limits
from emulator.realtime.topics.load import LoadMeter

log = logging.getLogger(__name__)
IDLE_CHECK_S = 5.0
MAX_PENDING_BYTES = 4 * 1024 * 1024


class Connection(Protocol):
    """A client's connection (serve/socket.py). `held`: the bytes that were noted last."""

    address: str
    counted_as: str
    held: int

    def check_idle(self, now: float) -> None:
        """Close it when it was silent for too long; `now` in seconds of the monotonic clock."""

    def write_pending(self) -> None:
        """Write the frames that were held for the end of this turn."""

    def cut(self) -> None:
        """Disconnect it at once, whatever it holds."""


class Connections:
    """All of them, counted by the meter, too."""

    def __init__(self, meter: LoadMeter, limits: Limits) -> None:
        self.all: set[Connection] = set()
        self._meter = meter
        self._addresses = ConnectionLimits(per_address=limits.sockets_per_address)
        self._max_held = limits.held_bytes
        self._held = 0
        self._pending: list[Connection] = []
        self.pending_bytes = 0  # that wait for the end of this turn

    def admit(self, connection: Connection) -> None:
        """Add a connection; raises errors.Refused at a limit. One without an address has none of its own."""
        if not self._meter.has_capacity():
            raise errors.too_many_users()
        if not self._meter.may_join(time.monotonic()):
            raise errors.too_many_joins()
        counted_as = self._addresses.take(connection.address or None, -1)
        if counted_as is None:
            raise errors.too_many_users()
        connection.counted_as = counted_as
        self.all.add(connection)
        self._meter.connections = len(self.all)

    def remove(self, connection: Connection) -> None:
        if connection in self.all:
            self.all.discard(connection)
            self._addresses.release(connection.counted_as)
        self._held -= connection.held
        connection.held = 0
        self._meter.connections = len(self.all)

    def note(self, connection: Connection, held: int) -> None:
        """A connection now holds so many bytes, unread and unsent; beyond the bound the fullest is disconnected."""
        self._held += held - connection.held
        connection.held = held
        while self._held > self._max_held:
            fullest = max(self.all, key=lambda one: one.held)
            log.warning("disconnected a client with %d bytes unread and unsent: all hold too many", fullest.held)
            fullest.cut()
            self.remove(fullest)

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
            asyncio.get_running_loop().call_soon(self.flush)
        self._pending.append(connection)

    def has_much_to_write(self) -> bool:
        """Whether what frames caused should be written before more of them are handled."""
        return self.pending_bytes > MAX_PENDING_BYTES

    def flush(self) -> None:
        """Write all frames that wait."""
        connections, self._pending = self._pending, []
        self.pending_bytes = 0
        for connection in connections:
            connection.write_pending()
