"""Answers of the HTTP side."""

from collections.abc import Sequence
from typing import Literal

from starlette.responses import Response

from emulator.realtime.wire.frames import dump


def answer(status: int, body: str = "") -> Response:
    """An answer of JSON text or, when `body` is no object or array, of plain text."""
    kind = "application/json" if body.startswith(("{", "[")) else "text/plain"
    return Response(body, status, headers={"content-type": f"{kind}; charset=utf-8"})


Format = Literal["html", "json", "octet-stream"]
_TYPES: dict[Format, str] = {
    "html": "text/html", "json": "application/json", "octet-stream": "application/octet-stream"
}  # fmt: skip


def negotiate(accept: str, offered: Sequence[Format]) -> Format | None:
    """The format that an Accept header asks for, as Phoenix reads it; None where none of them is accepted."""
    if not accept or "*/*" in accept:
        return offered[0]
    for media_type in sorted(accept.split(","), key=_quality, reverse=True):
        name = media_type.partition(";")[0].strip().lower()
        for one in offered:
            if name in (_TYPES[one], f"{_TYPES[one].partition('/')[0]}/*"):
                return one
    return None


def error_page(status: int, text: str, accept: str) -> Response:
    """An error of Phoenix itself: its name, as JSON or as the text of a page."""
    if negotiate(accept, ("html", "json")) == "json":
        return Response(dump(text), status, {"content-type": "application/json; charset=utf-8"})
    return Response(text, status, {"content-type": "text/html; charset=utf-8"})


def _quality(media_type: str) -> float:
    """Of one type of an Accept header; what can't be read counts as 1."""
    for parameter in media_type.split(";")[1:]:
        name, _, value = parameter.strip().partition("=")
        if name == "q":
            try:
                return float(value)
            except ValueError:
                return 1.0
    return 1.0
