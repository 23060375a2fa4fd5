"""A row change against the subscriptions of its table: who may want it, and what PostgreSQL must be asked first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from emulator.principal import Principal
from emulator.realtime.postgres_changes.matching.checks import TypedText, VisibilityCheck
from emulator.realtime.postgres_changes.rendering import rows, values
from emulator.realtime.postgres_changes.subscriptions.conditions import Comparison, Condition, passes
from emulator.realtime.postgres_changes.subscriptions.index import Subscription
from emulator.realtime.postgres_changes.subscriptions.tables import Table
from emulator.realtime.postgres_changes.wal.decoder import Row, RowChange
from emulator.realtime.postgres_changes.wal.progress import CommitInfo

Conditions = tuple[Condition, ...]
Outcome = bool | list[Comparison]  # of a subscription's filters: passed or not, or what must be compared first


@dataclass(slots=True)
class MatchedChange:
    """A change with the subscriptions that may want it, and what PostgreSQL must be asked first."""

    change: RowChange
    table: Table
    commit: CommitInfo
    subscriptions: list[Subscription]
    check: VisibilityCheck
    undecided: set[Conditions] = field(default_factory=set)


def match(
    change: RowChange, table: Table, commit: CommitInfo, candidates: Sequence[Subscription]
) -> MatchedChange | None:
    """Who may get a change, by event and filters; None when no subscription may."""
    if rows.is_undeliverable(change, table):
        return None
    row = change.new if change.new is not None else change.old or {}
    ignores_filters = rows.lacks_key(change, table)
    outcomes: dict[Conditions, Outcome] = {}
    wanted: list[Subscription] = []
    for one in candidates:
        if not one.wants(change.kind) or one.start.already_visible(commit):
            continue
        if not ignores_filters and one.conditions:
            if one.conditions not in outcomes:
                outcomes[one.conditions] = _test(one.conditions, row)
            if outcomes[one.conditions] is False:
                continue
        wanted.append(one)
    if not wanted:
        return None
    undecided = {conditions: outcome for conditions, outcome in outcomes.items() if isinstance(outcome, list)}
    check = _make_check(change, table, wanted)
    for comparisons in undecided.values():
        check.comparisons.update(comparisons)
    return MatchedChange(change, table, commit, wanted, check, set(undecided))


def _test(conditions: Conditions, row: Row) -> Outcome:
    comparisons: list[Comparison] = []
    for condition in conditions:
        outcome = passes(condition, row)
        if outcome is False:
            return False
        if isinstance(outcome, list):
            comparisons += outcome
    return comparisons or True


def _make_check(change: RowChange, table: Table, wanted: Sequence[Subscription]) -> VisibilityCheck:
    key: tuple[str, ...] | None = None
    if table.has_rls and table.key and change.new is not None:
        key = tuple(str(change.new.get(name)) for name in table.key)
    principals: dict[str, dict[Principal, None]] = {}
    for one in wanted:
        principals.setdefault(one.subscriber.principal.role, {})[one.subscriber.principal] = None
    distinct = {role: list(found) for role, found in principals.items()}
    deleted = change.old if table.has_rls and change.new is None else None
    return VisibilityCheck(table, key, deleted, distinct, values=set(_unprintable_values(change, table)))


def _unprintable_values(change: RowChange, table: Table) -> Iterator[TypedText]:
    """The values that only PostgreSQL can print as JSON."""
    for row in (change.new, change.old):
        for name, value in (row or {}).items():
            column = table.columns.get(name)
            if not isinstance(value, str) or column is None:
                continue
            if values.to_json(column.base_name, column.base_kind, value) is None:
                yield column.sql_type, value
