"""Column values, PostgreSQL's text to JSON text, as `to_jsonb` prints it in time zone UTC.

Only common types are known here; for the others PostgreSQL is asked (visibility.py). One difference: bytea is bare hex.
"""

from decimal import Decimal

from emulator.realtime.wire.frames import dump

_INTEGERS = frozenset(("int2", "int4", "int8", "oid"))
_NUMBERS = frozenset(("float4", "float8", "numeric"))
_PLAIN = frozenset(
    (
        "text", "varchar", "bpchar", "name", "uuid", "date", "time", "timetz", "interval", "money", "inet", "cidr",
        "macaddr", "macaddr8", "bit", "varbit", "citext", "tsvector", "tsquery", "xml", "point", "line", "lseg",
        "box", "path", "polygon", "circle", "char", "pg_lsn",
    )
)  # fmt: skip
_NOT_NUMBERS = frozenset(("NaN", "Infinity", "-Infinity"))


def to_json(type_name: str, type_kind: str, text: str) -> str | None:
    """JSON text of a value, None when only the database knows. `type_kind` is pg_type.typtype of the base type."""
    if type_name in _INTEGERS:
        return text
    if type_name in _PLAIN or type_kind in "erm":  # enums, ranges, multiranges
        return dump(text)
    if type_name == "bool":
        return "true" if text == "t" else "false"
    if type_name == "timestamptz":
        return dump(_timestamp(text, zoned=True))
    if type_name == "timestamp":
        return dump(_timestamp(text, zoned=False))
    if type_name in ("json", "jsonb"):
        return text
    if type_name in _NUMBERS:
        return _number(text)
    if type_name == "bytea":
        return dump(text.removeprefix("\\x"))
    return None


def _number(text: str) -> str:
    if text in _NOT_NUMBERS:
        return dump(text)
    return format(Decimal(text), "f") if "e" in text else text


def _timestamp(text: str, *, zoned: bool) -> str:
    body, space, era = text.partition(" BC")
    body = body.replace(" ", "T", 1)
    if zoned and "infinity" not in body and body[-3] in "+-":
        body += ":00"
    return body + space + era
