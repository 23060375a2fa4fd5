"""A file that is being written: its bytes on their way to the disk and to their digest. I/O."""

import os
from collections.abc import Callable
from pathlib import Path

from emulator.storage.files.backend import TooLarge, Written
from emulator.storage.files.digest import Digest

_SPACE_CHECK_BYTES = 8 << 20  # how much is written between two looks at the free space
_WRITE_BACK_BYTES = 4 << 20  # how much is written before the kernel shall bring it to the disk


class Staged:
    """One file. `take` and `cut` are for the event loop; `write`, `finish` and `discard` for a thread."""

    def __init__(self, path: Path, limit: int | None, require_space: Callable[[int], None], digest: Digest) -> None:
        self.path, self.digest = path, digest
        self._limit, self._require_space = limit, require_space
        self._waiting: list[bytes] = []
        self._waiting_size = 0
        self._size = 0
        self._written = 0
        self._checked = 0
        self._written_back = 0
        self._modified_at = 0.0
        self._descriptor: int | None = None

    def take(self, piece: bytes) -> int:
        """Keep a piece; how many bytes wait to be written. Raises TooLarge."""
        self._waiting.append(piece)
        self._waiting_size += len(piece)
        self._size += len(piece)
        if self._limit is not None and self._size > self._limit:
            raise TooLarge
        return self._waiting_size

    def cut(self) -> list[bytes]:
        """What was taken since the last time."""
        waiting, self._waiting, self._waiting_size = self._waiting, [], 0
        return waiting

    def write(self, pieces: list[bytes]) -> None:
        """Write pieces, and have them digested; the list is empty then."""
        # One string of bytes: after each that it digests, the other thread waits for the interpreter's lock.
        data = b"".join(pieces)
        pieces.clear()
        self.digest.add(data)
        self._written += len(data)
        if self._written - self._checked >= _SPACE_CHECK_BYTES or self._descriptor is None:
            self._require_space(len(data))
            self._checked = self._written
        if self._descriptor is None:
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        write_all(self._descriptor, data)
        if self._written - self._written_back >= _WRITE_BACK_BYTES:
            begin_write_back(self._descriptor, self._written_back, self._written)
            self._written_back = self._written

    def finish(self, pieces: list[bytes]) -> None:
        """Write the last pieces, and bring everything to the disk."""
        self.write(pieces)
        assert self._descriptor is not None
        os.fsync(self._descriptor)
        self._modified_at = os.fstat(self._descriptor).st_mtime
        os.close(self._descriptor)
        self._descriptor = None

    async def written(self) -> Written:
        """What it is, as soon as everything is digested."""
        await self.digest.until(0)
        return Written("", self._size, self.digest.hexdigest(), self._modified_at)

    def discard(self) -> None:
        """Leave nothing."""
        self.digest.cancel()
        self._waiting.clear()
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        self.path.unlink(missing_ok=True)


def write_all(descriptor: int, data: bytes) -> None:
    """Write, however many calls that takes. Blocks."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def begin_write_back(descriptor: int, start: int, end: int) -> None:
    """Have the kernel begin to bring bytes to the disk, so that fsync finds little left; nothing is promised.

    Unlike fdatasync it ends no transaction of the file system, which the next write and all of fsync's callers would
    wait for. Linux begins to write what DONTNEED names and keeps it in memory as long as it is dirty.
    """
    if hasattr(os, "posix_fadvise"):  # not on macOS
        os.posix_fadvise(descriptor, start, end - start, os.POSIX_FADV_DONTNEED)
