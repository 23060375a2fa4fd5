"""The backend whose files are in a bucket: `<tenant>/<version>`. I/O.

A file is written to the disk first, as for the folder, and sent from there once it is complete and its size and MD5 are
known: what is in the bucket is complete. Resumable uploads and made images stay on the disk of the machine.
"""

import asyncio
import base64
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from uuid import UUID, uuid4

from emulator.storage.files.backend import FileMissing, Written
from emulator.storage.files.disk import PIECE, ROW_WITHIN_S, Disk, digest_of
from emulator.storage.remote.client import BucketClient, EndpointFailed
from emulator.storage.s3.xml import parse

_REMOVALS = 16  # at once


class BucketFiles:
    """The files of one tenant. `disk` is where they are made, and started and ended with this."""

    def __init__(self, client: BucketClient, disk: Disk, tenant: str) -> None:
        self._client, self._disk = client, disk
        self._prefix = f"{tenant}/"

    async def start(self) -> None:
        """Make the disk ready."""
        await self._disk.start()

    async def close(self) -> None:
        """End connections and threads."""
        await self._client.close()
        await self._disk.close()

    async def write(
        self, pieces: AsyncIterator[bytes], limit: int | None = None, version: str | None = None
    ) -> Written:
        """Write a new version, as Backend says."""
        staged, written = await self._disk.write_aside(pieces, limit)
        made = replace(written, version=version or str(uuid4()))
        try:
            await self._send(staged, made)
        finally:
            await asyncio.shield(self._disk.run(staged.unlink, True))
        return made

    async def adopt(self, file: Path, version: str, md5: str | None = None) -> Written:
        """Send a file, which stays."""
        if md5 is None:
            md5 = await self._disk.run(digest_of, file)
        found = await self._disk.run(file.stat)
        written = Written(version, found.st_size, md5, found.st_mtime)
        await self._send(file, written)
        return written

    async def copy(self, version: str) -> Written:
        """The same bytes as a new version; the endpoint copies them."""
        source = await self.open(version)
        made = str(uuid4())
        headers = {"x-amz-copy-source": self._client.source(self._key(version))}
        answer = await self._client.call("PUT", self._key(made), headers=headers)
        if answer.status_code == 404:
            raise FileMissing(version)
        if b"<Error>" in answer.content:  # a copy that fails late does so with status 200
            raise EndpointFailed(f"the endpoint of the files: {answer.text[:500]}")
        return Written(made, source.size, "", time.time())

    async def open(self, version: str) -> "BucketReading":
        """Read a version."""
        answer = await self._client.call("HEAD", self._key(version))
        if answer.status_code == 404:
            raise FileMissing(version)
        size = int(answer.headers["content-length"])
        modified_at = parsedate_to_datetime(answer.headers["last-modified"]).timestamp()
        return BucketReading(self._client, self._disk, self._key(version), size, modified_at)

    async def remove(self, versions: Sequence[str]) -> None:
        """Remove versions, and what was made of them on this machine."""
        waiting = iter(versions)

        async def work() -> None:
            for version in waiting:
                with suppress(FileMissing):
                    await self._client.call("DELETE", self._key(version))

        await asyncio.gather(*(work() for _ in range(min(_REMOVALS, len(versions)))))
        await self._disk.remove(versions)

    async def versions(self) -> AsyncIterator[list[str]]:
        """Names in the bucket, in batches. Other machines may be about to use the young ones."""
        token: str | None = ""
        while token is not None:
            query = {"list-type": "2", "prefix": self._prefix}
            answer = await self._client.call("GET", query={**query, **({"continuation-token": token} if token else {})})
            if answer.status_code == 404:
                raise EndpointFailed("the bucket of the files does not exist")
            page = parse(answer.content)
            youngest = time.time() - ROW_WITHIN_S
            yield [
                name
                for entry in page.iter("Contents")
                if datetime.fromisoformat(entry.findtext("LastModified") or "").timestamp() <= youngest
                and _is_version(name := (entry.findtext("Key") or "").removeprefix(self._prefix))
            ]
            token = page.findtext("NextContinuationToken")

    def _key(self, version: str) -> str:
        try:
            return f"{self._prefix}{UUID(version)}"
        except ValueError as error:
            raise FileMissing(version) from error

    async def _send(self, file: Path, written: Written) -> None:
        headers = {
            "content-length": str(written.size),
            "content-md5": base64.b64encode(bytes.fromhex(written.md5)).decode(),
            "content-type": "application/octet-stream",
        }
        answer = await self._client.call(
            "PUT", self._key(written.version), headers=headers, body=lambda: self._pieces(file)
        )
        if answer.status_code == 404:
            raise EndpointFailed("the bucket of the files does not exist")
        self._disk.written += written.size

    async def _pieces(self, file: Path) -> AsyncIterator[bytes]:
        reading = await self._disk.open_file(file)
        try:
            async for piece in reading.pieces(0, reading.size):
                yield piece
        finally:
            await reading.close()


class BucketReading:
    """A version; every part that is read is one request."""

    def __init__(self, client: BucketClient, disk: Disk, key: str, size: int, modified_at: float) -> None:
        self._client, self._disk, self._key = client, disk, key
        self._local: Path | None = None
        self.size, self.modified_at = size, modified_at

    async def pieces(self, start: int, length: int) -> AsyncIterator[bytes]:
        """Bytes of a part of the file. Raises FileMissing, EndpointFailed."""
        if length <= 0:
            return
        headers = {"range": f"bytes={start}-{start + length - 1}"}
        async with self._client.stream("GET", self._key, headers=headers) as response:
            if response.status_code == 404:
                raise FileMissing(self._key)
            async for piece in response.aiter_raw(PIECE):
                yield piece

    async def local(self) -> Path:
        """A copy on this machine, until this is closed."""
        if self._local is None:
            self._local, _ = await self._disk.write_aside(self.pieces(0, self.size))
        return self._local

    async def close(self) -> None:
        """Remove the copy."""
        if self._local is not None:
            await self._disk.run(self._local.unlink, True)
            self._local = None


def _is_version(name: str) -> bool:
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False
