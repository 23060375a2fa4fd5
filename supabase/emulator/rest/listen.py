"""Keeps the schema cache current: first load, NOTIFY, reconnects with exponential backoff. I/O."""

import asyncio
import logging
from typing import Any

import psycopg
from psycopg import sql

from emulator.rest.service import RestService

log = logging.getLogger(__name__)

_MAX_PAUSE_S = 32
# One migration notifies many times.
_DEBOUNCE_S = 0.1
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
        """Load once before the first request, if the database is there; continue in the background."""
        is_loaded = await self._load(schema=True, config=True)
        self._task = asyncio.create_task(self._run(is_loaded))

    async def stop(self) -> None:
        """End the background work."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _load(self, *, schema: bool, config: bool) -> bool:
        try:
            await self._service.reload(schema=schema, config=config)
        except (psycopg.Error, OSError) as error:
            log.error("schema cache could not be loaded: %s", error)
            self._service.counters.failed_loads += 1
            self._service.is_reachable = not isinstance(error, psycopg.OperationalError)
            return False
        self._service.is_reachable = True
        return True

    async def _run(self, is_loaded: bool) -> None:
        pause = 1
        while True:
            if not is_loaded and not await self._load(schema=True, config=True):
                self._service.retry_after_s = pause
                await asyncio.sleep(pause)
                pause = min(pause * 2, _MAX_PAUSE_S)
                continue
            pause = 1
            if not self._service.base_settings.db_channel_enabled:
                return
            await self._listen()
            is_loaded = False  # notifications may have been missed while nobody listened

    async def _listen(self) -> None:
        """Listen until the connection breaks."""
        try:
            connection = await psycopg.AsyncConnection.connect(self._service.base_settings.db_uri, autocommit=True)
        except psycopg.Error as error:
            log.error("the notification channel could not be opened: %s", error)
            return
        try:
            channel = self._service.base_settings.db_channel
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            self.is_listening = True
            await self._reload_when_notified(connection)
        except psycopg.Error as error:
            log.error("the notification channel broke: %s", error)
        finally:
            self.is_listening = False
            await connection.close()

    async def _reload_when_notified(self, connection: psycopg.AsyncConnection[Any]) -> None:
        while True:
            payloads = [notify.payload async for notify in connection.notifies(stop_after=1)]
            payloads += [notify.payload async for notify in connection.notifies(timeout=_DEBOUNCE_S)]
            schema = any(payload in _RELOAD_SCHEMA for payload in payloads)
            config = schema or "reload config" in payloads
            if config:
                await self._load(schema=schema, config=True)
