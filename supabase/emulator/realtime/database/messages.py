"""The table realtime.messages: broadcasts that are stored, those to be replayed, and the table's partitions. I/O."""

import logging
from datetime import UTC, datetime, timedelta

import psycopg

from emulator.realtime.database.pool import Database, DatabaseUnavailable
from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.frames import dump
from emulator.realtime.wire.payloads import Replay

log = logging.getLogger(__name__)
KEPT_DAYS = 3
DAYS_AHEAD = 3
_STORE = """
insert into realtime.messages (id, topic, extension, private, event, payload, binary_payload)
values (%s, %s, 'broadcast', true, %s, %s::jsonb, %s)
"""
_REPLAY = """
select id::text, event, payload::text, binary_payload from realtime.messages
where topic = %s and private and extension = 'broadcast' and inserted_at >= %s
  and inserted_at < now() at time zone 'UTC' + interval '1 minute'
order by inserted_at desc limit %s
"""
_PARTITIONS = """
select c.relname::text from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
where i.inhparent = to_regclass('realtime.messages')
"""


class MessageStore:
    """Reads and writes the table as the service's own user; permission is checked before (authorization.py)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def store(self, identity: str, message: Broadcast) -> bool:
        """Store a private broadcast, which the log then delivers. False when that failed."""
        body = message.payload.decode() if message.is_json else None
        values = (identity, message.name, message.event, body, None if message.is_json else message.payload)
        try:
            async with self._database.connection() as connection:
                try:
                    await connection.execute(_STORE, values)
                except psycopg.errors.CheckViolation:
                    await self.keep_partitions(datetime.now(UTC))
                    await connection.execute(_STORE, values)
        except (DatabaseUnavailable, psycopg.Error, ValueError) as error:
            log.warning("a broadcast on %r could not be stored: %s", message.name, str(error).strip())
            return False
        return True

    async def replay(self, topic: str, replay: Replay) -> tuple[Broadcast, ...] | None:
        """Stored broadcasts of a private topic, oldest first; None when they can't be read."""
        try:
            since = datetime(1970, 1, 1) + timedelta(milliseconds=replay.since_ms)  # the column has no time zone
            async with self._database.connection() as connection:
                cursor = await connection.execute(_REPLAY, (topic, since, replay.limit))
                rows = await cursor.fetchall()
        except (DatabaseUnavailable, psycopg.Error, OverflowError, ValueError) as error:
            log.warning("replay of %r failed: %s", topic, error)
            return None
        return tuple(_stored(topic, *row) for row in reversed(rows))

    async def keep_partitions(self, today: datetime) -> None:
        """Create the partitions of the coming days and drop those that are too old to be replayed."""
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


def _stored(topic: str, identity: str, event: str | None, payload: str | None, binary: bytes | None) -> Broadcast:
    body = binary if payload is None and binary is not None else (payload or "null").encode()
    meta = dump({"replayed": True, "id": identity})
    return Broadcast(topic, True, event, body, payload is not None or binary is None, meta, id=identity)
