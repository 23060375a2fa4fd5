"""URLs that admins give and this service calls: HTTPS only, and never an address of this machine or its networks.

Otherwise a provider of that name would read what only this machine may (server-side request forgery).
"""

import asyncio
import socket
from urllib.parse import urlsplit

from emulator.addresses import kind_of_address
from emulator.auth import errors

_OWN_NAMES = ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::")


async def require_public_url(url: str) -> None:
    """Raise validation_failed, in GoTrue's words, for a URL that must not be called. Looks the name up."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port or 443
    except ValueError:
        raise errors.validation_failed("Invalid URL format") from None
    if parts.scheme != "https":
        raise errors.validation_failed("URL must use HTTPS")
    if not host:
        raise errors.validation_failed("URL must have a valid hostname")
    if host in _OWN_NAMES or host.endswith(".localhost"):
        raise errors.validation_failed("URL cannot point to localhost or loopback addresses")
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise errors.validation_failed("Unable to resolve hostname") from None
    for *_, address in found:
        kind = kind_of_address(str(address[0]).partition("%")[0])
        if kind:
            raise errors.validation_failed(f"URL cannot resolve to {kind} addresses")
