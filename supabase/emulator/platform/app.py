"""The platform's workers as a service of the one process: they run from its start to its end, and answer nothing."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from psycopg_pool import AsyncConnectionPool

from emulator.asgi.types import Receive, Scope, Send
from emulator.clock import MACHINE, Clock
from emulator.platform.cron.scheduler import Scheduler
from emulator.platform.fetch import Fetcher
from emulator.platform.http.server import RequestServer
from emulator.platform.net.journal import Journal
from emulator.platform.net.sender import Sender
from emulator.platform.session import SESSION_NAME, stand
from emulator.platform.settings import PlatformSettings

log = logging.getLogger(__name__)

END_TRIES, END_TIMEOUT_S = 3, 3.0
NET_REDIRECTS, HTTP_REDIRECTS = 50, 5  # libcurl's default; what pgsql-http sets


class Platform:
    """An ASGI application that only has a lifespan."""

    def __init__(self, settings: PlatformSettings, clock: Clock = MACHINE) -> None:
        """Jobs are due by `clock`."""
        self._settings, self._clock = settings, clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Work for as long as the server runs."""
        assert scope["type"] == "lifespan", "no route leads here"
        await receive()
        async with self.working():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    @contextlib.asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Run the workers during a block."""
        settings = self._settings
        net, http = Fetcher(settings.own_origin, NET_REDIRECTS), Fetcher(settings.own_origin, HTTP_REDIRECTS)
        # No connection is kept while there is nothing to do, but that of the session.
        pool: AsyncConnectionPool[Any] = AsyncConnectionPool(
            settings.conninfo("muster platform worker"), min_size=0, max_size=4, max_idle=10, open=False,
            timeout=10, kwargs={"prepare_threshold": None}, num_workers=1, check=AsyncConnectionPool.check_connection,
        )  # fmt: skip
        folder = Path(settings.host) if settings.host.startswith("/") else None
        journal = Journal(folder and folder / f"net-{settings.database}.journal")
        sender, scheduler = Sender(pool, net, journal), Scheduler(pool, settings, self._clock)
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(pool)
            stack.push_async_callback(net.close)
            stack.push_async_callback(http.close)
            stack.push_async_callback(sender.close)
            session = stand(
                settings.conninfo(SESSION_NAME), {"muster_net": sender, "muster_cron": scheduler},
                RequestServer(folder, http) if folder is not None and not settings.own_path else None,
            )  # fmt: skip
            task = asyncio.create_task(session)
            stack.push_async_callback(_end, task)
            yield


async def _end(task: "asyncio.Task[None]") -> None:
    """Cancel the session, again where a driver swallowed it; the process ends even if PostgreSQL does not answer."""
    for _ in range(END_TRIES):
        task.cancel()
        await asyncio.wait([task], timeout=END_TIMEOUT_S)
        if task.done():
            return
    log.error("the platform's workers did not end in time")
