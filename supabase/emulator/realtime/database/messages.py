"""The table realtime.messages: broadcasts that are kept, those to be replayed, and the table's partitions. I/O."""

import logging
from datetime import UTC, datetime, timedelta

import psycopg

from emulator.realtime.database.pool import Database, DatabaseAway
from emulator.realtime.postgres_changes.wal.decoder import Relation, RowChange
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
order by inserted_at desc limit %s
"""
_PARTITIONS = """
select c.relname::text from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
where i.inhparent = to_regclass('realtime.messages')
"""


class Messages:
    """Reads and writes the table as the service's own user: permission is asked before (authorization.py)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def store(self, identity: str, message: Broadcast) -> bool:
        """Keep a private broadcast; the log delivers it. False when it can't be kept."""
        body = message.payload.decode() if message.is_json else None
        values = (identity, message.name, message.event, body, None if message.is_json else message.payload)
        try:
            async with self._database.connection() as connection:
                try:
                    await connection.execute(_STORE, values)
                except psycopg.errors.CheckViolation:
                    await self.keep_partitions(datetime.now(UTC))
                    await connection.execute(_STORE, values)
        except (DatabaseAway, psycopg.Error, ValueError) as error:
            log.warning("a broadcast on %r is not kept: %s", message.name, str(error).strip())
            return False
        return True

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


def _stored(topic: str, identity: str, event: str, payload: str | None, binary: bytes | None) -> Broadcast:
    body = binary if payload is None and binary is not None else (payload or "{}").encode()
    meta = dump({"replayed": True, "id": identity})
    return Broadcast(topic, True, event or "", body, payload is not None or binary is None, meta, id=identity)


def holds_messages(relation: Relation) -> bool:
    """Whether a table of the log is realtime.messages or a partition of it."""
    return relation.schema == "realtime" and relation.table.startswith("messages")


def stored_broadcast(change: RowChange) -> Broadcast | None:
    """A row of realtime.messages as the broadcast it stands for."""
    row = change.new or {}
    if change.kind != "INSERT" or row.get("extension") != "broadcast":
        return None
    payload, binary, event = row.get("payload"), row.get("binary_payload"), row.get("event")
    identity = str(row.get("id"))
    is_json = not isinstance(binary, str)
    body = (payload if isinstance(payload, str) else "{}").encode()
    if isinstance(binary, str):
        body = bytes.fromhex(binary.removeprefix("\\x"))
    return Broadcast(
        str(row.get("topic")),
        row.get("private") == "t",
        event if isinstance(event, str) else "",
        body,
        is_json,
        f'{{"id":"{identity}"}}',
        id=identity,
    )
