"""Takes turns among connections: how much of what clients sent is handled before others get the event loop.

Everything in a process shares one event loop, and a frame may cost much more than it weighs: a broadcast is written to
every subscriber. So what clients send is handled for a turn at a time, by address and by connection, until nothing
waits. A turn is short while HTTP requests are served, and frames then get a fifth of the time; otherwise it is long
enough to write what several frames cause together. A connection that used little time lately goes before the others.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

TURN_S = 0.005
BUSY_TURN_S = 0.001  # while HTTP requests are served
BUSY_SHARE_S = 0.0002  # of one connection in such a turn
BUSY_PAUSE = 4.0  # times what such a turn took, before the next
LIGHT_S = 0.002  # of LIGHT_WINDOW_S: a connection that used less goes first
LIGHT_WINDOW_S = 1.0


class Sender(Protocol):
    """A connection whose frames are handled in turns (serve/socket.py). It used `used_s` since `used_from`."""

    address: str
    used_s: float
    used_from: float

    def handle_some(self, until: float) -> bool:
        """Handle frames until a moment of time.perf_counter, at least one; whether more are there to be handled."""


class Turns:
    """Of one process. `is_busy`: whether HTTP requests were served a moment ago.

    `flush` writes what was sent, `has_much_to_write` asks for it before the end of a turn.
    """

    def __init__(
        self, is_busy: Callable[[], bool], flush: Callable[[], None], has_much_to_write: Callable[[], bool]
    ) -> None:
        self._is_busy = is_busy
        self._flush = flush
        self._has_much_to_write = has_much_to_write
        self._first: dict[Sender, None] = {}  # those that used little
        self._waiting: dict[str, dict[Sender, None]] = {}  # the others, by address
        self._spent_s = 0.0  # in this turn of the event loop
        self._turn_s = self._share_s = TURN_S
        self._is_scheduled = False
        self._is_paused = False

    def take(self, sender: Sender) -> None:
        """A connection has received something: handle it now if there is time, else in its turn."""
        now = time.perf_counter()
        if now - sender.used_from > LIGHT_WINDOW_S:
            sender.used_s, sender.used_from = 0.0, now
        is_light = sender.used_s < LIGHT_S
        has_time = self._spent_s < self._turn_s and (is_light or not (self._waiting or self._is_paused))
        if sender.address in self._waiting and sender in self._waiting[sender.address]:
            return
        if has_time and not self._handle(sender, now, now + self._turn_s - self._spent_s):
            self._schedule()
            return
        if is_light and not has_time:
            self._first[sender] = None
        else:
            self._waiting.setdefault(sender.address, {})[sender] = None
        self._schedule()

    def forget(self, sender: Sender) -> None:
        """A connection is gone."""
        self._first.pop(sender, None)
        of_address = self._waiting.get(sender.address)
        if of_address is not None:
            of_address.pop(sender, None)
            if not of_address:
                del self._waiting[sender.address]

    def _handle(self, sender: Sender, started: float, until: float) -> bool:
        cpu = time.thread_time()  # not the clock: the machine may give the processor to others meanwhile
        has_more = sender.handle_some(until)
        if self._has_much_to_write():
            self._flush()
        sender.used_s += time.thread_time() - cpu
        self._spent_s += time.perf_counter() - started
        return has_more

    def _schedule(self) -> None:
        if not self._is_scheduled and (self._first or not self._is_paused):
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._next_turn)

    def _next_turn(self) -> None:
        """Once per turn of the event loop while there is work."""
        self._is_scheduled = False
        was_long, self._spent_s = self._spent_s, 0.0
        is_busy = self._is_busy()
        self._turn_s, self._share_s = (BUSY_TURN_S, BUSY_SHARE_S) if is_busy else (TURN_S, TURN_S)
        first, self._first = self._first, {}
        for sender in first:
            started = time.perf_counter()
            if self._handle(sender, started, started + self._share_s):
                self._waiting.setdefault(sender.address, {})[sender] = None
        if self._is_paused:
            return
        if is_busy and was_long >= BUSY_TURN_S and self._waiting:
            self._is_paused = True
            asyncio.get_running_loop().call_later(was_long * BUSY_PAUSE, self._resume)
            return
        while self._waiting and self._spent_s < self._turn_s:
            self._take_turn()
            if is_busy or self._spent_s >= self._turn_s:
                self._write()
        if self._waiting or self._spent_s:
            self._schedule()

    def _write(self) -> None:
        """Writing may cost more than what caused it."""
        started = time.perf_counter()
        self._flush()
        self._spent_s += time.perf_counter() - started

    def _take_turn(self) -> None:
        """One connection of the address whose turn it is; both go behind the others if more of them waits."""
        address, of_address = next(iter(self._waiting.items()))
        sender = next(iter(of_address))
        del self._waiting[address], of_address[sender]
        started = time.perf_counter()
        if self._handle(sender, started, started + self._share_s):
            of_address[sender] = None
        if of_address:
            self._waiting[address] = of_address

    def _resume(self) -> None:
        self._is_paused = False
        self._schedule()
