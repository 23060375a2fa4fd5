"""The loop that has storage remove the objects of deleted files, so that neither rows nor bytes stay."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

import psycopg

from emulator.errors import ApiError
from emulator.platform.tasks import raise_if_canceled
from muster_functions.files import rows
from muster_functions.files.store import Store
from muster_functions.runtime.database import Connection

POLL_S = 60.0
COLLECT_INTERVAL_S = 3600.0

log = logging.getLogger(__name__)


class Remover:
    """Looks at the queue once a minute, and when it is woken."""

    def __init__(self, transaction: Callable[[], AbstractAsyncContextManager[Connection]], store: Store) -> None:
        self._transaction, self._store = transaction, store
        self._wakeup = asyncio.Event()
        self._collected_at = float("-inf")

    def wake(self) -> None:
        """Look at the queue now."""
        self._wakeup.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Remove while the block runs."""
        if not self._store.is_there:
            yield
            return
        task = asyncio.ensure_future(self._work())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _work(self) -> None:
        while True:
            raise_if_canceled()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wakeup.wait(), POLL_S)
            self._wakeup.clear()
            try:
                await self.empty()
            except (ApiError, psycopg.Error) as error:
                log.warning("removed files wait: %s", error)

    async def empty(self) -> None:
        """Remove all that wait. A failure leaves its rows, for the next time."""
        now = asyncio.get_running_loop().time()
        if now - self._collected_at > COLLECT_INTERVAL_S:
            async with self._transaction() as connection:
                await rows.collect(connection)
            self._collected_at = now
        while True:
            async with self._transaction() as connection:
                claimed = await rows.claim_removals(connection)
                if claimed is None:
                    return
                bucket, names = claimed
                await self._store.remove(bucket, names)
            log.info("%d objects of %s removed", len(names), bucket)
