"""Network addresses: whose a request is behind proxies, what counts as one client, loopback and public ones. Pure.

X-Forwarded-For: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Forwarded-For
"""

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
IPV6_CLIENT_BITS = 64  # what one customer of a provider gets at least: RFC 6177


class Networks:
    """A set of addresses and networks."""

    def __init__(self, networks: Iterable[Network] = ()) -> None:
        self._networks = tuple(networks)

    @classmethod
    def parse(cls, text: str) -> "Networks":
        """Addresses and networks (`10.0.0.0/8`), separated by commas. Raises ValueError."""
        return cls(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())

    def __bool__(self) -> bool:
        return bool(self._networks)

    def __or__(self, other: "Networks") -> "Networks":
        return Networks((*self._networks, *other._networks))

    def __contains__(self, address: Address) -> bool:
        return any(address in network for network in self._networks)


def client_address(peer: str, forwarded: Iterable[str], trusted: Networks) -> str:
    """The address nearest to us that is no trusted proxy's.

    `forwarded` are the values of X-Forwarded-For in the order of the headers. A proxy appends the address it was asked
    from, so only what trusted proxies appended is believed: read from the end, up to the first that is none.
    """
    found = peer
    if not trusted or not _is_within(peer, trusted):
        return found
    for text in reversed([part.strip() for value in forwarded for part in value.split(",")]):
        address = parse_address(text)
        if address is None:
            return found
        found = str(address)
        if address not in trusted:
            return found
    return found


@lru_cache(4096)
def client_key(address: str) -> str:
    """What limits count by: an IPv4 address, the network of an IPv6 address, any other text as it is."""
    parsed = parse_address(address)
    if not isinstance(parsed, ipaddress.IPv6Address):
        return address if parsed is None else str(parsed)
    return str(ipaddress.ip_network((parsed, IPV6_CLIENT_BITS), strict=False))


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host: localhost and names below it, 127.0.0.0/8, ::1."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = parse_address(name)
    return address is not None and address.is_loopback


def host_name(host_header: str) -> str:
    """The name or address in a Host header, in lower case, without port and brackets."""
    text = host_header.strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0].rstrip(".")


def _is_within(text: str, networks: Networks) -> bool:
    address = parse_address(text)
    return address is not None and address in networks


def parse_address(text: str) -> Address | None:
    """An address; an IPv4 one in IPv6's clothes (::ffff:192.0.2.1) as IPv4. A zone means nothing outside its host."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


# Addresses that lead through a gateway to IPv4 ones, private ones included: NAT64 (RFC 6052) and 6to4 (RFC 3056).
_TRANSLATED = Networks.parse("64:ff9b::/96, 2002::/16")


def kind_of_address(text: str) -> str:
    """Why an address that somebody else names is not to be called, "" for a public one. Raises ValueError."""
    address = parse_address(text)
    if address is None:
        raise ValueError("no address")
    if address.is_loopback:
        return "loopback"
    if address.is_unspecified:
        return "unspecified"
    if address.is_link_local:
        return "link-local"
    if address.is_multicast:
        return "multicast"
    return "" if address.is_global and address not in _TRANSLATED else "private network"
