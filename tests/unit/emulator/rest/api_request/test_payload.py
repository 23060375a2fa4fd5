"""Request bodies as one JSON text and the keys in it."""

import json

import pytest

from emulator.errors import ApiError
from emulator.rest.api_request.payload import BodyKind, check_beginning, read_payload


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
    payload, content, fields = read_payload(BodyKind("text/csv", False, False), body.encode())
    assert (payload.kind, payload.keys, payload.is_array, fields) == ("json", ("a", "b"), True, ())
    assert json.loads(content) == want


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("content_type", "body", "status", "message"),
    [
        pytest.param("", b"[1, 2", 400, "Empty or invalid json", id="no JSON, said before what is uneven"),
        pytest.param("", b"[1, 2]", 400, "All object keys must match", id="no objects"),
        pytest.param("", b'[{"a":1},{"b":1}]', 400, "All object keys must match", id="other keys"),
        pytest.param("", b'[{"a":1}] x', 400, "Empty or invalid json", id="something behind"),
        pytest.param("", b'[{"a":1},]', 400, "Empty or invalid json", id="a comma too many"),
        pytest.param("", b'[{"a":NaN}]', 400, "Empty or invalid json", id="NaN"),
        pytest.param(
            "", b"{" + b",".join(b'"%d":1' % n for n in range(2001)) + b"}", 400, "More than 2000 keys", id="many keys"
        ),
        pytest.param(FORM, b"a&" * 2001, 400, "More than 2000 fields", id="many fields"),
        pytest.param(FORM, b"a" * 1_048_577, 413, "Request body too large", id="a long form"),
        pytest.param("text/csv", b"a\n" * 600_000, 413, "Request body too large", id="long CSV"),
        pytest.param("text/csv", b"a" * 9000 + b"\n1" * 9000, 413, "Request body too large", id="CSV long as JSON"),
        pytest.param("text/csv", b"a,b", 400, "parse error", id="CSV of one line"),
        pytest.param("text/csv", b"a,b\n1,2\n3\n", 400, "All lines must have same number", id="uneven CSV"),
        pytest.param("image/png", b"", 400, "Content-Type not acceptable: image/png", id="another type"),
    ],
)
def test_a_bad_body_is_refused(content_type: str, body: bytes, status: int, message: str) -> None:
    with pytest.raises(ApiError, match=message) as refused:
        read_payload(BodyKind(content_type, False, False), body)
    assert refused.value.status == status


@pytest.mark.parametrize(
    ("body", "keys", "content"),
    [
        pytest.param(b' [ {"b":1, "a":[{}]} , {"a":2,"b":{}} ] ', ("a", "b"), None, id="rows"),
        pytest.param(b"[ ]", (), b"[]", id="no rows"),
        pytest.param(b" 12 ", (), b"[]", id="a number"),
        pytest.param(b'{"a":1,"a":2}', ("a",), None, id="a key twice"),
    ],
)
def test_json_is_read_for_its_keys(body: bytes, keys: tuple[str, ...], content: bytes | None) -> None:
    payload, passed, _ = read_payload(BodyKind("", False, False), body)
    assert (payload.keys, passed) == (keys, content or body)


def test_a_form_that_is_none_is_one_key() -> None:
    assert read_payload(BodyKind(FORM, True, False), b"{}")[2] == (("{}", ""),)


@pytest.mark.parametrize(
    ("content_type", "size", "want"),
    [("", 65_536, True), ("", 65_537, False), ("text/csv", 16_385, False), ("text/plain", 9_000_000, True)],
)
def test_long_bodies_are_not_read_where_others_wait(content_type: str, size: int, want: bool) -> None:
    assert BodyKind(content_type, True, False).is_quick(size) is want


def test_numbers_of_a_json_body_are_left_to_postgresql() -> None:
    body = b'[{"n": 1' + b"0" * 5000 + b"}]"
    payload, content, _ = read_payload(BodyKind("application/json", False, False), body)
    assert (payload.keys, content) == (("n",), body)


@pytest.mark.parametrize(
    ("beginning", "is_refused"),
    [
        pytest.param(b"[1234,", True, id="numbers"),
        pytest.param(b' [ "a"', True, id="texts"),
        pytest.param(b"[[],", True, id="lists"),
        pytest.param(b'[{"a":1},', False, id="rows"),
        pytest.param(b'{"a":', False, id="an-object"),
        pytest.param(b"[]", False, id="empty"),
        pytest.param(b"[nul", False, id="cut-off"),
        pytest.param(b"[" * 4096, False, id="deep"),
        pytest.param(b"[\xff", False, id="no-text"),
    ],
)
def test_a_long_body_is_refused_by_its_beginning(beginning: bytes, is_refused: bool) -> None:
    kind = BodyKind("application/json", False, False)
    if is_refused:
        with pytest.raises(ApiError, match="All object keys must match"):
            check_beginning(kind, beginning)
    else:
        check_beginning(kind, beginning)
    check_beginning(BodyKind("application/json", False, True), beginning)
    check_beginning(BodyKind("text/csv", False, False), beginning)
