"""PostgreSQL's types and defaults as OpenAPI names them."""

import pytest

from emulator.rest.response.openapi.types import default_of, format_of, items_of, type_of


def test_types_formats_and_defaults() -> None:
    assert (type_of("integer"), format_of("integer")) == ({"type": "integer"}, "int32")
    assert (type_of("text[]"), items_of("text[]")) == ({"type": "array"}, {"items": {"type": "string"}})
    assert type_of("jsonb") == {}
    assert default_of("text", "'x'::text") == "x"
    assert default_of("integer", "nextval('s')") is None
    assert default_of("boolean", "false") is False
    assert default_of("text", "upper('x'::text)") == "upper('x'::text)"
    assert default_of("text", "'a\"b'::text") is None
    assert default_of("public.color", "'red'::public.color") == "red"


@pytest.mark.parametrize(
    ("declared", "want"),
    [
        ("character", ("string", "character")),
        ("character[]", ("array", "character[]")),
        ("numeric", ("number", "numeric")),
        ("timestamp without time zone", ("string", "timestamp without time zone")),
        ("bigint", ("integer", "int64")),
        ("public.geometry(Point,4326)", ("string", "public.geometry(Point,4326)")),
    ],
)
def test_types_have_a_kind_and_a_format(declared: str, want: tuple[str, str]) -> None:
    assert (type_of(declared)["type"], format_of(declared)) == want
    assert items_of("character[]") == {"items": {"type": "string"}}
