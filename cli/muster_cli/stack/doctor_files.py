"""Examine the files of storage: the folder, the space, and whether rows and files name each other."""

import os
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg

from emulator.storage.files.disk import ROW_WITHIN_S, version_path
from muster_cli.findings import Finding

WHAT = "Files"
MOST = 200_000  # rows and files that are compared
FLOOR_BYTES = 64 << 20  # what the service leaves free unless it is told otherwise
Connection = psycopg.Connection[tuple[Any, ...]]


def examine_files(folder: Path, connection: Connection, variables: Mapping[str, str]) -> Iterator[Finding]:
    """Findings about the files of a running stack. `variables`: what a person set for the services."""
    if connection.execute("select to_regclass('storage.objects')").fetchone() == (None,):
        return
    if variables.get("STORAGE_BACKEND") == "s3":
        yield Finding(WHAT, "ok", "in the S3 bucket that STORAGE_S3_BUCKET names")
        return
    if not folder.is_dir():
        return
    if not all(os.access(part, os.W_OK | os.X_OK) for part in (folder, *folder.iterdir()) if part.is_dir()):
        yield Finding(WHAT, "problem", f"{folder} is not writable", "give it to the user that the stack runs as")
        return
    yield from _space(folder, int(variables.get("STORAGE_FREE_BYTES_FLOOR") or FLOOR_BYTES))
    yield from _comparison(folder, connection)


def _space(folder: Path, floor: int) -> Iterator[Finding]:
    free = shutil.disk_usage(folder).free
    if free < floor:
        said = f"{free / 1024**2:.0f} MiB are free at {folder}: uploads are refused (507)"
        yield Finding(WHAT, "problem", said, "free some space, or lower STORAGE_FREE_BYTES_FLOOR")


def _comparison(folder: Path, connection: Connection) -> Iterator[Finding]:
    known = {
        row[0]
        for row in connection.execute(
            "select version from storage.objects where version is not null limit %s", (MOST + 1,)
        )
    }
    if len(known) > MOST:
        yield Finding(WHAT, "ok", f"more than {MOST} objects, which are too many to compare here")
        return
    lost = [version for version in known if not _is_there(folder, version)]
    if lost:
        yield Finding(WHAT, "problem", f"{len(lost)} of {len(known)} objects have no file, such as {min(lost)}",
                      "bring the folder back from a backup, or restore a dump")  # fmt: skip
    size, left = _left(folder, known)
    if left:
        yield Finding(WHAT, "warning", f"{left} files that no object names",
                      "the service removes them within an hour, and at its start")  # fmt: skip
    if not lost:
        yield Finding(WHAT, "ok", f"{len(known)} objects, {size / 1024**2:.1f} MiB")


def _left(folder: Path, known: set[str]) -> tuple[int, int]:
    """Bytes of all files, and how many have no row and will not get one."""
    size = left = 0
    latest = time.time() - ROW_WITHIN_S
    for path in (folder / "objects").glob("*/*"):
        try:
            found = path.stat()
        except FileNotFoundError:
            continue
        size += found.st_size
        left += path.name not in known and found.st_ctime < latest
    return size, left


def _is_there(folder: Path, version: str) -> bool:
    try:
        return version_path(folder, version).is_file()
    except ValueError:
        return False
