"""How much there is in a JSON text, found without parsing it."""

import json
import random
from typing import Any

import pytest

from emulator.json_values import has_more_values, is_deeper


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param(b"[" + b"[]," * 5000 + b"[]]", True, id="lists"),
        pytest.param(b"[" + b"1," * 9_999 + b"1]", False, id="as many"),
        pytest.param(b"[" + b"1," * 10_001 + b"1]", True, id="more"),
        pytest.param(b'["' + b"[{," * 100_000 + b'"]', False, id="in a string"),
        pytest.param(b'["' + b'\\",' * 100_000 + b'"]', False, id="behind escaped quotes"),
        pytest.param(b'["' + b"\\\\" * 100_000 + b'"' + b",[]" * 9_000 + b"]", True, id="behind escaped backslashes"),
        pytest.param(b"[" + b'"a,b",' * 9_000 + b'""]', False, id="strings with commas"),
        pytest.param(b'"' + b"," * 300_000 + b'"', False, id="a string longer than a piece"),
        pytest.param(b'"' + b"\\" * 300_001, False, id="backslashes to the end"),
        pytest.param(b"", False, id="nothing"),
    ],
)
def test_values_are_counted_outside_of_strings(text: bytes, want: bool) -> None:
    assert has_more_values(text, 10_000) is want


def test_the_count_is_that_of_the_parsed_value() -> None:
    chance = random.Random(5)

    def value(depth: int) -> Any:
        if depth == 0 or chance.random() < 0.3:
            return chance.choice([1, None, 'a,"[{\\', "\\", "é" * 9, ""])
        items = [value(depth - 1) for _ in range(chance.randrange(5))]
        return items if chance.random() < 0.5 else dict(zip("abcd\\", items, strict=False))

    def separators(one: Any) -> int:
        if not isinstance(one, list | dict):
            return 0
        items = list(one.values()) if isinstance(one, dict) else one
        return 1 + max(0, len(items) - 1) + sum(map(separators, items))

    for _ in range(300):
        made = value(6)
        text, count = json.dumps(made).encode(), separators(made)
        assert not has_more_values(text, count)
        assert len(text) <= count - 1 or count == 0 or has_more_values(text, count - 1)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param(b"[" * 21 + b"]" * 21, True, id="deeper"),
        pytest.param(b"[" * 20 + b"]" * 20, False, id="as deep"),
        pytest.param(b'{"a":' * 21 + b"1" + b"}" * 21, True, id="objects"),
        pytest.param(b"[" + b'{"a":[1]},' * 5000 + b"1]", False, id="wide"),
        pytest.param(b'["' + b"[" * 5000 + b'"]', False, id="in a string"),
    ],
)
def test_depth(text: bytes, want: bool) -> None:
    assert is_deeper(text, 20) is want
