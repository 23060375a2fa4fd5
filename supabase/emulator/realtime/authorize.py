"""Private channels: what policies on realtime.messages allow a member, and stored broadcasts. I/O.

Both questions are asked with real rows in a transaction that is rolled back, so policies may look at the row's columns
or at `realtime.topic()`. Caching is the channel's matter.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import psycopg

from emulator.realtime import errors
from emulator.realtime.channel import Extension
from emulator.realtime.database import Connection, Database, DatabaseAway
from emulator.realtime.frames import dump
from emulator.realtime.hub import Broadcast
from emulator.realtime.payloads import Replay
from emulator.realtime.tokens import Member

log = logging.getLogger(__name__)
KEPT_DAYS = 3
DAYS_AHEAD = 3
Answer = TypeVar("Answer")
# Refused by a policy or a grant, or the role does not exist.
_DENIED = (psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidParameterValue)

_PROBE = """
insert into realtime.messages (topic, extension, private) select %s, unnest(%s::text[]), true returning id, extension
"""
_BECOME = """
select set_config('role', %s, true), set_config('realtime.topic', %s, true),
  set_config('request.jwt.claims', %s, true), set_config('request.jwt.claim.sub', %s, true),
  set_config('request.jwt.claim.role', %s, true), set_config('request.headers', %s, true)
"""
_VISIBLE = "select extension from realtime.messages where id = any(%s)"
_WRITE = "insert into realtime.messages (topic, extension, private) values (%s, %s, true)"
_REPLAY = """
select id::text, event, payload::text, binary_payload from realtime.messages
where topic = %s and private and extension = 'broadcast' and inserted_at >= %s
order by inserted_at desc limit %s
"""
_PARTITIONS = """
select c.relname::text from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
where i.inhparent = to_regclass('realtime.messages')
"""


class Authorizer:
    """Asks PostgreSQL what a member may do on a private topic."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def may_read(self, member: Member, topic: str, headers: Mapping[str, str], extensions: list[str]) -> set[str]:
        """Which of the extensions the member may receive; raises errors.Refused."""

        async def probe(connection: Connection) -> set[str]:
            rows = await (await connection.execute(_PROBE, (topic, extensions))).fetchall()
            try:
                await _become(connection, member, topic, headers)
                seen = await (await connection.execute(_VISIBLE, ([row[0] for row in rows],))).fetchall()
            except _DENIED as error:
                log.info("read of %r is refused: %s", topic, error)
                return set()
            return {row[0] for row in seen}

        return await self._ask(probe)

    async def may_write(self, member: Member, topic: str, headers: Mapping[str, str], extension: Extension) -> bool:
        """Whether the member may send on the topic; raises errors.Refused."""

        async def probe(connection: Connection) -> bool:
            try:
                await _become(connection, member, topic, headers)
                await connection.execute(_WRITE, (topic, extension))
            except _DENIED:
                return False
            return True

        return await self._ask(probe)

    async def _ask(self, probe: Callable[[Connection], Awaitable[Answer]]) -> Answer:
        """Run a probe in a transaction that is rolled back; days without a partition get one."""
        try:
            try:
                return await self._rolled_back(probe)
            except psycopg.errors.CheckViolation:
                await self.keep_partitions(datetime.now(UTC))
                return await self._rolled_back(probe)
        except DatabaseAway as error:
            raise errors.database_unavailable() from error
        except psycopg.errors.QueryCanceled as error:
            raise errors.query_canceled() from error
        except psycopg.errors.CheckViolation as error:
            raise errors.missing_partition() from error
        except psycopg.Error as error:
            log.warning("a policy check failed: %s", str(error).strip())
            raise errors.unknown_error() from error

    async def _rolled_back(self, probe: Callable[[Connection], Awaitable[Answer]]) -> Answer:
        async with self._database.connection() as connection:
            async with connection.transaction(force_rollback=True):
                return await probe(connection)

    async def replay(self, topic: str, replay: Replay) -> tuple[Broadcast, ...] | None:
        """Stored broadcasts of a private topic, oldest first; None when they can't be read."""
        try:
            since = datetime.fromtimestamp(replay.since_ms / 1000, UTC).replace(tzinfo=None)
            async with self._database.connection() as connection:
                cursor = await connection.execute(_REPLAY, (topic, since, replay.limit))
                rows = await cursor.fetchall()
        except (DatabaseAway, psycopg.Error, OverflowError, ValueError) as error:
            log.warning("replay of %r failed: %s", topic, error)
            return None
        return tuple(_stored(topic, *row) for row in reversed(rows))

    async def keep_partitions(self, today: datetime) -> None:
        """Make the partitions of the coming days and drop those that nobody may replay from any more."""
        wanted = {
            f"messages_{day:%Y_%m_%d}": day
            for day in (today.date() + timedelta(days=ahead) for ahead in range(-1, DAYS_AHEAD + 1))
        }
        oldest = f"messages_{today.date() - timedelta(days=KEPT_DAYS):%Y_%m_%d}"
        async with self._database.connection() as connection:
            present = {row[0] for row in await (await connection.execute(_PARTITIONS)).fetchall()}
            for name, day in wanted.items():
                if name not in present:
                    await connection.execute(
                        f'create table if not exists realtime."{name}" partition of realtime.messages'
                        f" for values from ('{day}') to ('{day + timedelta(days=1)}')".encode()
                    )
            for name in present:
                if name < oldest and name.startswith("messages_"):
                    await connection.execute(f'drop table if exists realtime."{name}"'.encode())


async def _become(connection: Connection, member: Member, topic: str, headers: Mapping[str, str]) -> None:
    values = (member.role, topic, member.claims, member.subject, member.role, dump(dict(headers)))
    await connection.execute(_BECOME, values)


def _stored(topic: str, identity: str, event: str, payload: str | None, binary: bytes | None) -> Broadcast:
    body = binary if payload is None and binary is not None else (payload or "{}").encode()
    meta = dump({"replayed": True, "id": identity})
    return Broadcast(topic, True, event or "", body, payload is not None or binary is None, meta, id=identity)
