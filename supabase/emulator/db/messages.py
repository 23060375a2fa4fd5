"""Batches of statements and their answers as PostgreSQL's protocol writes them. Pure.

Source: PostgreSQL's documentation, "Frontend/Backend Protocol", version 3: extended query, pipelining, message formats.
"""

from collections.abc import Sequence
from struct import Struct

from psycopg import pq

from emulator.db.statement import ConnectionLost, Row, StatementError

SYNC = b"S\x00\x00\x00\x04"
MOST_PARAMETERS = 65_535
IDLE = ord("I")

# How a batch ended: the rows of each of its statements, and what the first that failed reported.
Outcome = tuple[list[list[Row]], StatementError | None]

_EXECUTE = b"E\x00\x00\x00\x09\x00\x00\x00\x00\x00"  # of the unnamed portal, all rows
_NULL = b"\xff\xff\xff\xff"
HEAD_SIZE = 5  # the kind, and the size of all but the kind
_PARSED, ROW, _ERROR, _READY = b"1DEZ"
COMPLETE = frozenset(b"CI")  # CommandComplete, EmptyQueryResponse
_BESIDE = frozenset(b"23NSA")  # BindComplete, CloseComplete, a notice, a parameter's status, a notification
_KINDS = _BESIDE | COMPLETE | {_PARSED, ROW, _ERROR, _READY}
_FIELDS = {bytes([field]): name.lower() for name, field in pq.DiagnosticField.__members__.items()}

pack_size = Struct("!i").pack
_pack_count = Struct("!H").pack
read_head = Struct("!Bi").unpack_from
_count, _size = Struct("!H").unpack_from, Struct("!i").unpack_from


def parse(name: bytes, text: str) -> bytes:
    """Prepare a statement under a name. Raises StatementError as `encode_text`."""
    encoded = encode_text(text)
    return b"P%b%b\x00%b\x00\x00\x00" % (pack_size(len(name) + len(encoded) + 8), name, encoded)


def encode_text(text: str) -> bytes:
    """The text of a statement. Raises StatementError for one with NUL, which would end it."""
    encoded = text.encode()
    if 0 in encoded:
        message = 'invalid byte sequence for encoding "UTF8": 0x00'
        raise StatementError({"severity": "ERROR", "sqlstate": "22021", "message_primary": message})
    return encoded


def close(name: bytes) -> bytes:
    """Forget a prepared statement."""
    return b"C%bS%b\x00" % (pack_size(len(name) + 6), name)


def result_end(result_format: int) -> bytes:
    """The end of every `run`: all columns in one format, all rows."""
    return b"\x00\x01" + _pack_count(result_format) + _EXECUTE


def run(name: bytes, parameters: Sequence[bytes | None], end: bytes) -> bytes:
    """Bind a prepared statement to parameters, and execute it. Raises ConnectionLost for too many of them."""
    values = encode(parameters)
    return b"B" + pack_size(len(values) + size_of_run(name)) + start_of_run(name) + values + end


def size_of_run(name: bytes) -> int:
    """The size that the Bind of a `run` says, less that of its values."""
    return len(name) + 12


def start_of_run(name: bytes) -> bytes:
    """What is between that size and the values: portal and statement, and parameters as text."""
    return b"\x00" + name + b"\x00\x00\x00"


def encode(parameters: Sequence[bytes | None]) -> bytes:
    """The values of a `run`. Raises ConnectionLost for too many."""
    if len(parameters) > MOST_PARAMETERS:
        raise ConnectionLost(f"a statement has {len(parameters)} parameters, and may have {MOST_PARAMETERS}")
    values = [_NULL if one is None else pack_size(len(one)) + one for one in parameters]
    return _pack_count(len(parameters)) + b"".join(values)


class Answers:
    """Reads the answers to one batch after the other, in whatever pieces they come.

    `status`: of the transaction after the last batch. `parsed`: how many statements were prepared, until the caller
    sets it back. `error`: what the server reported since the last end. `parts`: what has come of the next message;
    `missing` of its bytes have not.
    """

    __slots__ = ("_lists", "_rows", "error", "missing", "parsed", "parts", "status")

    def __init__(self) -> None:
        self.status = IDLE
        self.parsed = 0
        self.error: StatementError | None = None
        self.parts: list[bytes] = []
        self.missing = 0
        self._lists: list[list[Row]] = []
        self._rows: list[Row] = []

    def read(self, data: bytes) -> Outcome | None:
        """Take what has come; how the batch ended when this is its end. Raises ConnectionLost for no such protocol."""
        if self.parts:
            self.parts.append(data)
            self.missing -= len(data)
            if self.missing > 0:
                return None
            data = b"".join(self.parts)
            self.parts, self.missing = [], 0
        at, end, outcome = 0, len(data), None
        while end - at >= HEAD_SIZE:
            kind, size = read_head(data, at)
            stop = at + 1 + size
            if size < 4:
                raise _unknown(kind)
            if stop > end:
                break
            if kind == ROW:
                self._rows.append(row(data, at + HEAD_SIZE))
            elif kind in COMPLETE:
                self._lists.append(self._rows)
                self._rows = []
            elif kind == _READY:
                self.status = data[at + HEAD_SIZE]
                outcome = self._lists, self.error
                self._lists, self._rows, self.error = [], [], None
            elif kind == _PARSED:
                self.parsed += 1
            elif kind == _ERROR:
                self.error = self.error or StatementError(_report(data[at + HEAD_SIZE : stop]))
            elif kind not in _BESIDE:
                raise _unknown(kind)
            at = stop
        if at < end:
            self.parts = [data[at:]]
            self.missing = _size_of_next(data, at) - (end - at)
        return outcome


def _size_of_next(data: bytes, at: int) -> int:
    """At least so many bytes has a message whose beginning is here. Raises ConnectionLost for an unknown kind."""
    if len(data) - at < HEAD_SIZE:
        return HEAD_SIZE
    kind, size = read_head(data, at)
    if kind not in _KINDS:
        raise _unknown(kind)
    return 1 + int(size)


def _unknown(kind: int) -> ConnectionLost:
    return ConnectionLost(f"the server sent a message of an unknown kind ({kind})")


def row(data: bytes, at: int) -> Row:
    """The columns of a row that begins here, after its head."""
    (count,) = _count(data, at)
    at += 2
    columns: list[bytes | None] = []
    for _ in range(count):
        (size,) = _size(data, at)
        at += 4
        if size < 0:
            columns.append(None)
        else:
            columns.append(data[at : at + size])
            at += size
    return tuple(columns)


def _report(fields: bytes) -> dict[str, str]:
    """The fields of an error by their lower-case names."""
    found = {}
    for field in fields.split(b"\x00"):
        name = _FIELDS.get(field[:1])
        if name is not None:
            found[name] = field[1:].decode("utf-8", "replace")
    return found
