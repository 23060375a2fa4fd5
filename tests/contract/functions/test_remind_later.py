"""The link "Remind me in a week" of a mail, followed by its recipient, by scanners and by strangers (§10.6)."""

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from email import message_from_bytes, policy
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from muster_functions.emails.reminder_links import Reminder, write_token
from tests.contract.functions.conftest import SECRET, SITE, People, until
from tests.support.mail_server import MailServer

ONE_CLICK = {"content-type": "application/x-www-form-urlencoded"}
TODAY = datetime.now(UTC).date()
EXPIRY = TODAY + timedelta(days=30)


@pytest.fixture
async def client(serve: Callable[..., Any], smtp: MailServer) -> httpx.AsyncClient:
    made: httpx.AsyncClient = await serve(smtp.port)
    return made


def reminders(people: People) -> list[date]:
    rows = people.connection.execute("select remind_on from private.certification_snoozes").fetchall()
    return [row[0] for row in rows]


def path_of(certification: UUID, expires_on: date = EXPIRY, mailed_on: date = TODAY, secret: str = SECRET) -> str:
    return f"remind-later?token={write_token(Reminder(certification, expires_on, mailed_on), secret)}"


async def test_the_link_of_a_delivered_mail_works_once_and_not_by_being_opened(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    """Scanners open it: nothing. The button: one reminder in a week, also when it is pressed twice, or after that."""
    ben = people.member("Ben Ito")
    people.connection.execute("update profiles set time_zone = 'UTC'")
    people.add("certifications", user_id=ben, name="Paramedic <b>", expires_on=EXPIRY)
    people.connection.execute("select private.give_certification_reminders(%s)", (f"{TODAY} 12:00 UTC",))
    client: httpx.AsyncClient = await serve(smtp.port)  # it asks for the mails of jobs now, then once a minute
    await until(lambda: smtp.taken)
    mail = message_from_bytes(smtp.taken[0].content, policy=policy.default)
    text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    html = mail.get_body(("html",)).get_content()  # type: ignore[union-attr]
    found = re.search(rf"Remind me in a week: {re.escape(SITE)}/functions/v1/(remind-later\?token=[\w-]+)\s", text)
    assert found is not None
    path = found[1]
    assert path in html
    assert 'width="4%"' in html  # of two years

    for method in ("GET", "HEAD", "GET"):
        asked = await client.request(method, path)
        assert asked.status_code == 200
    assert "Remind you in a week?" in asked.text
    assert "Paramedic" not in asked.text
    assert "form-action 'self'" in asked.headers["content-security-policy"]
    assert asked.headers["cache-control"] == "no-store"
    assert reminders(people) == []

    day = TODAY + timedelta(days=7)
    answers = await asyncio.gather(*(client.post(path, headers=ONE_CLICK) for _ in range(3)))
    for answer in answers:
        assert answer.status_code == 200
        assert f"comes on {day:%B} {day.day}, {day.year}." in answer.text
    assert reminders(people) == [day]

    people.connection.execute("select private.give_certification_reminders(%s)", (f"{day} 12:00 UTC",))
    assert reminders(people) == []
    again = await client.post(path)
    assert (again.status_code, reminders(people)) == (400, [])
    assert "This link doesn’t work anymore" in again.text


@pytest.mark.parametrize("case", ["other date", "deleted", "suspended", "too old", "another secret", "no token", "two"])
async def test_a_link_that_is_not_good_anymore_does_nothing(
    client: httpx.AsyncClient, people: People, case: str
) -> None:
    """One answer for all of them, and whoever guesses learns nothing."""
    ben = people.member("Ben Ito")
    id = people.add("certifications", user_id=ben, name="Paramedic", expires_on=EXPIRY)
    path = path_of(id)
    if case == "other date":
        people.connection.execute("update certifications set expires_on = expires_on + 365")
    elif case == "deleted":
        path = path_of(uuid4())
    elif case == "suspended":
        people.connection.execute("update auth.users set banned_until = now() + interval '1 day'")
    elif case == "too old":
        path = path_of(id, mailed_on=TODAY - timedelta(days=40))
    elif case == "another secret":
        path = path_of(id, secret=SECRET + "x")
    elif case == "no token":
        path = "remind-later"
    elif case == "two":
        path += f"&{path.partition('?')[2]}"
    answer = await client.post(path, headers=ONE_CLICK)
    assert answer.status_code == 400
    assert "This link doesn’t work anymore" in answer.text
    assert reminders(people) == []


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
async def test_other_methods_are_refused(client: httpx.AsyncClient, method: str) -> None:
    assert (await client.request(method, "remind-later")).status_code == 405
