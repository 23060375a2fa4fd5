"""Who watches which tables: wishes, the subscriptions they come to, and the tables as they are now.

A wish is what a channel asked for; it may name tables by wildcards, and tables may be altered, dropped and made again,
so its subscriptions are renewed when the log tells of a table that is new or altered. Reads the catalogue.
"""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from emulator.realtime import errors
from emulator.realtime.database.pool import Connection, Database
from emulator.realtime.postgres_changes import catalog as catalogue
from emulator.realtime.postgres_changes.matching.match import Matched, match
from emulator.realtime.postgres_changes.subscriptions import filters
from emulator.realtime.postgres_changes.subscriptions.conditions import Condition
from emulator.realtime.postgres_changes.subscriptions.filters import Binding
from emulator.realtime.postgres_changes.subscriptions.index import Subscription, TableIndex
from emulator.realtime.postgres_changes.subscriptions.tables import Table
from emulator.realtime.postgres_changes.wal.decoder import Relation, RowChange
from emulator.realtime.postgres_changes.wal.progress import EVERYTHING, Committed, Since
from emulator.realtime.subscriber import NOBODY, Seat
from emulator.realtime.wire.tokens import Member

log = logging.getLogger(__name__)
Indexes = dict[int, TableIndex]


@dataclass(slots=True)
class Wish:
    """What a channel subscribed to: its bindings by number, and from which moment on."""

    bindings: list[tuple[int, Binding]]
    since: Since
    live: list[Subscription] = field(default_factory=list)


class Watchers:
    """The subscriptions of this process, by table."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._tables: dict[int, Table] = {}
        self._indexes: Indexes = {}
        self._named: dict[int, bool] = {}  # tables without subscriptions: may a wildcard name them?
        self._wishes: dict[Seat, Wish] = {}
        self._recent: list[Subscription] = []
        self._knowledge = catalogue.Knowledge()

    def __contains__(self, seat: Seat) -> bool:
        return seat in self._wishes

    def seats(self) -> tuple[Seat, ...]:
        """All that watch something."""
        return tuple(self._wishes)

    # Subscribing

    async def prepare(self, raw: Sequence[Mapping[str, Any]], member: Member) -> Wish:
        """Check what a join asks for; raises SubscriptionRefused, DatabaseAway or psycopg.Error."""
        bindings = [filters.parse_binding(one) for one in raw]
        numbered: list[tuple[int, Binding]] = list(enumerate(bindings, 1))
        async with self._database.connection() as connection:
            wish = Wish(numbered, await catalogue.read_moment(connection))
            known = self._knowledge
            known.refresh(time.monotonic())
            is_fresh = known.is_empty
            try:
                wish.live = await self._check(connection, wish, member.role)
            except errors.SubscriptionRefused:
                if is_fresh:
                    raise
                known.forget()
                wish.live = await self._check(connection, wish, member.role)
        return wish

    async def _check(self, connection: Connection, wish: Wish, role: str) -> list[Subscription]:
        found = []
        for number, binding in wish.bindings:
            for table in await catalogue.find_tables(connection, self._knowledge, binding):
                conditions = await catalogue.check_binding(connection, self._knowledge, binding, table, role)
                await self._know(connection, table)
                found.append(Subscription(NOBODY, number, binding, conditions, wish.since, table.oid))
        return found

    def add(self, seat: Seat, wish: Wish, *, is_recent: bool = True) -> None:
        """From now on the seat watches; what it watched before goes, but none of its changes is lost by that."""
        before = self._wishes.get(seat)
        self.remove(seat)
        if before is not None:
            wish.since = before.since
        self._wishes[seat] = wish
        self._named.clear()
        for one in wish.live:
            one.seat, one.since = seat, wish.since
            self._indexes.setdefault(one.oid, TableIndex()).add(one)
        if is_recent and before is None:
            self._recent += wish.live

    def take_recent(self) -> Indexes:
        """The subscriptions that were added since this was last asked."""
        recent, self._recent = self._recent, []
        index: Indexes = {}
        for one in recent:
            if one.seat in self._wishes:
                index.setdefault(one.oid, TableIndex()).add(one)
        return index

    def add_returning(self, seat: Seat, wish: Wish) -> Indexes:
        """A seat that is to be told of the past first: its own index, and a place that `add` takes over."""
        wish.since = EVERYTHING
        index: Indexes = {}
        for one in wish.live:
            one.seat, one.since = seat, wish.since
            index.setdefault(one.oid, TableIndex()).add(one)
        self._wishes[seat] = wish
        return index

    def remove(self, seat: Seat) -> None:
        """The seat watches nothing any more."""
        wish = self._wishes.pop(seat, None)
        for one in wish.live if wish is not None else ():
            index = self._indexes.get(one.oid)
            if index is not None:
                index.remove(one)
                if not index.all:
                    del self._indexes[one.oid]

    # Changes

    def forget_names(self) -> None:
        """What was found out about tables without subscriptions may be wrong now."""
        self._named.clear()

    def is_watched(self, relation: Relation) -> bool:
        """Whether anybody may want the table's changes; asked of every change, so remembered."""
        oid = relation.oid
        if oid in self._indexes:
            return True
        if oid not in self._named:
            self._named[oid] = any(
                _names(binding, relation.schema, relation.table)
                for wish in self._wishes.values()
                for _, binding in wish.bindings
            )
        return self._named[oid]

    def match(self, change: RowChange, commit: Committed, indexes: Indexes | None = None) -> Matched | None:
        """Who may get a change: all that watch, or those of an index."""
        oid = change.relation.oid
        index, table = (self._indexes if indexes is None else indexes).get(oid), self._tables.get(oid)
        if index is None or table is None:
            return None
        candidates = list(index.candidates(change, table))
        return match(change, table, commit, candidates) if candidates else None

    # Tables

    async def meet(self, relation: Relation, *, is_wanted: bool) -> None:
        """The log names a table: new to it, or altered."""
        self._named.pop(relation.oid, None)
        self._knowledge.forget()
        if not (relation.oid in self._tables or is_wanted):
            return
        async with self._database.connection() as connection:
            table = await catalogue.read_table(connection, relation.oid)
            if table is None:
                self._tables.pop(relation.oid, None)
            else:
                await self._know(connection, table)

    async def _know(self, connection: Connection, table: Table) -> None:
        """Take over a table as it is now; subscriptions to it are checked anew when it changed."""
        before = self._tables.get(table.oid)
        if before == table:
            return
        self._tables[table.oid] = table
        if before is not None or table.oid not in self._indexes:
            await self._renew(connection, table)

    async def _renew(self, connection: Connection, table: Table) -> None:
        """Every wish that names the table gets its subscriptions to it, by the table's present columns."""
        ready: dict[tuple[Binding, str], tuple[Condition, ...] | None] = {}
        for seat, wish in tuple(self._wishes.items()):
            for one in [one for one in wish.live if one.oid == table.oid]:
                wish.live.remove(one)
                self._indexes.setdefault(table.oid, TableIndex()).remove(one)
            for number, binding in _naming(wish, table):
                asked = binding, seat.member.role
                if asked not in ready:
                    ready[asked] = await _conditions(connection, *asked, table)
                conditions = ready[asked]
                if conditions is not None and self._wishes.get(seat) is wish:
                    one = Subscription(seat, number, binding, conditions, wish.since, table.oid)
                    wish.live.append(one)
                    self._indexes.setdefault(table.oid, TableIndex()).add(one)


async def _conditions(
    connection: Connection, binding: Binding, role: str, table: Table
) -> tuple[Condition, ...] | None:
    try:
        return await catalogue.check_binding(connection, catalogue.Knowledge(), binding, table, role)
    except errors.SubscriptionRefused as error:
        log.info("a subscription does not fit %s.%s: %s", table.schema, table.name, error.text)
        return None


def _naming(wish: Wish, table: Table) -> Iterator[tuple[int, Binding]]:
    return ((number, one) for number, one in wish.bindings if _names(one, table.schema, table.name))


def _names(binding: Binding, schema: str, table: str) -> bool:
    return filters.like_matches(binding.schema, schema) and filters.like_matches(binding.table, table)
