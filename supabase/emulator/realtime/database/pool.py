"""The service's ordinary connections: a small pool that opens late and comes back after a restart of PostgreSQL."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from emulator.realtime.database.session import SESSION_OPTIONS

Connection = psycopg.AsyncConnection[tuple[Any, ...]]
MAX_CONNECTIONS = 4
WAIT_S = 5.0
STATEMENT_TIMEOUT_MS = 10_000


class DatabaseUnavailable(Exception):
    """PostgreSQL can't be reached now."""


class Database:
    """Connections of the service's own user, in autocommit, in time zone UTC."""

    def __init__(self, conninfo: str) -> None:
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            conninfo,
            min_size=0,
            max_size=MAX_CONNECTIONS,
            max_idle=20,
            open=False,
            timeout=WAIT_S,
            reconnect_timeout=WAIT_S,
            check=AsyncConnectionPool.check_connection,
            name="realtime",
            kwargs={
                "autocommit": True,
                "options": f"{SESSION_OPTIONS} -c statement_timeout={STATEMENT_TIMEOUT_MS}",
                "application_name": "realtime",
            },
        )

    async def open(self) -> None:
        await self._pool.open(wait=False)

    async def close(self) -> None:
        await self._pool.close()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """A connection of the pool; raises DatabaseUnavailable when there is none or it breaks."""
        try:
            async with self._pool.connection() as connection:
                yield connection
        except PoolTimeout as error:
            raise DatabaseUnavailable(str(error)) from error
        except psycopg.OperationalError as error:
            if isinstance(error, psycopg.errors.QueryCanceled):
                raise
            raise DatabaseUnavailable(str(error)) from error
