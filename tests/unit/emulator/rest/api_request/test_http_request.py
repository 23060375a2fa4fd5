"""Headers parsed once per set."""

from emulator.rest.api_request.http_request import read_headers
from emulator.rest.api_request.types import Range


def test_headers_are_parsed() -> None:
    headers = read_headers(
        (
            (b"prefer", b"count=exact"),
            (b"x-a", b"1"),
            (b"x-a", b"2"),
            (b"cookie", b"s=1; t=2"),
            (b"range", b"0-9"),
            (b"content-type", b"Text/CSV; charset=x"),
        )
    )
    assert headers.by_name["x-a"] == "2"
    assert "cookie" not in headers.by_name
    assert headers.cookies_json == b'{"s": "1", "t": "2"}'
    assert (headers.range, headers.content_type) == (Range(0, 10), "text/csv")
