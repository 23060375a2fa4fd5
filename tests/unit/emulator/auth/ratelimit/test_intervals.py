"""The least time between two requests."""

from emulator.auth.ratelimit.intervals import RequestIntervals
from emulator.rate_limit import MAX_KEYS


def test_an_interval_holds_for_every_key_or_none() -> None:
    intervals = RequestIntervals()
    mail, other = ("signup", "a@b.co"), ("recovery", "a@b.co")
    assert intervals.wait_s([mail], 100.0, 60.0) == 0.0
    assert intervals.wait_s([mail, other], 130.0, 60.0) == 30.0
    assert intervals.wait_s([other], 130.0, 60.0) == 0.0, "a refused request does not count"
    assert intervals.wait_s([mail], 160.0, 60.0) == 0.0
    assert intervals.wait_s([mail], 160.0, 0.0) == 0.0


def test_memory_is_bounded() -> None:
    intervals = RequestIntervals()
    for number in range(MAX_KEYS + 10):
        intervals.wait_s([("signup", str(number))], 0.0, 60.0)
    assert len(intervals._granted_at) == MAX_KEYS
