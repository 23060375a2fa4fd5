"""The subscriptions of this process, by table, and the tables as they are now. Reads the catalog.

A request may name tables by wildcards, and tables may be altered, dropped and created again, so the subscriptions of a
request are renewed when the log describes a table that is new or altered.
"""

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from emulator.principal import Principal
from emulator.realtime import errors
from emulator.realtime.database.pool import Connection, Database
from emulator.realtime.postgres_changes import catalog
from emulator.realtime.postgres_changes.catalog import CatalogCache
from emulator.realtime.postgres_changes.filter_checks import check_filters
from emulator.realtime.postgres_changes.matching.match import MatchedChange, match
from emulator.realtime.postgres_changes.subscriptions import filters
from emulator.realtime.postgres_changes.subscriptions.conditions import Condition
from emulator.realtime.postgres_changes.subscriptions.filters import Binding
from emulator.realtime.postgres_changes.subscriptions.index import Subscription, TableIndex
from emulator.realtime.postgres_changes.subscriptions.tables import Table
from emulator.realtime.postgres_changes.wal.decoder import Relation, RowChange
from emulator.realtime.postgres_changes.wal.progress import EVERYTHING, CommitInfo, StartPoint
from emulator.realtime.subscriber import UNASSIGNED, Subscriber
from emulator.realtime.wire.payloads import binding_ids

log = logging.getLogger(__name__)
Indexes = dict[int, TableIndex]  # by the table's oid


@dataclass(slots=True)
class SubscriptionRequest:
    """What a channel subscribes to: its bindings by number, from which moment on, and the resulting subscriptions."""

    bindings: list[tuple[int, Binding]]
    start: StartPoint
    subscriptions: list[Subscription] = field(default_factory=list)


class SubscriptionRegistry:
    """Who is subscribed to which tables."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._tables: dict[int, Table] = {}
        self._indexes: Indexes = {}
        self._is_named: dict[int, bool] = {}  # tables without subscriptions: does a wildcard name them?
        self._requests: dict[Subscriber, SubscriptionRequest] = {}
        self._recent: list[Subscription] = []
        self._cache = CatalogCache()

    def __contains__(self, subscriber: Subscriber) -> bool:
        return subscriber in self._requests

    def subscribers(self) -> tuple[Subscriber, ...]:
        return tuple(self._requests)

    def has_requests(self) -> bool:
        """Whether anybody is subscribed."""
        return bool(self._requests)

    def bindings(self, subscriber: Subscriber) -> tuple[Binding, ...]:
        """What a channel asked for."""
        request = self._requests.get(subscriber)
        return () if request is None else tuple(binding for _, binding in request.bindings)

    # Subscribing

    async def prepare(self, raw: Sequence[Mapping[str, Any]], principal: Principal) -> SubscriptionRequest:
        """Check what a join asks for; raises SubscriptionRefused, DatabaseUnavailable or psycopg.Error."""
        bindings = [filters.parse_binding(one) for one in raw]
        numbered = list(zip(binding_ids(raw), bindings, strict=True))
        async with self._database.connection() as connection:
            request = SubscriptionRequest(numbered, await catalog.read_start_point(connection))
            cache = self._cache
            cache.refresh(time.monotonic())
            is_fresh = cache.is_empty
            try:
                request.subscriptions = await self._resolve(connection, request, principal.role)
            except errors.SubscriptionRefused:
                if is_fresh:
                    raise
                cache.clear()
                request.subscriptions = await self._resolve(connection, request, principal.role)
        return request

    async def _resolve(self, connection: Connection, request: SubscriptionRequest, role: str) -> list[Subscription]:
        found = []
        for number, binding in request.bindings:
            for table in await catalog.find_tables(connection, self._cache, binding):
                conditions = await check_filters(connection, self._cache, binding, table, role)
                await self._cache_table(connection, table)
                found.append(Subscription(UNASSIGNED, number, binding, conditions, request.start, table.oid))
        return found

    def add(self, subscriber: Subscriber, request: SubscriptionRequest, *, is_recent: bool = True) -> None:
        """Changes flow from now on. An earlier request of the subscriber is replaced, and keeps its start point."""
        before = self._requests.get(subscriber)
        self.remove(subscriber)
        if before is not None:
            request.start = before.start
        self._requests[subscriber] = request
        self._is_named.clear()
        for one in request.subscriptions:
            one.subscriber, one.start = subscriber, request.start
            self._indexes.setdefault(one.table_oid, TableIndex()).add(one)
        if is_recent and before is None:
            self._recent += request.subscriptions

    def take_recent(self) -> Indexes:
        """The subscriptions that were added since the last call."""
        recent, self._recent = self._recent, []
        return _index(one for one in recent if one.subscriber in self._requests)

    def add_returning(self, subscriber: Subscriber, request: SubscriptionRequest) -> Indexes:
        """For a client that gets missed changes first: an index of its own; `add` replaces the request afterwards."""
        request.start = EVERYTHING
        for one in request.subscriptions:
            one.subscriber, one.start = subscriber, request.start
        self._requests[subscriber] = request
        return _index(request.subscriptions)

    def remove(self, subscriber: Subscriber) -> None:
        request = self._requests.pop(subscriber, None)
        for one in request.subscriptions if request is not None else ():
            index = self._indexes.get(one.table_oid)
            if index is not None:
                index.remove(one)
                if not index.all:
                    del self._indexes[one.table_oid]

    # Changes

    def forget_names(self) -> None:
        """What is remembered of tables without subscriptions may be wrong now."""
        self._is_named.clear()

    def has_subscribers(self, relation: Relation) -> bool:
        """Whether any subscriber may want the table's changes; asked for every change, so remembered."""
        oid = relation.oid
        if oid in self._indexes:
            return True
        if oid not in self._is_named:
            self._is_named[oid] = any(
                _names(binding, relation.schema, relation.table)
                for request in self._requests.values()
                for _, binding in request.bindings
            )
        return self._is_named[oid]

    def generated_table(self, change: RowChange) -> Table | None:
        """The table of a change if it has generated columns."""
        table = self._tables.get(change.relation.oid)
        return table if table is not None and table.generated else None

    def match(self, change: RowChange, commit: CommitInfo, indexes: Indexes | None = None) -> MatchedChange | None:
        """Who may get a change: of all subscriptions, or of those in `indexes`."""
        oid = change.relation.oid
        index, table = (self._indexes if indexes is None else indexes).get(oid), self._tables.get(oid)
        if index is None or table is None:
            return None
        candidates = list(index.candidates(change, table))
        return match(change, table, commit, candidates) if candidates else None

    # Tables

    async def on_relation(self, relation: Relation, *, is_wanted: bool) -> None:
        """The log describes a table: it is new to this connection, or was altered."""
        self._is_named.pop(relation.oid, None)
        self._cache.clear()
        if not (relation.oid in self._tables or is_wanted):
            return
        async with self._database.connection() as connection:
            table = await catalog.read_table(connection, relation.oid)
            if table is None:
                self._tables.pop(relation.oid, None)
            else:
                await self._cache_table(connection, table)

    async def _cache_table(self, connection: Connection, table: Table) -> None:
        """Keep a table as it is now; subscriptions to it are checked again when it changed."""
        before = self._tables.get(table.oid)
        if before == table:
            return
        self._tables[table.oid] = table
        if before is not None or table.oid not in self._indexes:
            await self._renew(connection, table)

    async def _renew(self, connection: Connection, table: Table) -> None:
        """Every request that names the table gets its subscriptions to it, by the table's present columns."""
        checked: dict[tuple[Binding, str], tuple[Condition, ...] | None] = {}
        for subscriber, request in tuple(self._requests.items()):
            for one in [one for one in request.subscriptions if one.table_oid == table.oid]:
                request.subscriptions.remove(one)
                self._indexes.setdefault(table.oid, TableIndex()).remove(one)
            for number, binding in _bindings_of(request, table):
                key = binding, subscriber.principal.role
                if key not in checked:
                    checked[key] = await _conditions(connection, *key, table)
                conditions = checked[key]
                # The subscriber may have left, or asked for something else, while PostgreSQL was asked.
                if conditions is not None and self._requests.get(subscriber) is request:
                    one = Subscription(subscriber, number, binding, conditions, request.start, table.oid)
                    request.subscriptions.append(one)
                    self._indexes.setdefault(table.oid, TableIndex()).add(one)


async def _conditions(
    connection: Connection, binding: Binding, role: str, table: Table
) -> tuple[Condition, ...] | None:
    try:
        return await check_filters(connection, CatalogCache(), binding, table, role)
    except errors.SubscriptionRefused as error:
        log.info("a subscription does not fit %s.%s: %s", table.schema, table.name, error.text)
        return None


def _index(subscriptions: Iterable[Subscription]) -> Indexes:
    indexes: Indexes = {}
    for one in subscriptions:
        indexes.setdefault(one.table_oid, TableIndex()).add(one)
    return indexes


def _bindings_of(request: SubscriptionRequest, table: Table) -> Iterator[tuple[int, Binding]]:
    return ((number, one) for number, one in request.bindings if _names(one, table.schema, table.name))


def _names(binding: Binding, schema: str, table: str) -> bool:
    return filters.like_matches(binding.schema, schema) and filters.like_matches(binding.table, table)
