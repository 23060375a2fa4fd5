"""PostgreSQL at the lowest level psycopg has: PGconn in pipeline mode on asyncio, one round trip per batch. I/O.

Five to six times cheaper per transaction than psycopg's connections, which matters where every request is one
transaction. Knows statements, results and errors; roles, claims and JSON are for the callers.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import pq

_OK = frozenset({pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK})
_SYNC = pq.ExecStatus.PIPELINE_SYNC
_ABORTED = pq.ExecStatus.PIPELINE_ABORTED
_IDLE = pq.TransactionStatus.IDLE
_BINARY = 1
_MAX_PREPARED = 512
_SETTLE_S = 10.0

Row = tuple[bytes | None, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement and its parameters in text format. `key` separates prepared plans (say, per role)."""

    text: str
    parameters: Sequence[bytes | None] = ()
    key: str = ""
    is_prepared: bool = True


class StatementError(Exception):
    """PostgreSQL refused a statement; the fields of its report."""

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__(fields.get("message_primary", ""))
        self.fields = fields

    @property
    def sqlstate(self) -> str:
        """The five characters that classify the error."""
        return self.fields.get("sqlstate", "")

    @property
    def message(self) -> str:
        """The primary message."""
        return self.fields.get("message_primary", "")

    @property
    def detail(self) -> str | None:
        """DETAIL, if there is one."""
        return self.fields.get("message_detail")

    @property
    def hint(self) -> str | None:
        """HINT, if there is one."""
        return self.fields.get("message_hint")


class ConnectionFailed(Exception):
    """No connection could be made; the text is libpq's."""


class ConnectionLost(Exception):
    """The connection broke while it was in use; the text is libpq's."""


class PoolTimeout(Exception):
    """No connection came free in time."""


_FIELDS = {name.lower(): getattr(pq.DiagnosticField, name) for name in pq.DiagnosticField.__members__}


class PipelineConnection:
    """One connection. `run` sends a batch of statements and one Sync, and returns the rows of each."""

    def __init__(self, owner: psycopg.AsyncConnection[Any], loop: asyncio.AbstractEventLoop) -> None:
        self._owner = owner
        self._pg: pq.abc.PGconn = owner.pgconn
        self._loop = loop
        self._socket = self._pg.socket
        self._waiting: asyncio.Future[list[list[Row]]] | None = None
        self._expected: deque[str | None] = deque()
        self._rows: list[list[Row]] = []
        self._error: StatementError | None = None
        self._is_writing = False
        self._prepared: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._serial = 0
        self._stale: list[bytes] = []
        self.created_at = time.monotonic()
        self.idle_since = self.created_at
        self.generation = 0
        self.is_closed = False
        self._pg.nonblocking = 1
        self._pg.enter_pipeline_mode()
        loop.add_reader(self._socket, self._on_readable)

    @classmethod
    async def connect(cls, conninfo: str) -> "PipelineConnection":
        """Open a connection; raises ConnectionFailed."""
        try:
            owner = await psycopg.AsyncConnection.connect(conninfo, autocommit=True)
        except psycopg.Error as error:
            raise ConnectionFailed(str(error)) from error
        return cls(owner, asyncio.get_running_loop())

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open after the last batch."""
        return self._pg.transaction_status != _IDLE

    @property
    def is_settled(self) -> bool:
        """Whether nothing runs and no transaction is open."""
        return self.is_closed or (self._waiting is None and self._pg.transaction_status == _IDLE)

    async def run(self, batch: Sequence[Statement]) -> list[list[Row]]:
        """Run statements as one pipeline; raises StatementError for the first that fails, or ConnectionLost."""
        if self._waiting is not None:
            raise RuntimeError("the connection is busy")
        try:
            self._send(batch)
        except psycopg.Error as error:
            self._break()
            raise ConnectionLost(str(error)) from error
        self._rows, self._error = [], None
        future: asyncio.Future[list[list[Row]]] = self._loop.create_future()
        self._waiting = future
        self._flush()
        return await future

    def _send(self, batch: Sequence[Statement]) -> None:
        pg, expected = self._pg, self._expected
        for old in self._stale:
            pg.send_close_prepared(old)
            expected.append("")
        self._stale.clear()
        for statement in batch:
            parameters = statement.parameters or None
            if not statement.is_prepared:
                pg.send_query_params(statement.text.encode(), parameters, result_format=_BINARY)
                expected.append(None)
                continue
            key = (statement.key, statement.text)
            name = self._prepared.get(key)
            if name is None:
                name = self._prepare(key)
            else:
                self._prepared.move_to_end(key)
            pg.send_query_prepared(name, parameters, result_format=_BINARY)
            expected.append(None)
        pg.pipeline_sync()

    def _prepare(self, key: tuple[str, str]) -> bytes:
        self._serial += 1
        name = b"p%d" % self._serial
        self._pg.send_prepare(name, key[1].encode())
        self._expected.append(name.decode())
        self._prepared[key] = name
        if len(self._prepared) > _MAX_PREPARED:
            self._stale.append(self._prepared.popitem(last=False)[1])
        return name

    def forget_prepared(self) -> None:
        """Drop all prepared statements; they are closed with the next batch."""
        self._stale.extend(self._prepared.values())
        self._prepared.clear()

    def _flush(self) -> None:
        try:
            pending = self._pg.flush()
        except psycopg.Error as error:
            self._fail(ConnectionLost(str(error)))
            return
        if pending and not self._is_writing:
            self._is_writing = True
            self._loop.add_writer(self._socket, self._flush)
        elif not pending and self._is_writing:
            self._is_writing = False
            self._loop.remove_writer(self._socket)

    def _on_readable(self) -> None:
        pg = self._pg
        try:
            pg.consume_input()
            if self._waiting is None:
                while pg.notifies() is not None:
                    pass
                return
            while not pg.is_busy():
                result = pg.get_result()
                if result is not None and self._take(result):
                    return
        except psycopg.Error as error:
            self._fail(ConnectionLost(str(error)))

    def _take(self, result: Any) -> bool:
        """Note one result; return whether the batch is over."""
        status = result.status
        if status == _SYNC:
            self._finish()
            return True
        prepared = self._expected.popleft() if self._expected else None
        if status in _OK:
            if prepared is None:
                columns = range(result.nfields)
                self._rows.append(
                    [tuple([result.get_value(row, column) for column in columns]) for row in range(result.ntuples)]
                )
            return False
        if prepared:
            self._forget(prepared.encode())
        if status != _ABORTED and self._error is None:
            self._error = StatementError(_read_fields(result))
        return False

    def _forget(self, name: bytes) -> None:
        for key, known in list(self._prepared.items()):
            if known == name:
                del self._prepared[key]

    def _finish(self) -> None:
        waiting, self._waiting = self._waiting, None
        self._expected.clear()
        rows, self._rows = self._rows, []
        if waiting is None or waiting.done():
            return
        if self._error is not None:
            waiting.set_exception(self._error)
        else:
            waiting.set_result(rows)

    def _fail(self, error: Exception) -> None:
        # The server's last words (say, 57P01 on shutdown) tell more than "connection lost".
        last_words, waiting = self._error, self._waiting
        self._waiting = None
        self._break()
        if waiting is not None and not waiting.done():
            waiting.set_exception(last_words or error)

    def _break(self) -> None:
        if self.is_closed:
            return
        self.is_closed = True
        self._loop.remove_reader(self._socket)
        if self._is_writing:
            self._loop.remove_writer(self._socket)
        self._pg.finish()

    async def cancel(self) -> None:
        """Ask the server to stop the running statement, and wait until the connection is idle again."""
        waiting = self._waiting
        if waiting is None or self.is_closed:
            return
        try:
            await self._loop.run_in_executor(None, self._pg.get_cancel().cancel)
        except psycopg.Error:
            self._fail(ConnectionLost("the statement could not be cancelled"))

    async def settle(self) -> None:
        """Leave no statement and no transaction behind; closes the connection when that fails."""
        if self._waiting is not None:
            abandoned, settled = self._waiting, self._loop.create_future()
            self._waiting = settled
            abandoned.cancel()
            await self.cancel()
            try:
                await asyncio.wait_for(settled, _SETTLE_S)
            except (StatementError, ConnectionLost, TimeoutError):
                if self._waiting is not None:
                    self._break()
        if not self.is_closed and self.in_transaction:
            try:
                await self.run([Statement("ROLLBACK", is_prepared=False)])
            except (StatementError, ConnectionLost):
                self._break()

    async def close(self) -> None:
        """Close the connection."""
        self._break()
        await self._owner.close()


def _read_fields(result: Any) -> dict[str, str]:
    fields = {}
    for name, field in _FIELDS.items():
        value = result.error_field(field)
        if value is not None:
            fields[name] = value.decode("utf-8", "replace")
    text: bytes = result.error_message or b""
    return fields or {"message_primary": text.decode("utf-8", "replace")}


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
        """How many callers wait."""
        return len(self._waiters)

    @property
    def limits(self) -> PoolLimits:
        """The bounds."""
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
