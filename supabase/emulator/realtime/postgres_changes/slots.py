"""Replication slots: the one a process reads from, and those that others left behind. I/O.

Every process of a stack reads from a slot of its own (`realtime_<database>`, `realtime_1_<database>`, ...). A slot that
no process reads from, and whose process has not come back for a while, is dropped by the first process: PostgreSQL
would keep the log for it.
"""

import logging
import re
from collections.abc import Callable

import psycopg
from psycopg import sql

from emulator.realtime.database.pool import Database

log = logging.getLogger(__name__)
ReplicationConnection = psycopg.AsyncConnection[tuple[object, ...]]
GRACE_S = 60.0
_UNREAD = """
select s.slot_name::text, d.oid::bigint from pg_catalog.pg_replication_slots s
join pg_catalog.pg_database d on d.datname = s.database
where s.database = current_database() and s.slot_type = 'logical' and not s.temporary and not s.active
"""


async def ensure_slot(connection: ReplicationConnection, slot: str, *, durable: bool) -> bool:
    """Create the slot unless it exists; True when it did, and still has all of its log.

    The replication grammar has its keywords in upper case only.
    """
    if durable:
        text = sql.SQL("select wal_status from pg_replication_slots where slot_name = {}").format(sql.Literal(slot))
        row = await (await connection.execute(text.as_string(connection))).fetchone()
        if row is not None and row[0] not in ("lost", None):
            return True
        if row is not None:
            drop = sql.SQL("select pg_drop_replication_slot({})").format(sql.Literal(slot))
            await connection.execute(drop.as_string(connection))
    create = sql.SQL("CREATE_REPLICATION_SLOT {} {} LOGICAL pgoutput (SNAPSHOT 'nothing')").format(
        sql.Identifier(slot), sql.SQL("" if durable else "TEMPORARY")
    )
    await connection.execute(create.as_string(connection))
    return False


class AbandonedSlots:
    """Drops a slot that was unread at two calls in a row. `is_free`: whether no process has a number."""

    def __init__(self, database: Database, slot: str, is_free: Callable[[int], bool]) -> None:
        self._database = database
        self._slot = slot
        self._is_free = is_free
        self._unread: set[str] = set()

    async def drop(self) -> None:
        """Look once, every GRACE_S; raises DatabaseUnavailable or psycopg.Error."""
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_UNREAD)).fetchall()
            found = {name for name, oid in rows if self._is_abandoned(name, oid)}
            for name in found & self._unread:
                drop = sql.SQL("select pg_catalog.pg_drop_replication_slot({})").format(sql.Literal(name))
                await connection.execute(drop)
                log.warning("dropped the slot %s of a process that did not come back", name)
            self._unread = found - self._unread

    def _is_abandoned(self, name: str, oid: int) -> bool:
        number = re.fullmatch(rf"{re.escape(self._slot)}_([1-9][0-9]{{0,3}})_{oid}", name)
        return number is not None and self._is_free(int(number[1]))
