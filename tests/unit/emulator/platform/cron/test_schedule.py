"""Schedules of pg_cron: the grammar, the minutes that match, and what is made up for."""

from datetime import UTC, datetime, timedelta

import pytest

from emulator.platform.cron.schedule import AtStart, Calendar, Interval, due_count, parse_schedule


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def calendar(text: str) -> Calendar:
    parsed = parse_schedule(text)
    assert isinstance(parsed, Calendar)
    return parsed


@pytest.mark.parametrize(
    ("text", "moment", "want"),
    [
        pytest.param("* * * * *", "2026-11-22T10:17", True, id="always"),
        pytest.param("*/5 * * * *", "2026-11-22T10:15", True, id="step"),
        pytest.param("*/5 * * * *", "2026-11-22T10:16", False, id="between steps"),
        pytest.param("5 4 * * *", "2026-11-22T04:05", True, id="time"),
        pytest.param("0 0 * * sun", "2026-11-22T00:00", True, id="named weekday"),
        pytest.param("0 0 * * 7", "2026-11-22T00:00", True, id="Sunday as 7"),
        pytest.param("0 0 * * 1-5", "2026-11-22T00:00", False, id="weekdays"),
        pytest.param("0 0 13 * 0", "2026-11-22T00:00", True, id="either day is enough"),
        pytest.param("0 0 13 * *", "2026-11-22T00:00", False, id="the other day is any"),
        pytest.param("0 0 */2 * 0", "2026-11-22T00:00", False, id="a step from * needs both"),
        pytest.param("0 0 $ * *", "2028-02-29T00:00", True, id="last day"),
        pytest.param("0 0 $ * *", "2027-02-27T00:00", False, id="not the last day"),
        pytest.param("0 0 1 jan,Jul-Aug *", "2026-08-01T00:00", True, id="named months"),
        pytest.param("10-50/20 * * * *", "2026-08-01T00:30", True, id="step of a range"),
        pytest.param("0 0 * * * echo", "2026-08-01T00:00", True, id="what follows is ignored"),
        pytest.param("  0\t0 * * *  ", "2026-08-01T00:00", True, id="blanks"),
        pytest.param("@daily", "2026-08-01T00:00", True, id="name"),
        pytest.param("@weekly", "2026-08-01T00:00", False, id="weekly"),
    ],
)
def test_minutes_that_match(text: str, moment: str, want: bool) -> None:
    assert calendar(text).matches(at(moment)) is want


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "* * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "1/5 * * * *",
        "*/0 * * * *", "a * * * *", "1, * * * *", "1-2-3 * * * *", "-1 * * * *", "* * * foo *", "0 seconds",
        "60 seconds", "-1 seconds", "1.5 seconds", "30 minutes", "@never", "9999999999 seconds", "* * 1$ * *",
        "٣ * * * *", "0-99 * * * *",
    ],
)  # fmt: skip
def test_what_is_no_schedule(text: str) -> None:
    assert parse_schedule(text) is None


@pytest.mark.parametrize(("text", "want"), [("1 second", 1), ("59 seconds", 59), (" 30  SECONDS ", 30)])
def test_intervals(text: str, want: int) -> None:
    assert parse_schedule(text) == Interval(want)


def test_a_job_at_the_start() -> None:
    assert parse_schedule("@reboot") == AtStart()


@pytest.mark.parametrize(
    ("text", "minutes", "want"),
    [
        pytest.param("* * * * *", 0, 0, id="same minute"),
        pytest.param("* * * * *", 1, 1, id="next minute"),
        pytest.param("* * * * *", 5, 5, id="a few minutes are made up for"),
        pytest.param("* * * * *", 30, 1, id="half an hour is run once"),
        pytest.param("10 10 * * *", 30, 1, id="a fixed time in half an hour is run"),
        pytest.param("10 10 * * *", 600, 0, id="a fixed time in ten hours is not"),
        pytest.param("* * * * *", 600, 1, id="after ten hours the present minute"),
        pytest.param("* * * * *", -10, 1, id="set back, the present minute"),
        pytest.param("50 9 * * *", -10, 0, id="set back, no fixed time again"),
    ],
)
def test_what_is_made_up_for(text: str, minutes: int, want: int) -> None:
    last = at("2026-11-22T10:00")
    assert due_count(calendar(text), last, last + timedelta(minutes=minutes)) == want
