"""Token buckets: how often a key (an address, a member) may do something. Pure: the time comes in as an argument.

https://en.wikipedia.org/wiki/Token_bucket
"""

import math
from collections import OrderedDict
from dataclasses import dataclass

MAX_KEYS = 50_000


@dataclass(frozen=True)
class Rate:
    """`events` in `per_s` seconds, refilled evenly, and up to `burst` at once."""

    events: float
    per_s: float
    burst: int


class RateLimiter:
    """One bucket per key. Beyond `max_keys` the least recently used are forgotten, so memory is bounded."""

    def __init__(self, rate: Rate, max_keys: int = MAX_KEYS) -> None:
        self.rate = rate
        self._max_keys = max_keys
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens left, as of

    def take(self, key: str, now: float) -> float:
        """Take one token. 0.0 when it was granted, else the seconds until one is there (`inf`: never)."""
        tokens = self._tokens(key, now)
        granted = tokens >= 1.0
        self._buckets[key] = (tokens - 1.0 if granted else tokens, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > self._max_keys:
            self._buckets.popitem(last=False)
        if granted:
            return 0.0
        if self.rate.events <= 0 or self.rate.burst < 1:
            return math.inf
        return (1.0 - tokens) * self.rate.per_s / self.rate.events

    def is_exhausted(self, key: str, now: float) -> bool:
        """Whether `take` would refuse. Takes nothing."""
        return self._tokens(key, now) < 1.0

    def _tokens(self, key: str, now: float) -> float:
        burst = float(self.rate.burst)
        tokens, seen = self._buckets.get(key, (burst, now))
        return min(burst, tokens + max(0.0, now - seen) * self.rate.events / self.rate.per_s)
