"""Pictures cleaned by processes: a few at once, each for one picture. I/O."""

import asyncio
import json
import os
import sys

from muster_functions import errors
from muster_functions.files.content import Cleaned

_AT_ONCE = 2
_MOST_WAITING = 32
_TIMEOUT_S = 30.0
_MODULE = "muster_functions.files.worker"


class Cleaner:
    """Bounds how many uploads are worked on at the same time: each is held in memory meanwhile."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._waiting = 0

    async def __aenter__(self) -> None:
        """Wait for a slot. Raises too_many_files."""
        if self._waiting >= _MOST_WAITING:
            raise errors.too_many_files()
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1

    async def __aexit__(self, *_: object) -> None:
        self._slots.release()


async def clean_picture(data: bytes) -> Cleaned:
    """Raises unknown_type, too_many_pixels."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", _MODULE, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, env={"PATH": os.environ.get("PATH", "")},
    )  # fmt: skip
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            made, _ = await process.communicate(data)
    except TimeoutError as error:
        raise errors.too_many_pixels() from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    line, _, pixels = made.partition(b"\n")
    if process.returncode != 0 or not line:
        raise errors.unknown_type()
    answer = json.loads(line)
    if answer.get("refused") == "too many pixels":
        raise errors.too_many_pixels()
    if "refused" in answer:
        raise errors.unknown_type()
    return Cleaned(data=pixels, **answer)
