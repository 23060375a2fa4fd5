"""The schema at the service's start: migrated as soon as the database answers, and asked for by the health check."""

import asyncio
import logging

import psycopg
import psycopg_pool

from emulator.auth.context import Service
from emulator.auth.migrations import migrate
from emulator.auth.models.schema_migrations import is_current

log = logging.getLogger("emulator.auth")
CONNECT_TIMEOUT_S = 3
RETRY_S = (0.2, 0.5, 1.0, 2.0, 5.0)  # the last one is repeated


def migrate_at(database_url: str) -> None:
    """Migrate the schema over a connection of its own. Raises psycopg.Error."""
    with psycopg.connect(database_url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S) as connection:
        new = migrate(connection)
    if new:
        log.info("schema auth migrated to version %s", new[-1])


async def is_ready(service: Service) -> bool:
    """Whether the database answers and has the schema that requests need."""
    try:
        async with service.pool.connection() as db:
            return await is_current(db)
    except (psycopg.Error, psycopg_pool.PoolTimeout, psycopg_pool.PoolClosed):
        return False


async def migrate_when_reachable(service: Service) -> None:
    """Return when the schema is there; until then try again and say in the log why it is not."""
    said = ""
    for attempt in range(1_000_000):
        if await is_ready(service):
            return
        try:
            await asyncio.to_thread(migrate_at, service.settings.database_url)
        except psycopg.Error as error:
            reason = str(error).strip().splitlines()[0]
            if reason != said:
                log.warning("schema auth can't be migrated yet: %s", reason)
            said = reason
        else:
            return
        await asyncio.sleep(RETRY_S[min(attempt, len(RETRY_S) - 1)])
