"""Request bodies: JSON, CSV and forms become one JSON text for PostgreSQL, and the keys in it. Pure.

A JSON body is passed on as the bytes that came: it is parsed for its keys, but never serialized again.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator, KeysView
from typing import Any, Literal, NamedTuple, NoReturn

from emulator.rest import errors
from emulator.rest.api_request.http_request import HttpRequest
from emulator.rest.api_request.media_types import CSV, FORM, JSON, OCTETS, PLAIN, XML
from emulator.rest.api_request.query_params import PERCENT, decode_pairs

# CSV and forms are rewritten as JSON, which takes more than reading it, and may be many times as long.
MAX_TEXT_BYTES = 1_048_576
_MAX_REWRITTEN_BYTES = 16 * MAX_TEXT_BYTES
# More than a table can have columns (1600), or a function parameters.
_MAX_KEYS = 2000
# What takes about 20 ms to read: longer bodies must not be read where others wait.
_MAX_QUICK_JSON_BYTES = 65_536
ALWAYS_QUICK_BYTES = 16_384
# Lines with their ends. str.splitlines() would also end one at characters that are plain text in CSV.
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
RAW_TYPES = {PLAIN: "text", XML: "xml", OCTETS: "bytea"}


class Payload(NamedTuple):
    """What a plan needs to know of a body; the bytes themselves are a parameter of the statement.

    kind: `json` (rows), `raw` (one unnamed argument), `arguments` (a form, for a function). `keys` are sorted.
    `is_unparsed`: `columns` in the query string names the keys, so that the body is left to PostgreSQL.
    """

    kind: Literal["json", "raw", "arguments"]
    keys: tuple[str, ...] = ()
    is_array: bool = False
    is_unparsed: bool = False


class BodyKind(NamedTuple):
    """How a body is read: its media type, whether it is for a function, whether `columns` names its keys."""

    content_type: str
    is_call: bool
    has_columns: bool

    @property
    def is_json(self) -> bool:
        """Whether it is JSON, which it is unless it says otherwise."""
        return self.content_type in ("", JSON)

    @property
    def max_bytes(self) -> int | None:
        """How long it may be, apart from the server's own limit."""
        return MAX_TEXT_BYTES if self.content_type in (CSV, FORM) else None

    def is_quick(self, size: int) -> bool:
        """Whether a body of `size` bytes is read so fast that others may wait for it."""
        if self.content_type in (CSV, FORM):
            return size <= ALWAYS_QUICK_BYTES
        return not self.is_json or self.has_columns or size <= _MAX_QUICK_JSON_BYTES

    def check(self) -> None:
        """Raise invalid_body (PGRST102) for a media type that can't be read."""
        if not self.is_json and self.content_type not in (CSV, FORM) and not self._is_raw:
            raise errors.invalid_body(f"Content-Type not acceptable: {self.content_type}")

    @property
    def _is_raw(self) -> bool:
        return self.is_call and self.content_type in RAW_TYPES


def body_kind(http_request: HttpRequest) -> BodyKind:
    """Return how a request's body is to be read."""
    query = http_request.query_string
    may_have = bool(query) and http_request.method != "PUT" and (PERCENT in query or b"columns" in query)
    has_columns = may_have and any(key == "columns" for key, _ in decode_pairs(query))
    return BodyKind(http_request.headers.content_type, http_request.raw_path.startswith(b"/rpc/"), has_columns)


ReadBody = tuple[Payload, bytes, tuple[tuple[str, str], ...]]


def read_payload(kind: BodyKind, body: bytes) -> ReadBody:
    """Return what a body is, the bytes for PostgreSQL, and the fields of a form. Raises invalid_body (PGRST102)."""
    if kind.is_json:
        if kind.is_call and not body:
            return Payload("json"), b"{}", ()
        if kind.has_columns:
            return Payload("json", (), _starts_array(body), True), body, ()
        return *_read_json(body), ()
    kind.check()
    if kind.max_bytes is not None and len(body) > kind.max_bytes:
        raise errors.body_too_large(kind.content_type, kind.max_bytes)
    if kind.content_type == CSV:
        return *_read_csv(body), ()
    if kind.content_type == FORM:
        return _read_form(body, is_call=kind.is_call)
    return Payload("raw"), body, ()


def _starts_array(body: bytes) -> bool:
    return not body.lstrip(b" \t\r\n").startswith(b"{")


def _sorted(keys: Iterable[str]) -> tuple[str, ...]:
    found = tuple(sorted(keys))
    if len(found) > _MAX_KEYS:
        raise errors.invalid_body(f"More than {_MAX_KEYS} keys")
    return found


def _refuse(_: str) -> NoReturn:
    raise ValueError("not JSON")


# Only the keys matter here: numbers, of any length, are left to PostgreSQL.
_IGNORE = dict[str, None]().get
_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_int=_IGNORE, parse_float=_IGNORE)
_START = re.compile(r"[ \t\n\r]*(\[[ \t\n\r]*\]?)?")
_BEGINNING_BYTES = 4096
_NEXT = re.compile(r"[ \t\n\r]*(?:(,)[ \t\n\r]*|\][ \t\n\r]*\Z)")


def _read_json(body: bytes) -> tuple[Payload, bytes]:
    try:
        return _read_rows(body, body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise errors.invalid_json() from error


def _read_rows(body: bytes, text: str) -> tuple[Payload, bytes]:
    """Read an object, or an array element by element, so that memory holds one. Raises ValueError, uneven_keys."""
    start = _START.match(text)
    assert start is not None
    if start[1] is None or start[1].endswith("]"):
        value: Any = _DECODER.decode(text)
        return (Payload("json", _sorted(value)), body) if isinstance(value, dict) else (_NO_ROWS, b"[]")
    keys: KeysView[str] | None = None
    position = start.end()
    while True:
        row, position = _DECODER.raw_decode(text, position)
        if not isinstance(row, dict) or (keys is not None and row.keys() != keys):
            if len(body) <= _MAX_QUICK_JSON_BYTES:
                _DECODER.decode(text)  # what is no JSON at all is said first, unless that takes long
            raise errors.uneven_keys()
        keys = row.keys() if keys is None else keys
        found = _NEXT.match(text, position)
        if found is None:
            raise ValueError("not JSON")
        position = found.end()
        if found[1] is None:
            return Payload("json", _sorted(keys or ()), True), body


_NO_ROWS = Payload("json", is_array=True)


def check_beginning(kind: BodyKind, beginning: bytes) -> None:
    """Raise what the beginning of a JSON body shows already: uneven_keys for an array whose first element is no row."""
    if not kind.is_json or kind.has_columns:
        return
    text = beginning[:_BEGINNING_BYTES].decode("utf-8", "replace")
    start = _START.match(text)
    if start is None or start[1] is None or start[1].endswith("]"):
        return
    try:
        row, _ = _DECODER.raw_decode(text, start.end())
    except (ValueError, RecursionError):  # no JSON, or longer than the beginning
        return
    if not isinstance(row, dict):
        raise errors.uneven_keys()


def _read_form(body: bytes, *, is_call: bool) -> ReadBody:
    if body.count(b"&") + body.count(b";") >= _MAX_KEYS:
        raise errors.invalid_body(f"More than {_MAX_KEYS} fields")
    pairs = decode_pairs(body, keep_bare=True)
    fields = dict(pairs)
    if is_call:
        return Payload("arguments", _sorted(fields)), body, tuple(pairs)
    return Payload("json", _sorted(fields)), json.dumps(fields, ensure_ascii=False).encode(), ()


def _read_csv(body: bytes) -> tuple[Payload, bytes]:
    """Rewrite CSV as a JSON array. Further fields than the header names are ignored, as in PostgREST."""
    try:
        lines = (match[0] for match in _LINE.finditer(body.decode("utf-8")))
        rows = (row for row in csv.reader(lines, strict=True) if row not in ([], [""]))
        header = next(rows, None)
        if header is None or not _LINE_END.search(body):
            raise errors.invalid_body('parse error (not enough input) at ""')
        return _rewrite(header, rows)
    except (csv.Error, UnicodeDecodeError) as error:
        raise errors.invalid_body(str(error)) from error


_LINE_END = re.compile(rb"[\r\n]")


def _rewrite(header: list[str], rows: Iterator[list[str]]) -> tuple[Payload, bytes]:
    parts: list[str] = []
    size = 0
    width: int | None = None
    places: list[tuple[str, int]] = []
    for row in rows:
        if width is None:
            width = min(len(row), len(header))
            columns = {name: place for place, name in enumerate(header[:width])}
            _sorted(columns)
            places = [(f"{json.dumps(name, ensure_ascii=False)}:", place) for name, place in columns.items()]
        elif min(len(row), len(header)) != width:
            raise errors.invalid_body("All lines must have same number of fields")
        parts.append(f"{{{','.join(name + _csv_value(row[place]) for name, place in places)}}}")
        size += len(parts[-1]) + 1
        if size > _MAX_REWRITTEN_BYTES:
            raise errors.body_too_large("rewritten text/csv", _MAX_REWRITTEN_BYTES)
    if width is None:
        return _NO_ROWS, b"[]"
    return Payload("json", _sorted(set(header[:width])), True), f"[{','.join(parts)}]".encode()


def _csv_value(text: str) -> str:
    return "null" if text == "NULL" else json.dumps(text, ensure_ascii=False)
