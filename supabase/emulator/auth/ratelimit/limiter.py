"""Token buckets and pauses: how often an address may ask, how many mails a process sends. Pure; time comes in."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from emulator.auth.conf.settings import Rate

MAX_KEYS = 50_000


@dataclass
class Bucket:
    """What is left for one key, as of `at`."""

    left: float
    at: float


@dataclass
class Pauses:
    """When something was last asked for; the longest ago are forgotten beyond MAX_KEYS."""

    last: OrderedDict[tuple[str, str], float] = field(default_factory=OrderedDict)

    def left_s(self, keys: Iterable[tuple[str, str]], now: float, interval_s: float) -> float:
        """Seconds until all of the keys may ask again; 0 when they may now, and then they have."""
        asked = list(keys)
        left = max(self.last.get(key, float("-inf")) + interval_s - now for key in asked)
        if left > 0:
            return left
        for key in asked:
            self.last[key] = now
            self.last.move_to_end(key)
            if len(self.last) > MAX_KEYS:
                self.last.popitem(last=False)
        return 0.0


@dataclass
class Limiter:
    """One bucket per key; the least recently used keys are forgotten beyond MAX_KEYS."""

    rate: Rate
    buckets: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)

    def allow(self, key: str, now: float) -> bool:
        """Take one token of `key`; False when none is left."""
        bucket = self.buckets.get(key)
        burst = float(self.rate.burst)
        if bucket is None:
            bucket = self.buckets[key] = Bucket(burst, now)
            if len(self.buckets) > MAX_KEYS:
                self.buckets.popitem(last=False)
        else:
            self.buckets.move_to_end(key)
            refill = (now - bucket.at) * self.rate.events / self.rate.per_s
            bucket.left, bucket.at = min(burst, bucket.left + refill), now
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True

    def exhausted(self, key: str, now: float) -> bool:
        """Whether `key` would be refused, without taking anything."""
        bucket = self.buckets.get(key)
        if bucket is None:
            return self.rate.burst < 1
        refill = (now - bucket.at) * self.rate.events / self.rate.per_s
        return min(float(self.rate.burst), bucket.left + refill) < 1
