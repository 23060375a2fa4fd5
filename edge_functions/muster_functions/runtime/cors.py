"""Cross-origin rules of every function: any origin may ask, tokens travel in headers and never in cookies. Pure.

What a function says itself stays; only what it leaves out is filled in.
"""

Headers = list[tuple[bytes, bytes]]

METHODS = b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
USUAL_HEADERS = b"authorization, apikey, content-type, x-client-info, x-region"
EXPOSED = b"content-type, content-length, retry-after, x-relay-error"


def is_preflight(method: str, headers: Headers) -> bool:
    """Whether a browser asks for permission (a bare OPTIONS is the function's own business)."""
    names = {name for name, _ in headers}
    return method == "OPTIONS" and b"origin" in names and b"access-control-request-method" in names


def preflight(headers: Headers) -> Headers:
    """The permission: every method, and whatever headers are asked for."""
    asked = b", ".join(value for name, value in headers if name == b"access-control-request-headers")
    return [
        (b"access-control-allow-origin", b"*"),
        (b"access-control-allow-methods", METHODS),
        (b"access-control-allow-headers", asked or USUAL_HEADERS),
        (b"access-control-max-age", b"86400"),
        (b"vary", b"Access-Control-Request-Headers"),
    ]


def with_permission(headers: Headers) -> Headers:
    """The headers of an answer with the permission added, unless the function gave its own."""
    if any(name.lower() == b"access-control-allow-origin" for name, _ in headers):
        return headers
    return [*headers, (b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", EXPOSED)]
