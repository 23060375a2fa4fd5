"""Batches of statements on the plain socket of a connection that libpq has opened. I/O.

A read of REST takes the service a tenth less time than through libpq, which makes an object of every answer and every
value, and PostgreSQL describes no columns, which libpq asks for with every statement.
"""

import os
import socket
import struct
from collections.abc import Sequence

from psycopg import pq

from emulator.db.frames import Frame
from emulator.db.messages import IDLE, SYNC, Answers, Outcome, close, parse, result_end, run
from emulator.db.prepared import PreparedNames
from emulator.db.statement import ConnectionLost, Recurring, Statement, StatementError

_READ, _LONGEST_READ = 65_536, 1_048_576  # bytes
_MOST_FRAMES, _LONGEST_FRAME = 256, 8_192  # bytes
_OFTEN = 3


class SocketWire:
    """A `pipeline.Wire` that speaks the protocol itself. libpq keeps the connection, to cancel and to close."""

    def __init__(self, pg: pq.abc.PGconn, result_format: int) -> None:
        self._socket = socket.socket(fileno=os.dup(pg.socket))
        self._socket.setblocking(False)
        self._end = result_end(result_format)
        self._prepared = PreparedNames()
        self._preparing: list[bytes] = []
        self._answers = Answers()
        self._unsent = b""
        self._frames: dict[Recurring, Frame] = {}
        self._frame: Frame | None = None  # of what was sent, until a part of the answer has come

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open after the last batch."""
        return self._answers.status != IDLE

    @property
    def error(self) -> StatementError | None:
        """What the server reported of the batch, or of its own end, so far."""
        return self._answers.error

    @property
    def has_unsent(self) -> bool:
        """Whether `flush` has something to send, once that is possible."""
        return bool(self._unsent)

    def send(self, batch: Sequence[Statement]) -> None:
        """Send statements and a Sync, or as much as goes at once.

        Raises ConnectionLost, and StatementError for a text with NUL.
        """
        prepared, end = self._prepared, self._end
        stale = len(prepared.stale)
        parts = list(map(close, prepared.stale))
        new: list[bytes] = []
        try:
            for text, parameters, key, is_prepared in batch:
                name = prepared.find((key, text)) if is_prepared else None
                if name is None:
                    name = prepared.add((key, text)) if is_prepared else b""
                    new.append(name)
                    parts.append(parse(name, text))
                parts.append(run(name, parameters, end))
        except Exception:
            self._forget(new)
            raise
        if prepared.stale:
            del prepared.stale[:stale]
            self._frames.clear()
        parts.append(SYNC)
        self._preparing = new
        self._frame = None
        self._unsent = b"".join(parts)
        self.flush()

    def repeat(self, batch: Recurring, parameters: Sequence[bytes | None]) -> None:
        """Send a recurring batch and a Sync. Raises as `send` does."""
        frame = self._frames.get(batch)
        if frame is not None and not self._answers.parts:
            self._unsent = frame.filled(parameters)
            self._frame = frame
            self.flush()
            return
        self.send(batch.filled(parameters))
        batch.times += 1
        if batch.times > _OFTEN and not self._preparing:
            self._make_frame(batch)

    def _make_frame(self, batch: Recurring) -> None:
        names = [self._prepared.find((one.key, one.text)) for one in (*batch.before, batch.main, *batch.after)]
        found = [name for name in names if name is not None]
        if len(found) < len(names):  # some are never prepared
            return
        frame = Frame(batch, found, self._end)
        if frame.size <= _LONGEST_FRAME:
            if len(self._frames) >= _MOST_FRAMES:
                self._frames.clear()
            self._frames[batch] = frame

    def flush(self) -> None:
        """Send what is left of it. Raises ConnectionLost."""
        try:
            sent = self._socket.send(self._unsent)
        except BlockingIOError:
            return
        except OSError as error:
            raise ConnectionLost(os.strerror(error.errno or 0)) from error
        self._unsent = self._unsent[sent:]

    def receive(self) -> Outcome | None:
        """Take what has arrived; how the batch ended, if it did. Raises ConnectionLost at the end of the stream."""
        try:
            data = self._socket.recv(min(_READ + self._answers.missing, _LONGEST_READ))
        except BlockingIOError:
            return None
        except OSError as error:
            raise ConnectionLost(os.strerror(error.errno or 0)) from error
        if not data:
            raise ConnectionLost("server closed the connection unexpectedly")
        frame = self._frame
        if frame is not None:
            self._frame = None
            known = frame.known
            rows = None if known is None else known.read(data)
            if rows is not None:
                self._answers.status = IDLE
                return rows, None
        return self._read(data, frame)

    def _read(self, data: bytes, frame: Frame | None) -> Outcome | None:
        answers = self._answers
        try:
            outcome = answers.read(data)
        except (struct.error, IndexError) as error:
            raise ConnectionLost("the server sent a message that can't be read") from error
        if outcome is None:
            return None
        self._forget(self._preparing[answers.parsed :])
        self._preparing, answers.parsed = [], 0
        rows, failure = outcome
        if frame is not None and failure is None and answers.status == IDLE and not answers.parts:
            frame.learn(data, rows)  # all of it came at once
        return outcome

    def _forget(self, names: Sequence[bytes]) -> None:
        for name in filter(None, names):
            self._prepared.forget(name)

    def forget_prepared(self) -> None:
        """Drop all prepared statements; they are closed with the next batch."""
        self._prepared.forget_all()
        self._frames.clear()

    def close(self) -> None:
        """Close its copy of the socket."""
        self._socket.close()
