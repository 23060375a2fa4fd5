"""Request bodies: JSON, CSV and forms become one JSON text for PostgreSQL, and the keys in it. Pure.

A JSON body is passed on as the bytes that came: it is parsed for its keys, but never serialized again.
"""

import csv
import json
import re
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from emulator.rest import errors
from emulator.rest.api_request.media_types import CSV, FORM, JSON, OCTETS, PLAIN, XML
from emulator.rest.api_request.query_params import decode_pairs

# Lines with their ends. str.splitlines() would also end one at characters that are plain text in CSV.
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
RAW_TYPES = {PLAIN: "text", XML: "xml", OCTETS: "bytea"}


@dataclass(frozen=True, slots=True)
class Payload:
    """What a plan needs to know of a body; the bytes themselves are a parameter of the statement.

    kind: `json` (rows), `raw` (one unnamed argument), `arguments` (a form, for a function). `keys` are sorted.
    `is_unparsed`: `columns` in the query string names the keys, so that the body is left to PostgreSQL.
    """

    kind: Literal["json", "raw", "arguments"]
    keys: tuple[str, ...] = ()
    is_array: bool = False
    is_unparsed: bool = False


def read_payload(
    content_type: str, body: bytes, *, is_call: bool, has_columns: bool
) -> tuple[Payload, bytes, tuple[tuple[str, str], ...]]:
    """Return what a body is, the bytes for PostgreSQL, and the fields of a form. Raises invalid_body (PGRST102)."""
    if content_type in ("", JSON):
        if is_call and not body:
            return Payload("json"), b"{}", ()
        if has_columns:
            return Payload("json", (), _starts_array(body), True), body, ()
        return *_read_json(body), ()
    if content_type == CSV:
        keys, rows = _read_csv(body)
        return Payload("json", keys, True), json.dumps(rows, ensure_ascii=False).encode(), ()
    if content_type == FORM:
        pairs = decode_pairs(body, keep_bare=True)
        fields = dict(pairs)
        if is_call:
            return Payload("arguments", tuple(sorted(fields))), body, tuple(pairs)
        return Payload("json", tuple(sorted(fields))), json.dumps(fields, ensure_ascii=False).encode(), ()
    if is_call and content_type in RAW_TYPES:
        return Payload("raw"), body, ()
    raise errors.invalid_body(f"Content-Type not acceptable: {content_type}")


def _starts_array(body: bytes) -> bool:
    return not body.lstrip(b" \t\r\n").startswith(b"{")


def _refuse(_: str) -> NoReturn:
    raise ValueError("not JSON")


class _Number(str):
    """A number of any length, kept as text: only PostgreSQL reads it."""


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_int=_Number, parse_float=_Number)


def _read_json(body: bytes) -> tuple[Payload, bytes]:
    try:
        value: Any = _DECODER.decode(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise errors.invalid_json() from error
    if isinstance(value, dict):
        return Payload("json", tuple(sorted(value))), body
    if not isinstance(value, list) or not value:
        return Payload("json", is_array=True), b"[]"
    if not all(isinstance(row, dict) for row in value):
        raise errors.uneven_keys()
    keys = value[0].keys()
    if any(row.keys() != keys for row in value):
        raise errors.uneven_keys()
    return Payload("json", tuple(sorted(keys)), True), body


def _read_csv(body: bytes) -> tuple[tuple[str, ...], list[dict[str, str | None]]]:
    try:
        lines = (match[0] for match in _LINE.finditer(body.decode("utf-8")))
        rows = list(csv.reader(lines, strict=True))
    except (csv.Error, UnicodeDecodeError) as error:
        raise errors.invalid_body(str(error)) from error
    rows = [row for row in rows if row]
    if not rows:
        raise errors.invalid_body("not enough input")
    header = rows[0]
    if any(len(row) != len(header) for row in rows):
        raise errors.invalid_body("All lines must have same number of fields")
    values = [
        {name: None if value == "NULL" else value for name, value in zip(header, row, strict=True)} for row in rows[1:]
    ]
    return tuple(sorted(set(header))), values
