"""Where a push goes. Members name the addresses, so none leads to this machine or into its networks.

The address that was looked up and checked is the one that is connected to: a name that points elsewhere a moment later
changes nothing. Redirects are not followed.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from emulator.addresses import kind_of_address

Lookup = Callable[[str], Awaitable[list[str]]]
# Of their own: names that take long to look up are members' to choose, and hold up nothing but pushes.
_LOOKUPS = ThreadPoolExecutor(max_workers=16, thread_name_prefix="push-lookup")


class RefusedEndpoint(Exception):
    """It is no address of a push service."""


class UnknownHost(Exception):
    """Its name is not known at the moment."""


@dataclass(frozen=True)
class Target:
    """`url` has the checked address; `host` is the name that the request and its certificate are for."""

    url: str
    host: str


async def look_up(host: str) -> list[str]:
    """The addresses of a name. Raises UnknownHost."""
    try:
        found = await asyncio.get_running_loop().run_in_executor(
            _LOOKUPS, partial(socket.getaddrinfo, host, 443, type=socket.SOCK_STREAM)
        )
    except (OSError, UnicodeError) as error:
        raise UnknownHost(host) from error
    return [str(address[0]).partition("%")[0] for *_, address in found]


async def find_target(endpoint: str, stand_in: str | None, lookup: Lookup = look_up) -> Target:
    """Raises RefusedEndpoint, UnknownHost. `stand_in` takes the place of every push service, in tests."""
    try:
        parts = urlsplit(endpoint)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError as error:
        raise RefusedEndpoint("no URL") from error
    if parts.scheme != "https" or not host or port not in (None, 443) or "@" in parts.netloc:
        raise RefusedEndpoint("not a name with https")
    rest = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if stand_in is not None:
        return Target(stand_in + rest, host)
    addresses = await lookup(host)
    for address in addresses:
        kind = kind_of_address(address)
        if kind:
            raise RefusedEndpoint(f"a {kind} address")
    first = addresses[0]
    return Target(f"https://{f'[{first}]' if ':' in first else first}{rest}", host)
