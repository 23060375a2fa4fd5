"""PostgreSQL's types and defaults as OpenAPI 2.0 names them. Pure.

Types are those of Column.base_type: with domains resolved, and without a length.
"""

import json
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
_FORMATS = {"smallint": "int32", "integer": "int32", "bigint": "int64"}


def type_of(declared: str) -> dict[str, str]:
    """Return `type`; JSON has none, it may be anything."""
    if declared in ("json", "jsonb"):
        return {}
    return {"type": "array" if declared.endswith("[]") else _TYPES.get(declared, "string")}


def format_of(declared: str) -> str:
    """Return `format`."""
    return _FORMATS.get(declared, declared)


def items_of(declared: str) -> dict[str, Any]:
    """Return `items` of an array."""
    return {"items": type_of(declared.removesuffix("[]"))} if declared.endswith("[]") else {}


def default_of(declared: str, default: str | None) -> Any:
    """Return a default as a JSON value, or None when there is none that is one."""
    if default is None:
        return None
    if type_of(declared).get("type") == "string":
        cast = f"::{declared}"
        text = default.removesuffix(cast).strip("'") if default.endswith(cast) else default
        default = f'"{text}"'
    try:
        return json.loads(default)
    except ValueError:
        return None
