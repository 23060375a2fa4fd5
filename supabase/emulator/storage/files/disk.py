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
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from uuid import UUID, uuid4

from emulator.storage.files.backend import DiskFull, FileMissing, Written
from emulator.storage.files.digest import SMALL, Digest
from emulator.storage.files.staged import Staged

PIECE = 256 * 1024
_LARGEST_BATCH = 1 << 20  # what is handed over to the threads at once by who is alone
_SMALLEST_BATCH = 128 * 1024  # less than what the server reads from a socket at once
_BATCHES_BYTES = 8 << 20  # of the batches of all uploads that wait for their digest
_THREADS = 8
_BATCH = 1000
ROW_WITHIN_S = 3600  # a file that has no row after that long has lost it
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
        self._uploads = 0
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
        version = version or str(uuid4())
        async with self._staged(pieces, limit) as staged:
            await self.run(self.place, staged.path, version)  # meanwhile the last bytes are digested
            written = await staged.written()
        self.count(written.size)
        return replace(written, version=version)

    async def write_aside(self, pieces: AsyncIterator[bytes], limit: int | None = None) -> tuple[Path, Written]:
        """Write a file that has no place yet, and have it on the disk. Raises TooLarge, DiskFull."""
        async with self._staged(pieces, limit) as staged:
            return staged.path, await staged.written()

    @asynccontextmanager
    async def _staged(self, pieces: AsyncIterator[bytes], limit: int | None) -> AsyncIterator[Staged]:
        """The same before it is digested to its end. What fails within the block, too, removes the file."""
        staged = Staged(self.new_path(), limit, self.require_space, self.new_digest())
        self._uploads += 1
        try:
            await self._fill(staged, pieces)
            yield staged
        except BaseException:
            await asyncio.shield(self.run(staged.discard))
            raise
        finally:
            self._uploads -= 1

    async def _fill(self, staged: Staged, pieces: AsyncIterator[bytes]) -> None:
        """Write pieces while the next ones come, and bring all to the disk."""
        writing: asyncio.Task[None] | None = None
        try:
            async for piece in pieces:
                batch, undigested = bounds(self._uploads)
                if staged.take(piece) >= batch:
                    await staged.digest.until(undigested)
                    if writing is not None:
                        await writing
                    writing = asyncio.create_task(self.run(staged.write, staged.cut()))
        finally:
            if writing is not None:
                await ended(writing)  # whatever happens: the descriptor may not be closed under it
        await self.run(staged.finish, staged.cut())

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

    def new_digest(self) -> Digest:
        """The digest of a file, on the thread whose turn it is."""
        return Digest(next(self._next_hasher))

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
        self._writing.mkdir(mode=0o700)
        self._locks.append(_locked(self._writing / "lock", fcntl.LOCK_EX))
        self._started_at = os.fstat(self._locks[-1]).st_ctime  # the file system's clock, which is behind the system's
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
                if str(UUID(entry.name)) == entry.name and entry.stat().st_ctime < youngest:
                    yield entry.name


def bounds(uploads: int) -> tuple[int, int]:
    """For each of so many uploads at once: the bytes of a batch, and how many batches may wait for their digest."""
    share = _BATCHES_BYTES // max(uploads, 1)
    batch = max(_SMALLEST_BATCH, min(_LARGEST_BATCH, share))
    return batch, max(0, share // batch - 1)


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
