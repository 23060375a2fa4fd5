"""Transformed images: computed once, by a few processes, and kept by version and options. I/O.

    images/<version>/<digest of the options>.<format>

Versions never change, so what is kept is only ever too much: the least recently used is removed first.
"""

import asyncio
import hashlib
import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from uuid import uuid4

from emulator.storage.errors import StorageError, image_error, slow_down
from emulator.storage.files.backend import Reading
from emulator.storage.files.disk import Disk
from emulator.storage.images.options import Transform
from emulator.storage.settings import ImageSettings

_WORKERS = 2
_MAX_WAITING = 32
_JOBS_PER_PROCESS = 200
_IDLE_S = 60.0
_MODULE = "emulator.storage.images.worker"


class Renderer:
    """The cache and the processes of one service."""

    def __init__(self, settings: ImageSettings, disk: Disk) -> None:
        self._settings, self._disk = settings, disk
        self._root = disk.root / "images"
        self._running: dict[Path, asyncio.Task[Path]] = {}
        self._free: list[_Process] = []
        self._slots = asyncio.Semaphore(_WORKERS)
        self._size: int | None = None

    async def render(self, source: Reading, version: str, transform: Transform) -> Path:
        """The file of a transformed version; equal requests are computed once. Raises StorageError."""
        digest = hashlib.sha256(transform.key.encode()).hexdigest()[:32]
        target = self._root / version / digest
        made = await self._disk.run(_find, target)
        if made is not None:
            return made
        task = self._running.get(target)
        if task is None:
            if len(self._running) >= _MAX_WAITING:
                raise slow_down("Too many requests")
            task = asyncio.create_task(self._compute(source, target, transform))
            self._running[target] = task
            task.add_done_callback(lambda _: self._running.pop(target, None))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """End the processes."""
        for task in list(self._running.values()):
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        for process in self._free:
            await process.end()

    async def _compute(self, reading: Reading, target: Path, transform: Transform) -> Path:
        if reading.size > self._settings.max_source_bytes:
            raise image_error(400, "The source image file is too large to process")
        source = await reading.local()
        partial = target.parent / f"{uuid4()}.partial"
        await self._disk.run(target.parent.mkdir, 0o700, True, True)
        try:
            async with self._slots:
                media_type = await self._run(source, partial, transform)
            made = target.with_suffix("." + media_type.removeprefix("image/"))
            await self._disk.run(partial.rename, made)
        finally:
            await self._disk.run(partial.unlink, True)
        await self._disk.run(self._trim, made)
        return made

    async def _run(self, source: Path, target: Path, transform: Transform) -> str:
        process = self._free.pop() if self._free else await _Process.start()
        settings = self._settings
        job = {
            "source": str(source),
            "target": str(target),
            "transform": asdict(transform),
            "limits": {"megapixels": settings.max_megapixels, "frames": settings.max_frames},
        }
        try:
            answer = await asyncio.wait_for(process.ask(job), settings.timeout_s)
        except TimeoutError as error:
            await process.end()
            raise image_error(408, "Image request timed out") from error
        except BaseException:
            await process.end()
            raise
        if process.jobs < _JOBS_PER_PROCESS:
            self._free.append(process)
            process.end_when_idle(self._free)
        else:
            await process.end()
        if "refused" in answer:
            raise image_error(400, answer["refused"])
        return answer["media_type"]

    def _trim(self, made: Path) -> None:
        """Keep the folder within its bounds. Blocks."""
        if self._size is None:
            self._size = sum(path.stat().st_size for path in _kept(self._root))
        else:
            self._size += made.stat().st_size
        if self._size <= self._settings.cache_bytes:
            return
        for path in sorted(_kept(self._root), key=lambda path: path.stat().st_atime):
            if self._size <= self._settings.cache_bytes * 3 // 4:
                return
            if path != made:
                self._size -= path.stat().st_size
                path.unlink(missing_ok=True)


class _Process:
    """One worker process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._timer: asyncio.TimerHandle | None = None
        self.jobs = 0

    @classmethod
    async def start(cls) -> "_Process":
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable, "-m", _MODULE, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL, env={"PATH": os.environ.get("PATH", "")},
            )
        )  # fmt: skip

    async def ask(self, job: object) -> dict[str, str]:
        """Its answer. Raises StorageError when the process dies of the job."""
        if self._timer is not None:
            self._timer.cancel()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.jobs += 1
        with suppress(BrokenPipeError, ConnectionResetError):
            self._process.stdin.write(json.dumps(job).encode() + b"\n")
            await self._process.stdin.drain()
        line = await self._process.stdout.readline()
        if not line:
            raise _died()
        answer: dict[str, str] = json.loads(line)
        return answer

    def end_when_idle(self, free: "list[_Process]") -> None:
        """Give its memory back after a while."""

        def end() -> None:
            if self in free:
                free.remove(self)
                self._process.kill()

        self._timer = asyncio.get_running_loop().call_later(_IDLE_S, end)

    async def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()


def _died() -> StorageError:
    return image_error(400, "The source image is invalid or unsupported for rendering")


def _find(target: Path) -> Path | None:
    return next((path for path in target.parent.glob(f"{target.name}.*")), None) if target.parent.is_dir() else None


def _kept(root: Path) -> list[Path]:
    return [path for path in root.glob("*/*") if path.suffix != ".partial"]
