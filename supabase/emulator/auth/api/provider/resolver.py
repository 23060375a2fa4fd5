"""How Go's net package words a connection that failed: a provider's discovery document is asked for in these words."""

import socket
from pathlib import Path

_RESOLVER = Path("/etc/resolv.conf")
_NO_HOST = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))


def failure_text(error: BaseException, host: str) -> str:
    """What Go would say; the error's own text where no name was looked up in vain."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror) and cause.errno in _NO_HOST:
            return f"dial tcp: lookup {host}{_name_server()}: no such host"
        cause = cause.__cause__ or cause.__context__
    return str(error)


def _name_server() -> str:
    """Go names the first server that it asked."""
    try:
        lines = [line.split() for line in _RESOLVER.read_text().splitlines()]
    except OSError:
        return ""
    servers = [line[1] for line in lines if len(line) > 1 and line[0] == "nameserver"]
    if not servers:
        return ""
    return f" on [{servers[0]}]:53" if ":" in servers[0] else f" on {servers[0]}:53"
