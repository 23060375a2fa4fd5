"""Turns among connections: who is handled when, with a clock that only moves while frames are handled."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import pytest

from emulator.realtime.serve.turns import (
    BUSY_PAUSE,
    BUSY_SHARE_S,
    BUSY_STEP_PAUSE_S,
    BUSY_STEP_S,
    BUSY_TURN_S,
    LIGHT_ADDRESS_S,
    LONG_PAUSE,
    LONG_S,
    TURN_S,
    Turns,
)


@dataclass(eq=False)
class Sender:
    """Frames that cost `frame_s` each."""

    name: str
    frames: int
    told: list[str]
    clock: list[float]
    address: str = ""
    used_s: float = 0.0
    used_from: float = 0.0
    frame_s: float = 0.00005

    def handle_some(self, until: float) -> bool:
        while self.frames:
            self.frames -= 1
            self.told.append(self.name)
            self.clock[0] += self.frame_s
            if self.clock[0] >= until:
                break
        return self.frames > 0


@dataclass
class Writer:
    """Frames to be written, of 50 µs each."""

    clock: list[float]
    frames: int = 0
    is_full: bool = False
    told: list[Callable[[], None]] = field(default_factory=list)

    def when_pending(self, write_soon: Callable[[], None]) -> None:
        self.told.append(write_soon)

    def has_pending(self) -> bool:
        return self.frames > 0

    def has_much_to_write(self) -> bool:
        return self.is_full and self.frames > 0

    def flush(self, until: float) -> None:
        while self.frames:
            self.frames -= 1
            self.clock[0] += 0.00005
            if self.clock[0] >= until:
                break


@dataclass
class Loop:
    """An event loop that is turned by hand."""

    soon: list[Callable[[], None]] = field(default_factory=list)
    later: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def call_soon(self, callback: Callable[[], None]) -> None:
        self.soon.append(callback)

    def call_later(self, seconds: float, callback: Callable[..., None], *arguments: object) -> None:
        self.later.append((seconds, partial(callback, *arguments)))

    def turn(self) -> None:
        callbacks, self.soon = self.soon, []
        for callback in callbacks:
            callback()


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Loop:
    loop = Loop()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)
    return loop


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    clock = [10.0]
    monkeypatch.setattr("emulator.realtime.serve.turns.time.perf_counter", lambda: clock[0])
    monkeypatch.setattr("emulator.realtime.serve.turns.time.thread_time", lambda: clock[0])
    return clock


def test_a_flood_leaves_time_to_others_and_is_handled_in_the_end(loop: Loop, clock: list[float]) -> None:
    told: list[str] = []
    turns = Turns(lambda: False, Writer(clock))
    turns.take(Sender("flood", 300, told, clock))
    assert len(told) == pytest.approx(TURN_S / 0.00005, abs=1), "then the event loop has its turn"
    turns.take(honest := Sender("honest", 1, told, clock))
    assert told[-1] == "flood"
    handled = len(told)
    loop.turn()
    assert told[handled] == "honest", "who used little goes first"
    assert honest.frames == 0
    for _ in range(20):
        loop.turn()
    assert told.count("flood") == 300


def test_addresses_and_connections_take_turns(loop: Loop, clock: list[float]) -> None:
    told: list[str] = []
    turns = Turns(lambda: True, Writer(clock))
    turns.take(Sender("first", 1, told, clock))
    loop.turn()
    busy = {"used_s": 1.0, "used_from": clock[0]}
    turns.take(Sender("a1", 50, told, clock, "a", **busy))
    for name, address in (("a2", "a"), ("b1", "b")):
        turns.take(Sender(name, 50, told, clock, address, **busy))
    for _ in range(6):
        loop.turn()
        for _, resume in loop.later:
            resume()
        loop.later.clear()
    del told[0]
    share = round(BUSY_SHARE_S / 0.00005)
    assert [told[number] for number in range(0, 5 * share, share)] == ["a1", "b1", "a2", "b1", "a1"]


def test_while_requests_are_served_a_flood_pauses(loop: Loop, clock: list[float]) -> None:
    told: list[str] = []
    turns = Turns(lambda: True, Writer(clock))
    turns.take(Sender("first", 1, told, clock))
    loop.turn()
    turns.take(flood := Sender("flood", 100, told, clock))
    began = clock[0]
    while not loop.later:
        loop.turn()
    ((seconds, resume),) = loop.later
    assert seconds == pytest.approx((clock[0] - began + BUSY_TURN_S) * BUSY_PAUSE, rel=0.2), (
        "it was handled at once, too"
    )
    turns.take(Sender("honest", 1, told, clock))
    loop.turn()
    assert told[-1] == "honest", "those who used little do not wait for it"
    resume()
    before = flood.frames
    loop.turn()
    assert flood.frames < before
    turns.forget(flood)
    for _ in range(5):
        loop.turn()
    assert not loop.soon


def test_many_connections_of_one_address_are_not_all_handled_first(loop: Loop, clock: list[float]) -> None:
    told: list[str] = []
    turns = Turns(lambda: True, Writer(clock))
    turns.take(Sender("first", 1, told, clock))
    loop.turn()
    flood = [Sender(f"flood{number}", 40, told, clock, "a") for number in range(100)]
    for one in flood:
        turns.take(one)
    started = clock[0]
    loop.turn()
    assert clock[0] - started == pytest.approx(BUSY_TURN_S, abs=BUSY_SHARE_S), "a turn ends, whoever is there"
    turns.take(Sender("honest", 1, told, clock, "b"))
    for _ in range(round(LIGHT_ADDRESS_S / BUSY_TURN_S)):
        loop.turn()
    assert "honest" in told
    assert sum(one.frames for one in flood) > 3000, "the others wait"


def test_an_address_whose_frame_took_long_rests(loop: Loop, clock: list[float]) -> None:
    told: list[str] = []
    turns = Turns(lambda: True, Writer(clock))
    turns.take(Sender("first", 1, told, clock))
    loop.turn()
    slow = Sender("slow", 2, told, clock, "a", frame_s=2 * LONG_S)
    turns.take(slow)
    ((seconds, wake),) = loop.later
    assert seconds == pytest.approx(2 * LONG_S * 2 * LONG_PAUSE), "twice as long is four times the rest"
    turns.take(other := Sender("other", 1, told, clock, "a"))
    turns.take(gone := Sender("gone", 1, told, clock, "a"))
    turns.forget(gone)
    turns.take(Sender("honest", 1, told, clock, "b"))
    for _ in range(5):
        loop.turn()
    assert told == ["first", "slow", "honest"]
    loop.later.clear()
    wake()
    for _ in range(10):
        loop.turn()
        later, loop.later = loop.later, []
        for _, callback in later:
            callback()
    assert (slow.frames, other.frames, gone.frames) == (0, 0, 1)


def test_writing_is_done_in_steps(loop: Loop, clock: list[float]) -> None:
    told: list[str] = []
    writer = Writer(clock)
    turns = Turns(lambda: True, writer)
    writer.frames = 10
    writer.told[0]()
    writer.told[0]()
    loop.turn()
    assert clock[0] - 10.0 == pytest.approx(BUSY_STEP_S)
    assert writer.frames == 4
    assert not loop.later, "nobody floods: the next step comes at once"
    loop.turn()
    assert not writer.frames
    assert not loop.soon
    turns.take(Sender("flood", 1000, told, clock, used_s=1.0, used_from=clock[0]))
    writer.frames = 100
    writer.told[0]()
    loop.turn()
    assert [seconds for seconds, _ in loop.later] == [BUSY_STEP_PAUSE_S]


def test_no_frame_is_handled_while_much_is_to_be_written(loop: Loop, clock: list[float]) -> None:
    told: list[str] = []
    writer = Writer(clock, frames=500, is_full=True)
    turns = Turns(lambda: False, writer)
    writer.told[0]()
    turns.take(Sender("a", 1, told, clock))
    loop.turn()
    assert not told
    for _ in range(10):
        loop.turn()
    assert told == ["a"]
