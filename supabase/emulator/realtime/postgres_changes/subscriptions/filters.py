"""What a subscription to row changes asks for (table, event, filters, columns): text to values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from emulator.realtime import errors
from emulator.realtime.postgres_changes.subscriptions.elixir import inspect, inspect_pretty

OPERATORS = ("eq", "neq", "lt", "lte", "gt", "gte", "in", "like", "ilike", "match", "imatch", "is", "isdistinct")
EVENTS = ("INSERT", "UPDATE", "DELETE")
WILDCARD = "*"
MAX_IN_VALUES = 100


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on one column; `values` has one entry but for `in`, None stands for NULL inside `in`."""

    column: str
    operator: str
    values: tuple[str | None, ...]
    negated: bool = False
    text: str = field(default="", compare=False)  # the value as error texts quote it


@dataclass(frozen=True, slots=True)
class Binding:
    """One entry of a join's `postgres_changes`.

    `schema` and `table` may be `*`, and match as LIKE does, without an escape character.
    """

    event: str
    schema: str
    table: str
    filters: tuple[Filter, ...] = ()
    selected: tuple[str, ...] | None = None

    def describe(self) -> str:
        """The parameters as error texts quote them."""
        filters = inspect_pretty([(one.column, one.operator, one.text, one.negated) for one in self.filters])
        selected = "nil" if self.selected is None else inspect(list(self.selected))
        return (
            f"[event: {self.event}, schema: {self.schema}, table: {self.table}, filters: {filters}, select: {selected}]"
        )


def parse_binding(raw: Mapping[str, Any]) -> Binding:
    """Read one entry of a join's `postgres_changes`; raises errors.SubscriptionRefused."""
    selected = _parse_select(raw.get("select"))
    if not _names_a_table(raw):
        raise errors.no_subscription_params(inspect(dict(raw)))
    filters = parse_filters(raw.get("filter", ""))
    schema, table = raw.get("schema", "public"), raw.get("table", WILDCARD)
    if selected is not None and WILDCARD in (schema, table):
        raise errors.select_with_wildcard()
    event = str(raw.get("event", WILDCARD)).upper()
    return Binding(event if event in EVENTS else WILDCARD, schema, table, filters, selected)


def _names_a_table(raw: Mapping[str, Any]) -> bool:
    """Whether there are texts for a schema, a table or both; a filter needs both."""
    given = [raw[name] for name in ("schema", "table", "filter") if name in raw]
    has_target = "schema" in raw or "table" in raw
    is_complete = "filter" not in raw or ("schema" in raw and "table" in raw)
    return has_target and is_complete and all(isinstance(value, str) for value in given)


def _parse_select(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str):
        raise errors.select_unparsable()
    names = {name for name in value if isinstance(name, str)} if isinstance(value, list) else set()
    return tuple(sorted(names)) or None


def parse_filters(text: str) -> tuple[Filter, ...]:
    """Read `column=op.value,...`; blank text is no filter; raises errors.SubscriptionRefused."""
    if not text.strip():
        return ()
    return tuple(_parse_filter(segment.strip()) for segment in split_segments(text))


def split_segments(text: str) -> list[str]:
    """Split at commas that are neither in parentheses nor in double quotes (which open after `.`, `(` or `,`)."""
    segments, start, depth, in_quotes, index = [], 0, 0, False, 0
    while index < len(text):
        char = text[index]
        if in_quotes:
            if char == "\\":
                index += 1
            elif char == '"':
                in_quotes = False
        elif char == '"' and index > 0 and text[index - 1] in ".(,":
            in_quotes = True
        elif char == "(":
            depth += 1
        elif char == ")":
            depth = max(0, depth - 1)
        elif char == "," and depth == 0:
            segments.append(text[start:index])
            start = index + 1
        index += 1
    segments.append(text[start:])
    return segments


def _parse_filter(segment: str) -> Filter:
    if not segment:
        raise errors.filter_segment_empty()
    column, equals, condition = segment.partition("=")
    if not equals:
        raise errors.filter_unparsable(inspect([segment]))
    negated = condition.startswith("not.")
    condition = condition.removeprefix("not.")
    operator, dot, value = condition.partition(".")
    if not dot or operator not in OPERATORS:
        raise errors.filter_unparsable(inspect([operator, value] if dot else [operator]))
    if operator == "in":
        return Filter(column, operator, _parse_list(value), negated, f"{{{value[1:-1]}}}")
    text = _unquote(value)
    return Filter(column, operator, (text,), negated, text)


def _parse_list(value: str) -> tuple[str | None, ...]:
    """The elements of `(...)`, by the rules of an array literal: quotes, backslashes, blanks trimmed, NULL."""
    if len(value) < 2 or value[0] != "(" or value[-1] != ")":
        raise errors.filter_in_unwrapped()
    inner = value[1:-1]
    if not inner.strip():
        return ()
    elements: list[str | None] = []
    for part in _split_elements(inner):
        bare = part.strip()
        quoted = len(bare) >= 2 and bare[0] == bare[-1] == '"'
        if quoted:
            elements.append(_unescape(bare[1:-1]))
        else:
            elements.append(None if bare.upper() == "NULL" else _unescape(bare))
    return tuple(elements)


def _split_elements(text: str) -> list[str]:
    parts, start, in_quotes, index = [], 0, False, 0
    while index < len(text):
        char = text[index]
        if char == "\\":
            index += 1
        elif char == '"':
            in_quotes = not in_quotes
        elif char == "," and not in_quotes:
            parts.append(text[start:index])
            start = index + 1
        index += 1
    return [*parts, text[start:]]


def _unquote(value: str) -> str:
    """A double-quoted value without its quotes; broken quoting is taken literally."""
    if len(value) < 2 or value[0] != '"' or value[-1] != '"':
        return value
    inner, index = value[1:-1], 0
    while index < len(inner):
        if inner[index] == '"':
            return value
        index += 2 if inner[index] == "\\" else 1
    return value if index > len(inner) else _unescape(inner)


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    out, index = [], 0
    while index < len(text):
        if text[index] == "\\" and index + 1 < len(text):
            index += 1
        out.append(text[index])
        index += 1
    return "".join(out)


def like_matches(pattern: str, name: str) -> bool:
    """LIKE without an escape character, and `*` as everything: how schema and table names are matched."""
    if pattern == WILDCARD:
        return True
    if "%" not in pattern and "_" not in pattern:
        return pattern == name
    reachable = {0}
    for char in pattern:
        if char == "%":
            reachable = set(range(min(reachable), len(name) + 1))
        else:
            reachable = {at + 1 for at in reachable if at < len(name) and char in ("_", name[at])}
        if not reachable:
            return False
    return len(name) in reachable
