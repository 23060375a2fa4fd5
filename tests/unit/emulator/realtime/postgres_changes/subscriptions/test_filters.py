"""Subscriptions as texts: bindings, filters, names; and rows against conditions."""

import pytest

from emulator.realtime.errors import SubscriptionRefused
from emulator.realtime.postgres_changes.subscriptions.conditions import Comparison, Condition, index_key, passes
from emulator.realtime.postgres_changes.subscriptions.elixir import inspect, inspect_pretty
from emulator.realtime.postgres_changes.subscriptions.filters import (
    Binding,
    Filter,
    like_matches,
    parse_binding,
    parse_filters,
)
from emulator.realtime.postgres_changes.subscriptions.tables import Column
from emulator.realtime.postgres_changes.wal.decoder import UNCHANGED, Row

FILTERS = [
    ("", ()),
    ("  ", ()),
    ("a=eq.1", (Filter("a", "eq", ("1",)),)),
    (" a=eq.1 , b=lt.2", (Filter("a", "eq", ("1",)), Filter("b", "lt", ("2",)))),
    ("a=not.eq.1", (Filter("a", "eq", ("1",), True),)),
    ("a=eq.x=y.z", (Filter("a", "eq", ("x=y.z",)),)),
    ('a=eq."x,y"', (Filter("a", "eq", ("x,y",)),)),
    ('a=eq."x\\"y\\\\"', (Filter("a", "eq", ('x"y\\',)),)),
    ('a=eq."x"y"', (Filter("a", "eq", ('"x"y"',)),)),
    ('a=eq."x\\"', (Filter("a", "eq", ('"x\\"',)),)),
    ("a=in.(1,2)", (Filter("a", "in", ("1", "2")),)),
    ('a=in.("x,y", z ,NULL)', (Filter("a", "in", ("x,y", "z", None)),)),
    ("a=in.()", (Filter("a", "in", ()),)),
    ("a=in.(1,2),b=eq.3", (Filter("a", "in", ("1", "2")), Filter("b", "eq", ("3",)))),
    ("a=is.null", (Filter("a", "is", ("null",)),)),
    ("a=match.(x|y)", (Filter("a", "match", ("(x|y)",)),)),
    ("a=eq.", (Filter("a", "eq", ("",)),)),
]


@pytest.mark.parametrize(("text", "want"), FILTERS, ids=[repr(one[0]) for one in FILTERS])
def test_filters_are_parsed(text: str, want: tuple[Filter, ...]) -> None:
    assert parse_filters(text) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("undefined", '["undefined"]'),
        ("a=hey", '["hey"]'),
        ("a=foo.hey", '["foo", "hey"]'),
        ("a=not.foo.hey", '["foo", "hey"]'),
        ("a=eq.1,,b=eq.2", "filter must not contain empty segments (check for extra commas)"),
        ("a=in.1", "`in` filter value must be wrapped by parentheses"),
    ],
)
def test_filters_are_refused(text: str, want: str) -> None:
    with pytest.raises(SubscriptionRefused) as refused:
        parse_filters(text)
    assert refused.value.text == f"Error parsing `filter` params: {want}"


@pytest.mark.parametrize(
    ("raw", "want"),
    [
        ({"schema": "s"}, Binding("*", "s", "*")),
        ({"table": "t", "event": "insert"}, Binding("INSERT", "public", "t")),
        ({"schema": "s", "table": "t", "event": "TRUNCATE"}, Binding("*", "s", "t")),
        ({"schema": "s", "table": "t", "filter": ""}, Binding("*", "s", "t")),
        ({"schema": "s", "table": "t", "select": ["b", "a", "b"]}, Binding("*", "s", "t", (), ("a", "b"))),
        ({"schema": "s", "table": "t", "select": []}, Binding("*", "s", "t")),
        ({"schema": "s", "table": "t", "select": ["a", 2, None]}, Binding("*", "s", "t", (), ("a",))),
        ({"schema": "s", "table": "t", "select": {"a": 1}, "event": 5}, Binding("*", "s", "t")),
    ],
)
def test_bindings_are_parsed(raw: dict[str, object], want: Binding) -> None:
    assert parse_binding(raw) == want


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"event": "*"},
        {"schema": "s", "table": "t", "filter": None},
        {"schema": "s", "table": "t", "filter": 1},
        {"schema": "s", "filter": "a=eq.1"},
        {"table": "t", "filter": "a=eq.1"},
        {"schema": None, "table": "t"},
        {"schema": "s", "table": None},
        {"schema": "s", "table": 7},
    ],
)
def test_bindings_need_a_target(raw: dict[str, object]) -> None:
    with pytest.raises(SubscriptionRefused, match="No subscription params provided"):
        parse_binding(raw)


@pytest.mark.parametrize(
    ("pattern", "name", "want"),
    [("*", "x", True), ("a", "a", True), ("a", "b", False), ("a_b", "axb", True), ("a_b", "ab", False), ("%", "", True),
     ("a%", "abc", True), ("%c", "abc", True), ("a%c", "abd", False), ("a%b_", "axxbc", True), ("_", "", False)],
)  # fmt: skip
def test_names_are_matched_like_like(pattern: str, name: str, want: bool) -> None:
    assert like_matches(pattern, name) is want


def test_values_are_shown_in_the_service_s_notation() -> None:
    assert inspect({"b": None, "a": ["x", True, 1]}) == '%{"a" => ["x", true, 1], "b" => nil}'


def test_filters_are_shown_as_they_were_parsed() -> None:
    raw = {"schema": "s", "table": "t", "filter": "a=not.in.(1, 2)", "select": ["a"]}
    shown = '[event: *, schema: s, table: t, filters: [{"a", "in", "{1, 2}", true}], select: ["a"]]'
    assert parse_binding(raw).describe() == shown


def test_long_filters_are_broken_over_lines() -> None:
    values = "x" * 65
    want = f'[\n  {{"a", "eq", "1", false}},\n  {{"b", "in",\n   "{values}", false}}\n]'
    assert inspect_pretty([("a", "eq", "1", False), ("b", "in", values, False)]) == want


def column(base: str, *, kind: str = "b", deterministic: bool = True) -> Column:
    return Column("c", 1, base, base, kind, base, deterministic)


PASSES = [
    ("int4", "eq", "3", "3", True),
    ("int4", "lt", "10", "9", True),
    ("int4", "gt", "9", "10", True),
    ("numeric", "eq", "1.5", "1.50", True),
    ("numeric", "neq", "1.5", "1.50", False),
    ("float8", "gte", "1e2", "100", True),
    ("text", "eq", "a", "a", True),
    ("text", "neq", "a", "b", True),
    ("text", "isdistinct", "a", None, True),
    ("text", "eq", "a", None, False),
    ("text", "neq", "a", None, False),
    ("bool", "is", "true", "t", True),
    ("bool", "is", "unknown", None, True),
    ("bool", "is", "false", None, False),
    ("text", "is", "null", None, True),
    ("text", "gt", "a", "b", Comparison("text", ">", "b", "a")),
    ("text", "like", "a%", "ab", Comparison("text", "like", "ab", "a%")),
    ("jsonb", "eq", "1", "1.0", Comparison("jsonb", "=", "1.0", "1")),
    ("numeric", "lt", "1", "NaN", Comparison("numeric", "<", "NaN", "1")),
]


@pytest.mark.parametrize(("base", "operator", "wanted", "value", "want"), PASSES)
def test_rows_against_conditions(base: str, operator: str, wanted: str, value: str | None, want: object) -> None:
    condition = Condition(column(base), operator, (wanted,))
    row: Row = {"c": value}
    got = passes(condition, row)
    assert got == ([want] if isinstance(want, Comparison) else want)
    if isinstance(want, Comparison):
        for answer in (True, False, None):
            assert passes(condition, row, {want: answer}) is (answer is True)
    assert passes(condition, {}, {}) is False
    assert passes(condition, {"c": UNCHANGED}, {}) is False


@pytest.mark.parametrize(
    ("values", "value", "want"),
    [(("1", "2"), "2", True), (("1", "2"), "3", False), (("1", None), "1", True), (("1", None), "3", False),
     ((), "1", False)],
)  # fmt: skip
def test_null_in_lists(values: tuple[str | None, ...], value: str, want: bool) -> None:
    assert passes(Condition(column("int4"), "in", values), {"c": value}) is want
    negated = passes(Condition(column("int4"), "in", values, True), {"c": value})
    assert negated is (not want and None not in values)


@pytest.mark.parametrize(
    ("of", "text", "want"),
    [(column("int8"), "10", "1E+1"), (column("numeric"), "10.00", "1E+1"), (column("text"), "x", "x"),
     (column("text", deterministic=False), "x", None), (column("citext"), "x", None),
     (column("mood", kind="e"), "x", "x"),
     (column("float8"), "NaN", None)],
)  # fmt: skip
def test_equal_values_have_equal_keys(of: Column, text: str, want: str | None) -> None:
    assert index_key(of, text) == want
