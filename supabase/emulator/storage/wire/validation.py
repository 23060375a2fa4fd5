"""The rules for JSON bodies and query strings: which values are taken for another type, and what a refusal says.

As storage-api validates (Ajv, `coerceTypes: "array"`): "60" is a number, true is 1, null is "" or 0, a lone value is a
list of one. The first rule that is broken is reported; keys without a rule are ignored.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from emulator.storage.errors import invalid_input
from emulator.storage.wire.request import as_text

Check = Callable[[Any, str], Any]
_NUMBER = re.compile(r"[ \t\n\r]*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?)[ \t\n\r]*")
_SIZE_PATTERN = r"^[0-9]+(?:\.[0-9]+)?(?:[gG][bB]|[mM][bB]|[kK][bB]|[bB])$"

MAX_SAFE_INTEGER = 2**53 - 1  # JavaScript's


class _Mismatch(Exception):
    """A value breaks a rule; the text is the sentence without the value's place."""


@dataclass(frozen=True)
class Schema:
    """An object: rules by key in their order. `one_of`: at least one of these keys has to be there."""

    checks: Mapping[str, Check] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()

    def read(self, value: Any, place: str) -> dict[str, Any]:
        """The values, converted. `place` is "body" or "querystring". Raises StorageError."""
        if not isinstance(value, dict):
            raise invalid_input(f"{place} must be object")
        for name in self.required:
            if name not in value:
                raise invalid_input(f"{place} must have required property '{name}'")
        if self.one_of and not any(name in value for name in self.one_of):
            if not value:
                raise invalid_input(f"{place} must NOT have fewer than 1 properties")
            missing = ", ".join(f"{place} must have required property '{name}'" for name in self.one_of)
            raise invalid_input(f"{missing}, {place} must match a schema in anyOf")
        return {name: check(value[name], f"{place}/{name}") for name, check in self.checks.items() if name in value}


def _checked(convert: Callable[[Any], Any], value: Any, place: str) -> Any:
    try:
        return convert(value)
    except _Mismatch as mismatch:
        raise invalid_input(f"{place} {mismatch}") from None


def _unwrapped(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _to_text(value: Any) -> str:
    value = _unwrapped(value)
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, (bool, int, float)):
        return as_text(value)
    raise _Mismatch("must be string")


def _to_number(value: Any, *, whole: bool) -> float:
    value = _unwrapped(value)
    kind = "integer" if whole else "number"
    if value is None or isinstance(value, bool):
        return int(bool(value))
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value)
    if not isinstance(value, (int, float)) or (whole and (not math.isfinite(value) or value != int(value))):
        raise _Mismatch(f"must be {kind}")
    return int(value) if whole else float(value)


def _to_flag(value: Any) -> bool:
    value = _unwrapped(value)
    if isinstance(value, bool):
        return value
    if value in ("false", 0, None) and value != "":
        return False
    if value in ("true", 1):
        return True
    raise _Mismatch("must be boolean")


def text(value: Any, place: str) -> str:
    """A string."""
    return str(_checked(_to_text, value, place))


def flag(value: Any, place: str) -> bool:
    """A boolean."""
    return bool(_checked(_to_flag, value, place))


def integer(least: int | None = None, most: int | None = MAX_SAFE_INTEGER) -> Check:
    """A whole number within bounds; beyond MAX_SAFE_INTEGER, PostgreSQL would refuse it with a 500 of the original."""
    return _bounded(lambda value: _to_number(value, whole=True), least, most)


def number() -> Check:
    """Any number."""
    return _bounded(lambda value: _to_number(value, whole=False), None, None)


def _bounded(convert: Callable[[Any], float], least: int | None, most: int | None) -> Check:
    def check(value: Any, place: str) -> Any:
        found = _checked(convert, value, place)
        if not math.isfinite(found):
            raise invalid_input(f'{place} must pass "finite" keyword validation')
        if least is not None and found < least:
            raise invalid_input(f"{place} must be >= {least}")
        if most is not None and found > most:
            raise invalid_input(f"{place} must be <= {most}")
        return found

    return check


def one_of(*allowed: str) -> Check:
    """One of several words. null becomes "", which is none of them."""

    def check(value: Any, place: str) -> str:
        found = text(value, place)
        if found not in allowed:
            raise invalid_input(f"{place} must be equal to one of the allowed values")
        return found

    return check


def texts(*, least: int = 0, most: int | None = None, nullable: bool = False) -> Check:
    """A list of strings; a lone value is a list of one."""

    def check(value: Any, place: str) -> list[str] | None:
        if value is None and nullable:
            return None
        if isinstance(value, dict):
            raise invalid_input(f"{place} must be array")
        if nullable and value in ("", 0, False) and not isinstance(value, list):
            return None
        items = value if isinstance(value, list) else [value]
        if len(items) < least:
            raise invalid_input(f"{place} must NOT have fewer than {least} items")
        if most is not None and len(items) > most:
            raise invalid_input(f"{place} must NOT have more than {most} items")
        return [text(item, f"{place}/{index}") for index, item in enumerate(items)]

    return check


def nested(schema: Schema) -> Check:
    """An object within."""
    return schema.read


def size_limit(value: Any, place: str) -> int | str | None:
    """Bytes, a text such as "20MB", or null."""
    value = _unwrapped(value)
    if value is None or value == "":
        return None
    if isinstance(value, str) and re.fullmatch(_SIZE_PATTERN[1:-1], value):
        return value
    problems = []
    try:
        found = int(_to_number(value, whole=True))
        if found >= 0:
            return found
        problems.append(f"{place} must be >= 0")
    except _Mismatch as mismatch:
        problems.append(f"{place} {mismatch}")
        if not isinstance(value, (int, float)):
            problems.append(f'{place} must pass "finite" keyword validation')
    is_text = isinstance(value, (str, int, float))
    problems.append(f'{place} must match pattern "{_SIZE_PATTERN}"' if is_text else f"{place} must be string")
    raise invalid_input(", ".join([*problems, f"{place} must match a schema in anyOf"]))
