"""The least time between two requests for the same address, whether or not an account has it."""

from collections import OrderedDict
from collections.abc import Iterable

from emulator.rate_limit import MAX_KEYS


class RequestIntervals:
    """When each (kind of request, address) was last granted; beyond MAX_KEYS the oldest are forgotten."""

    def __init__(self) -> None:
        self._granted_at: OrderedDict[tuple[str, str], float] = OrderedDict()

    def wait_s(self, keys: Iterable[tuple[str, str]], now: float, interval_s: float) -> float:
        """Seconds until all of the keys may be used again. 0.0: they may now, and count as used."""
        asked = list(keys)
        wait = max(self._granted_at.get(key, float("-inf")) + interval_s - now for key in asked)
        if wait > 0:
            return wait
        for key in asked:
            self._granted_at[key] = now
            self._granted_at.move_to_end(key)
            if len(self._granted_at) > MAX_KEYS:
                self._granted_at.popitem(last=False)
        return 0.0
