"""Cross-origin requests as PostgREST answers them: any origin, or those that are configured. Pure."""

from collections.abc import Iterable

from emulator.asgi.cors import CorsPolicy

_METHODS = b"GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD"
_EXPOSED = (
    b"Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, "
    b"Range-Unit"
)


def cors_policy(allowed_origins: Iterable[str] | None) -> CorsPolicy:
    """Return the policy for `server-cors-allowed-origins`; None allows every origin."""
    origins = None if allowed_origins is None else frozenset(origin.encode() for origin in allowed_origins)
    return CorsPolicy(methods=_METHODS, allowed_headers=_allowed_headers, exposed=_EXPOSED, origins=origins)


def _allowed_headers(requested: bytes) -> bytes:
    """Allow whatever is asked for, between the headers that are always allowed; nothing unless something is."""
    if not requested:
        return b""
    names = [name.strip() for name in requested.split(b",") if name.strip()]
    return b", ".join([b"Authorization", *names, b"Accept", b"Accept-Language", b"Content-Language"])
