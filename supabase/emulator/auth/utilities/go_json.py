"""Request bodies as Go's encoding/json reads them into structs: as tolerant, and with its errors.

null means absent, unknown keys are ignored, keys match in any case, a wrong type is an error that names the field.
"""

import json
import types
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

from emulator.auth.utilities.go_json_syntax import syntax_error
from emulator.json_values import has_more_values


class GoJsonError(ValueError):
    """The error that Go's decoder would return."""


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


T = TypeVar("T", bound=_Dataclass)
_GO_KINDS = {bool: "bool", int: "number", float: "number", str: "string", list: "array", dict: "object"}
_GO_TYPES = {str: "string", bool: "bool", int: "int", list: "[]string", dict: "map[string]interface {}"}
MAX_DEPTH = 200
MAX_VALUES = 20_000  # about; more would keep others waiting


def decode(cls: type[T], body: bytes) -> T:
    """Fill a dataclass (all fields with defaults) from one JSON value; raises GoJsonError.

    Field types: str, bool, int, list[str], dict[str, Any], Any, a nested dataclass, each also `| None`.
    """
    return fill(cls, parse(body))


def fill(cls: type[T], value: Any) -> T:
    """Fill a dataclass from a JSON value; raises GoJsonError."""
    filled: T = _fill(cls, value, cls.__name__)
    return filled


def parse(body: bytes) -> Any:
    """The JSON value of a body; raises GoJsonError."""
    if has_more_values(body, MAX_VALUES):
        raise GoJsonError("too many values")
    text = body.decode("utf-8", "replace")
    if not text.strip():
        raise GoJsonError("unexpected end of JSON input")
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except RecursionError:
        raise GoJsonError("exceeded max depth") from None
    except json.JSONDecodeError:
        raise GoJsonError(syntax_error(text)) from None
    except ValueError as error:
        raise GoJsonError(str(error)) from None
    return _cleaned(value, 0)


def _no_constant(name: str) -> Any:
    raise GoJsonError(f"invalid character {name.lstrip('-')[0]!r} looking for beginning of value")


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise GoJsonError(f"json: cannot unmarshal number {text} into Go value of type float64")
    return value


def _cleaned(value: Any, depth: int) -> Any:
    """Replace half surrogates as Go does, and raise for what PostgreSQL can't store: NUL in text."""
    if depth > MAX_DEPTH:
        raise GoJsonError("exceeded max depth")
    if isinstance(value, str):
        if "\0" in value:
            raise GoJsonError("unsupported Unicode escape sequence \\u0000")
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_cleaned(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_cleaned(key, depth + 1): _cleaned(item, depth + 1) for key, item in value.items()}
    return value


@cache
def _plan(cls: type[Any]) -> dict[str, tuple[str, Any]]:
    """Lower-case JSON key → (attribute, bare type)."""
    hints = get_type_hints(cls)
    return {
        field.metadata.get("json", field.name).lower(): (field.name, _bare(hints[field.name])) for field in fields(cls)
    }


def _bare(hint: Any) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(arg for arg in get_args(hint) if arg is not types.NoneType)
    return get_origin(hint) or hint


def _fill(cls: Any, value: Any, where: str) -> Any:
    if value is None:
        return cls()
    if not isinstance(value, dict):
        raise GoJsonError(f"json: cannot unmarshal {_GO_KINDS[type(value)]} into Go value of type api.{where}")
    plan = _plan(cls)
    given: dict[str, Any] = {}
    for key, item in value.items():
        known = plan.get(key.lower())
        if known is None or item is None:
            continue
        name, wanted = known
        given[name] = _typed(wanted, item, f"{where}.{key}")
    return cls(**given)


def _typed(wanted: Any, item: Any, where: str) -> Any:
    if wanted is Any or wanted is object:
        return item
    if is_dataclass(wanted):
        if not isinstance(item, dict):
            raise _mismatch(item, where, "object")
        return _fill(wanted, item, where)
    if type(item) is not wanted:
        raise _mismatch(item, where, _GO_TYPES[wanted])
    if wanted is list:
        for part in item:
            if not isinstance(part, str):
                raise _mismatch(part, where, "string")
    return item


def _mismatch(item: Any, where: str, wanted: str) -> GoJsonError:
    kind = "null" if item is None else _GO_KINDS[type(item)]
    return GoJsonError(f"json: cannot unmarshal {kind} into Go struct field {where} of type {wanted}")
