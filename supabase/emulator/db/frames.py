"""What a connection knows of a batch that recurs: its bytes, and the bytes of its answer. Pure."""

from collections.abc import Sequence
from struct import Struct

from emulator.db.messages import COMPLETE, ROW, SYNC, encode, pack_size, read_head, run, size_of_run, start_of_run
from emulator.db.statement import Recurring, Row

_LONGEST_KNOWN = 4_096  # bytes of an answer that are compared
_MOST_LESSONS = 16


class KnownAnswer:
    """A whole answer, of which one value of the last row may be another: the rest is compared, not read again.

    Most statements return one row, and their answers differ in one value. `row`: what it was in this answer.
    """

    __slots__ = (
        "_after", "_before", "_beside", "_end", "_left", "_right", "_row_start", "_start", "_struct", "_value", "row",
    )  # fmt: skip

    def __init__(self, data: bytes, lists: list[list[Row]], place: tuple[int, int, int], other: Row) -> None:
        """`place`: where the row begins after its kind, where it ends, and whose it is. `other`: of another answer."""
        at, stop, whose = place
        self._before, [row], self._after = lists[:whose], lists[whose], lists[whose + 1 :]
        self.row = row
        varying = _varying(row, other)
        self._left, self._right = row[:varying], row[varying + 1 :]
        value = at + 6 + sum(4 + len(one or b"") for one in self._left) + 4
        value_stop = value + len(row[varying] or b"")
        # The row's size is after `start`, the value's after `row_start`.
        self._start, self._row_start, self._end = data[:at], data[at + 4 : value - 4], data[value_stop:]
        self._struct = Struct(f"!{at}si{len(self._row_start)}si")
        self._value = value
        self._beside = stop - at - len(row[varying] or b"")  # of the row's size, without the value's

    @property
    def size(self) -> int:
        """How many bytes are compared."""
        return self._value + len(self._end)

    def read(self, data: bytes) -> list[list[Row]] | None:
        """The rows of an answer; None for one that differs elsewhere."""
        value = self._value
        if len(data) < value:
            return None
        start, row_size, row_start, size = self._struct.unpack_from(data)
        stop = value + size
        if (
            row_size - size != self._beside or data[stop:] != self._end
            or start != self._start or row_start != self._row_start
        ):  # fmt: skip
            return None
        return [*self._before, [(*self._left, data[value:stop], *self._right)], *self._after]


def _varying(row: Row, other: Row) -> int:
    """The only column that is different in another row, else the longest."""
    different = [at for at, (one, its) in enumerate(zip(row, other, strict=False)) if one != its]
    return different[0] if len(different) == 1 else max(range(len(row)), key=lambda column: len(row[column] or b""))


def known_answer(data: bytes, lists: list[list[Row]], other: Row = ()) -> KnownAnswer | None:
    """What is known of an answer that left no transaction and has these rows; None where it is not of the kind.

    `other`: the row of another answer, from which it differs in what varies.
    """
    at, place, found = 0, 0, None
    while at < len(data):
        kind, size = read_head(data, at)
        if kind == ROW:
            found = at + 1, at + 1 + size, place
        elif kind in COMPLETE:
            place += 1
        at += 1 + size
    if found is None or len(lists[found[2]]) != 1 or not any(lists[found[2]][0]):
        return None
    known = KnownAnswer(data, lists, found, other)
    return known if known.size <= _LONGEST_KNOWN else None


class Frame:
    """A recurring batch whose statements one connection has prepared. `known`: of its answers."""

    __slots__ = ("_end", "_head", "_size", "_start", "known", "lessons")

    def __init__(self, batch: Recurring, names: Sequence[bytes], end: bytes) -> None:
        place = len(batch.before)
        before = (run(name, one.parameters, end) for name, one in zip(names, batch.before, strict=False))
        after = (run(name, one.parameters, end) for name, one in zip(names[place + 1 :], batch.after, strict=True))
        self._head = b"".join((*before, b"B"))
        self._size = size_of_run(names[place])
        self._start = start_of_run(names[place])
        self._end = b"".join((end, *after, SYNC))
        self.known: KnownAnswer | None = None
        self.lessons = 0

    @property
    def size(self) -> int:
        """How many bytes are sent besides the parameters."""
        return len(self._head) + len(self._end)

    def filled(self, parameters: Sequence[bytes | None]) -> bytes:
        """The batch as it is sent. Raises ConnectionLost for too many parameters."""
        values = encode(parameters)
        return self._head + pack_size(self._size + len(values)) + self._start + values + self._end

    def learn(self, data: bytes, lists: list[list[Row]]) -> None:
        """Take another answer for the known one; not for ever, since some are different each time."""
        if self.lessons < _MOST_LESSONS:
            self.lessons += 1
            self.known = known_answer(data, lists, () if self.known is None else self.known.row)
