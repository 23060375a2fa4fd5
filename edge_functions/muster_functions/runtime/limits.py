"""How often one caller may ask, counted in memory: a token bucket per caller, bounded in number. Pure."""

import math
from collections import OrderedDict

KEPT = 10_000


class Allowance:
    """`rate` requests per `window_s` and key, refilled evenly. The longest unseen keys are forgotten first."""

    def __init__(self, rate: int, window_s: float, kept: int = KEPT) -> None:
        self._rate = rate
        self._per_s = rate / window_s
        self._kept = kept
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, now: float) -> int:
        """Take one request at the monotonic time `now`; 0 when granted, else the seconds to wait."""
        tokens, seen = self._buckets.pop(key, (float(self._rate), now))
        tokens = min(float(self._rate), tokens + max(0.0, now - seen) * self._per_s)
        granted = tokens >= 1.0
        self._buckets[key] = (tokens - 1.0 if granted else tokens, now)
        if len(self._buckets) > self._kept:
            self._buckets.popitem(last=False)
        return 0 if granted else max(1, math.ceil((1.0 - tokens) / self._per_s))
