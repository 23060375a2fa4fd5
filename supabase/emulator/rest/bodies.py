"""Reads large bodies in processes of their own: the interpreter's lock would make every request wait for them. I/O.

A process starts when it is first needed, serves one body at a time, and ends after a while without any.
"""

import asyncio
import json
import logging
import socket
import subprocess
import sys
from typing import Any

from emulator.errors import ApiError
from emulator.rest import errors
from emulator.rest.api_request.payload import BodyKind, Payload, ReadBody

log = logging.getLogger(__name__)

_MAX_WORKERS = 2
_MAX_IDLE_S = 15
# A line of a response: the keys of a body, or the fields of a form.
_MAX_LINE_BYTES = 16 * 1_048_576


def _start_process() -> tuple[subprocess.Popen[bytes], socket.socket]:
    own, other = socket.socketpair()
    with other:
        # -P: nothing is imported from the current folder.
        command = [sys.executable, "-P", "-m", "emulator.rest.body_worker"]
        return subprocess.Popen(command, stdin=other.fileno(), start_new_session=True), own


class _Worker:
    """One process, and the streams to it."""

    def __init__(
        self, process: subprocess.Popen[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer

    @classmethod
    async def start(cls) -> "_Worker":
        process, own = await asyncio.to_thread(_start_process)
        reader, writer = await asyncio.open_connection(sock=own, limit=_MAX_LINE_BYTES)
        return cls(process, reader, writer)

    async def read(self, kind: BodyKind, body: bytes) -> ReadBody:
        """Have a body read. Raises ApiError; ValueError or OSError when the process has died."""
        self._writer.write(json.dumps({**kind._asdict(), "size": len(body)}).encode() + b"\n")
        self._writer.write(body)
        await self._writer.drain()
        head: dict[str, Any] = json.loads(await self._reader.readline())
        if "error" in head:
            raise ApiError(*head["error"])
        size: int | None = head["size"]
        content = body if size is None else await self._reader.readexactly(size)
        known = head["payload"]
        payload = Payload(**{**known, "keys": tuple(known["keys"])})
        return payload, content, tuple((name, value) for name, value in head["fields"])

    def stop(self) -> None:
        """End the process; it holds nothing but what it was given."""
        self._writer.close()
        self._process.kill()
        self._process.wait()


class BodyReaders:
    """A few processes that read bodies; more bodies than processes wait their turn."""

    def __init__(self) -> None:
        self._idle: list[_Worker] = []
        self._places: asyncio.Semaphore | None = None
        self._retiring: asyncio.TimerHandle | None = None

    async def read(self, kind: BodyKind, body: bytes) -> ReadBody:
        """Read a body. Raises ApiError: what it is refused for, or 413 when its process ran out of memory."""
        if self._places is None:
            self._places = asyncio.Semaphore(_MAX_WORKERS)
        async with self._places:
            worker = self._idle.pop() if self._idle else await _Worker.start()
            try:
                found = await worker.read(kind, body)
            except ApiError:
                self._keep(worker)
                raise
            except (OSError, ValueError, EOFError) as error:
                worker.stop()
                log.warning("a process that reads bodies ended: %s", error)
                raise errors.body_too_complex() from error
            except BaseException:  # canceled in between: the streams are no longer in step
                worker.stop()
                raise
            self._keep(worker)
            return found

    def close(self) -> None:
        """End the processes that are idle."""
        if self._retiring is not None:
            self._retiring.cancel()
        while self._idle:
            self._idle.pop().stop()

    def _keep(self, worker: _Worker) -> None:
        self._idle.append(worker)
        if self._retiring is not None:
            self._retiring.cancel()
        self._retiring = asyncio.get_running_loop().call_later(_MAX_IDLE_S, self.close)
