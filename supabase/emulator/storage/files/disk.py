"""Files below a folder:

    objects/ab/ab12...       a version, named by its UUID; the first two digits are the folder
    writing/<process>/       what is being written, a folder per process, held by a lock
    uploads/                 resumable uploads (partial.py)
    images/                  what was made of images (images/renderer.py)
    multipart/               uploads in parts (parts.py)
    lock                     shared by the processes of a stack

A file is written below `writing`, synchronized with the disk and renamed to its place: files in `objects` are complete.
No path is made of what a client sent. Reads and writes run on threads, in pieces of at most PIECE bytes.
"""

import asyncio
import errno
import fcntl
import functools
import hashlib
import os
import shutil
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from uuid import UUID, uuid4

from emulator.storage.files.backend import DiskFull, FileMissing, TooLarge, Written

PIECE = 256 * 1024
_LARGEST_BATCH = 1 << 20  # fewer turns of the event loop for who is alone
_BATCHES_BYTES = 16 << 20  # of one batch of every upload; three may be in memory
SMALL = 64 * 1024
_THREADS = 8
_BATCH = 1000
ROW_WITHIN_S = 3600  # a file that has no row after that long has lost it
_CLOCK_STEP_S = 0.05  # a file system's clock is behind by a tick
_SPACE_CHECK_BYTES = 8 << 20  # how much is written between two looks at the free space
# How much is written before it is brought to the disk beside the next writes, so that little is left at the end; of so
# few uploads at once that threads are left for reads.
_SYNC_BYTES = 8 << 20
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
P = ParamSpec("P")
T = TypeVar("T")


class Disk:
    """The folder, and the threads that work on it. `floor`: bytes that stay free."""

    def __init__(self, root: Path, *, floor: int = 0, quota: int = 0) -> None:
        self.root = root
        self._prefix = f"{root}/"
        self._floor, self._quota = floor, quota
        self._used = 0
        self._staged = 0
        self.written = 0
        self._writing = root / "writing" / str(uuid4())
        self._threads = ThreadPoolExecutor(_THREADS, "storage")
        self._hashers = [ThreadPoolExecutor(1, "storage-md5") for _ in range(os.cpu_count() or 1)]
        self._next_hasher = cycle(self._hashers)
        self._locks: list[int] = []
        self._alone = False
        self._started_at = 0.0

    async def start(self) -> None:
        """Make the folders, take the locks, and remove what processes that died were writing."""
        await self.run(self._start)

    async def close(self) -> None:
        """End the threads and let go of the locks."""
        await self.run(shutil.rmtree, self._writing, True)
        for threads in (self._threads, *self._hashers):
            threads.shutdown(wait=True)
        for descriptor in self._locks:
            os.close(descriptor)

    async def run(self, work: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Run blocking work on a thread. Raises DiskFull where the disk is.

        Who is canceled meanwhile waits for its end: a thread may not be left with a descriptor that is closed next.
        """
        return await self._run_on(self._threads, functools.partial(work, *arguments, **options))

    async def _run_on(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        try:
            return await ended(asyncio.get_running_loop().run_in_executor(threads, work))
        except OSError as error:
            if error.errno in _FULL:
                raise DiskFull from error
            raise

    async def write(
        self, pieces: AsyncIterator[bytes], limit: int | None = None, version: str | None = None
    ) -> Written:
        """Write a new version, as Backend says."""
        staged, written = await self.write_aside(pieces, limit)
        version = version or str(uuid4())
        await self.run(self.place, staged, version)
        self.count(written.size)
        return replace(written, version=version)

    async def write_aside(self, pieces: AsyncIterator[bytes], limit: int | None = None) -> tuple[Path, Written]:
        """Write a file that has no place yet, and have it on the disk. Raises TooLarge, DiskFull."""
        staged, writes, digests, syncs = Staged(self, limit), Pending(), Pending(), Pending()
        hasher = next(self._next_hasher)  # one thread for a file, which keeps its pieces in order
        self._staged += 1
        try:
            async for piece in pieces:
                if staged.take(piece) >= self._batch_bytes:  # the next pieces come while these are worked on
                    batch = staged.cut()
                    await writes.until(0)
                    await digests.until(1 if self._batch_bytes > PIECE else 0)
                    if syncs.idle and staged.unsynced >= _SYNC_BYTES and self._staged <= _THREADS // 2:
                        syncs.add(self.run(staged.sync))
                    writes.add(self.run(staged.write, batch))
                    digests.add(self._run_on(hasher, functools.partial(staged.digest, batch)))
            last = staged.cut()
            await writes.until(0)
            digests.add(self._run_on(hasher, functools.partial(staged.digest, last)))
            await syncs.until(0)
            await self.run(staged.finish, last)
            await digests.until(0)
            return staged.path, staged.written()
        except BaseException:
            await writes.end()
            await digests.end()
            await syncs.end()
            await asyncio.shield(self.run(staged.discard))
            raise
        finally:
            self._staged -= 1

    @property
    def _batch_bytes(self) -> int:
        return max(PIECE, min(_LARGEST_BATCH, _BATCHES_BYTES // max(self._staged, 1)))

    async def adopt(self, file: Path, version: str, md5: str | None = None) -> Written:
        """Make a file of the same file system, which is on the disk, a version. The file itself stays, too."""
        return await self.run(self._adopt, file, version, md5)

    async def copy(self, version: str) -> Written:
        """The same bytes under a new name: versions never change, so a second link is enough."""
        return await self.run(self._copy, version)

    async def open(self, version: str) -> "DiskReading":
        """Read a version."""
        try:
            path = f"{self._prefix}{_place_of(version)}"
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError, ValueError) as error:
            raise FileMissing(version) from error
        return DiskReading(self, descriptor, path)

    async def open_file(self, path: Path) -> "DiskReading":
        """Read a file that is no version."""
        return DiskReading(self, await self.run(os.open, path, os.O_RDONLY | os.O_CLOEXEC), str(path))

    async def remove(self, versions: Sequence[str]) -> None:
        """Remove versions."""
        await self.run(self._remove, versions)

    async def versions(self) -> AsyncIterator[list[str]]:
        """Names below `objects`, in batches, but for those that a row may be about to name."""
        youngest = self.youngest_left
        walk = self._walk(youngest)
        while batch := await self.run(_take, walk, _BATCH):
            yield batch

    def path(self, version: str) -> Path:
        """Where a version is; raises FileMissing for what is no UUID."""
        try:
            return version_path(self.root, version)
        except ValueError as error:
            raise FileMissing(version) from error

    def new_path(self) -> Path:
        """A file to write, which goes when this process does."""
        return self._writing / str(uuid4())

    def place(self, file: Path, version: str) -> None:
        """Rename a file that is on the disk to its place, and have that on the disk, too. Blocks."""
        target = self.path(version)
        if not target.parent.is_dir():
            target.parent.mkdir(mode=0o700, exist_ok=True)
            sync_folder(target.parent.parent)
        file.rename(target)
        sync_folder(target.parent)

    def require_space(self, size: int) -> None:
        """Raise DiskFull when `size` more bytes don't fit. Blocks."""
        if shutil.disk_usage(self.root).free - size < self._floor:
            raise DiskFull
        if self._quota and self._used + size > self._quota:
            raise DiskFull

    def count(self, size: int) -> None:
        """Add to what the quota counts."""
        self._used += size
        self.written += max(size, 0)

    @property
    def youngest_left(self) -> float:
        """What was made before that, and has no row, never gets one: whoever wrote it is gone, or has failed."""
        return max(self._started_at if self._alone else 0, time.time() - ROW_WITHIN_S)

    @property
    def used(self) -> int:
        """How many bytes the versions have, as far as this process knows."""
        return self._used

    def _start(self) -> None:
        for folder in ("objects", "writing", "uploads", "multipart", "images"):
            (self.root / folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        self._alone = self._lock(self.root / "lock")
        self._started_at = time.time() - _CLOCK_STEP_S
        self._writing.mkdir(mode=0o700)
        self._locks.append(_locked(self._writing / "lock", fcntl.LOCK_EX))
        for other in (self.root / "writing").iterdir():
            if other != self._writing and _is_abandoned(other):
                shutil.rmtree(other, ignore_errors=True)
        self._used = sum(entry.stat().st_size for entry in _files(self.root / "objects"))

    def _lock(self, path: Path) -> bool:
        """Hold a lock that processes share; whether this is the only one."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._locks.append(descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = True
        except BlockingIOError:
            alone = False
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        return alone

    def _adopt(self, file: Path, version: str, md5: str | None) -> Written:
        found = file.stat()
        digest = md5 or digest_of(file)
        partial = self.new_path()
        try:
            os.link(file, partial, follow_symlinks=False)
        except OSError:  # a file system without links
            self.require_space(found.st_size)
            shutil.copyfile(file, partial)
            _sync_file(partial)
        self.place(partial, version)
        self.count(found.st_size)
        return Written(version, found.st_size, digest, found.st_mtime)

    def _copy(self, version: str) -> Written:
        made = str(uuid4())
        source, partial = self.path(version), self.new_path()
        try:
            os.link(source, partial, follow_symlinks=False)
        except FileNotFoundError as error:
            raise FileMissing(version) from error
        except OSError:  # a file system without links
            self.require_space(source.stat().st_size)
            shutil.copyfile(source, partial)
            _sync_file(partial)
        size = partial.stat().st_size
        self.place(partial, made)
        self.count(size)
        return Written(made, size, "", time.time())

    def _remove(self, versions: Sequence[str]) -> None:
        for version in versions:
            with suppress(FileNotFoundError, FileMissing):
                path = self.path(version)
                self.count(-path.stat().st_size)
                path.unlink()
            shutil.rmtree(self.root / "images" / version, ignore_errors=True)

    def _walk(self, youngest: float) -> Iterator[str]:
        for entry in _files(self.root / "objects"):
            with suppress(FileNotFoundError, ValueError):
                # Not the time of the bytes: a copy is a second link to old ones.
                if str(UUID(entry.name)) == entry.name and entry.stat().st_ctime <= youngest:
                    yield entry.name


class Staged:
    """A file that is being written. `take` is for the event loop, everything else for a thread."""

    def __init__(self, disk: Disk, limit: int | None) -> None:
        self._disk, self._limit = disk, limit
        self._waiting: list[bytes] = []
        self._waiting_size = 0
        self._size = 0
        self._written = 0
        self._checked = 0
        self._synced = 0
        self._modified_at = 0.0
        self._md5 = hashlib.md5(usedforsecurity=False)
        self.path = disk.new_path()
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
        """Write pieces."""
        size = sum(map(len, pieces))
        self._written += size
        if self._written - self._checked >= _SPACE_CHECK_BYTES or self._descriptor is None:
            self._disk.require_space(size)
            self._checked = self._written
        if self._descriptor is None:
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        for piece in pieces:
            write_all(self._descriptor, piece)

    @property
    def unsynced(self) -> int:
        """How many bytes were written since the last `sync` began."""
        return self._written - self._synced

    def sync(self) -> None:
        """Bring to the disk what is written."""
        assert self._descriptor is not None
        self._synced = self._written
        os.fdatasync(self._descriptor)

    def digest(self, pieces: list[bytes]) -> None:
        """Add pieces to the digest."""
        for piece in pieces:
            self._md5.update(piece)

    def finish(self, pieces: list[bytes]) -> None:
        """Write the last pieces, and bring everything to the disk."""
        self.write(pieces)
        assert self._descriptor is not None
        os.fsync(self._descriptor)
        self._modified_at = os.fstat(self._descriptor).st_mtime
        os.close(self._descriptor)
        self._descriptor = None

    def written(self) -> Written:
        """What it is, when everything is written and digested."""
        return Written("", self._size, self._md5.hexdigest(), self._modified_at)

    def discard(self) -> None:
        """Leave nothing."""
        self._waiting.clear()
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        self.path.unlink(missing_ok=True)


class DiskReading:
    """An open version."""

    def __init__(self, disk: Disk, descriptor: int, path: str) -> None:
        self._disk, self._descriptor, self._path = disk, descriptor, path
        found = os.fstat(descriptor)
        self.size, self.modified_at = found.st_size, found.st_mtime

    async def pieces(self, start: int, length: int) -> AsyncIterator[bytes]:
        """Bytes of a part of the file."""
        while length > 0:
            piece = await self._read(start, min(length, PIECE))
            if not piece:
                return
            yield piece
            start += len(piece)
            length -= len(piece)

    def read_now(self, start: int, length: int) -> bytes | None:
        """A small part, when it needs no disk: None where it would have to wait."""
        if not hasattr(os, "preadv") or not hasattr(os, "RWF_NOWAIT"):
            return None
        buffer = bytearray(length)
        try:
            found = os.preadv(self._descriptor, [buffer], start, os.RWF_NOWAIT)
        except OSError:
            return None
        return bytes(buffer) if found == length else None

    async def local(self) -> Path:
        """The file itself."""
        return Path(self._path)

    async def close(self) -> None:
        """Close the descriptor."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    async def _read(self, start: int, length: int) -> bytes:
        ready = self.read_now(start, length) if length <= SMALL else None
        return ready if ready is not None else await self._disk.run(os.pread, self._descriptor, length, start)


async def ended(work: asyncio.Future[T]) -> T:
    """The result of what can't be canceled; a cancellation is raised after its end."""
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        while not work.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([work])
        if not work.cancelled():
            work.exception()  # it was seen
        raise


class Pending:
    """Works under way, in the order in which they began."""

    def __init__(self) -> None:
        self._works: deque[asyncio.Task[None]] = deque()

    def add(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin one."""
        self._works.append(asyncio.ensure_future(work))

    async def until(self, most: int) -> None:
        """Wait until at most so many are left; raises what one of them raised."""
        while len(self._works) > most:
            await self._works.popleft()

    @property
    def idle(self) -> bool:
        """Whether none is under way."""
        return all(work.done() for work in self._works)

    async def end(self) -> None:
        """Wait for all, whatever they raise."""
        await asyncio.gather(*self._works, return_exceptions=True)


def write_all(descriptor: int, data: bytes) -> None:
    """Write, however many calls that takes. Blocks."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def version_path(root: Path, version: str) -> Path:
    """Where a version is below the backend's folder; raises ValueError for what is no UUID."""
    return root / _place_of(version)


def _place_of(version: str) -> str:
    """The same, relative to the folder: a Path costs every small read more than the file does."""
    name = str(UUID(version))
    return f"objects/{name[:2]}/{name}"


def sync_folder(folder: Path) -> None:
    """Have the names within a folder on the disk. Blocks."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def digest_of(file: Path) -> str:
    """The MD5 of a file. Blocks."""
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _locked(path: Path, how: int) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, how)
    return descriptor


def _is_abandoned(folder: Path) -> bool:
    """Whether the process that wrote into a folder is gone: it would hold the lock."""
    try:
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)


def _files(folder: Path) -> Iterator["os.DirEntry[str]"]:
    for group in sorted(folder.iterdir()):
        if group.is_dir():
            with os.scandir(group) as entries:
                yield from entries


def _take(walk: Iterator[Any], count: int) -> list[Any]:
    taken = []
    for item in walk:
        taken.append(item)
        if len(taken) == count:
            break
    return taken
