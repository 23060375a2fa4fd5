"""A row change and the subscriptions of its table: what must be asked, and then who gets which data. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from emulator.realtime.postgres_changes.rendering import rows, values
from emulator.realtime.postgres_changes.subscriptions.conditions import Answers, Condition, Question, passes
from emulator.realtime.postgres_changes.subscriptions.index import Subscription
from emulator.realtime.postgres_changes.subscriptions.tables import Column, RoleView, Table
from emulator.realtime.postgres_changes.visibility import Case, Verdict
from emulator.realtime.postgres_changes.wal.decoder import Row, RowChange, committed_at
from emulator.realtime.postgres_changes.wal.progress import Committed
from emulator.realtime.subscriber import Seat
from emulator.realtime.wire.tokens import Member


@dataclass(slots=True)
class Matched:
    """A change with the subscriptions that may want it, and what PostgreSQL must say first."""

    change: RowChange
    table: Table
    commit: Committed
    subscriptions: list[Subscription]
    case: Case
    undecided: set[tuple[Condition, ...]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message: the ids of one channel, and data that many share."""

    seat: Seat
    ids: tuple[int, ...]
    data: str


def match(change: RowChange, table: Table, commit: Committed, candidates: Sequence[Subscription]) -> Matched | None:
    """Who may get a change, by event and filters; None when that is nobody."""
    if rows.is_undeliverable(change, table):
        return None
    row = change.new if change.new is not None else change.old or {}
    ignores_filters = rows.lacks_key(change, table)
    outcomes: dict[tuple[Condition, ...], bool | list[Question]] = {}
    wanted: list[Subscription] = []
    for one in candidates:
        if not one.wants(change.kind) or one.since.knows(commit):
            continue
        if not ignores_filters and one.conditions:
            if one.conditions not in outcomes:
                outcomes[one.conditions] = _all(one.conditions, row)
            if outcomes[one.conditions] is False:
                continue
        wanted.append(one)
    if not wanted:
        return None
    undecided = {conditions for conditions, outcome in outcomes.items() if isinstance(outcome, list)}
    case = _case(change, table, wanted, outcomes)
    return Matched(change, table, commit, wanted, case, undecided)


def _all(conditions: Sequence[Condition], row: Row) -> bool | list[Question]:
    questions: list[Question] = []
    for condition in conditions:
        outcome = passes(condition, row)
        if outcome is False:
            return False
        if isinstance(outcome, list):
            questions += outcome
    return questions or True


def _case(
    change: RowChange,
    table: Table,
    wanted: Sequence[Subscription],
    outcomes: dict[tuple[Condition, ...], bool | list[Question]],
) -> Case:
    key: tuple[str, ...] | None = None
    if table.has_rls and table.key and change.new is not None:
        key = tuple(str(change.new.get(name)) for name in table.key)
    case = Case(table, key)
    members: dict[str, dict[Member, None]] = {}
    for one in wanted:
        members.setdefault(one.seat.member.role, {})[one.seat.member] = None
    case.members = {role: list(distinct) for role, distinct in members.items()}
    for outcome in outcomes.values():
        if isinstance(outcome, list):
            case.questions.update(outcome)
    case.values = set(_odd_values(change, table))
    return case


def _odd_values(change: RowChange, table: Table) -> Iterator[tuple[str, str]]:
    """The values that only PostgreSQL can print as JSON."""
    for row in (change.new, change.old):
        for name, value in (row or {}).items():
            column = table.columns.get(name)
            if not isinstance(value, str) or column is None:
                continue
            if values.to_json(column.base_name, column.base_kind, value) is None:
                yield column.sql_type, value


def deliveries(matched: Matched, verdict: Verdict) -> list[Delivery]:
    """Who gets what, now that PostgreSQL has answered."""
    change = matched.change
    row = change.new if change.new is not None else change.old or {}
    passing = {conditions: _decided(conditions, row, verdict.answers) for conditions in matched.undecided}
    shapes: dict[rows.Shape, str] = {}
    ids: dict[tuple[Seat, str], list[int]] = {}

    def to_json(column: Column, text: str) -> str:
        known = values.to_json(column.base_name, column.base_kind, text)
        return known if known is not None else verdict.values[(column.sql_type, text)]

    for one in matched.subscriptions:
        member = one.seat.member
        is_told = member in verdict.visible or _is_unauthorized(matched, verdict.views.get(member.role))
        if not is_told or not passing.get(one.conditions, True):
            continue
        shape = rows.Shape(member.role, one.binding.selected)
        if shape not in shapes:
            shapes[shape] = _data(matched, verdict, shape, to_json)
        ids.setdefault((one.seat, shapes[shape]), []).append(one.number)
    return [Delivery(seat, tuple(sorted(numbers)), data) for (seat, data), numbers in ids.items()]


def _decided(conditions: Sequence[Condition], row: Row, answers: Answers) -> bool:
    return all(passes(condition, row, answers) is True for condition in conditions)


def _is_unauthorized(matched: Matched, view: RoleView | None) -> bool:
    """Whether a role may not even know a new row's key: it is told that, whatever policies say."""
    if view is None or matched.change.kind == "DELETE":
        return False
    return not view.columns.issuperset(matched.table.key)


def _data(matched: Matched, verdict: Verdict, shape: rows.Shape, to_json: rows.ToJson) -> str:
    change, table, view = matched.change, matched.table, verdict.views[shape.role]
    if rows.lacks_key(change, table):
        return rows.render_error(change, rows.NO_KEY)
    if _is_unauthorized(matched, view):
        return rows.render_error(change, rows.UNAUTHORIZED)
    committed = committed_at(matched.commit.at_us)
    return rows.render(change, table, committed, view, shape.selected, to_json)
