"""The open connections of this process: admission, what they hold, idle ones, and what is to be written to them."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
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
        """Write the frames that wait for it."""

    def cut(self) -> None:
        """Disconnect it at once, whatever it holds."""

    def check_tokens(self) -> None:
        """The clock was turned."""


class Connections:
    """All of them, counted by the meter, too."""

    def __init__(self, meter: LoadMeter, limits: Limits) -> None:
        self.all: set[Connection] = set()
        self._meter = meter
        self._addresses = ConnectionLimits(per_address=limits.sockets_per_address)
        self._max_held = limits.held_bytes
        self._held = 0
        self._pending: deque[Connection] = deque()
        self.pending_bytes = 0  # of frames that wait
        self._write_soon: Callable[[], None] = lambda: None

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

    def when_pending(self, write_soon: Callable[[], None]) -> None:
        """Call this whenever frames are to be written, and none were (turns.py decides when that is done)."""
        self._write_soon = write_soon

    def write_to(self, connection: Connection) -> None:
        """Write a connection's frames soon, with those of others."""
        if not self._pending:
            self._write_soon()
        self._pending.append(connection)

    def has_pending(self) -> bool:
        """Whether frames wait to be written."""
        return bool(self._pending)

    def has_much_to_write(self) -> bool:
        """Whether what frames caused should be written before more of them are handled."""
        return self.pending_bytes > MAX_PENDING_BYTES

    def flush(self, until: float) -> None:
        """Write frames that wait until a moment of time.perf_counter, those of one connection at least."""
        while self._pending:
            self._pending.popleft().write_pending()
            if time.perf_counter() >= until:
                return
        self.pending_bytes = 0
