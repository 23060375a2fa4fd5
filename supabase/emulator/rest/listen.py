"""Keeps the schema cache current: first load, NOTIFY, reconnects with exponential backoff. I/O."""

import asyncio
import logging
import math
from typing import Any

import psycopg
from psycopg import sql

from emulator.db.statement import ConnectionFailed, ConnectionLost, PoolTimeout, StatementError
from emulator.rest.service import RestService

log = logging.getLogger(__name__)

_MAX_PAUSE_S = 32
# One migration notifies many times.
_DEBOUNCE_S = 0.1
_LISTEN_AFTER_S = 0.2  # the requests that opened copies are answered first
_RELOAD_SCHEMA = frozenset({"", "reload schema"})


class Listener:
    """Loads the cache, however long that takes, then reloads it whenever the database notifies."""

    def __init__(self, service: RestService) -> None:
        self._service = service
        self._task: asyncio.Task[None] | None = None
        self.is_listening = False
        self._requested: set[asyncio.Task[bool]] = set()

    def request(self, schema: bool) -> None:
        """Reload in the background: the schema, or only the configuration. For signal handlers."""
        task = asyncio.create_task(self._load(schema=schema, config=not schema))
        self._requested.add(task)
        task.add_done_callback(self._requested.discard)

    async def start(self) -> None:
        """Load once before the first request, if the database is there; continue in the background.

        Listening begins before that, so that no notification is missed in between. Where the catalog is known from a
        copy, it begins a moment later, and then what may have changed meanwhile is looked for.
        """
        if await self._adopt():
            self._task = asyncio.create_task(self._run(True, None, _LISTEN_AFTER_S))
            return
        connection = await self._open()
        is_loaded = await self._load_all(connection)
        self._task = asyncio.create_task(self._run(is_loaded, connection))

    async def stop(self) -> None:
        """End the background work."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _adopt(self) -> bool:
        try:
            return await self._service.adopt()
        except (StatementError, ConnectionFailed, ConnectionLost, PoolTimeout) as error:
            log.info("what is known of copies could not be asked for: %s", error)
            return False

    async def _load_all(self, listening: psycopg.AsyncConnection[Any] | None) -> bool:
        """Load over the connection that listens where the catalog may be known already.

        Where it has to be read, PostgreSQL's process grows by 6 MB, which one that goes on would keep.
        """
        connection = listening if self._service.shares_catalogs else None
        return await self._load(schema=True, config=True, connection=connection)

    async def _load(
        self, *, schema: bool, config: bool, connection: psycopg.AsyncConnection[Any] | None = None
    ) -> bool:
        try:
            await self._service.reload(schema=schema, config=config, connection=connection)
        except (psycopg.Error, OSError) as error:
            log.error("schema cache could not be loaded: %s", error)
            self._service.counters.failed_loads += 1
            self._service.is_reachable = not isinstance(error, psycopg.OperationalError)
            return False
        self._service.is_reachable = True
        return True

    async def _run(self, is_loaded: bool, connection: psycopg.AsyncConnection[Any] | None, pause: float = 1) -> None:
        try:
            while not (is_loaded and not self._service.base_settings.db_channel_enabled):
                if is_loaded and connection is not None:
                    pause = 1
                    await self._listen(connection)
                else:
                    self._service.retry_after_s = math.ceil(pause)
                    await asyncio.sleep(pause)
                    pause = min(pause * 2, _MAX_PAUSE_S)
                if connection is not None:
                    await connection.close()
                # Notifications may have been missed while nobody listened.
                connection = await self._open()
                is_loaded = await self._load_all(connection)
        finally:
            if connection is not None:
                await connection.close()

    async def _open(self) -> psycopg.AsyncConnection[Any] | None:
        """A connection that listens; None when there is to be none, or it can't be had."""
        settings = self._service.base_settings
        if not settings.db_channel_enabled:
            return None
        connection = None
        try:
            connection = await psycopg.AsyncConnection.connect(settings.db_uri, autocommit=True)
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(settings.db_channel)))
        except (psycopg.Error, OSError) as error:
            log.error("the notification channel could not be opened: %s", error)
            if connection is not None:
                await connection.close()
            return None
        return connection

    async def _listen(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Reload until the connection breaks."""
        self.is_listening = True
        try:
            await self._reload_when_notified(connection)
        except psycopg.Error as error:
            log.error("the notification channel broke: %s", error)
        finally:
            self.is_listening = False

    async def _reload_when_notified(self, connection: psycopg.AsyncConnection[Any]) -> None:
        while True:
            payloads = [notify.payload async for notify in connection.notifies(stop_after=1)]
            payloads += [notify.payload async for notify in connection.notifies(timeout=_DEBOUNCE_S)]
            schema = any(payload in _RELOAD_SCHEMA for payload in payloads)
            config = schema or "reload config" in payloads
            if config:
                await self._load(schema=schema, config=True)
