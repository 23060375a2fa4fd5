"""Takes turns among connections: how much of what clients sent is handled before others get the event loop.

Everything in a process shares one event loop, and a frame may cost much more than it weighs: a broadcast is written to
every subscriber. So what clients send is handled for a turn at a time, by address and by connection, until nothing
waits, and what is sent to them is written in steps. While HTTP requests are served, turns and steps are short, and both
together get a tenth of the time; otherwise they are long enough to write what several frames cause together. A
connection that used little time lately goes before the others, as long as its address did not use much; an address
that sent a frame that took long rests while requests are served.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

TURN_S = 0.005
BUSY_TURN_S = 0.00025  # while HTTP requests are served
BUSY_SHARE_S = 0.0001  # of one connection in such a turn
BUSY_PAUSE = 9.0  # times what turns and steps took, before the next turn
BUSY_STEP_S = 0.0003  # of writing
BUSY_STEP_PAUSE_S = 0.001  # between two steps, while turns wait: event loops have no shorter one
LIGHT_S = 0.01  # of LIGHT_WINDOW_S: a connection that used less goes first
LIGHT_ADDRESS_S = 0.02  # of all connections of its address
LIGHT_WINDOW_S = 1.0
LONG_S = 0.002  # a frame that took longer: its address rests, the longer the rarer may it send such frames
LONG_PAUSE = 30.0  # times what it took; nothing can interrupt it, so it must be rare enough not to meet many requests
MAX_REST_S = 2.0


class Sender(Protocol):
    """A connection whose frames are handled in turns (serve/socket.py). It used `used_s` since `used_from`."""

    address: str
    used_s: float
    used_from: float

    def handle_some(self, until: float) -> bool:
        """Handle frames until a moment of time.perf_counter, at least one; whether more are there to be handled."""


class Writer(Protocol):
    """What is to be written to connections (serve/connections.py)."""

    def when_pending(self, write_soon: Callable[[], None]) -> None:
        """Call this whenever something is to be written, and nothing was."""

    def has_pending(self) -> bool:
        """Whether something waits to be written."""

    def has_much_to_write(self) -> bool:
        """Whether it should be written before more frames are handled."""

    def flush(self, until: float) -> None:
        """Write until a moment of time.perf_counter, to one connection at least."""


class Turns:
    """Of one process. `is_busy`: whether HTTP requests were served a moment ago. Decides when `writer` writes, too."""

    def __init__(self, is_busy: Callable[[], bool], writer: Writer) -> None:
        self._is_busy = is_busy
        self._writer = writer
        writer.when_pending(self._write_soon)
        self._first: dict[Sender, None] = {}  # those that used little
        self._waiting: dict[str, dict[Sender, None]] = {}  # the others, by address
        self._resting: dict[str, dict[Sender, None]] = {}  # those that may not have a turn yet
        self._used: dict[str, float] = {}  # by address, since _used_from
        self._used_from = 0.0
        self._spent_s = 0.0  # in this turn of the event loop
        self._owed_s = 0.0  # spent while requests were served, before the next pause
        self._turn_s = self._share_s = TURN_S
        self._is_scheduled = False
        self._is_paused = False
        self._is_writing = False

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
        is_next = is_light or not (self._waiting or self._is_paused or self._is_busy())
        has_time = self._spent_s < self._turn_s and is_next and not self._writer.has_much_to_write()
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
        if self._writer.has_much_to_write():
            self._write()
        used = time.thread_time() - cpu
        sender.used_s += used
        self._used[sender.address] = self._used.get(sender.address, 0.0) + used
        self._spent_s += time.perf_counter() - started
        if used > LONG_S and sender.address not in self._resting and self._is_busy():
            self._rest(sender.address, min(MAX_REST_S, used * LONG_PAUSE * used / LONG_S))
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
        while self._first and self._has_time():
            self._take_first()
        if is_busy and self._waiting:
            self._owed_s += was_long
            if self._owed_s >= BUSY_TURN_S and not self._is_paused:
                self._is_paused = True
                asyncio.get_running_loop().call_later(self._owed_s * BUSY_PAUSE, self._resume)
                self._owed_s = 0.0
        while self._waiting and not self._is_paused and self._has_time():
            self._take_turn()
            if self._spent_s >= self._turn_s and not is_busy:
                self._write()
        if self._first or self._waiting or self._spent_s:
            self._schedule()

    def _has_time(self) -> bool:
        return self._spent_s < self._turn_s and not self._writer.has_much_to_write()

    def _write_soon(self) -> None:
        if not self._is_writing:
            self._is_writing = True
            asyncio.get_running_loop().call_soon(self._write_step)

    def _write_step(self) -> None:
        """Once per turn of the event loop while there is something to write."""
        self._is_writing = False
        self._write()
        if self._writer.has_pending():
            self._is_writing = True
            loop, is_flooded = asyncio.get_running_loop(), self._waiting or self._resting
            if is_flooded and self._is_busy():
                loop.call_later(BUSY_STEP_PAUSE_S, self._write_step)
            else:
                loop.call_soon(self._write_step)

    def _write(self) -> None:
        """Writing may cost more than what caused it."""
        started = time.perf_counter()
        self._writer.flush(started + (BUSY_STEP_S if self._is_busy() else TURN_S))
        if self._waiting:
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
