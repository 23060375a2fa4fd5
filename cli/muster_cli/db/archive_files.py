"""The files of storage within a dump, members `files/<version>`, and the two ways in which a service keeps them.

A version never changes, so one that is there already is left alone.
"""

import os
import shutil
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol
from uuid import UUID, uuid4

from emulator.storage.files.disk import sync_folder, version_path

PREFIX = "files/"


@dataclass(frozen=True)
class StoredFile:
    """What the row of an object says of its file."""

    version: str
    bucket: str
    name: str
    mime_type: str
    cache_control: str


class Layout(Protocol):
    """A folder of files; `staging`: what is half written. Methods raise OSError, ValueError for what is no file."""

    staging: Path

    def path(self, file: StoredFile) -> Path:
        """Where a file is."""

    def finish(self, made: int, file: StoredFile) -> None:
        """What goes with the bytes of an open file that is complete."""

    def make_folder(self, folder: Path) -> None:
        """A folder below the root, with those above it."""


class EmbeddedLayout:
    """As the embedded service keeps files: named by their version, for its user alone."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.staging = root / "writing" / str(uuid4())  # which the service empties at its start

    def path(self, file: StoredFile) -> Path:
        """See Layout."""
        return version_path(self._root, file.version)

    def finish(self, made: int, file: StoredFile) -> None:
        """See Layout: the row has everything else."""

    def make_folder(self, folder: Path) -> None:
        """See Layout."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)


class ContainerLayout:
    """As storage-api keeps files: its bucket, tenant, the object's bucket and name as folders, a file per version.

    Media type and caching are extended attributes. What is made belongs to the owner of the root, as the container's
    own files do. https://github.com/supabase/storage/blob/master/src/storage/backend/file.ts
    """

    def __init__(self, root: Path, bucket: str = "stub", tenant: str = "stub") -> None:
        self._root, self._top = root, root / bucket / tenant
        self.staging = root / f".muster-restore-{uuid4()}"
        found = root.stat()
        self._owner = (found.st_uid, found.st_gid)

    def path(self, file: StoredFile) -> Path:
        """See Layout. Names come from users: none of their parts may lead elsewhere."""
        parts = [part for part in f"{file.bucket}/{file.name}".split("/") if part]
        if any(part in (".", "..") or "\0" in part or "\\" in part for part in parts):
            raise ValueError(f"{file.bucket}/{file.name} can't be a path")
        return self._top.joinpath(*parts, str(UUID(file.version)))

    def finish(self, made: int, file: StoredFile) -> None:
        """See Layout."""
        if not hasattr(os, "setxattr"):
            raise OSError("extended attributes of files are set on Linux alone")
        os.setxattr(made, "user.supabase.content-type", file.mime_type.encode())
        os.setxattr(made, "user.supabase.cache-control", file.cache_control.encode())
        os.fchmod(made, 0o644)
        self._give(made)

    def make_folder(self, folder: Path) -> None:
        """See Layout."""
        missing = [part for part in (folder, *folder.parents) if part.is_relative_to(self._root) and not part.exists()]
        for part in reversed(missing):
            part.mkdir(mode=0o755)
            self._give(part)

    def _give(self, made: int | Path) -> None:
        if os.geteuid() == 0:
            os.chown(made, *self._owner)


def add_files(archive: tarfile.TarFile, layout: Layout, files: Iterable[StoredFile]) -> None:
    """Add the versions that are there: one may be removed while this runs."""
    for file in files:
        try:
            source = layout.path(file).open("rb")
        except (FileNotFoundError, NotADirectoryError, ValueError):
            continue
        with source:
            info = tarfile.TarInfo(f"{PREFIX}{file.version}")
            found = os.fstat(source.fileno())
            info.size, info.mtime, info.mode = found.st_size, int(found.st_mtime), 0o600
            archive.addfile(info, source)


def holds_any(layout: Layout, files: Iterable[StoredFile]) -> bool:
    """Whether the folder is where these files are kept."""
    return any(_is_file(layout, file) for file in files)


class FileRestorer:
    """Brings versions back into a folder; `close` removes what is half written."""

    def __init__(self, layout: Layout, files: Mapping[str, StoredFile]) -> None:
        self._layout, self._files = layout, files
        self.versions: list[str] = []

    def restore(self, member: tarfile.TarInfo, source: IO[bytes]) -> None:
        """One member, on the disk before this returns. Raises OSError, ValueError for what can't be a file."""
        file = self._files.get(member.name.removeprefix(PREFIX))
        if file is None:
            return
        target = self._layout.path(file)
        if not target.exists():
            self._write(file, target, member, source)
        self.versions.append(file.version)

    def _write(self, file: StoredFile, target: Path, member: tarfile.TarInfo, source: IO[bytes]) -> None:
        self._layout.staging.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._layout.make_folder(target.parent)
        partial = self._layout.staging / file.version
        with partial.open("xb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
            copy.flush()
            self._layout.finish(copy.fileno(), file)
            os.utime(copy.fileno(), (member.mtime, member.mtime))
            os.fsync(copy.fileno())
        partial.rename(target)
        sync_folder(target.parent)

    def close(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self._layout.staging, ignore_errors=True)


def _is_file(layout: Layout, file: StoredFile) -> bool:
    try:
        return layout.path(file).is_file()
    except (OSError, ValueError):
        return False
