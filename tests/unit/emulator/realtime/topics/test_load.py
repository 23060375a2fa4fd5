"""Limits that several processes share."""

from dataclasses import replace

from emulator.realtime.settings import Limits
from emulator.realtime.topics.load import Load, LoadMeter


def test_limits_are_shared() -> None:
    limits = Limits(connections=3, joins_per_s=1)
    one, other = LoadMeter(limits), LoadMeter(limits)
    one.connections = other.connections = 1
    assert all(one.count_join(0.0) for _ in range(30))
    assert one.may_join(0.0)
    one.set_remote([replace(other.current(0.0), joins_per_s=0.5)])
    assert one.has_capacity()
    assert not one.may_join(0.0)
    one.set_remote([Load(connections=2)])
    assert not one.has_capacity()
    assert one.may_join(0.0)
    one.set_remote([])
    assert one.has_capacity()
    assert one.current(0.0).joins_per_s == 0.5
