"""Subscriptions to row changes, and an index of them by table, filter column and value. In memory.

A change looks up its own values, so its cost follows the subscriptions that match, not those that exist.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from emulator.realtime.postgres_changes.subscriptions.conditions import Condition, index_key
from emulator.realtime.postgres_changes.subscriptions.filters import WILDCARD, Binding
from emulator.realtime.postgres_changes.subscriptions.tables import Table
from emulator.realtime.postgres_changes.wal.decoder import RowChange
from emulator.realtime.postgres_changes.wal.progress import EVERYTHING, StartPoint
from emulator.realtime.subscriber import Subscriber


@dataclass(eq=False, slots=True)
class Subscription:
    """One binding of one channel on one table. `number` is its id in the join reply."""

    subscriber: Subscriber
    number: int
    binding: Binding
    conditions: tuple[Condition, ...]
    start: StartPoint = EVERYTHING
    table_oid: int = 0

    def wants(self, kind: str) -> bool:
        """Whether it asked for that kind of change."""
        return self.binding.event in (WILDCARD, kind)


Bucket = dict[Subscription, None]


@dataclass(slots=True)
class TableIndex:
    """The subscriptions of one table."""

    unfiltered: Bucket = field(default_factory=dict)
    by_value: dict[str, dict[str, Bucket]] = field(default_factory=dict)
    all: Bucket = field(default_factory=dict)

    def add(self, subscription: Subscription) -> None:
        self.all[subscription] = None
        placed = _placement(subscription)
        if placed is None:
            self.unfiltered[subscription] = None
            return
        column, keys = placed
        buckets = self.by_value.setdefault(column, {})
        for key in keys:
            buckets.setdefault(key, {})[subscription] = None

    def remove(self, subscription: Subscription) -> None:
        self.all.pop(subscription, None)
        placed = _placement(subscription)
        if placed is None:
            self.unfiltered.pop(subscription, None)
            return
        column, keys = placed
        buckets = self.by_value.get(column, {})
        for key in keys:
            bucket = buckets.get(key)
            if bucket is not None:
                bucket.pop(subscription, None)
                if not bucket:
                    del buckets[key]
        if not buckets:
            self.by_value.pop(column, None)

    def candidates(self, change: RowChange, table: Table) -> Iterator[Subscription]:
        """Those whose indexed filter, if any, matches the row; their other filters are not tested yet."""
        yield from self.unfiltered
        row = change.new if change.new is not None else change.old or {}
        for name, buckets in self.by_value.items():
            value, column = row.get(name), table.columns.get(name)
            if isinstance(value, str) and column is not None:
                yield from buckets.get(index_key(column, value) or "", ())


def _placement(subscription: Subscription) -> tuple[str, tuple[str, ...]] | None:
    for condition in subscription.conditions:
        keys = condition.index_keys
        if keys is not None:
            return condition.column.name, keys
    return None
