"""A bounded pool of pipelined connections. I/O."""

import asyncio
import time
from collections import deque
from dataclasses import dataclass

from emulator.db.pipeline import PipelineConnection
from emulator.db.statement import PoolTimeout


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How many connections, how long a caller waits for one, how long one may live or idle."""

    max_size: int = 10
    acquire_timeout_s: float = 10.0
    max_idle_s: float = 30.0
    max_lifetime_s: float = 1800.0


class PipelinePool:
    """A bounded pool: connections are made on demand, the most recently used one goes out first."""

    def __init__(self, conninfo: str, limits: PoolLimits) -> None:
        self._conninfo = conninfo
        self._limits = limits
        self._free: list[PipelineConnection] = []
        self._waiters: deque[asyncio.Future[PipelineConnection | None]] = deque()
        self._size = 0
        self._generation = 0
        self._reaper: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self.is_closed = False
        self.timeouts = 0

    @property
    def size(self) -> int:
        """How many connections are open or being opened."""
        return self._size

    @property
    def available(self) -> int:
        """How many are idle."""
        return len(self._free)

    @property
    def waiting(self) -> int:
        return len(self._waiters)

    @property
    def limits(self) -> PoolLimits:
        return self._limits

    def start(self) -> None:
        """Begin to close idle connections in the background."""
        self._reaper = asyncio.create_task(self._reap())

    async def acquire(self) -> PipelineConnection:
        """Return a connection for exclusive use; raises PoolTimeout, ConnectionFailed."""
        while self._free:
            connection = self._free.pop()
            if self._is_usable(connection):
                return connection
            self._discard(connection)
        if self._size < self._limits.max_size:
            return await self._open()
        return await self._wait()

    async def _open(self) -> PipelineConnection:
        self._size += 1
        try:
            connection = await asyncio.wait_for(
                PipelineConnection.connect(self._conninfo), self._limits.acquire_timeout_s
            )
        except BaseException as error:
            self._size -= 1
            self._wake_one()
            if isinstance(error, TimeoutError):
                raise PoolTimeout from error
            raise
        connection.generation = self._generation
        return connection

    async def _wait(self) -> PipelineConnection:
        waiter: asyncio.Future[PipelineConnection | None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        timer = asyncio.get_running_loop().call_later(self._limits.acquire_timeout_s, _expire, waiter)
        try:
            connection = await waiter
        except PoolTimeout:
            self.timeouts += 1
            raise
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                given = waiter.result()
                if given is not None:
                    self._give(given)
                else:
                    self._wake_one()
            raise
        finally:
            timer.cancel()
        return connection if connection is not None else await self.acquire()

    async def release(self, connection: PipelineConnection) -> None:
        """Give a connection back, whatever state it is in."""
        if not connection.is_settled:
            await connection.settle()
        self.put_back(connection)

    def put_back(self, connection: PipelineConnection) -> None:
        """Give back a connection that is known to be idle."""
        if not self._is_usable(connection):
            self._discard(connection)
            self._wake_one()
            return
        if connection.generation != self._generation:
            connection.generation = self._generation
            connection.forget_prepared()
        connection.idle_since = time.monotonic()
        self._give(connection)

    def _give(self, connection: PipelineConnection) -> None:
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(connection)
                return
        self._free.append(connection)

    def _wake_one(self) -> None:
        """Let the next waiter try to open a connection itself."""
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return

    def _is_usable(self, connection: PipelineConnection) -> bool:
        if connection.is_closed or self.is_closed:
            return False
        return time.monotonic() - connection.created_at < self._limits.max_lifetime_s

    def _discard(self, connection: PipelineConnection) -> None:
        self._size -= 1
        task = asyncio.get_running_loop().create_task(connection.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def forget_prepared(self) -> None:
        """Drop prepared statements everywhere: definitions changed. Busy connections follow when they come back."""
        self._generation += 1
        for connection in self._free:
            connection.generation = self._generation
            connection.forget_prepared()

    async def _reap(self) -> None:
        while True:
            await asyncio.sleep(min(self._limits.max_idle_s, 5.0))
            deadline = time.monotonic() - self._limits.max_idle_s
            old = [c for c in self._free if c.idle_since < deadline or not self._is_usable(c)]
            for connection in old:
                self._free.remove(connection)
                self._discard(connection)

    async def close(self) -> None:
        """Close everything; waiting callers get PoolTimeout."""
        self.is_closed = True
        if self._reaper:
            self._reaper.cancel()
        for waiter in self._waiters:
            _expire(waiter)
        for connection in self._free:
            self._discard(connection)
        self._free.clear()
        if self._closing:
            await asyncio.gather(*self._closing, return_exceptions=True)


def _expire(waiter: asyncio.Future[PipelineConnection | None]) -> None:
    if not waiter.done():
        waiter.set_exception(PoolTimeout())
