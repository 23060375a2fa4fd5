"""Batches of statements through libpq in pipeline mode: for connections that are encrypted. I/O."""

from collections import deque
from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import pq

from emulator.db.messages import Outcome, encode_text
from emulator.db.prepared import PreparedNames
from emulator.db.statement import ConnectionLost, Recurring, Row, Statement, StatementError

# Plain integers, as libpq gives them: comparing those with enums takes longer.
_OK = frozenset(map(int, (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK, pq.ExecStatus.EMPTY_QUERY)))
_SYNC = int(pq.ExecStatus.PIPELINE_SYNC)
_ABORTED = int(pq.ExecStatus.PIPELINE_ABORTED)
_IDLE = int(pq.TransactionStatus.IDLE)
_FIELDS = {name.lower(): field for name, field in pq.DiagnosticField.__members__.items()}


class LibpqWire:
    """A `pipeline.Wire` that leaves the protocol to libpq."""

    def __init__(self, pg: pq.abc.PGconn, result_format: int) -> None:
        self._pg = pg
        self._result_format = result_format
        self._is_waiting = False
        # For each result to come: None for rows, else the name it prepares (empty for a closed one).
        self._expected: deque[bytes | None] = deque()
        self._rows: list[list[Row]] = []
        self.error: StatementError | None = None
        self._prepared = PreparedNames()
        self.has_unsent = False
        pg.nonblocking = 1
        pg.enter_pipeline_mode()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open after the last batch."""
        return self._pg.transaction_status != _IDLE

    def send(self, batch: Sequence[Statement]) -> None:
        """Send statements and a Sync, or as much as goes at once. Raises as `SocketWire.send`."""
        try:
            self._send(batch)
        except psycopg.Error as error:
            raise ConnectionLost(str(error)) from error
        self._rows, self.error, self._is_waiting = [], None, True
        self.flush()

    def repeat(self, batch: Recurring, parameters: Sequence[bytes | None]) -> None:
        """Send a recurring batch. Raises as `send`."""
        self.send(batch.filled(parameters))

    def _send(self, batch: Sequence[Statement]) -> None:
        pg, expected, prepared, result_format = self._pg, self._expected, self._prepared, self._result_format
        texts = [encode_text(statement.text) for statement in batch]
        for old in prepared.stale:
            pg.send_close_prepared(old)
            expected.append(b"")
        prepared.stale.clear()
        for statement, text in zip(batch, texts, strict=True):
            parameters = statement.parameters or None
            if not statement.is_prepared:
                pg.send_query_params(text, parameters, result_format=result_format)
                expected.append(None)
                continue
            key = (statement.key, statement.text)
            name = prepared.find(key)
            if name is None:
                name = prepared.add(key)
                pg.send_prepare(name, text)
                expected.append(name)
            pg.send_query_prepared(name, parameters, result_format=result_format)
            expected.append(None)
        pg.pipeline_sync()

    def flush(self) -> None:
        """Send what is left of it. Raises ConnectionLost."""
        try:
            self.has_unsent = bool(self._pg.flush())
        except psycopg.Error as error:
            raise ConnectionLost(str(error)) from error

    def receive(self) -> Outcome | None:
        """Take what has arrived; how the batch ended, if it did. Raises ConnectionLost at the end of the stream."""
        try:
            return self._receive()
        except psycopg.Error as error:
            raise ConnectionLost(str(error)) from error

    def _receive(self) -> Outcome | None:
        pg = self._pg
        pg.consume_input()
        if not self._is_waiting:
            while pg.notifies() is not None:
                pass
            return None
        expected = self._expected
        while not pg.is_busy():
            result = pg.get_result()
            if result is None:
                continue
            status = result.status
            if status == _SYNC:
                expected.clear()
                self._is_waiting = False
                return self._rows, self.error
            prepared = expected.popleft() if expected else None
            if status in _OK:
                if prepared is None:
                    self._rows.append(_rows_of(result))
            else:
                self._note_failure(result, status, prepared)
        return None

    def _note_failure(self, result: Any, status: int, prepared: bytes | None) -> None:
        if prepared:
            self._prepared.forget(prepared)
        if status != _ABORTED and self.error is None:
            self.error = StatementError(_read_report(result))

    def forget_prepared(self) -> None:
        """Drop all prepared statements; they are closed with the next batch."""
        self._prepared.forget_all()

    def close(self) -> None:
        """Nothing of its own is open."""


def _rows_of(result: Any) -> list[Row]:
    get, columns = result.get_value, range(result.nfields)
    return [tuple([get(row, column) for column in columns]) for row in range(result.ntuples)]


def _read_report(result: pq.abc.PGresult) -> dict[str, str]:
    """The fields of an error result by their lower-case names."""
    fields = {}
    for name, field in _FIELDS.items():
        value = result.error_field(field)
        if value is not None:
            fields[name] = value.decode("utf-8", "replace")
    return fields or {"message_primary": (result.error_message or b"").decode("utf-8", "replace")}
