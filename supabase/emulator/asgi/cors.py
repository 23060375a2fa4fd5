"""Cross-origin resource sharing: one policy type; each service declares its own constant, with its dialect's values.

Pure. https://fetch.spec.whatwg.org/#http-cors-protocol
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from emulator.asgi.headers import find_header, has_header
from emulator.asgi.types import Headers, Message, Send

# From the request headers that a browser asks for (b"" when it names none) to those that are allowed (b"": no header).
AllowedHeaders = Callable[[bytes], bytes]


def requested_or(default: bytes) -> AllowedHeaders:
    """Allow whatever is asked for; `default` when nothing is named."""
    return lambda requested: requested or default


@dataclass(frozen=True)
class CorsPolicy:
    """Who may read answers from another origin, and what a preflight permits.

    `origins` None: any (`*`, which excludes cookies; tokens travel in headers). A named origin is echoed, with
    credentials allowed. `varies`: a preflight says that it depends on the headers asked for.
    """

    methods: bytes = b""
    allowed_headers: AllowedHeaders = requested_or(b"")
    exposed: bytes = b""
    max_age_s: int | None = 86_400
    origins: frozenset[bytes] | None = None
    varies: bool = False

    def preflight(self, headers: Headers) -> Headers | None:
        """The headers that answer a preflight; None when this is no preflight, or from an origin that is refused."""
        origin = find_header(headers, b"origin")
        if origin is None or find_header(headers, b"access-control-request-method") is None:
            return None
        granted = self._grant(origin)
        if not granted:
            return None
        requested = b", ".join(value for name, value in headers if name == b"access-control-request-headers")
        return [
            *granted,
            (b"access-control-allow-methods", self.methods),
            *([(b"access-control-allow-headers", allowed)] if (allowed := self.allowed_headers(requested)) else []),
            *([(b"access-control-max-age", b"%d" % self.max_age_s)] if self.max_age_s is not None else []),
            *([(b"vary", b"Access-Control-Request-Headers")] if self.varies else []),
        ]

    def apply(self, headers: Headers, origin: bytes) -> Headers:
        """An answer's headers with the permission for `origin` added, unless the application gave its own."""
        if has_header(headers, b"access-control-allow-origin"):
            return headers
        if self.origins is None:
            return [*headers, *self._for_any]
        granted = self._grant(origin)
        return [*headers, *granted, *self._exposing] if granted else headers

    def applied(self, send: Send, origin: bytes) -> Send:
        """`send` that adds the permission to the answer."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": self.apply(list(message.get("headers", [])), origin)}
            await send(message)

        return sending

    def _grant(self, origin: bytes) -> Headers:
        if self.origins is None:
            return [(b"access-control-allow-origin", b"*")]
        if origin in self.origins:
            return [(b"access-control-allow-origin", origin), (b"access-control-allow-credentials", b"true")]
        return []

    @cached_property
    def _exposing(self) -> Headers:
        return [(b"access-control-expose-headers", self.exposed)] if self.exposed else []

    @cached_property
    def _for_any(self) -> Headers:
        return [*self._grant(b""), *self._exposing]
