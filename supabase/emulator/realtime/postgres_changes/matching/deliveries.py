"""Who gets which data of a matched change, once PostgreSQL has answered its check."""

from collections.abc import Sequence
from typing import NamedTuple

from emulator.realtime.postgres_changes.matching.checks import VisibilityResult
from emulator.realtime.postgres_changes.matching.match import MatchedChange
from emulator.realtime.postgres_changes.rendering import rows, values
from emulator.realtime.postgres_changes.subscriptions.conditions import ComparisonResults, Condition, passes
from emulator.realtime.postgres_changes.subscriptions.tables import Column, RoleView
from emulator.realtime.postgres_changes.wal.decoder import Row, committed_at
from emulator.realtime.subscriber import Subscriber


class Delivery(NamedTuple):
    """One message: the subscription ids of one channel, and data that many channels share."""

    subscriber: Subscriber
    ids: tuple[int, ...]
    data: str


def plan_deliveries(matched: MatchedChange, result: VisibilityResult) -> list[Delivery]:
    """The messages that a change comes to, one per subscriber and distinct data."""
    change = matched.change
    row = change.new if change.new is not None else change.old or {}
    passing = {conditions: _pass(conditions, row, result.comparisons) for conditions in matched.undecided}
    gets_errors = {
        role: _is_unauthorized(matched, view)
        for role, view in result.views.items()
        if not _hears_nothing(matched, view)
    }
    data_of: dict[tuple[str, tuple[str, ...] | None], str] = {}
    ids: dict[tuple[Subscriber, str], list[int]] = {}
    for one in matched.subscriptions:
        principal, conditions = one.subscriber.principal, one.conditions
        gets_error = gets_errors.get(principal.role)
        if gets_error is None or not (gets_error or principal in result.visible_to):
            continue
        if conditions and not passing.get(conditions, True):
            continue
        shape = (principal.role, one.binding.selected)
        data = data_of.get(shape)
        if data is None:
            data = data_of[shape] = _render(matched, result, rows.Shape(*shape))
        ids.setdefault((one.subscriber, data), []).append(one.number)
    return [Delivery(subscriber, tuple(sorted(numbers)), data) for (subscriber, data), numbers in ids.items()]


def _pass(conditions: Sequence[Condition], row: Row, results: ComparisonResults) -> bool:
    return all(passes(condition, row, results) is True for condition in conditions)


def _is_unauthorized(matched: MatchedChange, view: RoleView) -> bool:
    """Whether a role may not even read a new row's key: as in the original it gets error 401, whatever policies say."""
    if matched.change.kind == "DELETE":
        return False
    return not view.columns.issuperset(matched.table.key)


def _hears_nothing(matched: MatchedChange, view: RoleView) -> bool:
    """Whether a role may read nothing of the table: then it does not learn of deletions either."""
    return matched.change.kind == "DELETE" and not view.columns


def _render(matched: MatchedChange, result: VisibilityResult, shape: rows.Shape) -> str:
    change, table, view = matched.change, matched.table, result.views[shape.role]
    if rows.lacks_key(change, table):
        return rows.render_error(change, rows.NO_KEY)
    if _is_unauthorized(matched, view):
        return rows.render_error(change, rows.UNAUTHORIZED)

    def to_json(column: Column, text: str) -> str:
        known = values.to_json(column.base_name, column.base_kind, text)
        return known if known is not None else result.values[(column.sql_type, text)]

    return rows.render(change, table, committed_at(matched.commit.at_us), view, shape.selected, to_json)
