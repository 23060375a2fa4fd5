"""Headers of an object's answer: ranges, conditions, caching, disposition, and what keeps browsers from running it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from emulator.storage.errors import StorageError, bad_header_value, invalid_copy_range, invalid_range
from emulator.storage.wire.names import check_robots_tag

_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
_COPY_RANGE = re.compile(r"bytes=(\d+)-(\d+)")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]")
# Types whose content a browser would run as a page of our origin, or hand to a viewer that does.
_ACTIVE = re.compile(r"\b(svg|xml|xhtml|xslt|html|pdf|javascript|ecmascript|mathml)\b|\+xml", re.IGNORECASE)
_SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_MAX_DIGITS = 16  # beyond what JavaScript counts exactly
_MOST_SECONDS = 864 * 10**10  # of a date in JavaScript
_CYCLE_S = 146_097 * 86_400  # after 400 years the calendar repeats, weekdays too


@dataclass(frozen=True)
class ByteRange:
    """`length` bytes from `start`."""

    start: int
    length: int

    def header(self, size: int) -> str:
        """The Content-Range of a file of `size` bytes."""
        return f"bytes {self.start}-{self.start + self.length - 1}/{size}"


def parse_range(value: str, size: int) -> ByteRange:
    """A Range header of one range. Raises InvalidRange for every other form, and for an empty file."""
    match = _RANGE.fullmatch(value)
    if match is None or size <= 0 or match[1] == match[2] == "" or len(value) > 2 * _MAX_DIGITS + 7:
        raise invalid_range()
    if not match[1]:
        wanted = int(match[2])
        if wanted == 0:
            raise invalid_range()
        return ByteRange(max(size - wanted, 0), min(wanted, size))
    start, end = int(match[1]), int(match[2]) if match[2] else size - 1
    if start >= size or end < start:
        raise invalid_range()
    return ByteRange(start, min(end, size - 1) - start + 1)


def parse_copy_range(value: str, size: int) -> ByteRange:
    """An x-amz-copy-source-range, which must lie within the source. Raises InvalidRange."""
    match = _COPY_RANGE.fullmatch(value)
    if match is None or len(value) > 2 * _MAX_DIGITS + 7:
        raise invalid_copy_range()
    start, end = int(match[1]), int(match[2])
    if not start <= end < size:
        raise invalid_copy_range()
    return ByteRange(start, end - start + 1)


def http_date(seconds: float) -> str:
    """A time as HTTP writes it, and JavaScript: the years of Python's dates end earlier than those of tokens."""
    return "Invalid Date" if abs(seconds) > _MOST_SECONDS else _http_date(int(seconds))


@lru_cache(1024)
def _http_date(seconds: int) -> str:
    cycles = max(seconds // _CYCLE_S - 15, 0)
    moment = datetime.fromtimestamp(seconds - cycles * _CYCLE_S, UTC)
    return format_datetime(moment, usegmt=True).replace(f" {moment.year} ", f" {moment.year + 400 * cycles} ", 1)


def parse_http_date(value: str) -> float | None:
    """Seconds since 1970; None for what is no date."""
    try:
        found = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def parse_date(value: str) -> float | None:
    """The same for a date as HTTP or ISO 8601 writes it."""
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return parse_http_date(value)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def is_unchanged(headers: Mapping[str, str], etag: str, modified_at: float) -> bool:
    """Whether the client has this version already: 304. Each header suffices."""
    if headers.get("if-none-match") == etag:
        return True
    since = headers.get("if-modified-since")
    known = None if since is None else parse_http_date(since)
    return known is not None and modified_at <= known


def served_type(mime_type: str) -> str:
    """HTML is shown as text."""
    return "text/plain" if "text/html" in mime_type else mime_type


def safety_headers(mime_type: str) -> list[tuple[str, str]]:
    """Objects come from the application's own origin: browsers must neither guess their type nor run them."""
    headers = [("x-content-type-options", "nosniff")]
    if _ACTIVE.search(mime_type):
        headers.append(("content-security-policy", _SANDBOX))
    return headers


def disposition(download: str | None) -> list[tuple[str, str]]:
    """Content-Disposition where the query asks for a download."""
    if download is None:
        return []
    if not download:
        return [("content-disposition", "attachment;")]
    name = quote(download, safe="-_.!~*'()", errors="replace")
    return [("content-disposition", f"attachment; filename={name}; filename*=UTF-8''{name}")]


def robots_tag(metadata: Mapping[str, Any]) -> str:
    """The stored X-Robots-Tag where it is valid."""
    value = metadata.get("xRobotsTag")
    if isinstance(value, str):
        try:
            check_robots_tag(value)
        except StorageError:
            return "none"
        return value
    return "none"


def cache_control(stored: str | None, *parts: str) -> list[tuple[str, str]]:
    """Cache-Control of its parts; no header when there are none."""
    values = [part for part in (stored, *parts) if part]
    return [("cache-control", ", ".join(values))] if values else []


def is_header_value(value: str) -> bool:
    """Whether HTTP can carry a value."""
    return not _CONTROL.search(value)


def check_headers(headers: list[tuple[str, str]]) -> None:
    """Raises StorageError for a value that HTTP can't carry."""
    for name, value in headers:
        if not is_header_value(value):
            raise bad_header_value(name, value)
