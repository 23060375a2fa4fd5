"""Batches of statements on asyncio, one round trip each, on connections that libpq opens. I/O.

Five to six times cheaper per transaction than psycopg's connections, which matters where every request (REST) and
every commit (Realtime) is a batch. Knows statements, results and errors; roles, claims and JSON are for the callers.
"""

import asyncio
import select
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol

import psycopg
from psycopg import pq

from emulator.db.libpq_wire import LibpqWire
from emulator.db.messages import Outcome
from emulator.db.socket_wire import SocketWire
from emulator.db.statement import ConnectionFailed, ConnectionLost, Recurring, Row, Statement, StatementError
from emulator.observe import recent

_SETTLE_S = 10.0
LONGEST_SHOWN = 1_000  # bytes of a parameter that the dashboard may show


class Wire(Protocol):
    """How batches are written and answers read. `error`: what the server reported so far of one without an end."""

    @property
    def in_transaction(self) -> bool: ...
    @property
    def has_unsent(self) -> bool: ...
    @property
    def error(self) -> StatementError | None: ...
    def send(self, batch: Sequence[Statement]) -> None: ...
    def repeat(self, batch: Recurring, parameters: Sequence[bytes | None]) -> None: ...
    def flush(self) -> None: ...
    def receive(self) -> Outcome | None: ...
    def forget_prepared(self) -> None: ...
    def close(self) -> None: ...


def wire_of(pg: pq.abc.PGconn, result_format: int) -> Wire:
    """libpq alone can read what it has encrypted: by TLS, or by GSSAPI, which is not said apart from its login."""
    return LibpqWire(pg, result_format) if pg.ssl_in_use or pg.used_gssapi else SocketWire(pg, result_format)


class PipelineConnection:
    """One connection. `execute` sends a batch of statements and one Sync, and returns the rows of each.

    A batch is one transaction unless it begins one itself: when a statement fails, none of it was done.
    """

    def __init__(
        self, owner: psycopg.AsyncConnection[Any], loop: asyncio.AbstractEventLoop, result_format: pq.Format
    ) -> None:
        self._owner = owner
        self._pg: pq.abc.PGconn = owner.pgconn
        self._wire = wire_of(self._pg, int(result_format))
        self._loop = loop
        self._socket = self._pg.socket
        self._waiting: asyncio.Future[list[list[Row]]] | None = None
        self._is_writing = False
        self.created_at = time.monotonic()
        self.idle_since = self.created_at
        self.generation = 0
        self.caller: str | None = None  # whom a pool has given it to
        self.is_closed = False
        self._errors = select.poll()
        self._errors.register(self._socket, 0)  # errors and hang-ups are reported unasked
        loop.add_reader(self._socket, self._on_readable)

    @classmethod
    async def connect(cls, conninfo: str, *, result_format: pq.Format = pq.Format.BINARY) -> "PipelineConnection":
        """Open a connection whose rows come in one format; raises ConnectionFailed."""
        try:
            owner = await psycopg.AsyncConnection.connect(conninfo, autocommit=True)
        except psycopg.Error as error:
            raise ConnectionFailed(str(error)) from error
        return cls(owner, asyncio.get_running_loop(), result_format)

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open after the last batch."""
        return self._wire.in_transaction

    @property
    def is_settled(self) -> bool:
        """Whether nothing runs and no transaction is open."""
        return self.is_closed or (self._waiting is None and not self._wire.in_transaction)

    async def execute(self, batch: Sequence[Statement]) -> list[list[Row]]:
        """Run statements as one pipeline; raises StatementError for the first that fails, or ConnectionLost."""
        return await self.begin(batch)

    def begin(
        self, batch: Sequence[Statement] | Recurring, future: asyncio.Future[list[list[Row]]] | None = None,
        parameters: Sequence[bytes | None] = (),
    ) -> asyncio.Future[list[list[Row]]]:  # fmt: skip
        """Send statements; what is returned (`future`, if given) will have their rows, or the error.

        `parameters`: of a recurring batch.
        For who waits without a task. Raises ConnectionLost, and StatementError for a text that can't be sent.
        """
        if self._waiting is not None:
            raise RuntimeError("the connection is busy")
        try:
            if isinstance(batch, Recurring):
                self._wire.repeat(batch, parameters)
            else:
                self._wire.send(batch)
        except ConnectionLost:
            self._break()
            raise
        if future is None:
            future = self._loop.create_future()
        self._waiting = future
        if recent.is_recorded():
            sent = batch.filled(parameters) if isinstance(batch, Recurring) else batch
            future.add_done_callback(partial(_note, sent, time.perf_counter()))
        if self._wire.has_unsent:
            self._is_writing = True
            self._loop.add_writer(self._socket, self._on_writable)
        return future

    def _on_writable(self) -> None:
        try:
            self._wire.flush()
        except ConnectionLost as error:
            self._fail(error)
            return
        if not self._wire.has_unsent:
            self._is_writing = False
            self._loop.remove_writer(self._socket)

    def forget_prepared(self) -> None:
        """Drop all prepared statements; they are closed with the next batch."""
        self._wire.forget_prepared()

    def _on_readable(self) -> None:
        try:
            # uvloop calls a reader once more when the socket reports an error, and then never again: the server's last
            # words and the end of the stream have to be read at once. Both come when it dies with unread statements.
            while (outcome := self._wire.receive()) is None and self._errors.poll(0):
                pass
        except ConnectionLost as error:
            self._fail(error)
            return
        waiting = self._waiting
        if outcome is None or waiting is None:
            return
        self._waiting = None
        if waiting.done():
            return
        rows, failure = outcome
        if failure is None:
            waiting.set_result(rows)
        else:
            waiting.set_exception(failure)

    def _fail(self, error: Exception) -> None:
        # An error that the server sent before (57P01 on shutdown, say) explains more than "connection lost".
        sent_error, waiting = self._wire.error, self._waiting
        self._waiting = None
        self._break()
        if waiting is not None and not waiting.done():
            waiting.set_exception(sent_error or error)

    def _break(self) -> None:
        if self.is_closed:
            return
        self.is_closed = True
        self._loop.remove_reader(self._socket)
        if self._is_writing:
            self._loop.remove_writer(self._socket)
        self._wire.close()
        self._pg.finish()

    def abandon(self) -> None:
        """Let who waits for the running batch be canceled; `settle` then stops it on the server."""
        if self._waiting is not None:
            self._waiting.cancel()

    async def cancel(self) -> None:
        """Ask the server to stop the running statement, and wait until the connection is idle again."""
        waiting = self._waiting
        if waiting is None or self.is_closed:
            return
        try:
            await self._loop.run_in_executor(None, self._pg.get_cancel().cancel)
        except psycopg.Error:
            self._fail(ConnectionLost("the statement could not be canceled"))

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
                await self.execute([Statement("ROLLBACK", is_prepared=False)])
            except (StatementError, ConnectionLost):
                self._break()

    async def close(self) -> None:
        self._break()
        await self._owner.close()


def _note(batch: Sequence[Statement], started: float, _done: object) -> None:
    recent.note(map(_shown, batch), time.perf_counter() - started)


def _shown(statement: Statement) -> tuple[str, tuple[str | None, ...]]:
    texts = (None if one is None else one[:LONGEST_SHOWN].decode("utf8", "replace") for one in statement.parameters)
    return statement.text, tuple(texts)
