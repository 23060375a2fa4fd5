"""pg_cron's schedules: five fields in Vixie's grammar, the @ names, or a number of seconds. Pure.

Source: https://github.com/citusdata/pg_cron, "What is pg_cron", and crontab(5).
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

MINUTE = timedelta(minutes=1)
_SECONDS = re.compile(r"\s*([0-9]{1,9})\s+seconds?\s*", re.IGNORECASE)
_RANGE = re.compile(r"(?:(\*)|([0-9]{1,9}|[A-Za-z]{3})(?:-([0-9]{1,9}|[A-Za-z]{3}))?)(?:/([0-9]{1,9}))?")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAMED = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_SMALL_JUMP_MINUTES, _LARGE_JUMP_MINUTES = 5, 180


@dataclass(frozen=True)
class Interval:
    """Every so many seconds after the last run began."""

    seconds: int


@dataclass(frozen=True)
class AtStart:
    """Once, when the scheduler starts."""


@dataclass(frozen=True)
class Calendar:
    """The minutes whose fields match. With both days restricted, either is enough."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    is_last_day: bool
    is_any_day: bool
    is_wild: bool

    def matches(self, moment: datetime) -> bool:
        """Whether a job is due in the minute of `moment`."""
        if moment.minute not in self.minutes or moment.hour not in self.hours or moment.month not in self.months:
            return False
        last_day = monthrange(moment.year, moment.month)[1]
        day = moment.day == last_day if self.is_last_day else moment.day in self.days
        weekday = moment.isoweekday() % 7 in self.weekdays
        return day and weekday if self.is_any_day else day or weekday


Schedule = Interval | AtStart | Calendar


def parse_schedule(text: str) -> Schedule | None:
    """A schedule, or None for what is none. What follows the fifth field is ignored, as in the original."""
    seconds = _SECONDS.fullmatch(text)
    if seconds is not None:
        return Interval(int(seconds[1])) if 1 <= int(seconds[1]) <= 59 else None
    fields = text.split()
    if fields and fields[0] in ("@reboot", "@restart"):
        return AtStart()
    if fields and fields[0].startswith("@"):
        fields = _NAMED.get(fields[0], "").split()
    if len(fields) < 5:
        return None
    is_last_day = fields[2] == "$"
    minutes, hours = _values(fields[0], 0, 59), _values(fields[1], 0, 23)
    days = frozenset[int]() if is_last_day else _values(fields[2], 1, 31)
    months, weekdays = _values(fields[3], 1, 12, _MONTHS), _values(fields[4], 0, 7, _DAYS)
    if minutes is None or hours is None or days is None or months is None or weekdays is None:
        return None
    return Calendar(
        minutes, hours, days, months, frozenset(day % 7 for day in weekdays), is_last_day,
        is_any_day=fields[2].startswith("*") or fields[4].startswith("*"),
        is_wild=fields[0].startswith("*") or fields[1].startswith("*"),
    )  # fmt: skip


def due_count(schedule: Calendar, last: datetime, now: datetime) -> int:
    """How often a job is due after the minute `last`, up to the minute `now`.

    Like Vixie's cron, after a few minutes that were missed (a suspended machine, a busy process) all of them are made
    up for; after up to three hours only those at fixed times, and the others once; after more, none; and when the
    clock was set back, only the others.
    """
    passed = (now - last) // MINUTE
    if passed == 0:
        return 0
    if 0 < passed <= _SMALL_JUMP_MINUTES:
        return sum(schedule.matches(moment) for moment in _minutes(last, now))
    if 0 < passed <= _LARGE_JUMP_MINUTES:
        if schedule.is_wild:
            return int(schedule.matches(now))
        return sum(schedule.matches(moment) for moment in _minutes(last, now))
    if -_LARGE_JUMP_MINUTES <= passed < 0 and not schedule.is_wild:
        return 0
    return int(schedule.matches(now))


def _minutes(last: datetime, now: datetime) -> Iterator[datetime]:
    while last < now:
        last += MINUTE
        yield last


def _values(field: str, low: int, high: int, names: tuple[str, ...] = ()) -> frozenset[int] | None:
    values: set[int] = set()
    for part in field.split(","):
        match = _RANGE.fullmatch(part)
        if match is None or (match[4] is not None and match[1] is None and match[3] is None):
            return None
        first = low if match[1] else _number(match[2], low, names)
        last = high if match[1] else first if match[3] is None else _number(match[3], low, names)
        step = int(match[4] or 1)
        if first is None or last is None or step == 0:
            return None
        if first <= last and (first < low or first + (last - first) // step * step > high):
            return None
        values.update(range(first, last + 1, step))
    return frozenset(values)


def _number(text: str, low: int, names: tuple[str, ...]) -> int | None:
    if text[0].isdigit():
        return int(text)
    return low + names.index(text.lower()) if text.lower() in names else None
