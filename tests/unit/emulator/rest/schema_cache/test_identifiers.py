"""Quoting of identifiers and constants."""

from emulator.rest.schema_cache.identifiers import quote, quote_literal


def test_quoting() -> None:
    assert quote('a"b') == '"a""b"'
    assert quote_literal("it's") == "'it''s'"
    assert quote_literal("a\\'") == "E'a\\\\'''"
