"""The files of storage within a dump: members `files/<version>`, as the embedded service keeps them.

A version never changes, so one that is there already is left alone.
"""

import os
import shutil
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO
from uuid import uuid4

from emulator.storage.files.disk import sync_folder, version_path

PREFIX = "files/"


def add_files(archive: tarfile.TarFile, folder: Path, versions: Iterable[str]) -> None:
    """Add the versions that are there: one may be removed while this runs."""
    for version in versions:
        try:
            source = version_path(folder, version).open("rb")
        except (FileNotFoundError, ValueError):
            continue
        with source:
            info = tarfile.TarInfo(f"{PREFIX}{version}")
            found = os.fstat(source.fileno())
            info.size, info.mtime, info.mode = found.st_size, int(found.st_mtime), 0o600
            archive.addfile(info, source)


def holds_any(folder: Path, versions: Iterable[str]) -> bool:
    """Whether the folder is where these versions are kept."""
    return any(_is_file(folder, version) for version in versions)


class FileRestorer:
    """Brings versions back into a folder; `close` removes what is half written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writing = folder / "writing" / str(uuid4())
        self.versions: list[str] = []

    def restore(self, member: str, source: IO[bytes]) -> None:
        """One member, on the disk before this returns. Raises OSError, ValueError for what is no version."""
        version = member.removeprefix(PREFIX)
        target = version_path(self._folder, version)
        if not target.exists():
            self._writing.mkdir(parents=True, exist_ok=True, mode=0o700)
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial = self._writing / version
            with partial.open("xb") as copy:
                shutil.copyfileobj(source, copy, 1 << 20)
                copy.flush()
                os.fsync(copy.fileno())
            partial.rename(target)
            sync_folder(target.parent)
        self.versions.append(version)

    def close(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self._writing, ignore_errors=True)


def _is_file(folder: Path, version: str) -> bool:
    try:
        return version_path(folder, version).is_file()
    except ValueError:
        return False
