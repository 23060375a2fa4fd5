"""Row changes of one process: subscribing to them, and the task that reads the log and delivers, in commit order. I/O.

A lost connection is opened again. The slot is durable where PostgreSQL bounds what it may hold back
(max_slot_wal_keep_size): then a restart of either side loses nothing. Otherwise, or when the bound was passed, channels
get phx_error when something may have been missed, and clients join again.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import psycopg

from emulator.principal import Principal
from emulator.realtime.database.pool import Database, DatabaseUnavailable
from emulator.realtime.postgres_changes.catch_up import CatchUp
from emulator.realtime.postgres_changes.processor import ChangeProcessor
from emulator.realtime.postgres_changes.registry import SubscriptionRegistry, SubscriptionRequest
from emulator.realtime.postgres_changes.stream import ReplicationStream, StreamEnded
from emulator.realtime.postgres_changes.visibility import RlsEvaluator
from emulator.realtime.postgres_changes.wal.progress import Progress
from emulator.realtime.subscriber import Subscriber
from emulator.realtime.wire.broadcasts import Broadcast

log = logging.getLogger(__name__)
RETRY_S = (0.1, 0.25, 0.5, 1.0, 2.0)
MAX_IN_USE = 5  # attempts at a slot that another connection holds


class PostgresChanges:
    """The subscriptions, and the stream that serves them. `on_broadcast` gets what the database itself broadcasts."""

    def __init__(self, database: Database, conninfo: str, slot: str, on_broadcast: Callable[[Broadcast], None]) -> None:
        self.is_streaming = asyncio.Event()
        self._conninfo = conninfo
        self._slot = slot
        self.registry = SubscriptionRegistry(database)
        self.progress = Progress()
        self._catch_up = CatchUp(self.registry)
        self._processor = ChangeProcessor(self.registry, self.progress, self._catch_up, on_broadcast)
        self._is_first = True
        self._in_use = 0

    # Subscribing

    async def prepare(self, raw: Sequence[Mapping[str, Any]], principal: Principal) -> SubscriptionRequest:
        """Check what a join asks for; raises SubscriptionRefused, DatabaseUnavailable or psycopg.Error."""
        if not self.is_streaming.is_set():
            raise DatabaseUnavailable("the stream of changes is not open")
        if self._catch_up.evaluator is not None:
            self._catch_up.evaluator.open_soon()
        return await self.registry.prepare(raw, principal)

    def activate(self, subscriber: Subscriber, request: SubscriptionRequest) -> None:
        """From now on changes flow to the subscriber."""
        self.registry.add(subscriber, request)

    def remove(self, subscriber: Subscriber) -> None:
        """No more changes for a subscriber."""
        self.registry.remove(subscriber)

    def has_backlog(self) -> bool:
        """Whether a client that comes back may have missed changes that are still here."""
        return self._catch_up.has_backlog()

    async def catch_up(self, subscriber: Subscriber, request: SubscriptionRequest) -> None:
        """Send a returning client what it missed, then let changes flow; raises DatabaseUnavailable."""
        await self._catch_up.run(subscriber, request)

    # Serving

    async def run(self) -> None:
        """Stream and deliver until canceled, whatever happens to PostgreSQL."""
        failures = 0
        while True:
            try:
                await self._serve()
            except (psycopg.Error, StreamEnded, DatabaseUnavailable) as error:
                if self.is_streaming.is_set():
                    failures = 0
                    log.warning("the stream of changes broke: %s", str(error).strip())
                else:
                    level = logging.WARNING if failures == 0 else logging.DEBUG
                    log.log(level, "the stream of changes can't be opened: %s", str(error).strip())
            except Exception:
                log.exception("the stream of changes failed")  # and is opened again: it must never just stop
            finally:
                self.is_streaming.clear()
            await asyncio.sleep(RETRY_S[min(failures, len(RETRY_S) - 1)])
            failures += 1

    async def _serve(self) -> None:
        stream = await self._open_stream()
        evaluator = RlsEvaluator(self._conninfo, self.registry.has_requests)
        self._catch_up.evaluator = evaluator
        try:
            self._on_open(stream)
            while True:
                await self._processor.process(await stream.read(), evaluator)
                stream.confirm(self.progress.ended_lsn)
        finally:
            self._catch_up.evaluator = None
            await stream.close()
            await evaluator.close()

    async def _open_stream(self) -> ReplicationStream:
        try:
            return await ReplicationStream.open(
                self._conninfo, self._slot, self._processor.is_wanted, self.progress.is_delivered,
                may_last=self._in_use < MAX_IN_USE,
            )  # fmt: skip
        except psycopg.errors.ObjectInUse:
            self._in_use += 1  # a predecessor that is not quite gone, or a second service: then a slot of our own
            raise

    def _on_open(self, stream: ReplicationStream) -> None:
        if self._is_first and stream.resumed:
            self._catch_up.begin()
        if not self.progress.begin(stream.system, resumed=stream.resumed):
            # Changes may have been missed: after phx_error clients join and read again.
            for subscriber in self.registry.subscribers():
                subscriber.outbound.fail_channel(subscriber.topic)
        self._is_first = False
        self._in_use = 0
        self.is_streaming.set()
