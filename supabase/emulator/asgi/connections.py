"""How many connections a process takes: some per address, and never so many that its own files find no descriptor."""

import resource
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

from emulator.addresses import Networks, client_key, parse_address

PER_ADDRESS = 200
MOST_DESCRIPTORS = 65_536
RESERVED_DESCRIPTORS = 64  # for PostgreSQL's connections, files, and the answer that refuses a connection
LOOPBACK = Networks.parse("127.0.0.0/8,::1")


@dataclass
class ConnectionLimits:
    """Counts the connections of a process. Addresses of `exempt`, as those of proxies, have no limit of their own."""

    exempt: Networks = LOOPBACK
    per_address: int = PER_ADDRESS
    max_descriptor: int | None = None  # None: what the process may open now, less the reserve
    _counts: Counter[str] = field(default_factory=Counter)

    def take(self, address: str | None, descriptor: int) -> str | None:
        """Count a connection by the key that is returned, "" for one that has no limit; None: refuse it."""
        if descriptor >= self._last_descriptor():
            return None
        if address is None or self._is_exempt(address):
            return ""
        key = client_key(address)
        if self._counts[key] >= self.per_address:
            return None
        self._counts[key] += 1
        return key

    def release(self, key: str) -> None:
        """Forget a connection that was counted by `key`."""
        if not key:
            return
        self._counts[key] -= 1
        if self._counts[key] <= 0:
            del self._counts[key]

    def _is_exempt(self, address: str) -> bool:
        parsed = parse_address(address)
        return parsed is not None and parsed in self.exempt

    def _last_descriptor(self) -> int:
        if self.max_descriptor is None:
            self.max_descriptor = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVED_DESCRIPTORS
        return self.max_descriptor


def raise_descriptor_limit() -> None:
    """Let this process open as many files as it may: shells often allow 1,024 unless one asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft < wanted:
        with suppress(ValueError, OSError):  # macOS allows less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
