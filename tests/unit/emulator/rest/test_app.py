"""Responses as they are sent."""

from typing import Any

import pytest

from emulator.rest import app
from emulator.rest.response.types import Response


@pytest.mark.parametrize("is_whole", [False, True])
@pytest.mark.parametrize(
    ("method", "status", "body", "length"),
    [("GET", 200, b"[]", [b"2"]), ("HEAD", 200, b"", []), ("GET", 204, b"", []), ("GET", 404, b"{}", [b"2"])],
)
async def test_a_response_is_one_message_where_the_server_takes_it(
    method: str, status: int, body: bytes, length: list[bytes], *, is_whole: bool
) -> None:
    async def send(message: Any) -> None:
        sent.append(message)

    sent: list[Any] = []
    response = Response(status, [("Content-Location", "/stations?name=eq.Zürich")], body)
    await app.send_response(send, method, response, is_whole=is_whole)
    start, *rest = sent
    assert (b"Content-Location", "/stations?name=eq.Zürich".encode()) in start["headers"]
    assert [value for name, value in start["headers"] if name == b"content-length"] == length
    assert (start["body"] if is_whole else rest[0]["body"]) == body
    assert len(rest) == (0 if is_whole else 1)
