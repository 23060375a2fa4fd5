"""What the mails of the database say: of certifications, trainings, endorsements, mentors, the weekly digest. Pure.

The facts are what private.give_certification_reminders, private.weekly_digest, private.tell_of_training and
private.tell_of_growth wrote (§10.1, §10.7, §12.4, §16.2, §16.3).
"""

from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import quote
from uuid import UUID

from muster_functions.emails.notification_mail import NotificationMail, Section
from muster_functions.emails.reminder_links import Reminder
from muster_functions.emails.unsubscribe_links import Subscription
from muster_functions.notifications.models import JobMail

Facts = Mapping[str, Any]


def write_job_mail(request: JobMail) -> NotificationMail:
    """The mail that a job asks for. Raises KeyError, TypeError or ValueError for facts of another shape."""
    facts = request.facts
    if request.template == "security":
        return NotificationMail(
            kind="security", to=request.email, to_name=request.name or "", title=SECURITY_TITLES[facts["event"]],
            rows=security_rows(facts), path=f"/undo?token={quote(facts['token'], safe='')}",
        )  # fmt: skip
    if request.preference is None:
        raise ValueError(f"{request.template} needs a preference")
    subscription = Subscription(request.recipient_id, request.preference)
    if request.template == "digest":
        sections = digest_sections(facts)
        return NotificationMail(
            kind="digest", to=request.email, to_name=request.name or "", title=digest_title(facts),
            sections=sections, path="/dashboard", subscription=subscription,
        )  # fmt: skip
    if request.template == "training":
        return NotificationMail(
            kind="training", to=request.email, to_name=request.name or "", title=facts["title"],
            rows=(("When", facts["when"]), ("Where", facts["where"])),
            path=training_path(facts["training_id"]), subscription=subscription,
        )  # fmt: skip
    if request.template in ("growth", "mentoring"):
        return NotificationMail(
            kind=request.template, to=request.email, to_name=request.name or "", title=facts["title"],
            rows=(("They wrote", facts["text"]),) if facts["text"] else (), path=facts["path"],
            subscription=subscription,
        )  # fmt: skip
    reminder = Reminder(UUID(facts["certification_id"]), _day(facts["expires_on"]), _day(facts["mailed_on"]))
    return NotificationMail(
        kind=request.template, to=request.email, to_name=request.name or "", title=facts["title"],
        rows=(("Issued by", facts["issuer"] or ""), ("Valid until", day_in_words(facts["expires_on"]))),
        path=f"/profile?certification={reminder.certification_id}", subscription=subscription, reminder=reminder,
        life=life_left(_day(facts["issued_on"]) if facts["issued_on"] else None, reminder),
    )  # fmt: skip


_USUAL_LIFE_DAYS = 2 * 365


def life_left(issued_on: date | None, reminder: Reminder) -> int:
    """Percent of the time between issue and expiry that is left, as the profile draws it; two years if not known."""
    whole = (reminder.expires_on - issued_on).days if issued_on else 0
    left = (reminder.expires_on - reminder.mailed_on).days / (whole if whole > 0 else _USUAL_LIFE_DAYS)
    return round(min(1, max(0, left)) * 100)


SECURITY_TITLES = {
    "password_changed": "Your password was changed",
    "email_changed": "Your email address was changed",
    "factor_added": "A second factor was added to your account",
    "factor_removed": "A second factor was removed from your account",
    "codes_made": "New recovery codes were made for your account",
    "code_used": "A recovery code was used to sign in",
    "new_device": "New sign-in to your account",
}
_DETAIL_LABELS = {"email_changed": "New address", "factor_added": "Factor", "factor_removed": "Factor"}


def security_rows(facts: Facts) -> tuple[tuple[str, str], ...]:
    """What is known of the event; a row without a value is left out."""
    device = " · ".join(part for part in (facts["device"], facts["network"]) if part)
    detail = _DETAIL_LABELS.get(facts["event"])
    return (*(((detail, facts["detail"]),) if detail else ()), ("From", device), ("When", facts["when"]))


def digest_title(facts: Facts) -> str:
    """What there is, counted: "Your week: 2 certifications expire, 5 unread messages"."""
    parts = [
        _counted(len(facts.get("certifications", ())), "certification expires", "certifications expire"),
        _counted(facts.get("requests", {}).get("count", 0), "request", "requests"),
        _counted(facts.get("unread", {}).get("count", 0), "unread message", "unread messages"),
        _counted(len(facts.get("lessons", ())), "lesson", "lessons"),
        _counted(len(facts.get("trainings", ())), "training", "trainings"),
    ]
    return f"Your week: {', '.join(part for part in parts if part)}"


def digest_sections(facts: Facts) -> tuple[Section, ...]:
    """A section for each thing that there is, in the order of the statement."""
    sections = []
    if found := facts.get("certifications"):
        lines = tuple((one["name"], f"{one['words']}, {day_in_words(one['expires_on'])}") for one in found)
        sections.append(Section("Expiring certifications", lines, "/profile", "Open your certifications"))
    if found := facts.get("requests"):
        line = (_counted(found["count"], "request is waiting", "requests are waiting"), f"from {found['names']}")
        sections.append(Section("Requests", (line,), "/network", "Answer them"))
    if found := facts.get("unread"):
        line = (_counted(found["count"], "unread message", "unread messages"), f"from {found['names']}")
        sections.append(Section("Messages", (line,), "/messages", "Read them"))
    if found := facts.get("lessons"):
        lines = tuple((one["title"], _lesson_note(one)) for one in found)
        sections.append(
            Section("Lessons from your connections", lines, f"/post/{found[0]['id']}", "Read the first one")
        )
    if found := facts.get("trainings"):
        lines = tuple((one["title"], _training_note(one)) for one in found)
        sections.append(Section("Trainings in the next 14 days", lines, "/trainings?tab=mine", "Open your trainings"))
    return tuple(sections)


def training_path(training_id: str) -> str:
    return f"/trainings/{quote(training_id, safe='')}"


_day = date.fromisoformat


def day_in_words(day: str) -> str:
    """An ISO date as Americans write it: March 3, 2027."""
    parsed = date.fromisoformat(day)
    return f"{parsed:%B} {parsed.day}, {parsed.year}"


def _lesson_note(lesson: Facts) -> str:
    by = lesson.get("author") or "A member"
    return f"{by} · useful to {lesson['useful']}" if lesson["useful"] else by


_ANSWERS = {
    "going": "you’re going", "interested": "you’re interested", "waiting": "you’re on the waiting list",
    "yours": "you’re organizing",
}  # fmt: skip


def _training_note(training: Facts) -> str:
    note = f"{training['when']} · {training['where']}"
    answer = training.get("answer")
    return f"{note} · {_ANSWERS[answer]}" if answer else note


def _counted(count: int, one: str, many: str) -> str:
    return "" if count == 0 else f"{count} {one if count == 1 else many}"
