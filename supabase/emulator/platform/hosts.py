"""Names that exist only among the original's containers, and what they are here. Pure."""

from urllib.parse import urlsplit, urlunsplit

_DEFAULT_PORT = 54321  # what a project writes after host.docker.internal to reach its own stack
_GATEWAYS = frozenset({"kong", "api.supabase.internal"})
_HOST_MACHINES = frozenset({"host.docker.internal", "gateway.docker.internal"})


def reachable_url(url: str, own_origin: str) -> str:
    """The URL to ask: the gateway's container names become the stack itself, the host's name this machine.

    `host.docker.internal:54321` is the stack, too, whichever port it has here; other ports of it are other programs.
    Raises ValueError for what is no URL.
    """
    parts = urlsplit(url)
    host, port, own = (parts.hostname or "").lower(), parts.port, urlsplit(own_origin)
    if host in _GATEWAYS or host.startswith("supabase_kong_"):
        return urlunsplit(parts._replace(scheme=own.scheme, netloc=own.netloc))
    if host in _HOST_MACHINES:
        if port in (_DEFAULT_PORT, own.port):
            return urlunsplit(parts._replace(scheme=own.scheme, netloc=own.netloc))
        return urlunsplit(parts._replace(netloc="127.0.0.1" + (f":{port}" if port else "")))
    return url
