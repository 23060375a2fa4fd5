"""What was told and what a subscriber knew already; the limits that several processes share."""

from dataclasses import replace

import pytest

from emulator.realtime.postgres_changes.wal.progress import Committed, Progress, Since
from emulator.realtime.settings import Limits
from emulator.realtime.topics.load import Load, Meter

HERE = ("system", "1")


def test_a_resumed_slot_repeats_and_nobody_hears_it() -> None:
    progress = Progress()
    assert progress.begin(HERE, resumed=False)
    progress.passed((100, 1), ends=False)
    progress.passed((100, 2), ends=False)
    assert progress.begin(HERE, resumed=True)
    assert [progress.is_new(one) for one in ((90, 7), (100, 2), (100, 3), (110, 1))] == [False, False, True, True]
    assert not progress.has_told(100), "its last row is not known before its end"
    progress.passed((120, 0), ends=True)
    assert progress.has_told(100)
    assert not progress.has_told(120)
    assert progress.ended_lsn == 120
    assert progress.is_new((120, 1)), "the next commit may begin where this one ended"


@pytest.mark.parametrize(
    ("system", "resumed"),
    [(("other", "1"), True), (("system", "2"), True), (HERE, False)],
    ids=["restored", "failed-over", "new-slot"],
)
def test_another_log_starts_anew_and_says_so(system: tuple[str, str], resumed: bool) -> None:
    progress = Progress()
    progress.begin(HERE, resumed=True)
    progress.passed((1 << 60, 0), ends=True)
    assert not progress.begin(system, resumed=resumed)
    assert progress.is_new((5, 1))
    assert progress.ended_lsn == 0


SEEN = [
    pytest.param(99, 700, True, id="seen"),
    pytest.param(99, 705, False, id="in-progress"),
    pytest.param(99, 710, False, id="began-later"),
    pytest.param(100, 700, False, id="number-used-again"),
    pytest.param(99, 0xFFFFFFFF, True, id="before-the-numbers-wrapped"),
]


@pytest.mark.parametrize(("lsn", "xid", "want"), SEEN)
def test_what_could_be_seen_at_a_subscription(lsn: int, xid: int, want: bool) -> None:
    since = Since.parse(100, f"{(1 << 32) + 705}:{(1 << 32) + 710}:{(1 << 32) + 705},{(1 << 32) + 707}")
    assert since.knows(Committed(lsn, 0, xid)) is want


def test_limits_are_shared() -> None:
    limits = replace(Limits(), connections=3, joins_per_s=1)
    one, other = Meter(limits), Meter(limits)
    one.connections = other.connections = 1
    assert all(one.count_join(0.0) for _ in range(30))
    assert one.may_join(0.0)
    one.hear([replace(other.own(0.0), joins_per_s=0.5)])
    assert one.has_place()
    assert not one.may_join(0.0)
    one.hear([Load(connections=2)])
    assert not one.has_place()
    assert one.may_join(0.0)
    one.hear([])
    assert one.has_place()
    assert one.own(0.0).joins_per_s == 0.5
