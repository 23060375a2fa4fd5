"""What is there of an upload that is not complete: its bytes so far, and a file that says what it will be. I/O.

    uploads/<version>        the bytes
    uploads/<version>.json   bucket, key, length, and the offset up to which the bytes are on the disk

After a crash an upload goes on at the recorded offset. The last part is recorded only when the object's row is there.
"""

import asyncio
import json
import os
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from emulator import locks
from emulator.storage.files.backend import DiskFull, TooLarge
from emulator.storage.files.digest import Digest
from emulator.storage.files.disk import PIECE, Disk, sync_folder
from emulator.storage.files.staged import begin_write_back, write_all

RECORD_BYTES = 16 << 20  # how much of one long part may have to be sent again after a crash
LOCK_S = 5.0
_MAX_DIGESTS = 1000
_UNDIGESTED = 3  # pieces that are written before they are digested


@dataclass(frozen=True)
class UploadState:
    """One upload. `length` None: the client has not said it yet."""

    bucket: str
    key: str
    version: str
    length: int | None
    offset: int
    metadata: dict[str, str | None]
    expires_at: float
    is_finished: bool = False


class UploadMissing(Exception):
    """No such upload."""


class UploadBusy(Exception):
    """Another request is writing it and did not stop in time."""


class UploadStore:
    """The uploads of one folder; processes may share it."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._folder = disk.root / "uploads"
        self._digests: OrderedDict[str, tuple[int, Digest | None]] = OrderedDict()
        self._writers: dict[str, asyncio.Task[Any]] = {}

    async def create(self, state: UploadState) -> None:
        """Begin an upload."""
        await self._disk.run(self._create, state)
        self._remember(state.version, 0, self._disk.new_digest())

    async def read(self, version: str) -> UploadState:
        """The state of an upload. Raises UploadMissing."""
        return await self._disk.run(self._read, version)

    async def record(self, state: UploadState) -> None:
        """Replace the state."""
        await self._disk.run(self._write_state, state)

    async def remove(self, version: str) -> None:
        """Forget an upload."""
        self._digests.pop(version, None)
        await self._disk.run(self._remove, version)

    @asynccontextmanager
    async def writing(self, version: str) -> AsyncIterator[None]:
        """Be the only one who writes an upload. A request that was before is ended. Raises UploadBusy."""
        before = self._writers.get(version)
        if before is not None:
            before.cancel()
        current = asyncio.current_task()
        assert current is not None
        descriptor = await self._disk.run(self._lock, version)
        self._writers[version] = current
        try:
            yield
        finally:
            if self._writers.get(version) is current:
                del self._writers[version]
            os.close(descriptor)

    async def append(self, state: UploadState, pieces: AsyncIterator[bytes], limit: int) -> UploadState:
        """Write bytes at the offset, up to `limit` in all; the state as it is then. Raises TooLarge, DiskFull.

        When `pieces` ends early by an exception, what came is kept and recorded.
        """
        offset, digest = self._digests.pop(state.version, (-1, None))  # when this fails, it is of no use
        writer = _Writer(
            self._disk, self._folder / state.version, state.offset, digest if offset == state.offset else None
        )
        recorded = state
        try:
            async for piece in pieces:
                if writer.offset + len(piece) > limit:
                    raise TooLarge
                if writer.take(piece):
                    await writer.digested(_UNDIGESTED)
                    await self._disk.run(writer.flush)
                if writer.offset - recorded.offset >= RECORD_BYTES:
                    await self._disk.run(writer.sync)
                    recorded = replace(state, offset=writer.offset)
                    await self.record(recorded)
            await self._disk.run(writer.sync)
            await writer.digested(0)
        except (TooLarge, DiskFull):
            await writer.digested(0)
            await self._disk.run(writer.rewind, recorded.offset)
            raise
        except BaseException:
            await asyncio.shield(self._keep(writer, state))
            raise
        finally:
            writer.close()
        self._remember(state.version, writer.offset, writer.digest)
        return replace(state, offset=writer.offset)

    def digest(self, state: UploadState) -> str | None:
        """The MD5 of everything, if this process has seen all of it."""
        offset, digest = self._digests.get(state.version, (-1, None))
        return digest.hexdigest() if digest is not None and offset == state.offset else None

    def data(self, version: str) -> Path:
        """Where the bytes are."""
        return self._folder / _checked(version)

    async def expired(self, now: float) -> list[str]:
        """Uploads whose time is over, and those that a crash left without their state."""
        return await self._disk.run(self._expired, now)

    async def _keep(self, writer: "_Writer", state: UploadState) -> None:
        await self._disk.run(writer.sync)
        await writer.digested(0)
        self._remember(state.version, writer.offset, writer.digest)
        await self.record(replace(state, offset=writer.offset))

    def _remember(self, version: str, offset: int, digest: Digest | None) -> None:
        if digest is not None:
            self._digests[version] = (offset, digest)
            if len(self._digests) > _MAX_DIGESTS:
                self._digests.popitem(last=False)

    def _create(self, state: UploadState) -> None:
        self._disk.require_space(state.length or 0)
        os.close(os.open(self.data(state.version), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        self._write_state(state)

    def _read(self, version: str) -> UploadState:
        path = self._folder / f"{_checked(version)}.json"
        try:
            state = UploadState(**json.loads(path.read_text("utf8")))
        except (OSError, ValueError, TypeError) as error:
            raise UploadMissing(version) from error
        if state.is_finished:
            return state
        try:
            size = self.data(version).stat().st_size
        except OSError as error:
            raise UploadMissing(version) from error
        return replace(state, offset=min(state.offset, size))

    def _write_state(self, state: UploadState) -> None:
        partial = self._folder / f"{state.version}.json.partial"
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            write_all(descriptor, json.dumps(asdict(state)).encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        partial.rename(self._folder / f"{state.version}.json")
        sync_folder(self._folder)

    def _remove(self, version: str) -> None:
        for name in (version, f"{version}.json", f"{version}.json.partial"):
            (self._folder / name).unlink(missing_ok=True)

    def _lock(self, version: str) -> int:
        try:
            descriptor = os.open(self.data(version), os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise UploadMissing(version) from error
        if not locks.take(descriptor, LOCK_S):
            os.close(descriptor)
            raise UploadBusy(version)
        return descriptor

    def _expired(self, now: float) -> list[str]:
        found = []
        for path in self._folder.glob("*.json"):
            with suppress(OSError, ValueError, TypeError):
                if UploadState(**json.loads(path.read_text("utf8"))).expires_at < now:
                    found.append(path.stem)
        youngest = self._disk.youngest_left
        for path in self._folder.iterdir():
            is_alone = not path.suffix and not path.with_suffix(".json").exists()
            if is_alone and path.stat().st_ctime < youngest:
                found.append(path.name)
        return found


class _Writer:
    """Bytes on their way to the file. `take` and `digested` are for the event loop, everything else for a thread."""

    def __init__(self, disk: Disk, path: Path, offset: int, digest: Digest | None) -> None:
        self._disk, self._path = disk, path
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        self._written = offset
        self._waiting: list[bytes] = []
        self.offset = offset
        self.digest = digest

    def take(self, piece: bytes) -> bool:
        """Keep a piece; whether there is enough to be written."""
        self._waiting.append(piece)
        self.offset += len(piece)
        return self.offset - self._written >= PIECE

    def flush(self) -> None:
        """Write what was taken."""
        self._disk.require_space(self.offset - self._written)
        os.lseek(self._descriptor, self._written, os.SEEK_SET)
        data = b"".join(self._waiting)
        write_all(self._descriptor, data)
        if self.digest is not None:
            self.digest.add(data)
        begin_write_back(self._descriptor, self._written, self.offset)
        self._waiting.clear()
        self._written = self.offset

    async def digested(self, most: int) -> None:
        """Wait until at most so many pieces that are written are not digested."""
        if self.digest is not None:
            await self.digest.until(most)

    def sync(self) -> None:
        """Have everything on the disk, and nothing behind it."""
        self.flush()
        os.ftruncate(self._descriptor, self._written)
        os.fsync(self._descriptor)

    def rewind(self, offset: int) -> None:
        """Forget what came after `offset`."""
        self._waiting.clear()
        os.ftruncate(self._descriptor, offset)

    def close(self) -> None:
        os.close(self._descriptor)


def _checked(version: str) -> str:
    """A version that can be part of a path. Raises UploadMissing."""
    try:
        return str(UUID(version))
    except ValueError as error:
        raise UploadMissing(version) from error
