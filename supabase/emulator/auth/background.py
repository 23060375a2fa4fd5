"""Work that goes on after the response: mails, and what would reveal by its duration who has an account."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import psycopg
import psycopg_pool

MAX_TASKS = 200
log = logging.getLogger("emulator.auth")


class BackgroundTasks:
    """A bounded set of tasks whose end no request waits for; the service's shutdown does."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, work: Callable[[], Awaitable[None]]) -> None:
        """Start work. With MAX_TASKS under way it is awaited after all: that slows down whoever floods the service."""
        if len(self._tasks) >= MAX_TASKS:
            await _run_logged(work)
            return
        task = asyncio.create_task(_run_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def wait(self) -> None:
        """Return when all of it is done."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _run_logged(work: Callable[[], Awaitable[None]]) -> None:
    try:
        await work()
    except (psycopg_pool.PoolTimeout, psycopg.OperationalError) as error:
        log.warning("background work failed, the database does not answer: %s", error)
    except Exception:
        log.exception("background work failed unexpectedly")
