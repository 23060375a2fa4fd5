"""Remove what nothing names any more: files that a crash left between their rename and their row. I/O.

At the start, and every hour. What a failed question to the database leaves open stays.
"""

import asyncio
import logging

from emulator.storage.database import multipart, objects
from emulator.storage.database.session import Actor, documents
from emulator.storage.errors import StorageError
from emulator.storage.service import Service

log = logging.getLogger("emulator.storage.collector")
EVERY_S = 3600.0
RETRY_S = 5.0


class Collector:
    """The task of one service. `removed` counts versions."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._task: asyncio.Task[None] | None = None
        self.removed = 0

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End, wherever it is."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def collect(self) -> int:
        """Look at everything once; how many versions were removed. Raises StorageError."""
        removed = 0
        async for batch in self._service.files.versions():
            (rows,) = await self._service.db.run(self._actor(), objects.known_versions(batch))
            known = {row["version"] for row in documents(rows)}
            orphans = [version for version in batch if version not in known]
            if orphans:
                await self._service.files.remove(orphans)
                removed += len(orphans)
        await self._collect_parts()
        for version in await self._service.uploads.expired(self._service.clock.time()):
            await self._service.uploads.remove(version)
        self.removed += removed
        return removed

    async def _collect_parts(self) -> None:
        ids = await self._service.parts.ids()
        (rows,) = await self._service.db.run(self._actor(), multipart.known_ids(ids))
        known = {row["id"] for row in documents(rows)}
        for upload_id in ids:
            if upload_id not in known:
                await self._service.parts.remove(upload_id)

    async def _run(self) -> None:
        while True:
            try:
                removed = await self.collect()
                if removed:
                    log.info("removed %d files that no object names", removed)
                await asyncio.sleep(EVERY_S)
            except (StorageError, OSError) as error:
                log.debug("the collector waits: %s", error)
                await asyncio.sleep(RETRY_S)

    def _actor(self) -> Actor:
        service = self._service
        return Actor(service.service_principal, service.service_token, "{}", "", "", "storage.collect")
