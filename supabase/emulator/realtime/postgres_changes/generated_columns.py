"""Adds stored generated columns to row changes: clients get them, and filter by them, but the log leaves them out.

Their expressions are immutable, so PostgreSQL computes them from the row as it was logged. I/O through the evaluator.
"""

from collections.abc import Sequence
from dataclasses import replace

from emulator.realtime.postgres_changes.registry import SubscriptionRegistry
from emulator.realtime.postgres_changes.subscriptions.tables import Table
from emulator.realtime.postgres_changes.visibility import RlsEvaluator
from emulator.realtime.postgres_changes.wal.decoder import Row, RowChange


async def complete(
    changes: Sequence[RowChange], registry: SubscriptionRegistry, evaluator: RlsEvaluator
) -> Sequence[RowChange]:
    """The changes with all columns of tables that are subscribed to; raises DatabaseUnavailable."""
    tables = [registry.generated_table(change) for change in changes]
    if not any(tables):
        return changes
    rows: list[tuple[Table, Row]] = []
    for change, table in zip(changes, tables, strict=True):
        if table is not None:
            rows += [(table, row) for row in _whole_rows(change) if not _is_complete(row, table)]
    completed = iter(await evaluator.compute_generated(rows))
    found = []
    for change, table in zip(changes, tables, strict=True):
        if table is not None:
            new, old = change.new, change.old
            if new is not None and not _is_complete(new, table):
                new = next(completed)
            if old is not None and change.old_is_full and not _is_complete(old, table):
                old = next(completed)
            found.append(replace(change, new=new, old=old))
        else:
            found.append(change)
    return found


def _whole_rows(change: RowChange) -> list[Row]:
    """The rows of which the log has more than the key."""
    new = [change.new] if change.new is not None else []
    return [*new, change.old] if change.old is not None and change.old_is_full else new


def _is_complete(row: Row, table: Table) -> bool:
    return all(column.name in row for column in table.generated)
