"""Status lines: chosen reason phrases, and codes that have none of their own."""

import re
from http import HTTPStatus
from typing import Self

# What may not stand in a reason phrase (RFC 9112, section 4).
_INVALID = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]+")


class Status(int):
    """A status code with a reason phrase of its own."""

    line: bytes

    def __new__(cls, code: int, phrase: str) -> Self:
        """Make a code with its phrase; what would break the line becomes a blank."""
        status = super().__new__(cls, code)
        status.line = b"HTTP/1.1 %d %s" % (code, _INVALID.sub(" ", phrase).encode("utf-8", "replace"))
        return status


def status_line(status: int) -> bytes:
    """The line of a code, without its end."""
    return status.line if isinstance(status, Status) else _LINES[status]


_PHRASES = {int(one): one.phrase for one in HTTPStatus}
_LINES = {code: f"HTTP/1.1 {code} {_PHRASES.get(code, '')}".encode() for code in range(100, 1000)}
