"""What all processes of one stack carry together: connections and rates, against the limits. Pure; the time comes in.

Each process counts its own and hears once a second what the others carry (bus.py), so limits hold for the stack, not
for each process; a burst within that second can pass them by what one process takes.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from emulator.realtime.settings import Limits
from emulator.realtime.topics.rates import Rate


@dataclass(frozen=True, slots=True)
class Load:
    """What one process carries: connections, and averages a second over the last minute."""

    connections: int = 0
    joins_per_s: float = 0.0
    messages_per_s: float = 0.0
    presence_per_s: float = 0.0


class Meter:
    """The counters of this process, and what the others said last. `count_*` are False when a limit is reached."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.connections = 0
        self._joins = Rate(limits.joins_per_s)
        self._messages = Rate(limits.messages_per_s)
        self._presence = Rate(limits.presence_per_s)
        self._elsewhere = Load()

    def has_place(self) -> bool:
        """Whether one more connection may come."""
        return self.connections + self._elsewhere.connections < self._limits.connections

    def may_join(self, now: float) -> bool:
        """Whether joins are below their limit."""
        return self._joins.add(0, now, self._elsewhere.joins_per_s)

    def count_join(self, now: float) -> bool:
        return self._joins.add(1, now, self._elsewhere.joins_per_s)

    def count_messages(self, count: int, now: float) -> bool:
        """Messages received or delivered."""
        return self._messages.add(count, now, self._elsewhere.messages_per_s)

    def count_presence(self, count: int, now: float) -> bool:
        return self._presence.add(count, now, self._elsewhere.presence_per_s)

    def own(self, now: float) -> Load:
        """What this process carries."""
        rates = (self._joins, self._messages, self._presence)
        return Load(self.connections, *(rate.per_s(now) for rate in rates))

    def hear(self, others: Iterable[Load]) -> None:
        """What the other processes carry."""
        told = tuple(others)
        self._elsewhere = Load(
            sum(one.connections for one in told),
            sum(one.joins_per_s for one in told),
            sum(one.messages_per_s for one in told),
            sum(one.presence_per_s for one in told),
        )
