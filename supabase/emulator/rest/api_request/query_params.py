"""Query strings: split into a form that can be cached and its values, decoded to a shape, parsed to QueryParams. Pure.

`split_values` runs for every request, the rest once per form. When several parameters are wrong, the error is that of
the first in PostgREST's order: order, logic, columns, select, filters, on_conflict.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeVar
from urllib.parse import unquote_to_bytes

from emulator.rest import errors
from emulator.rest.api_request.filter_grammar import read_logic, read_operation, read_rest
from emulator.rest.api_request.lexer import read_json_path, read_name, take_delimiter
from emulator.rest.api_request.scanner import LimitReached, Limits, ParseError, Scanner
from emulator.rest.api_request.select_grammar import read_names, read_order, read_select
from emulator.rest.api_request.types import (
    Compare,
    Condition,
    Field,
    Filter,
    Operation,
    OrderTerm,
    Path,
    Placeholder,
    QueryParams,
    Range,
    Value,
)

T = TypeVar("T")

# Reserved as a whole key, and reserved after the path of an embed (`clients.order`).
_WHOLE_KEYS = frozenset({"select", "columns", "on_conflict"})
_LAST_PARTS = frozenset({"order", "limit", "offset", "and", "or"})
_RESERVED = frozenset(key.encode() for key in _WHOLE_KEYS | _LAST_PARTS)
# Operators whose value is passed to PostgreSQL as it is.
_PLAIN_FILTER = re.compile(rb"(?:not\.)?(?:eq|neq|gte|gt|lte|lt)\.")
# A filter with nothing to decode, and where its value begins: most parameters whose value differs are such.
_USUAL_FILTER = re.compile(
    rb"(?!(?:%b)=)[A-Za-z0-9_]+=%b()[A-Za-z0-9_:@~-]*" % (b"|".join(sorted(_RESERVED)), _PLAIN_FILTER.pattern)
)
_MAYBE_FILTER = re.compile(r"[a-z]+[.(]")
PERCENT, _PLUS, _DOT = b"%+."  # bytes are looked for as numbers: `b"%" in text` takes many times as long
_CUT = b"&"  # ends a parameter of a form in the place of its value; none has it
_INTEGER = re.compile(r"-?[0-9]+", re.ASCII)
_MAX_PARAMETERS = 1000
# More digits than any bigint has. A longer text is treated like one that is no number.
_MAX_DIGITS = 30


class QueryParameter(NamedTuple):
    """One `key=value`. With a placeholder, `value` is the operator alone (or empty) and the rest is in the values."""

    key: str
    value: str
    placeholder: int | None = None


QueryShape = tuple[QueryParameter, ...]
QueryForm = tuple[bytes, ...]


def decode_pairs(raw: bytes, *, keep_bare: bool = False) -> list[tuple[str, str]]:
    """Split at `&` and `;`, decode `%xx` and `+`; parameters without `=` are left out, or have an empty value."""
    pairs: list[tuple[str, str]] = []
    if raw.endswith((b"&", b";")):
        raw = raw[:-1]
    for part in raw.replace(b";", b"&").split(b"&") if raw else ():
        key, equals, value = part.partition(b"=")
        if equals or keep_bare:
            pairs.append((_decode(key), _decode(value)))
    return pairs


def unquote(part: bytes) -> bytes:
    """Decode `%xx` and `+`."""
    return unquote_to_bytes(part.replace(b"+", b" ")) if PERCENT in part or _PLUS in part else part


def _decode(part: bytes) -> str:
    return unquote(part).decode("utf-8", "replace")


def split_values(raw: bytes, *, is_call: bool) -> tuple[QueryForm, list[bytes]]:
    """Cut the values of plain comparisons, and of plain arguments of a call, out of a query string; UTF-8 both.

    Parameters without `=` are left out.
    """
    form: list[bytes] = []
    values: list[bytes] = []
    for part in raw.replace(b";", b"&").split(b"&"):
        if usual := _USUAL_FILTER.fullmatch(part):
            begin = usual.start(1)
            form.append(part[:begin] + _CUT)
            values.append(part[begin:])
            continue
        key, equals, value = part.partition(b"=")
        if not equals:
            continue
        if key in _RESERVED or ((_DOT in key or PERCENT in key or _PLUS in key) and is_reserved(_decode(key))):
            form.append(part)
        elif plain := _PLAIN_FILTER.match(value):
            end = plain.end()
            form.append(part[: len(key) + 1 + end] + _CUT)
            values.append(_decode_bytes(value[end:]))
        elif is_call and not _MAYBE_FILTER.match(_decode(value)):
            form.append(key + b"=" + _CUT)
            values.append(_decode_bytes(value))
        else:
            form.append(part)
    return tuple(form), values


def _decode_bytes(part: bytes) -> bytes:
    return part if part.isascii() and PERCENT not in part and _PLUS not in part else _decode(part).encode()


def read_form(form: QueryForm) -> QueryShape:
    """Decode a form; its values are numbered in their order."""
    shape: list[QueryParameter] = []
    count = 0
    for part in form:
        key, _, value = part.partition(b"=")
        is_cut = value.endswith(_CUT)
        text = _decode(value.removesuffix(_CUT))
        shape.append(QueryParameter(_decode(key), text, count if is_cut else None))
        count += is_cut
    return tuple(shape)


def is_reserved(key: str) -> bool:
    """Whether a key is a keyword, not a column or an argument."""
    return key in _WHOLE_KEYS or key.rpartition(".")[2] in _LAST_PARTS


def _limits() -> Limits:
    """Return what one request may have of what takes time to read and to plan, about 40 ms at most."""
    return Limits(
        selected_columns=400,
        embedded_resources=40,
        keys_of_orders=100,
        conditions=500,
        steps_of_JSON_paths=1000,
        names=2000,
    )


def parse(shape: QueryShape, *, is_call: bool) -> QueryParams:
    """Read a shape into QueryParams. Raises parse_failed (PGRST100)."""
    limits = _limits()
    if len(shape) > _MAX_PARAMETERS:
        raise errors.parse_failed("query string", 1, 1, f"more than {_MAX_PARAMETERS} parameters")
    by_key = {name: [p for p in shape if p.key == name] for name in _WHOLE_KEYS}
    by_last_part = {name: [p for p in shape if p.key.rpartition(".")[2] == name] for name in _LAST_PARTS}
    orders = tuple(_parse_order(parameter, limits) for parameter in by_last_part["order"])
    logic = tuple(_parse_logic(p, limits) for p in shape if p.key.rpartition(".")[2] in ("and", "or"))
    columns = _first(by_key["columns"], "columns parameter", read_names, limits)
    select = _first(by_key["select"], "select parameter", read_select, limits)
    filters: list[tuple[Path, Filter]] = []
    arguments: list[tuple[str, Value]] = []
    for parameter in shape:
        if not is_reserved(parameter.key):
            _parse_filter(parameter, filters, arguments, limits, is_call=is_call)
    on_conflict = _first(by_key["on_conflict"], "on_conflict parameter", read_names, limits)
    ranges = _ranges(by_last_part["limit"], by_last_part["offset"], limits)
    params = QueryParams(
        filters=tuple(filters),
        logic=logic,
        orders=orders,
        ranges=tuple((path, page) for path, page in ranges.items() if path),
        root_range=ranges.get((), Range()),
        columns=columns,
        on_conflict=on_conflict,
        arguments=tuple(arguments),
        filter_keys=frozenset(parameter.key for parameter in shape if not is_reserved(parameter.key)),
    )
    return params if select is None else replace(params, select=select)


def _first(found: list[QueryParameter], source: str, read: Callable[[Scanner], T], limits: Limits) -> T | None:
    return _run(read, found[0].value, f"{source} ({found[0].value})", limits) if found else None


def _run(read: Callable[[Scanner], T], text: str, source: str, limits: Limits) -> T:
    scanner = Scanner(text, limits)
    try:
        return read(scanner)
    except LimitReached as error:
        raise errors.parse_failed(source, *_place(text, error.position), str(error)) from error
    except ParseError as error:
        raise errors.parse_failed(source, *_place(text, error.failure.position), str(error)) from error


def _place(text: str, position: int) -> tuple[int, int]:
    """Return line and column, both from 1; a tab goes on to the next column after a multiple of 8."""
    before = text[:position]
    line = before.rpartition("\n")[2]
    return before.count("\n") + 1, len(line.expandtabs(8)) + 1


def _parse_order(parameter: QueryParameter, limits: Limits) -> tuple[Path, tuple[OrderTerm, ...]]:
    path = _parse_path(parameter.key, limits)[:-1]
    return path, _run(read_order, parameter.value, f"order ({parameter.value})", limits)


def _parse_path(key: str, limits: Limits) -> Path:
    return _run(_read_path, key, f"tree path ({key})", limits)[0]


def _read_path(scanner: Scanner) -> tuple[Path, Field]:
    names = scanner.separated(lambda: read_name(scanner), lambda: take_delimiter(scanner))
    return tuple(names), Field(names[-1], read_json_path(scanner))


def _parse_logic(parameter: QueryParameter, limits: Limits) -> tuple[Path, Condition]:
    key = parameter.key
    names, _ = _run(_read_path, key, f"logic path ({key})", limits)
    operator = f"not.{names[-1]}" if "not" in names else names[-1]
    path = tuple(name for name in names[:-1] if name != "not")
    return path, _run(read_logic, operator + parameter.value, f"logic tree ({parameter.value})", limits)


def _parse_filter(
    parameter: QueryParameter,
    filters: list[tuple[Path, Filter]],
    arguments: list[tuple[str, Value]],
    limits: Limits,
    *,
    is_call: bool,
) -> None:
    text = parameter.value
    names, field = _run(_read_path, parameter.key, f"tree path ({parameter.key})", limits)
    if is_call and (argument := _as_argument(parameter)) is not None:
        arguments.append((field.name, argument))
        return
    negated, operation = _run(_read_filter, text, f"filter ({text})", limits)
    if parameter.placeholder is not None and isinstance(operation, Compare):
        operation = replace(operation, value=Placeholder(parameter.placeholder))
    filters.append((names[:-1], Filter(field, operation, negated)))


def _read_filter(scanner: Scanner) -> tuple[bool, Operation]:
    scanner.count("conditions")
    return read_operation(scanner, read_rest)


def _as_argument(parameter: QueryParameter) -> Value | None:
    """Return the value of a call argument, or None when the parameter is (or tries to be) a filter on the result."""
    if parameter.placeholder is not None:
        return Placeholder(parameter.placeholder) if parameter.value == "" else None
    if parameter.value.startswith(("is.", "in.", "not.", "isdistinct.")):
        return None
    try:
        read_operation(Scanner(parameter.value), read_rest)
    except ParseError:
        return parameter.value
    return None


def _ranges(
    limit_params: list[QueryParameter], offset_params: list[QueryParameter], limits: Limits
) -> dict[Path, Range]:
    """Join limit and offset of each target. A limit that is no number next to an offset acts like 0 (a quirk)."""
    wanted_limits = {_parse_path(p.key, limits)[:-1]: _integer(p.value) for p in limit_params}
    wanted_offsets = {_parse_path(p.key, limits)[:-1]: _integer(p.value) for p in offset_params}
    ranges: dict[Path, Range] = {}
    for path in {**wanted_limits, **wanted_offsets}:
        limit, offset = wanted_limits.get(path), wanted_offsets.get(path) or 0
        if path in wanted_limits and path in wanted_offsets and limit is None:
            limit = 0
        ranges[path] = Range(offset, limit)
    return ranges


def _integer(text: str) -> int | None:
    match = _INTEGER.fullmatch(text.strip(" "))
    return int(match[0]) if match and len(match[0]) <= _MAX_DIGITS else None
