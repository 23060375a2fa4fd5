"""The files of branches: those of storage are shared by hard links, since a version never changes. I/O, for threads."""

import errno
import os
import secrets
import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

_GONE = ".dropped-"
_NO_LINKS = (errno.EPERM, errno.EXDEV, errno.EMLINK, errno.ENOTSUP)  # a file system without, or too many of one file


def copy_files(source: Path, target: Path) -> None:
    """Give `target` the objects of another storage folder; where there is none there are none.

    Resumable uploads and uploads in parts that are under way are not copied. An object that is removed meanwhile is
    left out: no row names it any more. Raises OSError.
    """
    for folder in sorted(source.glob("objects/*")):
        made = target / "objects" / folder.name
        made.mkdir(parents=True, exist_ok=True, mode=0o700)
        for entry in os.scandir(folder):
            with suppress(FileNotFoundError):
                _link(Path(entry.path), made / entry.name)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except FileExistsError:
        return  # the same version
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        shutil.copyfile(source, target)


def dropped_path(folder: Path) -> Path:
    """Where a folder is put that is to be removed."""
    return folder.with_name(f"{_GONE}{secrets.token_hex(6)}")


def set_aside(folder: Path, gone: Path) -> bool:
    """Rename a folder out of the way, to be removed; whether there was one."""
    try:
        folder.rename(gone)
    except FileNotFoundError:
        return False
    return True


def remove(folder: Path) -> None:
    """Remove a folder with everything in it, if it is there."""
    shutil.rmtree(folder, ignore_errors=True)


def strangers(root: Path, known: Collection[str]) -> list[Path]:
    """The folders below `root` that have none of the known names, those that were set aside among them."""
    return sorted(path for path in root.glob("*") if path.name not in known) if root.is_dir() else []
