"""The load of all processes of one stack, connections and rates, against the limits. The time comes in.

Each process counts its own load and receives that of the others once a second (bus.py), so limits hold for the stack,
not for each process; within that second they may be exceeded by what one process accepts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from emulator.rate_limit import Rate, RateLimiter
from emulator.realtime.settings import Limits
from emulator.realtime.topics.rates import RollingRate


@dataclass(frozen=True, slots=True)
class Load:
    """Of one process: connections, and averages a second over the last minute."""

    connections: int = 0
    joins_per_s: float = 0.0
    messages_per_s: float = 0.0
    presence_per_s: float = 0.0


@dataclass(frozen=True, slots=True)
class ClientRates:
    """What one connection may do, before anything is counted for all of them. Keys are connections."""

    frames: RateLimiter
    joins: RateLimiter
    presence: RateLimiter

    @classmethod
    def of(cls, limits: Limits) -> Self:
        """From the settings."""
        return cls(
            RateLimiter(Rate(limits.client_frames_per_s, 1, 2 * limits.client_frames_per_s)),
            RateLimiter(Rate(limits.client_joins_per_s, 1, 2 * limits.channels_per_connection)),
            RateLimiter(Rate(limits.client_presence_per_s, 1, 5 * limits.client_presence_per_s)),
        )


class LoadMeter:
    """The counters of this process, and the load of the others. `count_*` are False when a limit is reached."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.connections = 0
        self._joins = RollingRate(limits.joins_per_s)
        self._messages = RollingRate(limits.messages_per_s)
        self._presence = RollingRate(limits.presence_per_s)
        self._remote = Load()

    def has_capacity(self) -> bool:
        """Whether one more connection is allowed."""
        return self.connections + self._remote.connections < self._limits.connections

    def may_join(self, now: float) -> bool:
        """Whether joins are below their limit."""
        return self._joins.add(0, now, self._remote.joins_per_s)

    def count_join(self, now: float) -> bool:
        return self._joins.add(1, now, self._remote.joins_per_s)

    def count_messages(self, count: int, now: float) -> bool:
        """Messages received or delivered."""
        return self._messages.add(count, now, self._remote.messages_per_s)

    def count_presence(self, count: int, now: float) -> bool:
        return self._presence.add(count, now, self._remote.presence_per_s)

    def current(self, now: float) -> Load:
        """The load of this process."""
        rates = (self._joins, self._messages, self._presence)
        return Load(self.connections, *(rate.per_s(now) for rate in rates))

    def set_remote(self, others: Iterable[Load]) -> None:
        """Take over the load of the other processes."""
        loads = tuple(others)
        self._remote = Load(
            sum(one.connections for one in loads),
            sum(one.joins_per_s for one in loads),
            sum(one.messages_per_s for one in loads),
            sum(one.presence_per_s for one in loads),
        )
