"""What the service asks of a place for files. A file is named by its version, a UUID, and never changes."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class FileMissing(Exception):
    """No file has this version."""


class DiskFull(Exception):
    """There is no space left, or the quota is used up."""


class TooLarge(Exception):
    """More bytes came than are allowed."""


@dataclass(frozen=True)
class Written:
    """A file that is complete and on the disk. `modified_at` in seconds, Unix time."""

    version: str
    size: int
    md5: str
    modified_at: float

    @property
    def etag(self) -> str:
        """As clients see it, quotes included."""
        return f'"{self.md5}"'


class Reading(Protocol):
    """An open file."""

    @property
    def size(self) -> int:
        """In bytes."""

    @property
    def modified_at(self) -> float:
        """When it was written, Unix time in seconds."""

    async def local(self) -> Path:
        """A file on this machine with the same bytes, as long as this is open."""

    def pieces(self, start: int, length: int) -> AsyncIterator[bytes]:
        """`length` bytes from `start` on, in pieces of bounded size."""

    async def close(self) -> None:
        """Give the descriptor back."""


class Backend(Protocol):
    """A place for files."""

    async def start(self) -> None:
        """Make ready; called once."""

    async def close(self) -> None:
        """Give everything back."""

    async def write(
        self, pieces: AsyncIterator[bytes], limit: int | None = None, version: str | None = None
    ) -> Written:
        """Write a version, a new one unless it is named.

        Raises TooLarge, DiskFull, and what `pieces` raises; nothing stays then.
        """

    async def adopt(self, file: Path, version: str, md5: str | None = None) -> Written:
        """Make a file below the disk's folder a version; it stays where it is, too. Raises DiskFull."""

    async def copy(self, version: str) -> Written:
        """The same bytes as a new version. Raises FileMissing."""

    async def open(self, version: str) -> Reading:
        """Read a version. Raises FileMissing."""

    async def remove(self, versions: Sequence[str]) -> None:
        """Remove versions; those that are gone already are fine."""

    def versions(self) -> AsyncIterator[list[str]]:
        """Everything that is there and may be old enough to be forgotten, in batches."""
