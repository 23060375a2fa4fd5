"""A record's document as the words of its PDF, which records/record.typ sets. Pure."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from typing import Any

# Words are broken after so many characters, rather than leave the page; those of the title are wider.
_LONG = re.compile(r"\S{24}(?=\S)")
_LONG_IN_TITLE = re.compile(r"\S{12}(?=\S)")
_ZERO_WIDTH_SPACE = "\u200b"
# Marks that turn the direction of what follows: a name must not reorder the words around it.
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def sheet_of(document: Mapping[str, Any], code: str, check_url: str) -> dict[str, Any]:
    """What the PDF says. `check_url` is the address of the record's check; the footer shows it without its scheme."""
    member = document["member"]
    issued_on = date.fromisoformat(document["issued_at"][:10])
    return {
        "code": code,
        "url": check_url,
        "shown_url": breakable(check_url.split("://", 1)[-1]),
        "issued": f"Made {written(issued_on.isoformat())}",
        "bearer": breakable(member["name"] or "").replace(_ZERO_WIDTH_SPACE, ""),
        "name": breakable(member["name"] or "", _LONG_IN_TITLE),
        "headline": breakable(headline_of(member)),
        "certifications": [
            [breakable(one["name"]), breakable(one["issuer"] or ""), breakable(one["number"] or ""),
             written(one["expires_on"]) if one["expires_on"] else "No expiration"]
            for one in document["certifications"]
        ],
        "milestones": [
            [breakable(joined(one["title"], one["organization"])),
             f"{one['started_on'][:4]} to now" if one["is_current"] else one["started_on"][:4]]
            for one in document["milestones"]
        ],
        "awards": [
            [breakable(joined(one["title"], one["awarded_by"])), (one["awarded_on"] or "")[:4]]
            for one in document["awards"]
        ],
        "trainings": [
            [breakable(one["title"]), breakable(one["place"]), written(one["started_on"]), duration(one)]
            for one in document["trainings"]
        ],
    }  # fmt: skip


def headline_of(member: Mapping[str, Any]) -> str:
    """Rank, position, department with its state, and years, as far as they are known."""
    years = member["years_of_service"]
    place = joined(member["department"], member["state"])
    rank, position = member["rank"] or "", member["position"] or ""
    # The position often begins with the rank: "Captain, Engine 7".
    rank = position if rank.lower() in position.lower() else joined(rank, position)
    service = f"{years} year{'' if years == 1 else 's'} of service" if years else ""
    return " · ".join(part for part in (rank, place, service) if part)


def joined(*parts: str | None) -> str:
    """The known parts, with commas."""
    return ", ".join(part for part in parts if part)


def written(iso_date: str) -> str:
    """Dec 31, 2026."""
    day = date.fromisoformat(iso_date)
    return f"{day:%b} {day.day}, {day.year}"


def duration(training: Mapping[str, Any]) -> str:
    """Hours within a day, else days."""
    days = (date.fromisoformat(training["ended_on"]) - date.fromisoformat(training["started_on"])).days + 1
    if days > 1:
        return f"{days} days"
    hours = round(training["minutes"] / 30) / 2
    return f"{hours:g} h" if hours else f"{training['minutes']} min"


def breakable(text: str, long: re.Pattern[str] = _LONG) -> str:
    """The text without control characters, and with places to break its longest words."""
    shown = "".join(
        " " if letter.isspace() else letter
        for letter in text
        if letter not in _DIRECTIONS and (letter.isspace() or unicodedata.category(letter) not in ("Cc", "Cs", "Cn"))
    )
    return long.sub(lambda run: run[0] + _ZERO_WIDTH_SPACE, " ".join(shown.split()))
