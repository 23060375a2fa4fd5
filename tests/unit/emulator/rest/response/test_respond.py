"""The headers of a response that say which rows it has, and where it is."""

import pytest

from emulator.rest.response.content_location import content_location
from emulator.rest.response.respond import content_range


def test_content_range() -> None:
    assert content_range(0, 4, None) == "0-4/*"
    assert content_range(5, 4, 10) == "*/10"
    assert content_range(0, 0, 0) == "*/0"


@pytest.mark.parametrize(
    ("query", "want"),
    [
        (b"", "/t"),
        (b"b=eq.1", "/t?b=eq.1"),
        (b"b=eq.1&a=x", "/t?a=x&b=eq.1"),
        (b"a=1&b=x&a=2,3", "/t?a=1,2%2C3&b=x"),
        (b"a=%C3%A9+b", "/t?a=%C3%83%C2%A9%20b"),
        (b"a=1&&x&", "/t?=&a=1&x="),
        (b"a=1&%61=(2)&a=3", "/t?a=1,%282%29,3"),
        (b"&&&a.b=1&a=2", "/t?=,,&a=2&a.b=1"),
    ],
)
def test_content_location_is_canonical(query: bytes, want: str) -> None:
    assert content_location("t", query) == want
