"""The log files of a stack, kept small: the current one and KEPT before it, MAX_BYTES each."""

import asyncio
import os
import shutil
from pathlib import Path

MAX_BYTES = 10 * 1024 * 1024
KEPT = 4
CHECK_S = 2.0


async def keep_small(folder: Path) -> None:
    """Rotate what has grown too large, until canceled."""
    while True:
        await asyncio.to_thread(rotate_all, folder)
        await asyncio.sleep(CHECK_S)


def rotate_all(folder: Path) -> None:
    """Rotate every log of a folder that has grown too large."""
    for file in folder.glob("*.log"):
        if file.stat().st_size > MAX_BYTES:
            rotate(file)


def rotate(file: Path) -> None:
    """Copy a log to `<name>.1`, the older ones a number further, and empty it.

    Copied and not renamed: several processes, PostgreSQL among them, write to the open file, all of them to its end.
    What is written between the copy and the emptying is lost; so is the copy when the disk is full.
    """
    older = [file.with_name(f"{file.name}.{number}") for number in range(KEPT, 0, -1)]
    older[0].unlink(missing_ok=True)
    for target, source in zip(older, older[1:], strict=False):
        if source.exists():
            source.rename(target)
    try:
        shutil.copyfile(file, older[-1])
    except OSError:
        older[-1].unlink(missing_ok=True)
    os.truncate(file, 0)
