"""Status lines that uvicorn's table has not: chosen reason phrases, and codes above 599.

uvicorn takes the first line of an answer from a table by the code. `install` puts one in its place that knows the same
lines, answers any other code, and lets a `Status` bring its own line. Nothing else of uvicorn is touched.
"""

import re
from typing import Self

from uvicorn.protocols.http import httptools_impl

# What may not stand in a reason phrase (RFC 9112, section 4).
_INVALID = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]+")


class Status(int):
    """A status code with a reason phrase of its own."""

    line: bytes

    def __new__(cls, code: int, phrase: str) -> Self:
        """Make a code with its phrase; what would break the line becomes a blank."""
        status = super().__new__(cls, code)
        status.line = b"HTTP/1.1 %d %s\r\n" % (code, _INVALID.sub(" ", phrase).encode("utf-8", "replace"))
        return status


class StatusLines(dict[int, bytes]):
    """A table of status lines for any code."""

    def __getitem__(self, code: int) -> bytes:
        """Return the line of a code."""
        return code.line if isinstance(code, Status) else super().__getitem__(code)

    def __missing__(self, code: int) -> bytes:
        """Return the line of a code that has no phrase."""
        return b"HTTP/1.1 %d \r\n" % code


def install() -> None:
    """Let uvicorn send every status line."""
    if not isinstance(httptools_impl.STATUS_LINE, StatusLines):
        httptools_impl.STATUS_LINE = StatusLines(httptools_impl.STATUS_LINE)
