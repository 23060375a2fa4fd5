"""Mails that jobs of the database ask for: reminders and digests, from the row to the mail server."""

import email
import email.policy
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any
from uuid import UUID

import pytest
from psycopg.types.json import Jsonb

from muster_functions.settings import Limits
from tests.contract.functions.conftest import ALL_ON, SERVICE, SITE, People, until
from tests.support.mail_server import MailServer


def mails(smtp: MailServer) -> dict[str, EmailMessage]:
    """What was taken, by recipient."""
    parsed = [email.message_from_bytes(taken.content, policy=email.policy.default) for taken in smtp.taken]
    return {message["to"].addresses[0].addr_spec: message for message in parsed}


def text_of(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def expiring(people: People, member: UUID) -> UUID:
    """A certification and the job, run 30 days before its expiry at noon in New York."""
    day = datetime.now(UTC).date() + timedelta(days=32)
    id = people.add("certifications", user_id=member, name="Paramedic", expires_on=day)
    people.connection.execute(
        "select private.give_certification_reminders(%s)", (f"{day - timedelta(days=30)} 12:00 America/New_York",)
    )
    return id


async def test_a_reminder_is_mailed_once_and_can_be_stopped(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    """§10.1 §10.4 §10.6: by default, with a link to the certification and one that ends such mails."""
    id = expiring(people, people.member("Ben Ito"))
    client = await serve(smtp.port)
    await until(lambda: smtp.taken and people.count("functions.mail_queue") == 0)
    assert people.count("functions.mail_requests") == 0
    message = mails(smtp)["ben@muster.test"]
    assert message["subject"] == "Paramedic expires in 30 days"
    assert f"Update the date: {SITE}/profile?certification={id}" in text_of(message)
    stop = message["list-unsubscribe"].strip("<>").removeprefix(f"{SITE}/functions/v1/")
    assert (await client.post(stop)).status_code == 200
    row = people.connection.execute("select private.wants_mail(notification_settings, 'certifications') from profiles")
    assert row.fetchone() == (False,)


async def test_who_turned_it_off_meanwhile_gets_none(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    """§10.5: the settings are asked when the mail is written, too; one that can't be written holds up no other."""
    ben, ada = people.member("Ben"), people.member("Ada")
    expiring(people, ben)
    expiring(people, ada)
    off = {"preferences": {"certifications": {"enabled": False}}}
    people.connection.execute("update profiles set notification_settings = %s where id = %s", (Jsonb(off), ben))
    people.connection.execute(
        "insert into functions.mail_requests (kind, recipient_id, facts, requested_at)"
        " values ('certification', %s, '{}', '2020-01-01')",
        (ada,),
    )
    await serve(smtp.port)
    await until(lambda: smtp.taken and people.count("functions.mail_queue") == 0)
    assert smtp.recipients == ["ada@muster.test"]
    assert people.count("functions.mail_requests") == 0


async def test_half_of_the_queue_is_kept_for_members(serve: Callable[..., Any], people: People) -> None:
    """§10.4: a mail server that is gone fills the queue no more than that; nothing is lost."""
    for number in range(5):
        expiring(people, people.member(f"Member{number}"))
    await serve(1, limits=Limits(queue_length=4))
    await until(lambda: people.count("functions.mail_queue") == 2)
    assert people.count("functions.mail_requests") == 3


async def test_the_digest_says_what_waits(serve: Callable[..., Any], smtp: MailServer, people: People) -> None:
    """§10.7: to who switched it on and has something waiting."""
    ben = people.member("Ben Ito", preferences=ALL_ON)
    ada, cleo = people.member("Ada Stone"), people.member("Cleo Park", preferences=ALL_ON)
    people.add("connections", user_id=ada, connected_user_id=ben, status="accepted")
    people.add("connections", user_id=cleo, connected_user_id=ben)
    people.add("messages", sender_id=ada, recipient_id=ben, content="Hello")
    people.add("posts", user_id=ada, kind="lesson", title="Ladders & <b>ice</b>", content="Long")
    people.connection.execute("update profiles set time_zone = 'UTC'")
    people.connection.execute(
        "select private.give_weekly_digests(date_trunc('week', now() + interval '6 days', 'UTC') + interval '7 hours')"
    )
    await serve(smtp.port)
    await until(lambda: smtp.taken and people.count("functions.mail_queue") == 0)
    assert smtp.recipients == ["ben@muster.test"]
    message = mails(smtp)["ben@muster.test"]
    assert message["subject"] == "Your week: 1 request, 1 unread message, 1 lesson"
    text = text_of(message)
    assert f"- 1 request is waiting (from Cleo Park)\nAnswer them: {SITE}/network" in text
    assert f"- 1 unread message (from Ada Stone)\nRead them: {SITE}/messages" in text
    assert "- Ladders & <b>ice</b> (Ada Stone)" in text
    html = message.get_body(("html",))
    assert html is not None
    assert "Ladders &amp; &lt;b&gt;ice&lt;/b&gt;" in html.get_content()
    assert message["list-unsubscribe"]


async def test_a_canceled_training_is_mailed_at_once(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    """§12.4: to who answered, with time, zone and place, the way to its page, and one that ends such mails."""
    ben, ada = people.member("Ben Ito"), people.member("Ada Stone")
    start = datetime(2031, 6, 7, 13, tzinfo=UTC)
    id = people.add(
        "trainings", user_id=ada, title="Ladders & <b>ropes</b>", kind="drill", starts_at=start,
        ends_at=start + timedelta(hours=8), time_zone="America/New_York", state="OH", place="Station 9",
    )  # fmt: skip
    answer = "insert into training_attendances (training_id, user_id, answer) values (%s, %s, 'going')"
    people.connection.execute(answer, (id, ben))
    people.connection.execute("update trainings set is_canceled = true where id = %s", (id,))
    await serve(smtp.port)
    await until(lambda: smtp.taken and people.count("functions.mail_queue") == 0)
    assert smtp.recipients == ["ben@muster.test"]
    message = mails(smtp)["ben@muster.test"]
    assert message["subject"] == "Canceled: Ladders & <b>ropes</b>"
    text = text_of(message)
    assert "When: Saturday, June 7, 2031, 9:00 AM, Eastern Time\nWhere: Station 9, OH" in text
    assert f"Open the training: {SITE}/trainings/{id}" in text
    html = message.get_body(("html",))
    assert html is not None
    assert "Ladders &amp; &lt;b&gt;ropes&lt;/b&gt;" in html.get_content()
    assert message["list-unsubscribe"]


async def test_an_endorsement_is_mailed_to_the_member(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    """§16.3: with the sentence, the way to the profile, and one that ends such mails."""
    ben, ada = people.member("Ben Ito"), people.member("Ada Stone")
    people.add("endorsements", member_id=ben, endorser_id=ada, specialty="Ropes", sentence="Ties <b>right</b>.")
    await serve(smtp.port)
    await until(lambda: smtp.taken and people.count("functions.mail_queue") == 0)
    message = mails(smtp)["ben@muster.test"]
    assert message["subject"] == "Ada Stone endorsed you: Ropes"
    text = text_of(message)
    assert "They wrote: Ties <b>right</b>." in text
    assert f"Open your profile: {SITE}/profile" in text
    html = message.get_body(("html",))
    assert html is not None
    assert "Ties &lt;b&gt;right&lt;/b&gt;." in html.get_content()
    assert message["list-unsubscribe"]


async def test_mentoring_is_mailed(serve: Callable[..., Any], smtp: MailServer, people: People) -> None:
    """§16.2: a request with what they wrote; the end, of which nothing is written, without an empty line."""
    ben, ada = people.member("Ben Ito"), people.member("Ada Stone")
    people.add("mentorings", mentor_id=ben, mentee_id=ada, message="The <b>board</b>\nis in May.")
    people.connection.execute(
        "select private.tell_of_growth(%s, %s, 'mentoring', 'ended the mentoring', '', null, '/plan')", (ada, ben)
    )
    await serve(smtp.port)
    await until(lambda: len(smtp.taken) == 2 and people.count("functions.mail_queue") == 0)
    message, end = (mails(smtp)[f"{name}@muster.test"] for name in ("ben", "ada"))
    assert message["subject"] == "Ada Stone asks you to be their mentor"
    assert "They wrote: The <b>board</b>\n  is in May." in text_of(message)
    assert f"Open your growth plan: {SITE}/plan" in text_of(message)
    html = message.get_body(("html",))
    assert html is not None
    assert "The &lt;b&gt;board&lt;/b&gt;" in html.get_content()
    assert message["list-unsubscribe"]
    assert end["subject"] == "Ben Ito ended the mentoring"
    assert "They wrote" not in text_of(end)


async def test_a_change_of_address_is_mailed_to_the_old_one(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    """§15.4: with the link that undoes it, also to who switched every mail off; nothing in it stops such mails."""
    ben = people.member("Ben Ito")
    people.connection.execute("""update profiles set notification_settings = '{"emailGlobalMute": true}'""")
    people.connection.execute("update auth.users set email_confirmed_at = now() where id = %s", (ben,))
    people.connection.execute("update auth.users set email = 'thief@evil.test' where id = %s", (ben,))
    await serve(smtp.port)
    await until(lambda: smtp.taken and people.count("functions.mail_queue") == 0)
    assert smtp.recipients == ["ben@muster.test"]
    message = mails(smtp)["ben@muster.test"]
    assert message["subject"] == "Your email address was changed"
    text = text_of(message)
    assert "New address: thief@evil.test\nWhen: " in text
    token = text.split(f"This wasn’t me: {SITE}/undo?token=")[1].split()[0]
    row = people.connection.execute("select email from public.undo_security_event(%s)", (token,)).fetchone()
    assert row == ("ben@muster.test",)
    assert message["list-unsubscribe"] is None


@pytest.mark.parametrize("kind", ["certification", "digest", "training", "security"])
async def test_nobody_else_asks_for_them(serve: Callable[..., Any], people: People, kind: str) -> None:
    """§10.1 §10.7 §12.4."""
    people.member("Ben")
    body = {"notification": {"type": kind, "title": "Drill"}, "recipient": {"email": "ben@muster.test"}}
    client = await serve()
    got = await client.post("send-notification-email", headers={"authorization": f"Bearer {SERVICE}"}, json=body)
    assert got.status_code == 400
