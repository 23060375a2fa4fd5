"""Wrong passwords: counted per account and network, so that nobody can lock somebody else out.

A network that guesses too often is refused. Guesses from many networks slow an account down, one a second in turn, but
for networks from which somebody has signed in to it before.
"""

import ipaddress
from collections import OrderedDict
from typing import TypeVar

from emulator.rate_limit import MAX_KEYS, Rate, RateLimiter

K = TypeVar("K")
V = TypeVar("V")
NETWORKS = 10  # so many networks' failures for one account make the others wait
PACE_S = 1.0
MAX_WAITING = 5
_PREFIXES = {4: 24, 6: 64}


def network_of(address: str) -> str:
    """The network of a client's address: /24, or /64 of IPv6. The address must be one."""
    parsed = ipaddress.ip_address(address)
    return str(ipaddress.ip_network((parsed, _PREFIXES[parsed.version]), strict=False))


class PasswordGuesses:
    """The failures of every account. Memory is bounded: the least recently seen are forgotten."""

    def __init__(self, rate: Rate) -> None:
        self._by_network = RateLimiter(rate)
        self._by_account = RateLimiter(Rate(rate.events * NETWORKS, rate.per_s, rate.burst * NETWORKS))
        self._familiar: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._next_turn: OrderedDict[str, float] = OrderedDict()

    def delay_s(self, account: str, network: str, now: float) -> float | None:
        """How long an attempt has to wait for its turn; None: it is refused."""
        if self._by_network.is_exhausted(f"{account} {network}", now):
            return None
        if (account, network) in self._familiar or not self._by_account.is_exhausted(account, now):
            return 0.0
        turn = max(now, self._next_turn.get(account, now))
        if turn - now >= PACE_S * MAX_WAITING:
            return None
        self._next_turn[account] = turn + PACE_S
        _remember(self._next_turn, account)
        return turn - now

    def failed(self, account: str, network: str, now: float) -> None:
        """A password was wrong."""
        self._by_network.take(f"{account} {network}", now)
        self._by_account.take(account, now)

    def succeeded(self, account: str, network: str) -> None:
        """Somebody signed in."""
        self._familiar[account, network] = None
        _remember(self._familiar, (account, network))


def _remember(entries: OrderedDict[K, V], key: K) -> None:
    entries.move_to_end(key)
    if len(entries) > MAX_KEYS:
        entries.popitem(last=False)
