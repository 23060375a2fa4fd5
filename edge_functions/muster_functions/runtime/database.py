"""PostgreSQL for functions: a small pool, opened without waiting, one transaction per `async with`."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import psycopg

from emulator.observe import trace
from muster_functions.runtime import errors

if TYPE_CHECKING:
    from psycopg_pool import AsyncConnectionPool

Connection = psycopg.AsyncConnection[tuple[Any, ...]]

CONNECTIONS = 4
WAIT_S = 5.0
MAX_IDLE_S = 3.0  # the queues are looked at once a minute, over a connection that takes 7 MiB by then
STATEMENT_TIMEOUT_MS = 10_000
APPLICATION_NAME = "functions"

log = logging.getLogger(__name__)


class Database:
    """`url` is a URL or a libpq connection string. Connections are opened when they are first needed."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: AsyncConnectionPool[Connection] | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the pool open around a block; PostgreSQL is not waited for."""
        from psycopg_pool import AsyncConnectionPool

        options = {"autocommit": True, "options": f"-c statement_timeout={STATEMENT_TIMEOUT_MS}"}
        self._pool = AsyncConnectionPool(
            self._url, kwargs={**options, "application_name": APPLICATION_NAME},
            min_size=0, max_size=CONNECTIONS, max_idle=MAX_IDLE_S, timeout=WAIT_S, open=False,
            check=AsyncConnectionPool.check_connection, name=APPLICATION_NAME,
        )  # fmt: skip
        await self._pool.open(wait=False)
        try:
            yield
        finally:
            await self._pool.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """A connection in a transaction that commits with the block. Raises database_unavailable."""
        from psycopg_pool import PoolClosed, PoolTimeout

        assert self._pool is not None, "the service is not running"
        try:
            async with self._pool.connection() as connection, connection.transaction():
                name = trace.application_name(APPLICATION_NAME)
                if name is not None:
                    await connection.execute("select set_config('application_name', %s, true)", (name,))
                yield connection
        except (PoolTimeout, PoolClosed, psycopg.OperationalError, psycopg.InterfaceError) as error:
            log.warning("no database: %s", error)
            raise errors.database_unavailable() from error
