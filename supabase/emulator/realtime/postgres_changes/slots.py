"""Replication slots: the one a process reads from, and those that others left behind. I/O.

Every process of a stack reads from a slot of its own (`realtime_<database>`, `realtime_1_<database>`, ...). A slot that
no process reads from, and whose process has not come back for a while, is dropped by the first process: PostgreSQL
would keep the log for it.
"""

import logging
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

log = logging.getLogger(__name__)
ReplicationConnection = psycopg.AsyncConnection[tuple[object, ...]]
GRACE_S = 60.0
CONNECT_TIMEOUT_S = 5
# The status is empty where the slot is there without any log.
_SLOT = """
select d.name, current_setting('max_slot_wal_keep_size') <> '-1',
       (select coalesce(s.wal_status, '') from pg_catalog.pg_replication_slots s where s.slot_name = d.name)
from (select %(prefix)s || '_' || oid as name from pg_catalog.pg_database where datname = current_database()) d
"""
_UNREAD = """
select s.slot_name::text, d.oid::bigint from pg_catalog.pg_replication_slots s
join pg_catalog.pg_database d on d.datname = s.database
where s.database = current_database() and s.slot_type = 'logical' and not s.temporary and not s.active
"""


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of this database. `is_durable`: it outlives its reader; `exists`: it is there, with all of its log."""

    name: str
    is_durable: bool
    exists: bool


async def find_slot(conninfo: str, prefix: str, *, may_last: bool) -> Slot:
    """The slot to read from; one that lost its log is dropped. Raises psycopg.Error.

    It lasts where PostgreSQL bounds what it may hold back: a dead reader of any other would fill the disk. Asked over
    a connection that ends: the one that streams would keep 2 MiB of catalog for good.
    """
    async with await _connect(conninfo) as connection:
        row = await (await connection.execute(_SLOT, {"prefix": prefix})).fetchone()
        assert row is not None
        name, is_bounded, wal_status = row
        if not (may_last and is_bounded):
            log.warning("the slot is temporary: clients will have to join again after a restart")
            return Slot(f"{prefix}_{secrets.token_hex(6)}", is_durable=False, exists=False)
        is_lost = wal_status in ("lost", "")
        if is_lost:
            await connection.execute("select pg_catalog.pg_drop_replication_slot(%s)", (name,))
        return Slot(name, is_durable=True, exists=wal_status is not None and not is_lost)


async def create_slot(connection: ReplicationConnection, slot: Slot) -> None:
    """Create a slot, which ends with the connection unless it is durable.

    The replication grammar has its keywords in upper case only.
    """
    create = sql.SQL("CREATE_REPLICATION_SLOT {} {} LOGICAL pgoutput (SNAPSHOT 'nothing')").format(
        sql.Identifier(slot.name), sql.SQL("" if slot.is_durable else "TEMPORARY")
    )
    await connection.execute(create.as_string(connection))


async def _connect(conninfo: str) -> psycopg.AsyncConnection[tuple[Any, ...]]:
    return await psycopg.AsyncConnection.connect(
        conninfo, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S, application_name="realtime_slots"
    )


class AbandonedSlots:
    """Drops a slot that was unread at two calls in a row. `is_free`: whether no process has a number.

    It looks over a connection of its own: one of the pool would stay open half of the time, for nothing else.
    """

    def __init__(self, conninfo: str, slot: str, is_free: Callable[[int], bool]) -> None:
        self._conninfo = conninfo
        self._slot = slot
        self._is_free = is_free
        self._unread: set[str] = set()

    async def drop(self) -> None:
        """Look once, every GRACE_S; raises psycopg.Error."""
        async with await _connect(self._conninfo) as connection:
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
