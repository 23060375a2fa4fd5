"""Request bodies as one JSON text and the keys in it."""

import json

import pytest

from emulator.rest.api_request.payload import read_payload


@pytest.mark.parametrize(
    ("body", "want"),
    [
        pytest.param("a,b\n1,2\n", [{"a": "1", "b": "2"}], id="newline"),
        pytest.param("a,b\r\n1,2\r\n", [{"a": "1", "b": "2"}], id="carriage return and newline"),
        pytest.param('a,b\n"1\n2",3\n', [{"a": "1\n2", "b": "3"}], id="a newline in quotes"),
        pytest.param("a,b\n1\u20282,3\n", [{"a": "1\u20282", "b": "3"}], id="U+2028 ends no line"),
        pytest.param("a,b\nNULL,\n", [{"a": None, "b": ""}], id="null and empty"),
    ],
)
def test_csv_becomes_json(body: str, want: list[dict[str, str | None]]) -> None:
    payload, content, fields = read_payload("text/csv", body.encode(), is_call=False, has_columns=False)
    assert (payload.kind, payload.keys, payload.is_array, fields) == ("json", ("a", "b"), True, ())
    assert json.loads(content) == want


def test_numbers_of_a_json_body_are_left_to_postgresql() -> None:
    body = b'[{"n": 1' + b"0" * 5000 + b"}]"
    payload, content, _ = read_payload("application/json", body, is_call=False, has_columns=False)
    assert (payload.keys, content) == (("n",), body)
