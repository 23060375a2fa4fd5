"""The words of the mails that jobs of the database ask for."""

from datetime import date
from typing import Any
from uuid import UUID

import pytest

from muster_functions.emails.reminder_links import Reminder
from muster_functions.emails.unsubscribe_links import Subscription
from muster_functions.notifications.job_content import day_in_words, digest_sections, digest_title, write_job_mail
from muster_functions.notifications.models import JobMail

MEMBER = UUID("7d4f0a5e-3a4b-4c56-9d0e-0f1a2b3c4d5e")
CERTIFICATION = {"name": "Paramedic", "expires_on": "2027-03-03", "words": "expires in 30 days"}
REMINDER = {
    "certification_id": str(MEMBER), "title": "Paramedic expires in 30 days", "issuer": "State of Iowa",
    "issued_on": "2026-03-03", "expires_on": "2027-03-03", "mailed_on": "2027-02-01",
}  # fmt: skip
LESSON = {"id": "17", "title": "Ladders", "author": "Ada Stone", "useful": 4}


def job_mail(kind: str, facts: dict[str, Any]) -> JobMail:
    preference = {"certification": "certifications", "security": None}.get(kind, kind)
    return JobMail(kind, preference, facts, MEMBER, "ben@muster.test", "Ben Ito", is_wanted=True)


def test_a_reminder_opens_its_certification() -> None:
    """§10.1 §10.6."""
    mail = write_job_mail(job_mail("certification", REMINDER))
    assert mail.title == "Paramedic expires in 30 days"
    assert mail.rows == (("Issued by", "State of Iowa"), ("Valid until", "March 3, 2027"))
    assert (mail.path, mail.to) == (f"/profile?certification={MEMBER}", "ben@muster.test")
    assert mail.reminder == Reminder(MEMBER, date(2027, 3, 3), date(2027, 2, 1))
    assert mail.subscription == Subscription(MEMBER, "certifications")


@pytest.mark.parametrize(
    ("issued_on", "mailed_on", "left"),
    [
        pytest.param("2026-03-03", "2027-02-01", 8, id="30 days of a year"),
        pytest.param(None, "2027-02-01", 4, id="two years are assumed"),
        pytest.param("2027-03-03", "2027-02-01", 4, id="issued on the last day"),
        pytest.param("2026-03-03", "2027-03-04", 0, id="expired"),
        pytest.param("2027-02-20", "2027-02-01", 100, id="mailed before its issue"),
    ],
)
def test_a_reminder_says_how_much_is_left(issued_on: str | None, mailed_on: str, left: int) -> None:
    """§10.1: as the profile draws it."""
    facts = REMINDER | {"issued_on": issued_on, "mailed_on": mailed_on}
    assert write_job_mail(job_mail("certification", facts)).life == left


@pytest.mark.parametrize(
    ("facts", "want"),
    [
        ({"unread": {"count": 1, "names": "Ada"}}, "Your week: 1 unread message"),
        ({"certifications": [CERTIFICATION], "requests": {"count": 2, "names": "Ada and Ben"}},
         "Your week: 1 certification expires, 2 requests"),
        ({"lessons": [LESSON, LESSON], "unread": {"count": 12, "names": "Ada"}},
         "Your week: 12 unread messages, 2 lessons"),
    ],
)  # fmt: skip
def test_a_digest_counts_in_its_subject(facts: dict[str, Any], want: str) -> None:
    """§10.7."""
    assert digest_title(facts) == want == write_job_mail(job_mail("digest", facts)).title


def test_a_digest_has_a_section_for_each_thing_that_there_is() -> None:
    """§10.7: in this order, each with its link."""
    facts = {
        "lessons": [LESSON, {**LESSON, "title": "Hose", "author": None, "useful": 0}],
        "unread": {"count": 5, "names": "Ada and 2 more"},
        "requests": {"count": 1, "names": "Cleo"},
        "certifications": [CERTIFICATION],
    }
    got = [(section.title, section.lines, section.path) for section in digest_sections(facts)]
    assert got == [
        ("Expiring certifications", (("Paramedic", "expires in 30 days, March 3, 2027"),), "/profile"),
        ("Requests", (("1 request is waiting", "from Cleo"),), "/network"),
        ("Messages", (("5 unread messages", "from Ada and 2 more"),), "/messages"),
        ("Lessons from your connections", (("Ladders", "Ada Stone · useful to 4"), ("Hose", "A member")), "/post/17"),
    ]
    assert [section.title for section in digest_sections({"requests": facts["requests"]})] == ["Requests"]


@pytest.mark.parametrize(
    ("facts", "title", "rows"),
    [
        ({"event": "email_changed", "detail": "new@x.test", "device": "", "network": ""},
         "Your email address was changed", (("New address", "new@x.test"), ("From", ""), ("When", "Now"))),
        ({"event": "new_device", "detail": "", "device": "Chrome on Mac", "network": "Local network"},
         "New sign-in to your account", (("From", "Chrome on Mac · Local network"), ("When", "Now"))),
        ({"event": "factor_added", "detail": "Phone", "device": "", "network": ""},
         "A second factor was added to your account", (("Factor", "Phone"), ("From", ""), ("When", "Now"))),
    ],
)  # fmt: skip
def test_a_security_mail_leads_to_its_undo_and_cannot_be_stopped(
    facts: dict[str, Any], title: str, rows: tuple[tuple[str, str], ...]
) -> None:
    """§15.4."""
    mail = write_job_mail(job_mail("security", {**facts, "when": "Now", "token": "a&b"}))
    assert (mail.title, mail.rows, mail.path, mail.subscription) == (title, rows, "/undo?token=a%26b", None)


def test_days_are_written_as_americans_do() -> None:
    assert day_in_words("2027-12-31") == "December 31, 2027"


@pytest.mark.parametrize("facts", [{}, {"title": "x"}, {"title": "x", "expires_on": "soon", "certification_id": "1"}])
def test_facts_of_another_shape_are_refused(facts: dict[str, Any]) -> None:
    with pytest.raises((KeyError, ValueError)):
        write_job_mail(job_mail("certification", facts))
