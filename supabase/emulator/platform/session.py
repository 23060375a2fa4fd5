"""The one session that the workers of a stack stand on: who holds its lock works, and hears the notifications.

Of the processes of a stack one has it; the others wait for the lock, so one of them goes on when that process dies.
When PostgreSQL restarts, the workers end with the session and begin again with the next.
"""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Any, Protocol

import psycopg
from psycopg_pool import PoolTimeout

from emulator.platform.tasks import raise_if_canceled

log = logging.getLogger(__name__)

SESSION_NAME = "muster platform"  # net.check_worker_is_up looks for it
_LOCK = "select pg_catalog.pg_advisory_lock(8602021548701253)"  # any number that is ours alone
_MAX_PAUSE_S = 5.0
RETRY_PAUSE_S = 1.0


class Worker(Protocol):
    """Works from the beginning of a session to its end."""

    def wake(self) -> None:
        """The database notified this worker."""

    async def run(self) -> None:
        """Work until canceled."""


class Listening(Protocol):
    """Serves while its block runs."""

    def listening(self) -> contextlib.AbstractAsyncContextManager[None]:
        """Serve during a block."""


async def stand(conninfo: str, workers: Mapping[str, Worker], server: Listening | None) -> None:
    """Hold the session, again and again until canceled: `workers` by the channel that wakes them, `server` beside."""
    pause = 0.1
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
                await connection.execute(_LOCK)
                pause = 0.1
                async with server.listening() if server is not None else contextlib.nullcontext():
                    await _work(connection, workers)
        except* (psycopg.Error, PoolTimeout, OSError) as errors:
            log.debug("the session of the platform's workers ended: %s", errors.exceptions[0])
        except* Exception:  # a fault of ours must not end cron and net for good
            log.exception("the session of the platform's workers failed, and begins again")
        raise_if_canceled()
        await asyncio.sleep(pause)
        pause = min(pause * 2, _MAX_PAUSE_S)


async def _work(connection: psycopg.AsyncConnection[Any], workers: Mapping[str, Worker]) -> None:
    for channel in workers:
        await connection.execute(psycopg.sql.SQL("listen {}").format(psycopg.sql.Identifier(channel)))
    async with asyncio.TaskGroup() as group:
        for worker in workers.values():
            group.create_task(_persist(worker))
        async for notification in connection.notifies():
            workers[notification.channel].wake()
        raise psycopg.OperationalError("the connection was closed")


async def _persist(worker: Worker) -> None:
    """Run a worker again when a statement of its own failed: the others and their work go on meanwhile."""
    while True:
        try:
            await worker.run()
        except (psycopg.Error, PoolTimeout) as error:
            raise_if_canceled()
            log.error("a worker of the platform failed, and begins again: %s", error)
            await asyncio.sleep(RETRY_PAUSE_S)
