"""A bounded pool of pipelined connections. I/O."""

import asyncio
import time
from collections import deque
from dataclasses import dataclass

from emulator.db.pipeline import PipelineConnection
from emulator.db.statement import PoolTimeout

# None tells a waiter to try to open a connection itself.
_Waiter = asyncio.Future[PipelineConnection | None]

# Beyond its share, a caller leaves so many connections to others, and has them only while nobody else has asked for so
# long. Who comes then is served at once, and the statements that hold the rest come to their end or their timeout.
_SPARE = 2
_ALONE_S = 1.0


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How many connections, how long a caller waits for one, how long one may live or idle.

    `per_caller`: how many of them one caller may have at once while others ask, too, if callers are named at all.
    """

    max_size: int = 10
    acquire_timeout_s: float = 10.0
    max_idle_s: float = 30.0
    max_lifetime_s: float = 1800.0
    per_caller: int | None = None


class PipelinePool:
    """A bounded pool: connections are made on demand, the most recently used one goes out first.

    Callers that wait are served in turn, so that one with many requests delays the others by one of them at most.
    """

    def __init__(self, conninfo: str, limits: PoolLimits) -> None:
        self._conninfo = conninfo
        self._limits = limits
        self._free: list[PipelineConnection] = []
        # By caller, the one whose turn it is first. A caller without waiters is not in it.
        self._waiters: dict[str | None, deque[_Waiter]] = {}
        self._held: dict[str, int] = {}
        self._last_caller: str | None = None
        self._shared_until = 0.0
        # All waiters in the order in which they came, each with its time to give up; one timer is for the first.
        self._patience: deque[tuple[float, _Waiter]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._share_timer: asyncio.TimerHandle | None = None
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
        return sum(map(len, self._waiters.values()))

    @property
    def limits(self) -> PoolLimits:
        return self._limits

    def start(self) -> None:
        """Begin to close idle connections in the background."""
        self._reaper = asyncio.create_task(self._reap())

    async def acquire(self, caller: str | None = None) -> PipelineConnection:
        """Return a connection for exclusive use; raises PoolTimeout, ConnectionFailed.

        `caller` is whoever the request is from; without one it is bounded by the pool alone.
        """
        connection = self.take(caller)
        if connection is not None:
            return connection
        if self._size < self._limits.max_size and self._may_have_more(caller):
            return await self._open(caller)
        return await self._wait(caller)

    def take(self, caller: str | None = None) -> PipelineConnection | None:
        """A connection that `acquire` would return at once, for exclusive use; None when there is none."""
        if caller != self._last_caller:
            self._last_caller = caller
            self._shared_until = time.monotonic() + _ALONE_S
        if caller is None:
            return self.take_idle()
        if not self._may_have_more(caller):
            return None
        connection = self.take_idle()
        if connection is not None:
            self._hold(connection, caller)
        return connection

    def take_idle(self) -> PipelineConnection | None:
        """A connection that nobody uses, for no caller in particular; None when there is none just now."""
        while self._free:
            connection = self._free.pop()
            if not connection.is_closed:
                return connection
            self._discard(connection)
        return None

    def _may_have_more(self, caller: str | None) -> bool:
        most = self._limits.per_caller
        if caller is None or most is None:
            return True
        held = self._held.get(caller, 0)
        if held < most:
            return True
        return held < self._limits.max_size - _SPARE and time.monotonic() >= self._shared_until

    def _hold(self, connection: PipelineConnection, caller: str | None) -> None:
        if caller is not None:
            self._held[caller] = self._held.get(caller, 0) + 1
            connection.caller = caller

    def _let_go(self, caller: str) -> None:
        held = self._held[caller] - 1
        if held:
            self._held[caller] = held
        else:
            del self._held[caller]

    async def _open(self, caller: str | None) -> PipelineConnection:
        self._size += 1
        if caller is not None:
            self._held[caller] = self._held.get(caller, 0) + 1
        try:
            connection = await asyncio.wait_for(
                PipelineConnection.connect(self._conninfo), self._limits.acquire_timeout_s
            )
        except BaseException as error:
            self._size -= 1
            if caller is not None:
                self._let_go(caller)
            self._wake_one()
            if isinstance(error, TimeoutError):
                raise PoolTimeout from error
            raise
        connection.generation = self._generation
        connection.caller = caller
        return connection

    async def _wait(self, caller: str | None) -> PipelineConnection:
        waiter: _Waiter = asyncio.get_running_loop().create_future()
        self._waiters.setdefault(caller, deque()).append(waiter)
        self._limit_patience(waiter)
        self._watch_shares()
        try:
            connection = await waiter
        except PoolTimeout:
            self.timeouts += 1
            raise
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                given = waiter.result()
                if given is not None:
                    self._take_back(given)
                    self._give(given)
                else:
                    self._wake_one()
            raise
        return connection if connection is not None else await self.acquire(caller)

    def _limit_patience(self, waiter: _Waiter) -> None:
        patience = self._patience
        while patience and patience[0][1].done():
            patience.popleft()
        patience.append((time.monotonic() + self._limits.acquire_timeout_s, waiter))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._limits.acquire_timeout_s, self._expire_impatient)

    def _expire_impatient(self) -> None:
        self._timer = None
        now = time.monotonic()
        while self._patience:
            deadline, waiter = self._patience[0]
            if deadline > now and not waiter.done():
                self._timer = asyncio.get_running_loop().call_later(deadline - now, self._expire_impatient)
                return
            self._patience.popleft()
            _expire(waiter)

    def _watch_shares(self) -> None:
        """See to it that whoever waits for more than its share gets it once nobody else asks any more."""
        left_s = self._shared_until - time.monotonic()
        if self._share_timer is None and self._limits.per_caller is not None and left_s > 0:
            self._share_timer = asyncio.get_running_loop().call_later(left_s, self._wake_borrowers)

    def _wake_borrowers(self) -> None:
        self._share_timer = None
        for _ in range(len(self._free) + self._limits.max_size - self._size):
            self._wake_one()
        if self._waiters:
            self._watch_shares()

    async def release(self, connection: PipelineConnection) -> None:
        """Give a connection back, whatever state it is in."""
        if not connection.is_settled:
            await connection.settle()
        self.put_back(connection)

    def put_back(self, connection: PipelineConnection) -> None:
        """Give back a connection that is known to be idle."""
        if connection.caller is not None:
            self._take_back(connection)
        now = time.monotonic()
        if not self._is_usable(connection, now):
            self._discard(connection)
            self._wake_one()
            return
        if connection.generation != self._generation:
            connection.generation = self._generation
            connection.forget_prepared()
        connection.idle_since = now
        if self._waiters:
            self._give(connection)
        else:
            self._free.append(connection)

    def _take_back(self, connection: PipelineConnection) -> None:
        caller = connection.caller
        if caller is not None:
            connection.caller = None
            self._let_go(caller)

    def _give(self, connection: PipelineConnection) -> None:
        found = self._next_waiter() if self._waiters else None
        if found is None:
            self._free.append(connection)
            return
        waiter, caller = found
        self._hold(connection, caller)
        waiter.set_result(connection)

    def _wake_one(self) -> None:
        """Let the next waiter try to open a connection itself."""
        found = self._next_waiter()
        if found is not None:
            found[0].set_result(None)

    def _next_waiter(self) -> "tuple[_Waiter, str | None] | None":
        """Take the waiter whose turn it is; its caller goes to the end. None when nobody waits who may have more."""
        for caller in list(self._waiters):
            queue = self._waiters[caller]
            while queue and queue[0].done():
                queue.popleft()
            if not queue:
                del self._waiters[caller]
            elif self._may_have_more(caller):
                waiter = queue.popleft()
                del self._waiters[caller]
                if queue:
                    self._waiters[caller] = queue
                return waiter, caller
        return None

    def _is_usable(self, connection: PipelineConnection, now: float) -> bool:
        if connection.is_closed or self.is_closed:
            return False
        return now - connection.created_at < self._limits.max_lifetime_s

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
            now = time.monotonic()
            deadline = now - self._limits.max_idle_s
            old = [c for c in self._free if c.idle_since < deadline or not self._is_usable(c, now)]
            for connection in old:
                self._free.remove(connection)
                self._discard(connection)

    async def close(self) -> None:
        """Close everything; waiting callers get PoolTimeout."""
        self.is_closed = True
        if self._reaper:
            self._reaper.cancel()
        for timer in (self._timer, self._share_timer):
            if timer:
                timer.cancel()
        for queue in self._waiters.values():
            for waiter in queue:
                _expire(waiter)
        for connection in self._free:
            self._discard(connection)
        self._free.clear()
        if self._closing:
            await asyncio.gather(*self._closing, return_exceptions=True)


def _expire(waiter: _Waiter) -> None:
    if not waiter.done():
        waiter.set_exception(PoolTimeout())
