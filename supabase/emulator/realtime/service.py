"""One process of the Realtime service: its parts, and the tasks that run beside the connections."""

import asyncio
import logging
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import psycopg

from emulator.clock import Clock
from emulator.observe.metrics import gauge, to_text
from emulator.realtime.context import Context
from emulator.realtime.database.authorization import Authorizer
from emulator.realtime.database.messages import MessageStore
from emulator.realtime.database.migrate import OutdatedSchema, migrate
from emulator.realtime.database.pool import Database, DatabaseUnavailable
from emulator.realtime.postgres_changes.changes import PostgresChanges
from emulator.realtime.postgres_changes.slots import GRACE_S, AbandonedSlots
from emulator.realtime.serve.connections import Connections
from emulator.realtime.settings import RealtimeSettings
from emulator.realtime.tasks import BackgroundTasks
from emulator.realtime.token_verifier import TokenVerifier
from emulator.realtime.topics.bus import Bus, claim_worker, is_unclaimed
from emulator.realtime.topics.hub import Hub
from emulator.realtime.topics.load import ClientRates, LoadMeter
from emulator.realtime.wire.broadcasts import Broadcast

log = logging.getLogger(__name__)
PARTITIONS_S = 3600.0
PARTITIONS_RETRY_S = 5.0
SCHEMA_RETRY_S = 0.2
CONNECT_TIMEOUT_S = 3
MOST_SHOWN = 100  # topics, and subscribers of each


class RealtimeService:
    """Everything that is one per process; `app.py` adds what serves it."""

    def __init__(self, settings: RealtimeSettings, clock: Clock) -> None:
        self.settings = settings
        self.has_schema = False
        self._unwatch: Callable[[], None] = lambda: None
        self._database = Database(settings.database.conninfo)
        messages = MessageStore(self._database)
        # Processes of one stack share a folder; each has a number, and by that a slot of its own.
        worker, self._worker_lock = claim_worker(settings.bus) if settings.bus is not None else (0, -1)
        name = f"{settings.slot}_{settings.slot_suffix}" if settings.slot_suffix else settings.slot
        slot = f"{name}_{worker}" if worker else name
        self.context = Context(
            settings=settings,
            hub=Hub(),
            changes=PostgresChanges(self._database, settings.database.conninfo, slot, self._on_database_broadcast),
            messages=messages,
            authorizer=Authorizer(self._database, messages),
            meter=LoadMeter(settings.limits),
            tokens=TokenVerifier(settings.keys, settings.admin_keys, settings.claim_validators, clock),
            tasks=BackgroundTasks(),
            client_rates=ClientRates.of(settings.limits),
            clock=clock,
        )
        self.connections = Connections(self.context.meter, settings.limits)
        is_first = worker == 0
        self.abandoned_slots = (
            AbandonedSlots(settings.database.conninfo, name, self._is_unclaimed) if is_first else None
        )

    async def start(self) -> None:
        """Begin to stream, and the housekeeping; PostgreSQL may still be unavailable."""
        context = self.context
        await self._database.open()
        self._unwatch = context.clock.watch(self._check_tokens)
        context.tasks.spawn(self._migrate_and_stream())
        if self.settings.bus is not None:
            context.tasks.spawn(Bus(context.hub, context.meter, self.settings.bus).run())
        context.tasks.spawn(self.connections.close_idle())
        if self.abandoned_slots is not None:
            context.tasks.spawn(self._drop_abandoned_slots(self.abandoned_slots))

    async def stop(self) -> None:
        """End all tasks and connections."""
        self._unwatch()
        await self.context.tasks.cancel_all()
        await self._database.close()
        if self._worker_lock >= 0:
            os.close(self._worker_lock)
            self._worker_lock = -1

    def _check_tokens(self) -> None:
        for connection in list(self.connections.all):
            connection.check_tokens()

    async def _migrate_and_stream(self) -> None:
        """Begin to stream when the schema is there; until then try again, and say why it is not."""
        said = ""
        while not self.has_schema:
            try:
                await asyncio.to_thread(self._migrate)
                self.has_schema = True
            except (psycopg.Error, OutdatedSchema) as error:
                reason = (str(error).strip().splitlines() or ["no reason is known"])[0]
                if reason != said:
                    log.warning("schema realtime can't be migrated yet: %s", reason)
                said = reason
                await asyncio.sleep(SCHEMA_RETRY_S)
        self.context.tasks.spawn(self._keep_partitions())
        await self.context.changes.run()

    def _migrate(self) -> None:
        conninfo = self.settings.database.conninfo
        with psycopg.connect(conninfo, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S) as connection:
            if migrate(connection):
                log.info("schema realtime was migrated")

    @property
    def is_ready(self) -> bool:
        """Whether joins work: the schema is there, and the log is being read."""
        return self.has_schema and self.context.changes.is_streaming.is_set()

    async def _drop_abandoned_slots(self, slots: AbandonedSlots) -> None:
        while True:
            try:
                await slots.drop()
            except psycopg.Error as error:
                log.info("abandoned slots can't be dropped now: %s", str(error).strip())
            await asyncio.sleep(GRACE_S)

    def _is_unclaimed(self, worker: int) -> bool:
        return self.settings.bus is None or is_unclaimed(self.settings.bus, worker)

    async def _keep_partitions(self) -> None:
        wait = 0.0
        while True:
            await asyncio.sleep(wait)
            try:
                await self.context.messages.keep_partitions(datetime.now(UTC))
                wait = PARTITIONS_S
            except (DatabaseUnavailable, psycopg.Error) as error:
                log.info("the partitions of realtime.messages can't be kept now: %s", str(error).strip())
                wait = PARTITIONS_RETRY_S

    def _on_database_broadcast(self, message: Broadcast) -> None:
        if len(message.payload) > self.settings.limits.broadcast_bytes:
            log.warning("a broadcast of the database on %r is too large for anybody", message.name)
            return
        self.context.count_messages(1 + self.context.hub.deliver(message))

    def channels(self) -> list[dict[str, Any]]:
        """The topics of this process with their first subscribers, for whoever looks inside."""
        registry = self.context.changes.registry
        return [
            {
                "topic": name, "private": is_private, "subscribers": len(topic.subscribers),
                "presence": len(topic.presence.tracked),
                "first": [
                    {
                        "role": one.principal.role, "user": one.principal.subject,
                        "changes": [binding.describe() for binding in registry.bindings(one)],
                    }
                    for one in islice(topic.subscribers, MOST_SHOWN)
                ],
            }
            for (name, is_private), topic in islice(self.context.hub.topics.items(), MOST_SHOWN)
        ]  # fmt: skip

    def metrics(self) -> str:
        """The service's figures in Prometheus's text format."""
        context = self.context
        load = context.meter.current(time.monotonic())
        is_streaming = context.changes.is_streaming.is_set()
        return to_text(
            [
                gauge("realtime_connected_sockets", "WebSockets that are connected", load.connections),
                gauge("realtime_topics", "Topics with a subscriber", len(context.hub.topics)),
                gauge("realtime_messages_per_second", "Messages a second over the last minute", load.messages_per_s),
                gauge("realtime_joins_per_second", "Joins a second over the last minute", load.joins_per_s),
                gauge("realtime_replication_connected", "Whether row changes are streamed", is_streaming),
            ]
        )
