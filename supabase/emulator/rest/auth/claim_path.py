"""Which claim has the role: a JSONPath (RFC 9535, the selectors for names, indexes and simple filters). Pure."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

_STEP = re.compile(
    r"""\.(?P<name>[\w-]+)|\."(?P<dotted>(?:\\.|[^"\\])*)"|\[(?P<index>-?\d+)\]"""
    r"""|\[\s*'(?P<single>(?:\\.|[^'\\])*)'\s*\]|\[\s*"(?P<double>(?:\\.|[^"\\])*)"\s*\]"""
    r"""|\[\?\(?\s*@\s*(?P<op>==|!=|\^==|==\^|\*==)\s*["'](?P<operand>[^"']*)["']\s*\)?\]""",
    re.ASCII,
)
_TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "==": lambda text, operand: text == operand,
    "!=": lambda text, operand: text != operand,
    "^==": lambda text, operand: text.startswith(operand),
    "==^": lambda text, operand: text.endswith(operand),
    "*==": lambda text, operand: operand in text,
}


class ClaimPath:
    """A compiled path. Raises ValueError for a text that is not one."""

    def __init__(self, text: str) -> None:
        rest = text[1:] if text.startswith("$") else text
        self._steps: list[re.Match[str]] = []
        position = 0
        while position < len(rest):
            match = _STEP.match(rest, position)
            if match is None:
                raise ValueError(f"not a JSONPath: {text!r}")
            self._steps.append(match)
            position = match.end()

    def find(self, claims: Any) -> str | None:
        """Return the value at the path as a role name (as JSON if it is not a string), or None."""
        value = claims
        for step in self._steps:
            value = _follow(value, step)
            if value is _NOTHING:
                return None
        return value if isinstance(value, str) else json.dumps(value)


_NOTHING = object()


def _follow(value: Any, step: re.Match[str]) -> Any:
    groups = step.groupdict()
    if groups["index"] is not None:
        place = int(groups["index"])
        return value[place] if isinstance(value, list) and -len(value) <= place < len(value) else _NOTHING
    if groups["op"] is not None:
        if not isinstance(value, list):
            return _NOTHING
        matches = _TESTS[groups["op"]]
        return next((one for one in value if isinstance(one, str) and matches(one, groups["operand"])), _NOTHING)
    name = next(text for key in ("name", "dotted", "single", "double") if (text := groups[key]) is not None)
    return value.get(name, _NOTHING) if isinstance(value, dict) else _NOTHING
