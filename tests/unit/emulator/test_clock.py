"""The clock that a test turns."""

import time

import pytest

from emulator.clock import TurnedClock


def test_it_goes_with_the_machine_until_it_is_turned() -> None:
    clock = TurnedClock()
    assert abs(clock.time() - time.time()) < 5
    clock.set(clock.time() + 3600)
    assert 3595 < clock.time() - time.time() < 3605
    assert 3595 < clock.monotonic() - time.monotonic() < 3605
    clock.reset()
    assert abs(clock.time() - time.time()) < 5


def test_it_stands_where_it_was_stopped_and_goes_on_from_there() -> None:
    clock = TurnedClock()
    clock.set(1_900_000_000.0)
    clock.stop()
    stood = clock.time()
    assert clock.time() == stood
    clock.set(stood + 60)
    assert clock.time() == stood + 60
    assert clock.now().timestamp() == pytest.approx(stood + 60, abs=0.001)
    clock.go()
    assert clock.stopped_at is None
    assert -0.001 < clock.time() - (stood + 60) < 5


def test_who_waits_until_a_time_is_told_of_each_turn() -> None:
    clock, told = TurnedClock(), []
    unwatch = clock.watch(lambda: told.append(round(clock.time() - time.time())))
    clock.set(clock.time() + 60)
    clock.reset()
    unwatch()
    clock.set(clock.time() + 60)
    assert told == [60, 0]
