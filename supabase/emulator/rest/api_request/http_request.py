"""An HTTP request as it arrived, with everything in its headers that shapes a plan read once. Pure."""

import json
import re
from dataclasses import dataclass
from typing import NamedTuple

from emulator.rest.api_request.media_types import MediaType, parse_accept, parse_content_type
from emulator.rest.api_request.preferences import Preferences, parse_preferences
from emulator.rest.api_request.types import Range

RawHeaders = tuple[tuple[bytes, bytes], ...]
# A number that does not fit PostgreSQL's bigint is refused there (22003); none needs more digits than these.
_RANGE = re.compile(r"([0-9]{1,30})-([0-9]{1,30})?", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Headers:
    """The request's headers, parsed once per distinct set (compared and hashed by identity).

    `by_name` has lower-case names, the last of duplicates, and no cookies. `json` and `cookies_json` are what SQL reads
    as request.headers and request.cookies. `plan_key` is the part of the cache key of a plan that comes from headers.
    """

    by_name: dict[str, str]
    json: bytes
    cookies_json: bytes
    accept: tuple[MediaType, ...]
    preferences: Preferences
    range: Range | None
    content_type: str
    accept_profile: str | None
    content_profile: str | None
    authorization: str | None
    plan_key: tuple[str, ...]


class HttpRequest(NamedTuple):
    """An HTTP request: the path still percent-encoded, the body complete."""

    method: str
    raw_path: bytes
    query_string: bytes
    headers: Headers
    body: bytes = b""

    def with_body(self, body: bytes) -> "HttpRequest":
        """Return the request with a body."""
        return HttpRequest(self.method, self.raw_path, self.query_string, self.headers, body)


def read_headers(raw: RawHeaders) -> Headers:
    """Parse raw header lines, whose names are in lower case already."""
    by_name: dict[str, str] = {}
    prefer: list[str] = []
    accept: list[str] = []
    cookies: dict[str, str] = {}
    for raw_name, raw_value in raw:
        name, value = raw_name.decode("latin-1"), raw_value.decode("utf-8", "replace")
        if name == "prefer":
            prefer.append(value)
        elif name == "accept":
            accept.append(value)
        elif name == "cookie":
            _read_cookies(value, cookies)
            continue
        by_name[name] = value
    get = by_name.get
    # \0 stands for an absent header, which differs from an empty one; no header value can hold it.
    plan_key = (",".join(accept), ",".join(prefer), *(
        get(name, "\0") for name in ("range", "content-type", "accept-profile", "content-profile")
    ))  # fmt: skip
    return Headers(
        by_name=by_name,
        json=json.dumps(by_name, ensure_ascii=False).encode("utf-8", "replace"),
        cookies_json=json.dumps(cookies, ensure_ascii=False).encode("utf-8", "replace"),
        accept=parse_accept(",".join(accept)),
        preferences=parse_preferences(prefer),
        range=_read_range(get("range")),
        content_type=parse_content_type(get("content-type", "")),
        accept_profile=get("accept-profile"),
        content_profile=get("content-profile"),
        authorization=get("authorization"),
        plan_key=plan_key,
    )


def _read_cookies(header: str, cookies: dict[str, str]) -> None:
    for pair in header.split(";"):
        name, equals, value = pair.strip().partition("=")
        if equals:
            cookies.setdefault(name, value)


def _read_range(header: str | None) -> Range | None:
    """Parse `0-9` or `5-`; a reversed one comes back with a negative limit."""
    match = _RANGE.fullmatch(header) if header else None
    if not match:
        return None
    first = int(match[1])
    return Range(first, int(match[2]) - first + 1 if match[2] else None)
