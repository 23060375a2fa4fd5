"""What functions may use: database connections, the mail queue, the limits. Made late, closed with the service."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import psycopg

from emulator.observe import trace
from muster_functions.blog.shell import Source, WebShell, no_shell
from muster_functions.runtime import errors
from muster_functions.runtime.limits import Allowance
from muster_functions.settings import FunctionsSettings

if TYPE_CHECKING:
    from psycopg_pool import AsyncConnectionPool

    from muster_functions.mailer.port import Mailer
    from muster_functions.mailer.worker import Worker

Connection = psycopg.AsyncConnection[tuple[Any, ...]]

CONNECTIONS = 4
WAIT_S = 5.0
STATEMENT_TIMEOUT_MS = 10_000

log = logging.getLogger("muster.functions")


class Services:
    """One per application; `request.app.state.services` in a function."""

    def __init__(self, settings: FunctionsSettings, shell: Source | None = None) -> None:
        self.settings = settings
        self.shell = shell or (WebShell(settings.web_url) if settings.web_url else no_shell)
        self.requests = Allowance(settings.limits.requests_per_minute, window_s=60.0)
        self._pool: AsyncConnectionPool[Connection] | None = None
        self._worker: Worker | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open the pool (without waiting for PostgreSQL) and run the mail worker around a block."""
        from psycopg_pool import AsyncConnectionPool

        from muster_functions.mailer.worker import Worker

        options = {"autocommit": True, "options": f"-c statement_timeout={STATEMENT_TIMEOUT_MS}"}
        self._pool = AsyncConnectionPool(
            self.settings.database_url, kwargs={**options, "application_name": "functions"},
            min_size=0, max_size=CONNECTIONS, max_idle=10.0, timeout=WAIT_S, open=False,
            check=AsyncConnectionPool.check_connection, name="functions",
        )  # fmt: skip
        await self._pool.open(wait=False)
        smtp = self.settings.smtp
        self._worker = Worker(
            self.transaction, self._make_mailer, send_timeout_s=smtp.timeout_s * 3, backoff=self.settings.backoff
        )
        try:
            async with self._worker.running():
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
                name = trace.application_name("functions")
                if name is not None:
                    await connection.execute("select set_config('application_name', %s, true)", (name,))
                yield connection
        except (PoolTimeout, PoolClosed, psycopg.OperationalError, psycopg.InterfaceError) as error:
            log.warning("no database: %s", error)
            raise errors.database_unavailable() from error

    def _make_mailer(self) -> Mailer:
        """Called for the first mail: a service that sends none never loads the SMTP client."""
        from muster_functions.mailer.smtp import SmtpMailer

        return SmtpMailer(self.settings.smtp)

    def mails_accepted(self) -> None:
        """Tell the worker that there is something to send."""
        if self._worker is not None:
            self._worker.wake()
