"""Responses as they are sent."""

from typing import Any

from emulator.rest import app
from emulator.rest.response.types import Response


async def test_long_headers_are_not_remembered() -> None:
    async def send(message: Any) -> None:
        sent.append(message)

    sent: list[Any] = []
    app._encode_short.cache_clear()
    for number in range(3):
        header = ("Content-Location", f"/stations?{number}={'x' * 30_000}")
        await app.send_response(send, "GET", Response(200, [header, ("Content-Type", "text/csv")], b""))
    assert (b"Content-Location", b"/stations?2=" + b"x" * 30_000) in sent[-2]["headers"]
    assert app._encode_short.cache_info().currsize == 1, "of short ones only"
