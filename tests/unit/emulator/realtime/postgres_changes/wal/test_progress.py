"""What was delivered, and what a subscriber could see already."""

import pytest

from emulator.realtime.postgres_changes.wal.progress import CommitInfo, Progress, StartPoint

HERE = ("system", "1")


def test_what_a_resumed_slot_repeats_is_not_delivered_again() -> None:
    progress = Progress()
    assert progress.begin(HERE, resumed=False)
    progress.advance((100, 1), ends=False)
    progress.advance((100, 2), ends=False)
    assert progress.begin(HERE, resumed=True)
    assert [progress.is_new(one) for one in ((90, 7), (100, 2), (100, 3), (110, 1))] == [False, False, True, True]
    assert not progress.is_delivered(100), "its last row is not known before its end"
    progress.advance((120, 0), ends=True)
    assert progress.is_delivered(100)
    assert not progress.is_delivered(120)
    assert progress.ended_lsn == 120
    assert progress.is_new((120, 1)), "the next commit may begin where this one ended"


@pytest.mark.parametrize(
    ("system", "resumed"),
    [(("other", "1"), True), (("system", "2"), True), (HERE, False)],
    ids=["restored", "failed-over", "new-slot"],
)
def test_another_log_starts_from_its_beginning_and_reports_a_gap(system: tuple[str, str], resumed: bool) -> None:
    progress = Progress()
    progress.begin(HERE, resumed=True)
    progress.advance((1 << 60, 0), ends=True)
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
    start = StartPoint.parse(100, f"{(1 << 32) + 705}:{(1 << 32) + 710}:{(1 << 32) + 705},{(1 << 32) + 707}")
    assert start.already_visible(CommitInfo(lsn, 0, xid)) is want
