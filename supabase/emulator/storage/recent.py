"""Answers with small public files, kept in memory for who asks next. Pure.

The database is asked at every request who may read what, and in which version. Its answer, the row as text, is the key:
a file never changes under its version, and the rest of an answer is made of the row. So what is kept can't be outdated
or shown to who may not see it, whoever changes the row, and by whatever way. It can only be of no more use.
"""

from collections import OrderedDict
from dataclasses import dataclass

LARGEST = 64 * 1024  # bytes of a file that is kept
_MOST_BYTES = 8 << 20
_OVERHEAD = 2048  # of an answer, beside its body


@dataclass(frozen=True)
class Kept:
    """A whole answer with status 200."""

    headers: list[tuple[str, str]]
    body: bytes


class Recent:
    """The answers that were used last, up to so many bytes."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most = most_bytes
        self._size = 0
        self._kept: OrderedDict[bytes, Kept] = OrderedDict()

    @property
    def size(self) -> int:
        """Bytes of what is kept."""
        return self._size

    def find(self, row: bytes) -> Kept | None:
        """The answer that was made of this row."""
        found = self._kept.get(row)
        if found is not None:
            self._kept.move_to_end(row)
        return found

    def keep(self, row: bytes, answer: Kept) -> None:
        """Keep an answer, and let go of those that were not used for the longest time."""
        if len(answer.body) > LARGEST:
            return
        replaced = self._kept.pop(row, None)
        if replaced is not None:
            self._size -= _weight(row, replaced)
        self._kept[row] = answer
        self._size += _weight(row, answer)
        while self._size > self._most:
            self._size -= _weight(*self._kept.popitem(last=False))


def _weight(row: bytes, answer: Kept) -> int:
    return len(row) + len(answer.body) + _OVERHEAD
