"""Counting for the limits, as the original does it: averages over a minute, in buckets of five seconds."""

BUCKET_S = 5
BUCKETS = 12


class RollingRate:
    """How many a second, averaged over the last minute."""

    __slots__ = ("_buckets", "_epoch", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._buckets = [0] * BUCKETS
        self._epoch = 0

    def add(self, count: int, now: float, remote_per_s: float = 0.0) -> bool:
        """Count; False when the limit is reached, together with what the other processes count."""
        self._advance(int(now // BUCKET_S))
        self._buckets[self._epoch % BUCKETS] += count
        return sum(self._buckets) < (self.limit - remote_per_s) * BUCKET_S * BUCKETS

    def per_s(self, now: float) -> float:
        self._advance(int(now // BUCKET_S))
        return sum(self._buckets) / (BUCKET_S * BUCKETS)

    def _advance(self, epoch: int) -> None:
        for passed in range(max(self._epoch + 1, epoch - BUCKETS + 1), epoch + 1):
            self._buckets[passed % BUCKETS] = 0
        self._epoch = max(epoch, self._epoch)


class SlidingWindow:
    """At most `limit` calls in any `window_s`; 0 is no limit."""

    __slots__ = ("_times", "limit", "window_s")

    def __init__(self, limit: int, window_s: float) -> None:
        self.limit, self.window_s = limit, window_s
        self._times: list[float] = []

    def add(self, now: float) -> bool:
        """Count; False when there were too many."""
        if self.limit <= 0:
            return True
        self._times = [one for one in self._times if now - one < self.window_s]
        self._times.append(now)
        return len(self._times) <= self.limit
