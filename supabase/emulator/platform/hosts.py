"""Names that exist only among the original's containers, and what they are here. Pure."""

from urllib.parse import SplitResult, urlsplit, urlunsplit

_DEFAULT_PORT = 54321  # what a project writes after host.docker.internal to reach its own stack
_GATEWAYS = frozenset({"kong", "api.supabase.internal"})
_LOOPBACK = frozenset({"127.0.0.1", "localhost"})
_HOST_MACHINES = frozenset({"host.docker.internal", "gateway.docker.internal"})


def reachable_url(url: str, own_origin: str) -> str:
    """The URL to ask: the gateway's container names become the stack itself, the host's name this machine.

    `host.docker.internal:54321` is the stack, too, whichever port it has here; other ports of it are other programs.
    An origin with a path is a branch's, which takes the requests of its database for the stack's own address, too.
    Raises ValueError for what is no URL.
    """
    parts = urlsplit(url)
    host, port, own = (parts.hostname or "").lower(), parts.port, urlsplit(own_origin)
    is_own = bool(own.path) and parts.scheme == own.scheme and port == own.port and host in _LOOPBACK
    if host in _GATEWAYS or host.startswith("supabase_kong_") or (is_own and not parts.path.startswith("/branches/")):
        return _at(parts, own)
    if host in _HOST_MACHINES:
        if port in (_DEFAULT_PORT, own.port):
            return _at(parts, own)
        return urlunsplit(parts._replace(netloc="127.0.0.1" + (f":{port}" if port else "")))
    return url


def _at(parts: SplitResult, own: SplitResult) -> str:
    return urlunsplit(parts._replace(scheme=own.scheme, netloc=own.netloc, path=own.path + parts.path))
