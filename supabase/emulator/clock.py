"""The time that a service works by: the machine's, or one that a test turns."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime


class Clock:
    """The machine's clock."""

    def time(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that are never set back, for limits."""
        return time.monotonic()

    def now(self) -> datetime:
        """The same as `time`, aware, in UTC."""
        return datetime.fromtimestamp(self.time(), UTC)

    def watch(self, turned: Callable[[], None]) -> Callable[[], None]:  # noqa: ARG002 (it is never turned)
        """Call `turned` whenever the clock is turned, for what waits until a time; what ends that."""
        return lambda: None


MACHINE = Clock()


@dataclass
class TurnedClock(Clock):
    """A clock that was set, advanced or stopped. `offset_s` is what it is ahead; `stopped_at` is a time."""

    offset_s: float = 0.0
    stopped_at: float | None = None
    _watching: list[Callable[[], None]] = field(default_factory=list)

    def watch(self, turned: Callable[[], None]) -> Callable[[], None]:
        self._watching.append(turned)
        return lambda: self._watching.remove(turned)

    def _turned(self) -> None:
        for turned in list(self._watching):
            turned()

    def time(self) -> float:
        """Where the clock stands."""
        return self.stopped_at if self.stopped_at is not None else time.time() + self.offset_s

    def monotonic(self) -> float:
        """As far ahead of the machine's as the time is."""
        return time.monotonic() + self.time() - time.time()

    def set(self, to: float) -> None:
        """Turn it to a time, from which it goes on, or at which it stands if it is stopped."""
        if self.stopped_at is not None:
            self.stopped_at = to
        else:
            self.offset_s = to - time.time()
        self._turned()

    def stop(self) -> None:
        """Let it stand."""
        self.stopped_at = self.time()

    def go(self) -> None:
        """Let it go on from where it stands."""
        if self.stopped_at is not None:
            self.offset_s, self.stopped_at = self.stopped_at - time.time(), None

    def reset(self) -> None:
        """The machine's time again."""
        self.offset_s, self.stopped_at = 0.0, None
        self._turned()
