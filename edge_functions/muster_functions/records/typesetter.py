"""Records set by processes: two at once, each for one record. I/O."""

import asyncio
import json
import os
import sys
from typing import Any

from muster_functions import errors

_AT_ONCE = 2
_MOST_WAITING = 32
_TIMEOUT_S = 30.0
_MODULE = "muster_functions.records.worker"


class Typesetter:
    """Bounds how many records are set at the same time."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._waiting = 0

    async def set(self, sheet: dict[str, Any]) -> bytes:
        """The PDF of a sheet. Raises too_many_records, record_not_set."""
        if self._waiting >= _MOST_WAITING:
            raise errors.too_many_records()
        self._waiting += 1
        try:
            async with self._slots:
                return await _run(json.dumps(sheet).encode())
        finally:
            self._waiting -= 1


async def _run(sheet: bytes) -> bytes:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", _MODULE, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, env={"PATH": os.environ.get("PATH", "")},
    )  # fmt: skip
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            made, _ = await process.communicate(sheet)
    except TimeoutError as error:
        raise errors.record_not_set() from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise errors.record_not_set()
    return made
