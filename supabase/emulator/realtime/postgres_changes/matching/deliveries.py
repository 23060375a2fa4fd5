"""Who gets which data of a matched change, once PostgreSQL has answered its check."""

from collections.abc import Sequence
from dataclasses import dataclass

from emulator.realtime.postgres_changes.matching.checks import VisibilityResult
from emulator.realtime.postgres_changes.matching.match import MatchedChange
from emulator.realtime.postgres_changes.rendering import rows, values
from emulator.realtime.postgres_changes.subscriptions.conditions import ComparisonResults, Condition, passes
from emulator.realtime.postgres_changes.subscriptions.tables import Column, RoleView
from emulator.realtime.postgres_changes.wal.decoder import Row, committed_at
from emulator.realtime.subscriber import Subscriber


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message: the subscription ids of one channel, and data that many channels share."""

    subscriber: Subscriber
    ids: tuple[int, ...]
    data: str


def plan_deliveries(matched: MatchedChange, result: VisibilityResult) -> list[Delivery]:
    """The messages that a change comes to, one per subscriber and distinct data."""
    change = matched.change
    row = change.new if change.new is not None else change.old or {}
    passing = {conditions: _pass(conditions, row, result.comparisons) for conditions in matched.undecided}
    data_of: dict[rows.Shape, str] = {}
    ids: dict[tuple[Subscriber, str], list[int]] = {}
    for one in matched.subscriptions:
        principal = one.subscriber.principal
        view = result.views.get(principal.role)
        is_visible = principal in result.visible_to or _is_unauthorized(matched, view)
        if not is_visible or _hears_nothing(matched, view) or not passing.get(one.conditions, True):
            continue
        shape = rows.Shape(principal.role, one.binding.selected)
        if shape not in data_of:
            data_of[shape] = _render(matched, result, shape)
        ids.setdefault((one.subscriber, data_of[shape]), []).append(one.number)
    return [Delivery(subscriber, tuple(sorted(numbers)), data) for (subscriber, data), numbers in ids.items()]


def _pass(conditions: Sequence[Condition], row: Row, results: ComparisonResults) -> bool:
    return all(passes(condition, row, results) is True for condition in conditions)


def _is_unauthorized(matched: MatchedChange, view: RoleView | None) -> bool:
    """Whether a role may not even read a new row's key: as in the original it gets error 401, whatever policies say."""
    if view is None or matched.change.kind == "DELETE":
        return False
    return not view.columns.issuperset(matched.table.key)


def _hears_nothing(matched: MatchedChange, view: RoleView | None) -> bool:
    """Whether a role may read nothing of the table: then it does not learn of deletions either."""
    return matched.change.kind == "DELETE" and (view is None or not view.columns)


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
