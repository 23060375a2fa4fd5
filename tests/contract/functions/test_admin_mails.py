"""Mails to the admins: found by the service, once per new row and admin."""

from collections.abc import Callable
from email import message_from_bytes, policy
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from tests.contract.functions.conftest import ANON, People, token, until
from tests.support.mail_server import MailServer

PATH = "send-notification-email"
VISITOR = {"authorization": f"Bearer {ANON}"}


def waitlist_notice(id: UUID | str | None, email: str = "rookie@station.test", **metadata: Any) -> dict[str, Any]:
    entry = {"id": str(id), "email": email, "first_name": "", "last_name": "", "status": "waitlist"}
    return {"notification": {"type": "admin_waitlist", "title": "New", "content": "x", "metadata": entry | metadata}}


@pytest.fixture
async def client(serve: Callable[..., Any], smtp: MailServer) -> httpx.AsyncClient:
    made: httpx.AsyncClient = await serve(smtp.port)
    return made


async def test_a_visitors_waitlist_entry_reaches_every_admin(
    client: httpx.AsyncClient, smtp: MailServer, people: People
) -> None:
    """§7.9, §7.45, §6.7, §9.14, §3.41: all profiles are asked, in more than one batch; the mail carries the entry."""
    for number in range(7):
        people.member(f"Admin{number} Boss", admin=True)
    people.member("Ada Member")
    quiz = people.add(
        "quiz_responses", current_rank="Captain <b>", firefighter_type="wildland", years_of_service="less-than-1"
    )
    entry = people.add("waitlist", email="rookie@station.test", quiz_response_id=quiz)
    got = await client.post(PATH, headers=VISITOR, json=waitlist_notice(entry))
    assert (got.status_code, got.json()) == (200, {"success": True, "error": None})
    await until(lambda: len(smtp.taken) == 7)
    assert smtp.recipients == [f"admin{number}@muster.test" for number in range(7)]
    mail = message_from_bytes(smtp.taken[0].content, policy=policy.default)
    text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert mail["subject"] == "New on the waitlist: rookie@station.test"
    for want in (
        "rookie@station.test joined the waitlist just now.", "Rank or role: Captain <b>", "Service: Wildland",
        "Years of service: Under 1", "Status: Waiting",
        f"Open the entry: https://muster.test/admin/waitlist?entry={entry}",
    ):  # fmt: skip
        assert want in text
    assert text.count(str(entry)) == 1  # in the link alone
    html = mail.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert "Captain &lt;b&gt;" in html


async def test_department_of_the_notice_is_used_where_no_quiz_was_taken(
    client: httpx.AsyncClient, smtp: MailServer, people: People
) -> None:
    """§3.33, §3.41."""
    people.member("Boss", admin=True)
    entry = people.add("waitlist", email="rookie@station.test")
    await client.post(PATH, headers=VISITOR, json=waitlist_notice(entry, department="Engineer"))
    await until(lambda: smtp.taken)
    assert b"Rank or role: Engineer" in smtp.taken[0].content


@pytest.mark.parametrize(
    ("sender", "name"),
    [
        pytest.param({"email": "v@station.test"}, "v@station.test", id="address"),
        pytest.param({"email": "v@station.test", "name": "Vic <i>"}, "Vic <i>", id="name"),
        pytest.param({}, "A visitor", id="neither"),
        pytest.param({"user_id": True}, "Ada Member", id="member"),
    ],
)
async def test_feedback_reaches_the_admins(
    client: httpx.AsyncClient, smtp: MailServer, people: People, sender: dict[str, Any], name: str
) -> None:
    """§7.45: it says who wrote, as far as that is known."""
    people.member("Boss", admin=True)
    if "user_id" in sender:
        sender = {"user_id": people.member("Ada Member")}
    id = people.add("feedback", content="The bell\nis too loud", category="bug", **sender)
    body = {"notification": {"type": "admin_feedback", "metadata": {"id": str(id)}}}
    got = await client.post(PATH, headers=VISITOR, json=body)
    assert got.json() == {"success": True, "error": None}
    await until(lambda: smtp.taken)
    mail = message_from_bytes(smtp.taken[0].content, policy=policy.default)
    text = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")  # type: ignore[union-attr]
    assert mail["subject"] == "New feedback: The bell is too loud"
    for want in (
        f"{name} sent feedback just now.", "> The bell\n> is too loud", "Category: Bug",
        f"Read and answer: https://muster.test/admin/feedback?entry={id}",
    ):  # fmt: skip
        assert want in text
    assert text.count(str(id)) == 1  # in the link alone


async def test_no_admins_is_a_failure_in_those_words(client: httpx.AsyncClient, people: People) -> None:
    """§7.45."""
    people.member("Ada Member")
    entry = people.add("waitlist", email="rookie@station.test")
    got = await client.post(PATH, headers=VISITOR, json=waitlist_notice(entry))
    assert (got.status_code, got.json()) == (200, {"success": False, "error": "No admin users found"})


async def test_a_row_is_mailed_once(client: httpx.AsyncClient, smtp: MailServer, people: People) -> None:
    """A repeated call is answered like the first and sends nothing; a later admin may still be mailed."""
    people.member("Boss", admin=True)
    entry = people.add("waitlist", email="rookie@station.test")
    for _ in range(3):
        got = await client.post(PATH, headers=VISITOR, json=waitlist_notice(entry))
        assert got.json()["success"] is True
    people.member("Chief", admin=True)
    await client.post(PATH, headers=VISITOR, json=waitlist_notice(entry))
    await until(lambda: people.count("functions.mail_queue") == 0)
    assert smtp.recipients == ["boss@muster.test", "chief@muster.test"]


async def test_a_call_per_admin_mails_each_once(client: httpx.AsyncClient, smtp: MailServer, people: People) -> None:
    """§7.45: the call may be made once per admin, each named."""
    people.member("Boss", admin=True)
    people.member("Chief", admin=True)
    people.member("Ada Member")
    entry = people.add("waitlist", email="rookie@station.test")
    for name, want in (("boss", 200), ("chief", 200), ("boss", 200), ("ada", 403), ("nobody", 403)):
        body = waitlist_notice(entry) | {"recipient": {"email": f"{name}@muster.test", "full_name": name}}
        assert (await client.post(PATH, headers=VISITOR, json=body)).status_code == want
    await until(lambda: people.count("functions.mail_queue") == 0)
    assert smtp.recipients == ["boss@muster.test", "chief@muster.test"]


@pytest.mark.parametrize("case", ["no such row", "other e-mail", "old row", "no id", "id of another table"])
async def test_nothing_is_sent_for_a_row_that_is_not_new_or_not_there(
    client: httpx.AsyncClient, people: People, case: str
) -> None:
    people.member("Boss", admin=True)
    entry = people.add("waitlist", email="rookie@station.test")
    other = people.add("feedback", content="x")
    body = waitlist_notice(entry)
    if case == "no such row":
        body = waitlist_notice(uuid4())
    elif case == "other e-mail":
        body = waitlist_notice(entry, email="somebody@else.test")
    elif case == "old row":
        people.connection.execute("update public.waitlist set created_at = now() - interval '16 minutes'")
    elif case == "no id":
        body = waitlist_notice(None)
    elif case == "id of another table":
        body = waitlist_notice(other)
    got = await client.post(PATH, headers=VISITOR, json=body)
    assert got.status_code == (400 if case == "no id" else 403)
    assert got.json()["success"] is False
    assert people.count("functions.mail_queue") == people.count("functions.mail_receipts") == 0


async def test_a_call_without_a_token_is_a_relay_error(client: httpx.AsyncClient) -> None:
    got = await client.post(PATH, json=waitlist_notice(uuid4()))
    assert (got.status_code, got.headers["x-relay-error"]) == (401, "true")


async def test_an_answer_reaches_the_sender_of_feedback_once(
    client: httpx.AsyncClient, smtp: MailServer, people: People
) -> None:
    """§9.16: with or without an account, at the address they gave and no other; members cannot ask for it."""
    boss, ada = people.member("Boss", admin=True), people.member("Ada Member")
    asked = people.add("feedback", content="Is there <a> dark mode?\nMy eyes...", email="V@station.test", name="Vic")
    answer = people.add("feedback_answers", feedback_id=asked, admin_id=boss, content="Yes. It follows your device.")
    notice = {"type": "feedback_answer", "metadata": {"feedback_answer_id": str(answer)}}
    body = {"notification": notice, "recipient": {"email": "v@station.test"}}
    for headers, status in ((VISITOR, 401), ({"authorization": f"Bearer {token(sub=ada)}"}, 403)):
        assert (await client.post(PATH, headers=headers, json=body)).status_code == status
    mine = {"authorization": f"Bearer {token(sub=boss)}"}
    elsewhere = body | {"recipient": {"email": "ada@muster.test"}}
    assert (await client.post(PATH, headers=mine, json=elsewhere)).status_code == 403
    for want in (True, False):  # once: the second time it says so
        assert (await client.post(PATH, headers=mine, json=body)).json()["success"] is want
    await until(lambda: smtp.taken)
    mail = message_from_bytes(smtp.taken[0].content, policy=policy.default)
    assert mail["subject"] == "Our answer to your feedback"
    text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert "Yes. It follows your device." in text
    assert "> Is there <a> dark mode?\n> My eyes..." in text.replace("\r\n", "\n")
    html = mail.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert "Is there &lt;a&gt; dark mode?" in html
    assert smtp.recipients == ["v@station.test"]
