"""What a handler returns: a status, headers, and bytes or a stream of them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from emulator.storage.errors import compact

JSON_TYPE = "application/json; charset=utf-8"


@dataclass
class Response:
    """`stream` replaces `body`; `length` is then the number of its bytes.

    `finish` runs when all is sent, or never will be. A HEAD request gets the same headers and no body.
    """

    status: int = 200
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes | None = b""
    stream: AsyncIterator[bytes] | None = None
    length: int | None = None
    finish: Callable[[], Awaitable[None]] | None = None


def json_response(value: Any, status: int = 200) -> Response:
    """A JSON document."""
    return Response(status, [("content-type", JSON_TYPE)], compact(value))


def message(text: str) -> Response:
    """What several routes answer: a sentence."""
    return json_response({"message": text})
