"""PostgreSQL's types and defaults as OpenAPI 2.0 names them. Pure."""

import json
import re
from typing import Any

Json = dict[str, Any]

_TYPES = {
    "character varying": "string",
    "character": "string",
    "text": "string",
    "boolean": "boolean",
    "smallint": "integer",
    "integer": "integer",
    "bigint": "integer",
    "numeric": "number",
    "real": "number",
    "double precision": "number",
}
_LENGTH = re.compile(r"\([^)]*\)")
_FORMATS = {"smallint": "int32", "integer": "int32", "bigint": "int64"}


def _bare(declared: str) -> str:
    """Return a type's name without its length; types that are not PostgreSQL's own keep theirs."""
    return declared if "." in _LENGTH.sub("", declared) else _LENGTH.sub("", declared)


def type_of(declared: str) -> dict[str, str]:
    """Return `type`; JSON has none, it may be anything."""
    if declared in ("json", "jsonb"):
        return {}
    return {"type": "array" if declared.endswith("[]") else _TYPES.get(_bare(declared), "string")}


def format_of(declared: str) -> str:
    """Return `format`."""
    return _FORMATS.get(declared, _bare(declared))


def items_of(declared: str) -> dict[str, Any]:
    """Return `items` of an array."""
    return {"items": type_of(declared.removesuffix("[]"))} if declared.endswith("[]") else {}


def default_of(declared: str, default: str | None) -> Any:
    """Return a default as a JSON value, or None when there is none that is one."""
    if default is None:
        return None
    if type_of(declared).get("type") == "string":
        text, cast, _ = default.rpartition(f"::{_bare(declared)}")
        return text.strip("'") if cast else default
    try:
        return json.loads(default)
    except ValueError:
        return None
