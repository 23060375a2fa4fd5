"""PostgreSQL at the lowest level psycopg has: PGconn in pipeline mode on asyncio, one round trip per batch. I/O.

Five to six times cheaper per transaction than psycopg's connections, which matters where every request (REST) and
every commit (Realtime) is a batch. Knows statements, results and errors; roles, claims and JSON are for the callers.
"""

import asyncio
import select
import time
from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import Any

import psycopg
from psycopg import pq

from emulator.db.prepared import PreparedNames
from emulator.db.statement import ConnectionFailed, ConnectionLost, Row, Statement, StatementError
from emulator.observe import recent

# Plain integers, as libpq gives them: comparing those with enums takes longer.
_OK = frozenset(map(int, (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK)))
_SYNC = int(pq.ExecStatus.PIPELINE_SYNC)
_ABORTED = int(pq.ExecStatus.PIPELINE_ABORTED)
_IDLE = int(pq.TransactionStatus.IDLE)
_SETTLE_S = 10.0
LONGEST_SHOWN = 1_000  # bytes of a parameter that the dashboard may show
_FIELDS = {name.lower(): field for name, field in pq.DiagnosticField.__members__.items()}


class PipelineConnection:
    """One connection. `execute` sends a batch of statements and one Sync, and returns the rows of each.

    A batch is one transaction unless it begins one itself: when a statement fails, none of it was done.
    """

    def __init__(
        self, owner: psycopg.AsyncConnection[Any], loop: asyncio.AbstractEventLoop, result_format: pq.Format
    ) -> None:
        self._owner = owner
        self._result_format = int(result_format)
        self._pg: pq.abc.PGconn = owner.pgconn
        self._loop = loop
        self._socket = self._pg.socket
        self._waiting: asyncio.Future[list[list[Row]]] | None = None
        # For each result to come: None for rows, else the name it prepares (empty for a closed one).
        self._expected: deque[bytes | None] = deque()
        self._rows: list[list[Row]] = []
        self._error: StatementError | None = None
        self._is_writing = False
        self._prepared = PreparedNames()
        self.created_at = time.monotonic()
        self.idle_since = self.created_at
        self.generation = 0
        self.caller: str | None = None  # whom a pool has given it to
        self.is_closed = False
        self._errors = select.poll()
        self._errors.register(self._socket, 0)  # errors and hang-ups are reported unasked
        self._pg.nonblocking = 1
        self._pg.enter_pipeline_mode()
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
        return self._pg.transaction_status != _IDLE

    @property
    def is_settled(self) -> bool:
        """Whether nothing runs and no transaction is open."""
        return self.is_closed or (self._waiting is None and self._pg.transaction_status == _IDLE)

    async def execute(self, batch: Sequence[Statement]) -> list[list[Row]]:
        """Run statements as one pipeline; raises StatementError for the first that fails, or ConnectionLost."""
        return await self.begin(batch)

    def begin(
        self, batch: Sequence[Statement], future: asyncio.Future[list[list[Row]]] | None = None
    ) -> asyncio.Future[list[list[Row]]]:
        """Send statements; what is returned (`future`, if given) will have their rows, or the error.

        For who waits without a task. Raises ConnectionLost.
        """
        if self._waiting is not None:
            raise RuntimeError("the connection is busy")
        try:
            self._send(batch)
        except psycopg.Error as error:
            self._break()
            raise ConnectionLost(str(error)) from error
        self._rows, self._error = [], None
        if future is None:
            future = self._loop.create_future()
        self._waiting = future
        if recent.is_recorded():
            future.add_done_callback(partial(_note, batch, time.perf_counter()))
        self._flush()
        return future

    def _send(self, batch: Sequence[Statement]) -> None:
        pg, expected, prepared, result_format = self._pg, self._expected, self._prepared, self._result_format
        if prepared.stale:
            for old in prepared.stale:
                pg.send_close_prepared(old)
                expected.append(b"")
            prepared.stale.clear()
        for statement in batch:
            parameters = statement.parameters or None
            if not statement.is_prepared:
                pg.send_query_params(statement.text.encode(), parameters, result_format=result_format)
                expected.append(None)
                continue
            key = (statement.key, statement.text)
            name = prepared.find(key)
            if name is None:
                name = prepared.add(key)
                pg.send_prepare(name, statement.text.encode())
                expected.append(name)
            pg.send_query_prepared(name, parameters, result_format=result_format)
            expected.append(None)
        pg.pipeline_sync()

    def forget_prepared(self) -> None:
        """Drop all prepared statements; they are closed with the next batch."""
        self._prepared.forget_all()

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
        try:
            # uvloop calls a reader once more when the socket reports an error, and then never again: the server's last
            # words and the end of the stream have to be read at once. Both come when it dies with unread statements.
            while not self._read() and self._errors.poll(0):
                pass
        except psycopg.Error as error:
            self._fail(ConnectionLost(str(error)))

    def _read(self) -> bool:
        """Take what has arrived; whether that was the end of a batch. Raises psycopg.Error at the end of the stream."""
        pg = self._pg
        pg.consume_input()
        if self._waiting is None:
            while pg.notifies() is not None:
                pass
            return False
        expected = self._expected
        while not pg.is_busy():
            result = pg.get_result()
            if result is None:
                continue
            status = result.status
            if status == _SYNC:
                self._finish()
                return True
            prepared = expected.popleft() if expected else None
            if status in _OK:
                if prepared is None:
                    self._rows.append(_rows_of(result))
            else:
                self._note_failure(result, status, prepared)
        return False

    def _note_failure(self, result: Any, status: int, prepared: bytes | None) -> None:
        if prepared:
            self._prepared.forget(prepared)
        if status != _ABORTED and self._error is None:
            self._error = StatementError(_read_report(result))

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
        # An error that the server sent before (57P01 on shutdown, say) explains more than "connection lost".
        sent_error, waiting = self._error, self._waiting
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


def _rows_of(result: Any) -> list[Row]:
    get, columns = result.get_value, range(result.nfields)
    if result.ntuples == 1:  # as of nearly every statement of REST
        return [tuple([get(0, column) for column in columns])]
    return [tuple([get(row, column) for column in columns]) for row in range(result.ntuples)]


def _note(batch: Sequence[Statement], started: float, _done: object) -> None:
    recent.note(map(_shown, batch), time.perf_counter() - started)


def _shown(statement: Statement) -> tuple[str, tuple[str | None, ...]]:
    texts = (None if one is None else one[:LONGEST_SHOWN].decode("utf8", "replace") for one in statement.parameters)
    return statement.text, tuple(texts)


def _read_report(result: pq.abc.PGresult) -> dict[str, str]:
    """The fields of an error result by their lower-case names."""
    fields = {}
    for name, field in _FIELDS.items():
        value = result.error_field(field)
        if value is not None:
            fields[name] = value.decode("utf-8", "replace")
    return fields or {"message_primary": (result.error_message or b"").decode("utf-8", "replace")}
