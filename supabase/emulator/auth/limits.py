"""Token buckets: how often an address may ask and how many mails a process sends. Pure; time comes in."""

from collections import OrderedDict
from dataclasses import dataclass, field

from emulator.auth.settings import Rate

MAX_KEYS = 50_000


@dataclass
class Bucket:
    """What is left for one key, as of `at`."""

    left: float
    at: float


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
