"""What people read: suggestions of near names, and types in the words of the root document."""

import pytest

from emulator.rest.plan.suggestions import suggest
from emulator.rest.response.openapi.types import format_of, items_of, type_of


@pytest.mark.parametrize(
    ("word", "known", "least", "want"),
    [
        pytest.param("sayhell", ["sayhello", "saygoodbye"], 0.75, "sayhello", id="near"),
        pytest.param("sayh", ["sayhello"], 0.75, None, id="not near enough"),
        pytest.param("FOO", ["bar", "Foo"], 0.75, "Foo", id="case aside"),
        pytest.param("(a, b)", ["(x, y)"], 0.33, "(x, y)", id="comma and blank are grams too"),
        pytest.param("a_b", ["c_d"], 0.33, None, id="underscores are none"),
        pytest.param("abcd", ["abce", "abcf"], 0.33, "abce", id="the first of equals"),
        pytest.param("", ["a"], 0.33, None, id="nothing"),
    ],
)
def test_near_names_are_suggested(word: str, known: list[str], least: float, want: str | None) -> None:
    assert suggest(word, known, least) == want


@pytest.mark.parametrize(
    ("declared", "want"),
    [
        ("character(1)", ("string", "character")),
        ("character(1)[]", ("array", "character[]")),
        ("numeric(10,2)", ("number", "numeric")),
        ("timestamp(3) without time zone", ("string", "timestamp without time zone")),
        ("bigint", ("integer", "int64")),
        ("public.geometry(Point,4326)", ("string", "public.geometry(Point,4326)")),
    ],
)
def test_types_are_named_without_their_length(declared: str, want: tuple[str, str]) -> None:
    assert (type_of(declared)["type"], format_of(declared)) == want
    assert items_of("character(1)[]") == {"items": {"type": "string"}}
