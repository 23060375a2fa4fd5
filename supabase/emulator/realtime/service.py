"""What is one per process of the Realtime service: its parts, its tasks, its connections and their limits."""

import asyncio
import logging
import os
import time
import uuid
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any, Protocol

import psycopg

from emulator.jwt import JwtError
from emulator.realtime import errors
from emulator.realtime.database.authorization import Authorizer
from emulator.realtime.database.messages import Messages
from emulator.realtime.database.pool import Database, DatabaseAway
from emulator.realtime.postgres_changes.changes import Changes
from emulator.realtime.postgres_changes.slots import GRACE_S, Sweeper
from emulator.realtime.settings import RealtimeSettings
from emulator.realtime.topics.bus import Bus, claim_worker, is_unclaimed
from emulator.realtime.topics.hub import Hub
from emulator.realtime.topics.load import Meter
from emulator.realtime.wire import tokens
from emulator.realtime.wire.tokens import Member

log = logging.getLogger(__name__)
SWEEP_S = 5.0
PARTITIONS_S = 3600.0
MAX_KNOWN_TOKENS = 10_000


class Connection(Protocol):
    """A client's connection, as far as the service looks after it."""

    def check_idle(self, now: float) -> None:
        """Close it when nothing was heard for too long; `now` in seconds of the monotonic clock."""

    def write_unsent(self) -> None:
        """Write the frames that were held for the end of this turn."""


class RealtimeService:
    """Everything that is one per process; `app.py` gives it its doors."""

    def __init__(self, settings: RealtimeSettings) -> None:
        self.settings = settings
        self.hub = Hub()
        self.sockets: set[Connection] = set()
        self._unwritten: list[Connection] = []
        self.database = Database(settings.conninfo)
        self.messages = Messages(self.database)
        self.authorizer = Authorizer(self.database, self.messages)
        worker, self._worker_lock = claim_worker(settings.bus) if settings.bus is not None else (0, -1)
        slot = f"{settings.slot}_{worker}" if worker else settings.slot
        self._sweeper = Sweeper(self.database, settings.slot, self._is_unclaimed) if worker == 0 else None
        self.changes = Changes(self.database, settings.conninfo, slot, self._on_database_message)
        self.meter = Meter(settings.limits)
        self._members: dict[str, Member] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start streaming and the housekeeping; PostgreSQL may still be away."""
        await self.database.open()
        self.spawn(self.changes.run())
        if self.settings.bus is not None:
            self.spawn(Bus(self.hub, self.meter, self.settings.bus).run())
        self.spawn(self._sweep())
        self.spawn(self._keep_partitions())
        if self._sweeper is not None:
            self.spawn(self._sweep_slots(self._sweeper))

    async def stop(self) -> None:
        """End all tasks and connections."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.database.close()
        if self._worker_lock >= 0:
            os.close(self._worker_lock)
            self._worker_lock = -1

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something beside; it ends with the service at the latest."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a task of the service failed", exc_info=task.exception())

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            now = time.monotonic()
            for socket in tuple(self.sockets):
                socket.check_idle(now)

    async def _sweep_slots(self, sweeper: Sweeper) -> None:
        while True:
            try:
                await sweeper.sweep()
            except (DatabaseAway, psycopg.Error) as error:
                log.info("slots that were left behind have to wait: %s", str(error).strip())
            await asyncio.sleep(GRACE_S)

    def _is_unclaimed(self, worker: int) -> bool:
        return self.settings.bus is None or is_unclaimed(self.settings.bus, worker)

    async def _keep_partitions(self) -> None:
        wait = 0.0
        while True:
            await asyncio.sleep(wait)
            try:
                await self.messages.keep_partitions(datetime.now(UTC))
                wait = PARTITIONS_S
            except (DatabaseAway, psycopg.Error) as error:
                log.info("the partitions of realtime.messages have to wait: %s", str(error).strip())
                wait = SWEEP_S

    def _on_database_message(self, message: Any) -> None:
        self.count_messages(1 + self.hub.deliver(message))

    # Connections

    def admit(self, socket: Connection) -> None:
        """Take in a connection; raises errors.Refused at a limit."""
        if not self.meter.has_place():
            raise errors.too_many_users()
        if not self.meter.may_join(time.monotonic()):
            raise errors.too_many_joins()
        self.sockets.add(socket)
        self.meter.connections = len(self.sockets)

    def dismiss(self, socket: Connection) -> None:
        """A connection is gone."""
        self.sockets.discard(socket)
        self.meter.connections = len(self.sockets)

    def write_soon(self, socket: Connection) -> None:
        """Write a socket's frames at the end of this turn of the loop."""
        if not self._unwritten:
            asyncio.get_running_loop().call_soon(self._write_all)
        self._unwritten.append(socket)

    def _write_all(self) -> None:
        sockets, self._unwritten = self._unwritten, []
        for socket in sockets:
            socket.write_unsent()

    # What sessions ask

    def member_of(self, token: str) -> Member:
        """Whom a token speaks for; raises errors.Refused. Equal tokens give the same object."""
        member = self._members.get(token)
        if member is not None:
            tokens.check_expiry(member, time.time())
            return member
        member = tokens.read_token(token, self.settings.keys, time.time())
        if len(self._members) >= MAX_KNOWN_TOKENS:
            self._members.clear()
        self._members[token] = member
        return member

    def is_admin(self, token: str) -> bool:
        """Whether a token is signed with the administration's secret."""
        try:
            claims = self.settings.admin_keys.verify(token)
        except JwtError:
            return False
        expires_at = claims.get("exp")
        return not isinstance(expires_at, int | float) or expires_at > time.time()

    def count_messages(self, count: int) -> bool:
        """Count messages received or delivered; False above the limit."""
        return self.meter.count_messages(count, time.monotonic())

    def count_presence(self, count: int) -> bool:
        """Count presence events; False above the limit."""
        return self.meter.count_presence(count, time.monotonic())

    def count_join(self) -> bool:
        """Count a join; False above the limit."""
        return self.meter.count_join(time.monotonic())

    def new_presence_key(self) -> str:
        """A key for a member that brought none."""
        return str(uuid.uuid4())

    def new_message_id(self) -> str:
        """An id for a broadcast that is kept."""
        return str(uuid.uuid4())

    def metrics(self) -> str:
        """A few numbers in Prometheus's text format."""
        load = self.meter.own(time.monotonic())
        values = {
            "realtime_connected_sockets": load.connections,
            "realtime_topics": len(self.hub.topics),
            "realtime_messages_per_second": load.messages_per_s,
            "realtime_joins_per_second": load.joins_per_s,
            "realtime_replication_connected": int(self.changes.is_streaming.is_set()),
        }
        return "".join(f"# TYPE {name} gauge\n{name} {value:g}\n" for name, value in values.items())
