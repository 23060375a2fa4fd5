"""Cross-origin rules of the API paths: any origin may ask, as on the hosted service. Pure.

Credentials are never allowed by cookie (there are none): tokens travel in headers.
"""

Headers = list[tuple[bytes, bytes]]

METHODS = b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
EXPOSED = b"Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Link, Location, Server, " \
    b"Range-Unit, X-Total-Count, X-Supabase-Api-Version, x-relay-error"  # fmt: skip


def preflight(asked_headers: bytes | None) -> Headers:
    """The headers of the answer to a preflight."""
    return [
        (b"access-control-allow-origin", b"*"),
        (b"access-control-allow-methods", METHODS),
        (b"access-control-allow-headers", asked_headers or b"authorization, apikey, content-type, x-client-info"),
        (b"access-control-max-age", b"86400"),
        (b"vary", b"Access-Control-Request-Headers"),
        (b"content-length", b"0"),
    ]


def with_origin(headers: Headers) -> Headers:
    """Add the permission to an answer whose service has not given one."""
    if any(name.lower() == b"access-control-allow-origin" for name, _ in headers):
        return headers
    return [*headers, (b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", EXPOSED)]
