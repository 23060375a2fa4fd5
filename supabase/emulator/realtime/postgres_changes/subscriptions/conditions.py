"""Whether a row passes a subscription's filters; where only PostgreSQL can compare, which comparisons to ask it for.

Both sides are canonical texts (what the type's output function writes), so equality of most types is equality of
texts. Null compares to nothing, negated or not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from emulator.realtime.postgres_changes.subscriptions.tables import Column
from emulator.realtime.postgres_changes.wal.decoder import Row, Unchanged

SQL_OPERATORS = {
    "eq": "=", "neq": "<>", "lt": "<", "lte": "<=", "gt": ">", "gte": ">=", "in": "=",
    "like": "like", "ilike": "ilike", "match": "~", "imatch": "~*", "isdistinct": "is distinct from",
}  # fmt: skip
PATTERN_OPERATORS = frozenset(("like", "ilike", "match", "imatch"))


@dataclass(frozen=True, slots=True)
class Condition:
    """A filter that PostgreSQL has checked: its column is known, its values are canonical texts."""

    column: Column
    operator: str
    values: tuple[str | None, ...]
    negated: bool = False

    @property
    def index_keys(self) -> tuple[str, ...] | None:
        """The values under which a row must be found to pass, None when an index can't tell."""
        if self.negated or self.operator not in ("eq", "in"):
            return None
        keys = [index_key(self.column, value) for value in self.values if value is not None]
        return None if None in keys else tuple(dict.fromkeys(key for key in keys if key is not None))


@dataclass(frozen=True, slots=True)
class Comparison:
    """One left to PostgreSQL: `left` and `right` are texts, both cast to `sql_type`."""

    sql_type: str
    operator: str
    left: str
    right: str


ComparisonResults = Mapping[Comparison, bool | None]


def index_key(column: Column, text: str) -> str | None:
    """A value's key in the index of subscriptions: equal for equal values; None when texts can't tell."""
    if column.compares_as_text:
        return text
    if column.is_number:
        number = _number(text)
        return None if number is None else str(number.normalize())
    return None


def passes(condition: Condition, row: Row, results: ComparisonResults | None = None) -> bool | list[Comparison]:
    """Whether the row passes; without `results`, the comparisons that PostgreSQL must make first."""
    value = row.get(condition.column.name)
    if isinstance(value, Unchanged) or condition.column.name not in row:
        return False
    if condition.operator == "is":
        return _is(value, condition.values[0]) != condition.negated
    if condition.operator == "isdistinct":
        if value is None:
            return not condition.negated
    elif value is None:
        return False
    outcomes: list[bool | None] = []
    undecided: list[Comparison] = []
    for wanted in condition.values:
        outcome = _compare(condition, value, wanted)
        if isinstance(outcome, Comparison):
            if results is None:
                undecided.append(outcome)
                continue
            outcome = results[outcome]
        outcomes.append(outcome)
    if undecided and True not in outcomes:
        return undecided
    return _any(outcomes, condition.negated)


def _any(outcomes: list[bool | None], negated: bool) -> bool:
    """SQL's `= any`, three-valued: null makes neither it nor its negation true."""
    found = True if True in outcomes else None if None in outcomes else False
    return found is not None and found != negated


def _is(value: object, wanted: str | None) -> bool:
    if wanted in ("null", "unknown"):
        return value is None
    return value == ("t" if wanted == "true" else "f")


def _compare(condition: Condition, value: str, wanted: str | None) -> bool | None | Comparison:
    if wanted is None:
        return None
    column, operator = condition.column, condition.operator
    if operator in ("eq", "in", "neq", "isdistinct"):
        left, right = index_key(column, value), index_key(column, wanted)
        if left is not None and right is not None:
            return (left == right) == (operator in ("eq", "in"))
    elif operator not in PATTERN_OPERATORS and column.is_number:
        left_number, right_number = _number(value), _number(wanted)
        if left_number is not None and right_number is not None:
            return _order(operator, left_number, right_number)
    return Comparison(column.sql_type, SQL_OPERATORS[operator], value, wanted)


def _order(operator: str, left: Decimal, right: Decimal) -> bool:
    if operator == "lt":
        return left < right
    if operator == "lte":
        return left <= right
    return left > right if operator == "gt" else left >= right


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
