"""A bounded pool of pipelined connections. I/O."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from emulator.db.pipeline import PipelineConnection
from emulator.db.statement import ConnectionFailed, PoolTimeout

# What is done with a connection at once when there is one, and the future that it is to resolve.
Begin = Callable[[PipelineConnection, "asyncio.Future[Any]"], object]

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


class Turn:
    """Somebody's request for a connection. When there is one it is `connection`, and `begin` is called.

    So a statement of who waits is sent when the one before has ended, not when its task is awake. `future` is what
    `begin` makes of it, or has what that raises, or PoolTimeout or ConnectionFailed.
    """

    __slots__ = ("begin", "caller", "connection", "future")

    def __init__(self, begin: Begin, caller: str | None, future: "asyncio.Future[Any]") -> None:
        self.begin = begin
        self.caller = caller
        self.future = future
        self.connection: PipelineConnection | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether nobody has served it yet, and it has not given up."""
        return self.connection is None and not self.future.done()


class PipelinePool:
    """A bounded pool: connections are made on demand, the most recently used one goes out first.

    Callers that wait are served in turn, so that one with many requests delays the others by one of them at most.
    """

    def __init__(self, conninfo: str, limits: PoolLimits) -> None:
        self._conninfo = conninfo
        self._limits = limits
        self._free: list[PipelineConnection] = []
        # By caller, the one whose turn it is first. A caller without turns is not in it.
        self._turns: dict[str | None, deque[Turn]] = {}
        self._held: dict[str, int] = {}
        self._last_caller: str | None = None
        self._shared_until = 0.0
        # All turns in the order in which they came, each with its time to give up; one timer is for the first.
        self._patience: deque[tuple[float, Turn]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._share_timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._size = 0
        self._generation = 0
        self._reaper: asyncio.Task[None] | None = None
        self._opening: set[asyncio.Task[None]] = set()
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
        return sum(map(len, self._turns.values()))

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
        turn = self.ask(_hand_over, caller)
        try:
            connection: PipelineConnection = await turn.future
        except asyncio.CancelledError:
            if turn.connection is not None:
                self.put_back(turn.connection)
            raise
        return connection

    def ask(self, begin: Begin, caller: str | None = None) -> Turn:
        """Ask for a connection: `begin` is called with it, now where there is one. Who asked gives it back.

        Who stops waiting cancels the turn's future.
        """
        turn = Turn(begin, caller, self._in_loop().create_future())
        connection = self.take(caller)
        if connection is not None:
            _serve(turn, connection)
        elif self._size < self._limits.max_size and self._may_have_more(caller):
            self._open_for(turn)
        else:
            self._turns.setdefault(caller, deque()).append(turn)
            self._limit_patience(turn)
            self._watch_shares()
        return turn

    def _in_loop(self) -> asyncio.AbstractEventLoop:
        """The loop that uses this; to ask which one runs is a system call each time (before Python 3.12)."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        return self._loop

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

    def _open_for(self, turn: Turn) -> None:
        self._size += 1
        caller = turn.caller
        if caller is not None:
            self._held[caller] = self._held.get(caller, 0) + 1
        task = self._in_loop().create_task(self._open(turn))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _open(self, turn: Turn) -> None:
        try:
            connection = await asyncio.wait_for(
                PipelineConnection.connect(self._conninfo), self._limits.acquire_timeout_s
            )
        except BaseException as error:
            self._size -= 1
            if turn.caller is not None:
                self._let_go(turn.caller)
            if not turn.future.done():
                turn.future.set_exception(error if isinstance(error, ConnectionFailed) else PoolTimeout())
            self._wake_one()
            if not isinstance(error, ConnectionFailed | TimeoutError):
                raise
            return
        connection.generation = self._generation
        connection.caller = turn.caller
        if turn.future.done():  # who asked has left
            self.put_back(connection)
        else:
            _serve(turn, connection)

    def _limit_patience(self, turn: Turn) -> None:
        patience = self._patience
        while patience and not patience[0][1].is_waiting:
            patience.popleft()
        patience.append((time.monotonic() + self._limits.acquire_timeout_s, turn))
        if self._timer is None:
            self._timer = self._in_loop().call_later(self._limits.acquire_timeout_s, self._expire_impatient)

    def _expire_impatient(self) -> None:
        self._timer = None
        now = time.monotonic()
        while self._patience:
            deadline, turn = self._patience[0]
            if deadline > now and turn.is_waiting:
                self._timer = self._in_loop().call_later(deadline - now, self._expire_impatient)
                return
            self._patience.popleft()
            self._expire(turn)

    def _expire(self, turn: Turn) -> None:
        if turn.is_waiting:
            turn.future.set_exception(PoolTimeout())
            self.timeouts += 1

    def _watch_shares(self) -> None:
        """See to it that whoever waits for more than its share gets it once nobody else asks any more."""
        left_s = self._shared_until - time.monotonic()
        if self._share_timer is None and self._limits.per_caller is not None and left_s > 0:
            self._share_timer = self._in_loop().call_later(left_s, self._wake_borrowers)

    def _wake_borrowers(self) -> None:
        self._share_timer = None
        for _ in range(len(self._free) + self._limits.max_size - self._size):
            self._wake_one()
        if self._turns:
            self._watch_shares()

    async def release(self, connection: PipelineConnection) -> None:
        """Give a connection back, whatever state it is in."""
        if not connection.is_settled:
            await connection.settle()
        self.put_back(connection)

    def put_back(self, connection: PipelineConnection) -> None:
        """Give back a connection that is known to be idle."""
        if connection.caller is not None:
            self._let_go(connection.caller)
            connection.caller = None
        now = time.monotonic()
        if not self._is_usable(connection, now):
            self._discard(connection)
            self._wake_one()
            return
        if connection.generation != self._generation:
            connection.generation = self._generation
            connection.forget_prepared()
        connection.idle_since = now
        turn = self._next_turn() if self._turns else None
        if turn is None:
            self._free.append(connection)
            return
        self._hold(connection, turn.caller)
        _serve(turn, connection)

    def _wake_one(self) -> None:
        """Serve the next turn with a connection that is idle, or a new one."""
        if not self._free and self._size >= self._limits.max_size:
            return
        turn = self._next_turn()
        if turn is None:
            return
        connection = self.take_idle()
        if connection is not None:
            self._hold(connection, turn.caller)
            _serve(turn, connection)
        else:
            self._open_for(turn)

    def _next_turn(self) -> Turn | None:
        """Take whose turn it is; its caller goes to the end. None when nobody waits who may have more."""
        for caller in list(self._turns):
            queue = self._turns[caller]
            while queue and not queue[0].is_waiting:
                queue.popleft()
            if not queue:
                del self._turns[caller]
            elif self._may_have_more(caller):
                turn = queue.popleft()
                del self._turns[caller]
                if queue:
                    self._turns[caller] = queue
                return turn
        return None

    def _is_usable(self, connection: PipelineConnection, now: float) -> bool:
        if connection.is_closed or self.is_closed:
            return False
        return now - connection.created_at < self._limits.max_lifetime_s

    def _discard(self, connection: PipelineConnection) -> None:
        self._size -= 1
        task = self._in_loop().create_task(connection.close())
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
        for queue in self._turns.values():
            for turn in queue:
                self._expire(turn)
        for task in self._opening:
            task.cancel()
        for connection in self._free:
            self._discard(connection)
        self._free.clear()
        await asyncio.gather(*self._opening, *self._closing, return_exceptions=True)


def _serve(turn: Turn, connection: PipelineConnection) -> None:
    turn.connection = connection
    try:
        turn.begin(connection, turn.future)
    except Exception as error:  # of whose turn it is, not of who gives the connection back
        turn.future.set_exception(error)


def _hand_over(connection: PipelineConnection, future: "asyncio.Future[Any]") -> None:
    future.set_result(connection)
