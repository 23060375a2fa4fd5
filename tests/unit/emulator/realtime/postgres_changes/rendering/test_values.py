"""Values as JSON."""

import pytest

from emulator.realtime.postgres_changes.rendering.values import to_json

VALUES = [
    ("int8", "9223372036854775807", "9223372036854775807"),
    ("numeric", "1.500", "1.500"),
    ("numeric", "NaN", '"NaN"'),
    ("float8", "-Infinity", '"-Infinity"'),
    ("float8", "1e-05", "0.00001"),
    ("float4", "1e+20", "100000000000000000000"),
    ("bool", "f", "false"),
    ("json", '{"a": 1}', '{"a": 1}'),
    ("timestamptz", "2024-01-02 03:04:05.12+00", '"2024-01-02T03:04:05.12+00:00"'),
    ("timestamptz", "infinity", '"infinity"'),
    ("timestamptz", "0044-03-15 00:00:00+00 BC", '"0044-03-15T00:00:00+00:00 BC"'),
    ("timestamp", "2024-01-02 03:04:05", '"2024-01-02T03:04:05"'),
    ("bytea", "\\xdead", '"dead"'),
    ("text", 'a"\n', '"a\\"\\n"'),
    ("hstore", "x", None),
    ("_int4", "{1}", None),
]


@pytest.mark.parametrize(("kind", "text", "want"), VALUES)
def test_values(kind: str, text: str, want: str | None) -> None:
    assert to_json(kind, "b", text) == want
