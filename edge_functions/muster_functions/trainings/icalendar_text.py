"""Trainings as the text of an iCalendar file (RFC 5545). Pure.

Times are written in UTC: an instant, which every program shows in its own time zone, right across each change to or
from daylight saving, without a VTIMEZONE of ours to trust. The library folds lines and escapes text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from uuid import UUID

import icalendar

REFRESH = timedelta(hours=1)
_PRODUCT = "-//Muster//Trainings//EN"
# What text of members must not have in it: a lone carriage return ends a line for some programs.
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True)
class Training:
    """A row of public.trainings, with what its member answered: going, waiting, interested, organizing or ""."""

    id: UUID
    title: str
    description: str | None
    starts_at: datetime
    ends_at: datetime
    place: str
    link: str | None
    is_canceled: bool
    revision: int
    updated_at: datetime
    answer: str


def write_calendar(trainings: Iterable[Training], *, site_url: str, name: str) -> bytes:
    """A calendar of that name; CRLF lines of at most 75 octets, UTF-8."""
    calendar = icalendar.Calendar()
    calendar.add("prodid", _PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", icalendar.vDuration(REFRESH))
    for training in trainings:
        calendar.add_component(_event(training, site_url.rstrip("/")))
    text: bytes = calendar.to_ical()
    return text


def _event(training: Training, site: str) -> icalendar.Event:
    page = f"{site}/trainings/{training.id}"
    event = icalendar.Event()
    event.add("uid", f"{training.id}@{urlsplit(site).hostname or 'muster'}")
    event.add("sequence", training.revision)
    event.add("dtstamp", training.updated_at.astimezone(UTC))
    event.add("last-modified", training.updated_at.astimezone(UTC))
    event.add("dtstart", training.starts_at.astimezone(UTC))
    event.add("dtend", training.ends_at.astimezone(UTC))
    event.add("summary", _clean(training.title))
    event.add("location", _clean(training.place))
    event.add("description", _clean("\n\n".join(_paragraphs(training, page))))
    event.add("url", page)
    event.add("status", _status(training))
    event.add("transp", "OPAQUE" if training.answer in {"going", "organizing"} else "TRANSPARENT")
    return event


def _paragraphs(training: Training, page: str) -> list[str]:
    said = {"waiting": "You're on the waiting list.", "interested": "You're interested."}.get(training.answer)
    return [text for text in (said, training.description, training.link, page) if text]


def _status(training: Training) -> str:
    if training.is_canceled:
        return "CANCELLED"
    return "TENTATIVE" if training.answer in {"waiting", "interested"} else "CONFIRMED"


def _clean(text: str) -> str:
    return _CONTROLS.sub("", text.replace("\r\n", "\n"))
