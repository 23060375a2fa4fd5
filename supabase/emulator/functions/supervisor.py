"""Which function has a process: started by the first request, kept warm, stopped when idle, replaced after a change."""

import asyncio
import contextlib
import logging
import time
from pathlib import Path

from emulator.functions import errors
from emulator.functions.discovery import Function, fingerprint, list_functions
from emulator.functions.prepare import prepare
from emulator.functions.project_files import ProjectError, SourceReader
from emulator.functions.settings import FunctionsSettings
from emulator.functions.worker import Worker

CHANGE_CHECK_S = 0.5
_SWEEP_S = 5.0

log = logging.getLogger(__name__)


class Supervisor:
    """The workers of a project's functions."""

    def __init__(self, settings: FunctionsSettings) -> None:
        self._settings = settings
        self._sources = SourceReader()
        self._workers: dict[str, Worker] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._retiring: set[asyncio.Task[None]] = set()
        self._seen = ""
        self._outside: frozenset[Path] = frozenset()
        self._looked = 0.0

    async def run(self) -> None:
        """Fill the cache of modules, then stop what is idle, until canceled; then stop everything."""
        try:
            await self._prepare_all()
            while True:
                await asyncio.sleep(_SWEEP_S)
                await self._sweep()
        finally:
            workers = list(self._workers.values())
            await asyncio.shield(asyncio.gather(*(worker.stop("termination") for worker in workers), *self._retiring))

    async def worker(self, function: Function) -> Worker:
        """A process that serves the function, started if there is none. Raises FunctionError."""
        await self._look_for_changes()
        worker = self._workers.get(function.slug)
        if worker is not None and worker.is_alive:
            return worker
        async with self._locks.setdefault(function.slug, asyncio.Lock()):
            worker = self._workers.get(function.slug)
            if worker is None or not worker.is_alive:
                if worker is not None:
                    self._retire(function.slug, "early_drop")
                worker = await self._start(function)
            return worker

    async def is_working(self) -> bool:
        """Whether a process answers, or goes on after its answers."""
        if self._retiring:
            return True
        return any([await worker.is_working() for worker in list(self._workers.values())])

    async def _start(self, function: Function) -> Worker:
        settings = self._settings
        if settings.deno is None and not function.is_python:
            log.error("[%s] Deno is not installed: functions in TypeScript need it (npm install deno)", function.slug)
            raise errors.boot_error()
        await self._make_room()
        try:
            prepared = None if function.is_python else await prepare(settings, function, self._sources)
            if prepared is not None and prepared.outside != self._outside:
                self._outside, self._seen = prepared.outside, ""
            worker = Worker(settings, function)
            await worker.start(prepared)
        except ProjectError as error:
            log.error("[%s] %s", function.slug, error)  # the author's mistake, not ours
            raise errors.boot_error() from error
        except OSError as error:  # Deno was removed or replaced, the disk is full, there are too many processes
            log.error("[%s] the process could not be started: %s", function.slug, error)
            raise errors.boot_error() from error
        self._workers[function.slug] = worker
        return worker

    async def _make_room(self) -> None:
        """Stop the process that idled longest, if there are as many as may be. Raises FunctionError when all work."""
        if len(self._workers) < self._settings.max_workers:
            return
        for slug, worker in sorted(self._workers.items(), key=lambda item: item[1].last_used):
            if await worker.is_idle():
                self._retire(slug, "early_drop")
                return
        log.error("all %d processes of functions are at work: FUNCTIONS_MAX_WORKERS", self._settings.max_workers)
        raise errors.boot_error()

    def _retire(self, slug: str, reason: str) -> None:
        """Give a process no more requests; it ends once it has answered those that it has."""
        worker = self._workers.pop(slug)

        async def drain() -> None:
            deadline = time.monotonic() + self._settings.wall_clock_s
            while worker.is_alive and time.monotonic() < deadline:
                if await worker.is_idle():
                    break
                await asyncio.sleep(0.1)
            await worker.stop(reason)

        task = asyncio.create_task(drain())
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)

    async def _look_for_changes(self) -> None:
        """A file below the folder of functions changed: the next request of each function meets a new process."""
        now = time.monotonic()
        if now - self._looked < CHANGE_CHECK_S or self._settings.directory is None:
            return
        self._looked = now
        seen = await asyncio.to_thread(fingerprint, self._settings.directory, self._outside)
        if self._seen and seen != self._seen:
            for slug in list(self._workers):
                self._retire(slug, "early_drop")
        self._seen = seen

    async def _sweep(self) -> None:
        limit = time.monotonic() - self._settings.idle_s
        for slug, worker in list(self._workers.items()):
            if not worker.is_alive or (worker.last_used < limit and await worker.is_idle()):
                with contextlib.suppress(KeyError):  # retired by a request meanwhile
                    self._retire(slug, "wall_clock")

    async def _prepare_all(self) -> None:
        if self._settings.deno is None:
            return
        for function in await asyncio.to_thread(list_functions, self._settings):
            if function.is_python:
                continue  # it has nothing to download
            async with self._locks.setdefault(function.slug, asyncio.Lock()):
                with contextlib.suppress(ProjectError, OSError):  # said when the function is called
                    await prepare(self._settings, function, self._sources)
