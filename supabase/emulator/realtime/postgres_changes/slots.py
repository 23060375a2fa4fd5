"""Slots that processes left behind: a stack that goes on with fewer of them must not keep the log for those. I/O.

Every process of a stack reads from a slot of its own (`realtime_<database>`, `realtime_1_<database>`, ...). A slot that
nobody reads from, and whose process has not come back for a while, is dropped by the first process.
"""

import logging
import re
from collections.abc import Callable

from psycopg import sql

from emulator.realtime.database.pool import Database

log = logging.getLogger(__name__)
GRACE_S = 60.0
_UNREAD = """
select s.slot_name::text, d.oid::bigint from pg_catalog.pg_replication_slots s
join pg_catalog.pg_database d on d.datname = s.database
where s.database = current_database() and s.slot_type = 'logical' and not s.temporary and not s.active
"""


class Sweeper:
    """Asked now and then; a slot that was unread the time before, too, is dropped. `is_free`: no process has it."""

    def __init__(self, database: Database, slot: str, is_free: Callable[[int], bool]) -> None:
        self._database = database
        self._slot = slot
        self._is_free = is_free
        self._unread: set[str] = set()

    async def sweep(self) -> None:
        """Look once; raises DatabaseAway or psycopg.Error."""
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_UNREAD)).fetchall()
            found = {name for name, oid in rows if self._is_stale(name, oid)}
            for name in found & self._unread:
                drop = sql.SQL("select pg_catalog.pg_drop_replication_slot({})").format(sql.Literal(name))
                await connection.execute(drop)
                log.warning("the slot %s was left behind by a process that did not come back: dropped", name)
            self._unread = found - self._unread

    def _is_stale(self, name: str, oid: int) -> bool:
        number = re.fullmatch(rf"{re.escape(self._slot)}_([1-9][0-9]{{0,3}})_{oid}", name)
        return number is not None and self._is_free(int(number[1]))
