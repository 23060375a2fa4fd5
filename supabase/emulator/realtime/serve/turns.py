"""Takes turns among connections: how much of what clients sent is handled before others get the event loop.

Everything in a process shares one event loop, and a frame may cost much more than it weighs: a broadcast is written to
every subscriber. So what clients send is handled for TURN_S at a time, in turns by address and by connection, until
nothing waits. While HTTP requests are served, frames get a fifth of the time.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

TURN_S = 0.001
BUSY_PAUSE = 4.0  # times what a turn took, before the next while HTTP requests are served


class Sender(Protocol):
    """A connection whose frames are handled in turns (serve/socket.py)."""

    address: str

    def handle_some(self, until: float) -> bool:
        """Handle frames until a moment of time.perf_counter, at least a few; whether more is there to be handled."""


class Turns:
    """Of one process. `is_busy`: whether HTTP requests were served a moment ago. `flush` writes what was sent."""

    def __init__(self, is_busy: Callable[[], bool], flush: Callable[[], None]) -> None:
        self._is_busy = is_busy
        self._flush = flush
        self._waiting: dict[str, dict[Sender, None]] = {}  # by address
        self._spent_s = 0.0  # in this turn of the event loop
        self._is_scheduled = False
        self._is_paused = False

    def take(self, sender: Sender) -> None:
        """A connection has received something: handle it now if there is time, else in its turn."""
        has_time = not self._waiting and not self._is_paused and self._spent_s < TURN_S
        if has_time and not self._give_turn(sender):
            return
        self._waiting.setdefault(sender.address, {})[sender] = None
        self._schedule()

    def forget(self, sender: Sender) -> None:
        """A connection is gone."""
        of_address = self._waiting.get(sender.address)
        if of_address is not None:
            of_address.pop(sender, None)
            if not of_address:
                del self._waiting[sender.address]

    def _give_turn(self, sender: Sender) -> bool:
        started = time.perf_counter()
        has_more = sender.handle_some(started + TURN_S - self._spent_s)
        self._spent_s += time.perf_counter() - started
        self._schedule()
        return has_more

    def _schedule(self) -> None:
        if not self._is_scheduled and not self._is_paused:
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._next_turn)

    def _next_turn(self) -> None:
        """Once per turn of the event loop while there is work."""
        self._is_scheduled = False
        if self._spent_s >= TURN_S and self._is_busy():
            self._pause(self._spent_s * BUSY_PAUSE)
            return
        self._spent_s = 0.0
        started = time.perf_counter()
        while self._waiting and self._spent_s < TURN_S:
            address, of_address = next(iter(self._waiting.items()))
            sender = next(iter(of_address))
            del self._waiting[address], of_address[sender]
            has_more = sender.handle_some(started + TURN_S)
            if has_more:
                of_address[sender] = None  # behind the others of its address
            if of_address:
                self._waiting[address] = of_address  # behind the other addresses
            if self._waiting:
                self._flush()
            self._spent_s = time.perf_counter() - started
        if self._waiting:
            self._schedule()

    def _pause(self, seconds: float) -> None:
        self._is_paused = True
        asyncio.get_running_loop().call_later(seconds, self._resume)

    def _resume(self) -> None:
        self._is_paused, self._spent_s = False, 0.0
        self._next_turn()
