"""Takes turns among connections: how much of what clients sent is handled before others get the event loop.

Everything in a process shares one event loop, and a frame may cost much more than it weighs: a broadcast is written to
every subscriber. So what clients send is handled for a turn at a time, by address and by connection, until nothing
waits. A turn is short while HTTP requests are served, and frames then get a fifth of the time; otherwise it is long
enough to write what several frames cause together. A connection that used little time lately goes before the others,
as long as its address did not use much; an address that sent a frame that took long rests while requests are served.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

TURN_S = 0.005
BUSY_TURN_S = 0.001  # while HTTP requests are served
BUSY_SHARE_S = 0.0002  # of one connection in such a turn
BUSY_PAUSE = 4.0  # times what such a turn took, before the next
LIGHT_S = 0.01  # of LIGHT_WINDOW_S: a connection that used less goes first
LIGHT_ADDRESS_S = 0.02  # of all connections of its address
LIGHT_WINDOW_S = 1.0
LONG_S = 0.003  # a frame that took longer: its address rests, the longer the rarer may it send such frames
MAX_REST_S = 2.0


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
        self._resting: dict[str, dict[Sender, None]] = {}  # those that may not have a turn yet
        self._used: dict[str, float] = {}  # by address, since _used_from
        self._used_from = 0.0
        self._spent_s = 0.0  # in this turn of the event loop
        self._turn_s = self._share_s = TURN_S
        self._is_scheduled = False
        self._is_paused = False

    def take(self, sender: Sender) -> None:
        """A connection has received something: handle it now if there is time, else in its turn."""
        now = time.perf_counter()
        address = sender.address
        if sender in self._waiting.get(address, ()):
            return
        if address in self._resting:
            self._resting[address][sender] = None
            return
        is_light = self._is_light(sender, now)
        has_time = self._spent_s < self._turn_s and (is_light or not (self._waiting or self._is_paused))
        if not has_time and is_light:
            self._first[sender] = None
        elif not has_time or self._handle(sender, now, now + self._turn_s - self._spent_s):
            self._wait(sender)
        self._schedule()

    def _is_light(self, sender: Sender, now: float) -> bool:
        if now - sender.used_from > LIGHT_WINDOW_S:
            sender.used_s, sender.used_from = 0.0, now
        if now - self._used_from > LIGHT_WINDOW_S:
            self._used, self._used_from = {}, now
        return sender.used_s < LIGHT_S and self._used.get(sender.address, 0.0) < LIGHT_ADDRESS_S

    def _wait(self, sender: Sender) -> None:
        where = self._resting if sender.address in self._resting else self._waiting
        where.setdefault(sender.address, {})[sender] = None

    def forget(self, sender: Sender) -> None:
        """A connection is gone."""
        self._first.pop(sender, None)
        self._resting.get(sender.address, {}).pop(sender, None)
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
        used = time.thread_time() - cpu
        sender.used_s += used
        self._used[sender.address] = self._used.get(sender.address, 0.0) + used
        self._spent_s += time.perf_counter() - started
        if used > LONG_S and sender.address not in self._resting and self._is_busy():
            self._rest(sender.address, min(MAX_REST_S, used * BUSY_PAUSE * used / LONG_S))
        return has_more

    def _rest(self, address: str, seconds: float) -> None:
        self._resting[address] = self._waiting.pop(address, {})
        asyncio.get_running_loop().call_later(seconds, self._wake, address)

    def _wake(self, address: str) -> None:
        senders = self._resting.pop(address)
        if senders:
            self._waiting[address] = senders
            self._schedule()

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
        while self._first and self._spent_s < self._turn_s:
            self._take_first()
        if self._is_paused:
            self._schedule()
            return
        if is_busy and was_long >= BUSY_TURN_S and self._waiting:
            self._is_paused = True
            asyncio.get_running_loop().call_later(was_long * BUSY_PAUSE, self._resume)
            self._schedule()
            return
        while self._waiting and self._spent_s < self._turn_s:
            self._take_turn()
            if is_busy or self._spent_s >= self._turn_s:
                self._write()
        if self._first or self._waiting or self._spent_s:
            self._schedule()

    def _write(self) -> None:
        """Writing may cost more than what caused it."""
        started = time.perf_counter()
        self._flush()
        self._spent_s += time.perf_counter() - started

    def _take_first(self) -> None:
        """One that used little; if it or its address did not after all, it waits with the others."""
        sender = next(iter(self._first))
        del self._first[sender]
        started = time.perf_counter()
        is_light = sender.address not in self._resting and self._is_light(sender, started)
        if not is_light or self._handle(sender, started, started + self._share_s):
            self._wait(sender)

    def _take_turn(self) -> None:
        """One connection of the address whose turn it is; both go behind the others if more of them waits."""
        address, of_address = next(iter(self._waiting.items()))
        sender = next(iter(of_address))
        del self._waiting[address], of_address[sender]
        started = time.perf_counter()
        has_more = self._handle(sender, started, started + self._share_s)
        if of_address:
            (self._resting if address in self._resting else self._waiting).setdefault(address, {}).update(of_address)
        if has_more:
            self._wait(sender)

    def _resume(self) -> None:
        self._is_paused = False
        self._schedule()
