"""Cross-origin requests as GoTrue answers them: any origin, with credentials, and a list of headers.

`apikey` is not in the list unless GOTRUE_CORS_ALLOWED_HEADERS names it: a gateway in front answers preflights itself.
Source: github.com/rs/cors 1.11, with the options of GoTrue's internal/api/api.go. Pure.
"""

from collections.abc import Iterable

from emulator.asgi.headers import find_header
from emulator.asgi.types import Headers, Scope
from emulator.auth.api.responses import VERSION_HEADER

_METHODS = frozenset({b"GET", b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS"})
_HEADERS = (
    "Accept", "Authorization", "Content-Type", "X-Client-IP", "X-Client-Info", "X-JWT-AUD", "x-use-cookie",
    VERSION_HEADER,
)  # fmt: skip
_ANYBODY: Headers = [(b"access-control-allow-origin", b"*"), (b"access-control-allow-credentials", b"true")]
_EXPOSED = (b"access-control-expose-headers", f"X-Total-Count, Link, {VERSION_HEADER}".encode())
_VARY = (b"vary", b"Origin")
_VARY_OF_PREFLIGHTS = (b"vary", b"Origin, Access-Control-Request-Method, Access-Control-Request-Headers")


class Cors:
    """What preflights permit, and what other answers say."""

    def __init__(self, more_headers: Iterable[str] = ()) -> None:
        self._headers = sorted({name.lower().encode() for name in (*_HEADERS, *more_headers)})

    def preflight(self, scope: Scope) -> Headers | None:
        """The headers of the answer to a preflight, which is 204 whatever they permit; None when it is none."""
        headers: Headers = scope["headers"]
        method = find_header(headers, b"access-control-request-method")
        if scope["method"] != "OPTIONS" or not method:
            return None
        asked = find_header(headers, b"access-control-request-headers")
        if not find_header(headers, b"origin") or method not in _METHODS or not self._permits(asked or b""):
            return [_VARY_OF_PREFLIGHTS]
        named = [(b"access-control-allow-headers", asked)] if asked else []
        return [_VARY_OF_PREFLIGHTS, *_ANYBODY, (b"access-control-allow-methods", method), *named]

    def headers(self, scope: Scope) -> Headers:
        """What any other answer says."""
        if not find_header(scope["headers"], b"origin") or scope["method"].encode() not in _METHODS:
            return [_VARY]
        return [_VARY, *_ANYBODY, _EXPOSED]

    def _permits(self, asked: bytes) -> bool:
        """Whether these are names of the list, in its order, none of them twice, with nothing between but commas."""
        allowed = iter(self._headers)
        return not asked or all(name in allowed for name in asked.split(b","))
