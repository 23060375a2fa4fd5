"""Cross-origin headers: preflights answered, origins named. Pure."""

from collections.abc import Mapping

from emulator.rest.response.respond import HeaderPairs, Response

_EXPOSED = ", ".join(
    (
        "Content-Encoding", "Content-Location", "Content-Range", "Content-Type", "Date", "Location", "Server",
        "Transfer-Encoding", "Range-Unit",
    )
)  # fmt: skip
_METHODS = "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD"


def origin_headers(origin: str, allowed: tuple[str, ...] | None) -> HeaderPairs:
    """Return what names the origin; nothing for one that is not allowed."""
    if allowed is None:
        return [("Access-Control-Allow-Origin", "*")]
    if origin in allowed:
        return [("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true")]
    return []


def expose_headers(origin: str, allowed: tuple[str, ...] | None) -> HeaderPairs:
    """Return the headers of an ordinary answer to another origin."""
    named = origin_headers(origin, allowed)
    return [*named, ("Access-Control-Expose-Headers", _EXPOSED)] if named else []


def preflight(method: str, headers: Mapping[str, str], allowed: tuple[str, ...] | None) -> Response | None:
    """Answer a preflight, or return None for any other request."""
    origin = headers.get("origin")
    if method != "OPTIONS" or origin is None or "access-control-request-method" not in headers:
        return None
    named = origin_headers(origin, allowed)
    if not named:
        return None
    requested = [name.strip() for name in headers.get("access-control-request-headers", "").split(",") if name.strip()]
    listed = ", ".join(["Authorization", *requested, "Accept", "Accept-Language", "Content-Language"])
    return Response(
        200,
        [
            *named,
            ("Access-Control-Allow-Methods", _METHODS),
            ("Access-Control-Allow-Headers", listed),
            ("Access-Control-Max-Age", "86400"),
        ],
    )
