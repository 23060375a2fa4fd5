"""Look-ups in the headers of a scope."""

import pytest

from emulator.asgi.headers import bearer_token, content_length, find_header, has_header

HEADERS = [(b"accept", b"a"), (b"x-twice", b"1"), (b"x-twice", b"2")]


@pytest.mark.parametrize(("wanted", "want"), [(b"accept", b"a"), (b"x-twice", b"1"), (b"absent", None)])
def test_the_first_value_is_found(wanted: bytes, want: bytes | None) -> None:
    assert find_header(HEADERS, wanted) == want


def test_the_header_of_an_answer_is_known_in_any_case() -> None:
    assert has_header([(b"Content-Length", b"1")], b"content-length")
    assert not has_header(HEADERS, b"content-length")


@pytest.mark.parametrize(
    ("value", "want"), [(b"12", 12), (b"0", 0), (b"-1", None), (b"1.5", None), (b"", None), (b"many", None)]
)
def test_only_a_usable_length_counts(value: bytes, want: int | None) -> None:
    assert content_length([(b"content-length", value)]) == want
    assert content_length([]) is None


@pytest.mark.parametrize(
    ("value", "want"),
    [
        (b"Bearer a.b.c", b"a.b.c"),
        (b"bearer  a.b.c ", b"a.b.c"),
        (b"Basic a.b.c", None),
        (b"Bearer ", None),
        (b"", None),
        (None, None),
    ],
)
def test_a_bearer_token_is_taken_out(value: bytes | None, want: bytes | None) -> None:
    assert bearer_token(value) == want
