"""The parts of S3's multipart uploads, until they are one object. I/O.

multipart/<upload id>/headers.json     what the object's headers will be
multipart/<upload id>/<number>-<md5>   a part
"""

import json
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

from emulator.storage.files.backend import FileMissing
from emulator.storage.files.disk import PIECE, Disk, sync_folder


class PartStore:
    """The uploads in parts of one folder."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._root = disk.root / "multipart"

    async def create(self, upload_id: str, headers: dict[str, Any]) -> None:
        """Begin an upload."""
        await self._disk.run(self._create, upload_id, headers)

    async def headers(self, upload_id: str) -> dict[str, Any]:
        """What `create` was given. Raises FileMissing."""
        return await self._disk.run(self._headers, upload_id)

    async def write(self, upload_id: str, number: int, pieces: AsyncIterator[bytes], limit: int) -> str:
        """Write a part, or write it again; its MD5. Raises TooLarge, DiskFull."""
        staged, written = await self._disk.write_aside(pieces, limit)
        await self._disk.run(self._place, staged, self._folder(upload_id) / f"{number}-{written.md5}")
        return written.md5

    def pieces(self, upload_id: str, parts: Sequence[tuple[int, str]]) -> AsyncIterator[bytes]:
        """The bytes of parts, one after the other. Raises FileMissing."""
        return self._pieces([self._folder(upload_id) / f"{number}-{md5}" for number, md5 in parts])

    async def missing(self, upload_id: str, parts: Sequence[tuple[int, str]]) -> int | None:
        """The number of the first part that is not there."""
        folder = self._folder(upload_id)

        def look() -> int | None:
            return next((number for number, md5 in parts if not (folder / f"{number}-{md5}").is_file()), None)

        return await self._disk.run(look)

    async def remove(self, upload_id: str) -> None:
        """Forget an upload."""
        with suppress(FileMissing):
            await self._disk.run(shutil.rmtree, self._folder(upload_id), True)

    async def ids(self) -> list[str]:
        """The uploads that have a folder, but for those that a row may be about to name."""
        youngest = self._disk.youngest_left
        return await self._disk.run(
            lambda: [entry.name for entry in self._root.iterdir() if entry.stat().st_ctime < youngest]
        )

    def _folder(self, upload_id: str) -> Path:
        try:
            return self._root / str(UUID(upload_id))
        except ValueError as error:
            raise FileMissing(upload_id) from error

    def _create(self, upload_id: str, headers: dict[str, Any]) -> None:
        folder = self._folder(upload_id)
        folder.mkdir(parents=True, mode=0o700)
        (folder / "headers.json").write_text(json.dumps(headers), "utf8")

    def _headers(self, upload_id: str) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads((self._folder(upload_id) / "headers.json").read_text("utf8"))
        except OSError as error:
            raise FileMissing(upload_id) from error
        return found

    def _place(self, staged: Path, target: Path) -> None:
        staged.rename(target)
        sync_folder(target.parent)

    async def _pieces(self, paths: Sequence[Path]) -> AsyncIterator[bytes]:
        for path in paths:
            handle = await self._disk.run(path.open, "rb")
            try:
                while piece := await self._disk.run(handle.read, PIECE):
                    yield piece
            finally:
                handle.close()
