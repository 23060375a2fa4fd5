"""Averages and sliding windows."""

from emulator.realtime.topics.rates import RollingRate, SlidingWindow


def test_rates_are_averages_over_a_minute() -> None:
    rate = RollingRate(10)
    assert rate.add(599, 0.0)
    assert not rate.add(1, 59.0)
    assert rate.per_s(59.0) == 10
    assert rate.add(1, 60.0)
    assert rate.per_s(200.0) == 0
    window = SlidingWindow(2, 30.0)
    assert window.add(0)
    assert window.add(1)
    assert not window.add(29)
    assert window.add(60)
    assert all(SlidingWindow(0, 30.0).add(0) for _ in range(9))
