"""Mails from member to member: only about what the caller really did just now, only to those who want them."""

from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes, policy
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from tests.contract.functions.conftest import ALL_ON, ANON, SERVICE, SITE, People, token, until
from tests.support.mail_server import MailServer

PATH = "send-notification-email"
REFUSAL = "Nothing you did just now calls for this mail"


@dataclass(frozen=True)
class Scenario:
    """Ada, who causes events, and Ben, who wants mails about all of them."""

    people: People
    smtp: MailServer
    client: httpx.AsyncClient
    ada: UUID
    ben: UUID

    async def notify(
        self, kind: str, to: str = "ben@muster.test", bearer: str = "", **notification: Any
    ) -> httpx.Response:
        body = {
            "notification": {"type": kind, "title": "Hi", "content": "Given", "metadata": {}} | notification,
            "recipient": {"email": to, "full_name": "Mallory"},
        }
        headers = {"authorization": f"Bearer {bearer or token(sub=self.ada)}"}
        return await self.client.post(PATH, headers=headers, json=body)

    async def mails(self, count: int) -> list[Any]:
        await until(lambda: len(self.smtp.taken) >= count and self.people.count("functions.mail_queue") == 0)
        assert len(self.smtp.taken) == count
        return [message_from_bytes(taken.content, policy=policy.default) for taken in self.smtp.taken]

    def cause(self, event: str) -> UUID:
        """Ada does something to Ben; returns the id of its row."""
        add = self.people.add
        if event == "message":
            return add("messages", sender_id=self.ada, recipient_id=self.ben, content="Was the <roof> sagging?")
        if event == "connection":
            return add("connections", user_id=self.ada, connected_user_id=self.ben)
        if event == "accepted":
            return add("connections", user_id=self.ben, connected_user_id=self.ada, status="accepted")
        post = add("posts", user_id=self.ben, title="Truss, 11 minutes in", content="We cut twice.")
        if event == "reaction":
            return add("reactions", user_id=self.ada, post_id=post, type="thanks")
        comment = add("comments", post_id=post, user_id=self.ada, content="@Ben how long?")
        if event == "others":
            return comment
        return add("mentions", mentioned_user_id=self.ben, mentioned_by_id=self.ada, comment_id=comment)


@pytest.fixture
async def scenario(serve: Callable[..., Any], smtp: MailServer, people: People) -> Scenario:
    ada = people.member("Ada Stone")
    ben = people.member("Ben Kowalczyk", preferences=ALL_ON)
    return Scenario(people, smtp, await serve(smtp.port), ada, ben)


EVENTS = [
    pytest.param("message", "message", "Ada Stone sent you a message", "/messages", id="message"),
    pytest.param("mention", "mention", "Ada Stone mentioned you in a comment", "/post/", id="mention"),
    pytest.param("reaction", "reaction", "Ada Stone says thanks for your post", "/post/", id="reaction"),
    pytest.param("connection", "connection", "Ada Stone wants to connect with you", "/network", id="request"),
    pytest.param("accepted", "connection", "Ada Stone accepted your request", "/profile/", id="accepted"),
    pytest.param("others", "others", "Ada Stone commented on your post", "/post/", id="others"),
    pytest.param("others", "comment", "Ada Stone commented on your post", "/post/", id="comment"),
]


@pytest.mark.parametrize(("event", "kind", "subject", "path"), EVENTS)
async def test_an_event_is_mailed_once_in_the_databases_words(
    scenario: Scenario, event: str, kind: str, subject: str, path: str
) -> None:
    """§7.43, §7.44, §1.7: neither title, content nor name of the caller's body reach the recipient."""
    scenario.cause(event)
    for _ in range(2):
        got = await scenario.notify(kind)
        assert (got.status_code, got.json()) == (200, {"success": True, "error": None})
    [mail] = await scenario.mails(1)
    assert mail["subject"] == subject
    assert mail["to"] == "Ben Kowalczyk <ben@muster.test>"
    assert mail["list-unsubscribe"].startswith(f"<{SITE}/functions/v1/unsubscribe?token=")
    raw = mail.as_string()
    assert "Given" not in raw
    assert "Mallory" not in raw
    text, html = (mail.get_body((part,)).get_content() for part in ("plain", "html"))
    assert f"https://muster.test{path}" in text
    assert f'href="https://muster.test{path}' in html
    assert "<roof>" not in html


@pytest.mark.parametrize(("event", "kind"), [pytest.param(*row.values[:2], id=row.id) for row in EVENTS])
async def test_an_event_that_never_was_is_old_or_of_others_is_refused_like_an_unknown_address(
    scenario: Scenario, event: str, kind: str
) -> None:
    cleo = scenario.people.member("Cleo")
    refusals = [await scenario.notify(kind), await scenario.notify(kind, to="nobody@muster.test")]
    id = scenario.cause(event)
    refusals.append(await scenario.notify(kind, to="cleo@muster.test"))
    refusals.append(await scenario.notify(kind, bearer=token(sub=cleo)))
    refusals.append(await scenario.notify(kind, metadata={f"{kind}_id": str(uuid4()), "comment_id": str(uuid4())}))
    table, stamp = {"accepted": ("connections", "updated_at"), "connection": ("connections", "updated_at")}.get(
        event, ({"others": "comments"}.get(event, f"{event}s"), "created_at")
    )
    scenario.people.connection.execute(f"alter table public.{table} disable trigger user")
    scenario.people.connection.execute(
        f"update public.{table} set {stamp} = now() - interval '16 minutes' where id = '{id}'"
    )
    scenario.people.connection.execute(f"alter table public.{table} enable trigger user")
    refusals.append(await scenario.notify(kind))
    want = (403, {"success": False, "error": REFUSAL, "code": "NOTHING_TO_NOTIFY"})
    assert [(got.status_code, got.json()) for got in refusals] == [want] * len(refusals)
    assert scenario.people.count("functions.mail_receipts") == 0


async def test_each_of_two_messages_is_mailed(scenario: Scenario) -> None:
    for content in ("first words", "second words"):
        scenario.people.add("messages", sender_id=scenario.ada, recipient_id=scenario.ben, content=content)
    for _ in range(3):
        assert (await scenario.notify("message")).status_code == 200
    raw = "".join(mail.as_string() for mail in await scenario.mails(2))
    assert "first words" in raw
    assert "second words" in raw


async def test_the_event_may_be_named(scenario: Scenario) -> None:
    first = scenario.people.add("messages", sender_id=scenario.ada, recipient_id=scenario.ben, content="first words")
    scenario.people.add("messages", sender_id=scenario.ada, recipient_id=scenario.ben, content="second words")
    await scenario.notify("message", metadata={"message_id": str(first)})
    [mail] = await scenario.mails(1)
    assert "first words" in mail.as_string()


async def test_addresses_are_found_in_any_case(scenario: Scenario) -> None:
    scenario.cause("message")
    assert (await scenario.notify("message", to=" Ben@MUSTER.test ")).status_code == 200


async def test_members_cannot_mail_themselves(scenario: Scenario) -> None:
    assert (await scenario.notify("message", to="ada@muster.test")).status_code == 403


@pytest.mark.parametrize("bearer", [ANON, token(sub="no-uuid")], ids=["visitor", "no member"])
@pytest.mark.parametrize("kind", ["message", "system", "invitation"])
async def test_only_members_write_to_members(scenario: Scenario, bearer: str, kind: str) -> None:
    got = await scenario.notify(kind, bearer=bearer)
    assert (got.status_code, got.json()["code"]) == (401, "MEMBERS_ONLY")
    assert "x-relay-error" not in got.headers


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"globalMute": True}, id="mute"),
        pytest.param({"emailGlobalMute": True}, id="e-mail mute"),
        pytest.param({"preferences": {"messages": {"email_enabled": False}}}, id="off"),
        pytest.param({"preferences": ALL_ON | {"messages": ALL_ON["messages"] | {"muted": True}}}, id="muted"),
        pytest.param({"preferences": {}}, id="default"),
    ],
)
async def test_members_who_do_not_want_a_mail_get_none(scenario: Scenario, settings: dict[str, Any]) -> None:
    """§3.11, §3.12, §3.13: declined without a mail, which is no error of the caller's."""
    scenario.people.member("Cleo", **({"preferences": ALL_ON} | settings))
    cleo = scenario.people.connection.execute("select id from public.profiles where full_name = 'Cleo'").fetchone()
    scenario.people.add("messages", sender_id=scenario.ada, recipient_id=cleo[0], content="x")  # type: ignore[index]
    got = await scenario.notify("message", to="cleo@muster.test")
    assert (got.status_code, got.json()["success"]) == (200, False)
    assert scenario.people.count("functions.mail_queue") == 0


async def test_admins_write_their_own_words_but_link_only_here(scenario: Scenario) -> None:
    boss = token(sub=scenario.people.member("Boss", admin=True))
    words = {"title": "Drill <tonight>\r\nBcc: x@evil.test", "content": "19:00"}
    assert (await scenario.notify("system", **words)).json()["code"] == "ADMINS_ONLY"
    urls = ["/feed?x=1", "https://muster.test/feed", "https://evil.test/", "//evil.test", "javascript:alert(1)"]
    for url in urls:
        got = await scenario.notify("system", bearer=boss, metadata={"url": url}, **words)
        assert got.json() == {"success": True, "error": None}
    mails = await scenario.mails(5)
    assert {mail["subject"] for mail in mails} == {"Drill <tonight> Bcc: x@evil.test"}
    assert all(mail["bcc"] is None for mail in mails)
    links = [line.split(": ", 1)[1] for mail in mails for line in mail.get_body(("plain",)).get_content().splitlines()
             if line.startswith("Open Muster: ")]  # fmt: skip
    site = "https://muster.test"
    assert sorted(links) == sorted([f"{site}/feed?x=1", f"{site}/feed", f"{site}/", f"{site}/", f"{site}/"])


async def test_an_admin_invites_who_is_invited_on_the_waitlist(scenario: Scenario) -> None:
    boss = token(sub=scenario.people.member("Boss", admin=True))
    scenario.people.add("waitlist", email="rookie@station.test", status="invited")
    scenario.people.add("waitlist", email="other@station.test")
    assert (await scenario.notify("invitation", to="rookie@station.test")).json()["code"] == "ADMINS_ONLY"
    assert (await scenario.notify("invitation", to="other@station.test", bearer=boss)).status_code == 403
    for bearer in (boss, boss, SERVICE):
        assert (await scenario.notify("invitation", to="rookie@station.test", bearer=bearer)).status_code == 200
    [mail] = await scenario.mails(1)
    text = mail.get_body(("plain",)).get_content()
    row = scenario.people.connection.execute(
        "select t.token, w.invited_at + interval '14 days' from private.invitation_tokens as t"
        " join public.waitlist as w on w.id = t.waitlist_id"
    ).fetchone()
    assert row is not None
    assert f"https://muster.test/invitation?email=rookie@station.test&token={row[0]}" in text
    assert f"It’s good until {row[1]:%B} {row[1].day}." in text
    assert mail["list-unsubscribe"] is None


async def test_a_caller_has_so_many_mails_an_hour(serve: Callable[..., Any], scenario: Scenario) -> None:
    from muster_functions.settings import Limits

    client = await serve(scenario.smtp.port, limits=Limits(mails_per_caller_per_hour=2))
    limited = Scenario(scenario.people, scenario.smtp, client, scenario.ada, scenario.ben)
    got = []
    for _ in range(3):
        limited.cause("message")
        got.append(await limited.notify("message"))
    assert [answer.status_code for answer in got] == [200, 200, 429]
    assert 3500 < int(got[2].headers["retry-after"]) <= 3600
    assert got[2].json()["success"] is False


async def test_a_recipient_gets_so_many_mails_an_hour(serve: Callable[..., Any], scenario: Scenario) -> None:
    from muster_functions.settings import Limits

    client = await serve(scenario.smtp.port, limits=Limits(mails_per_recipient_per_hour=1))
    limited = Scenario(scenario.people, scenario.smtp, client, scenario.ada, scenario.ben)
    for want in (200, 429):
        limited.cause("message")
        got = await limited.notify("message")
        assert got.status_code == want
    assert int(got.headers["retry-after"]) > 3500
    cleo = scenario.people.member("Cleo", preferences=ALL_ON)
    scenario.people.add("messages", sender_id=scenario.ada, recipient_id=cleo, content="x")
    assert (await limited.notify("message", to="cleo@muster.test")).status_code == 200


async def test_a_caller_has_so_many_requests_a_minute(serve: Callable[..., Any], scenario: Scenario) -> None:
    from muster_functions.settings import Limits

    client = await serve(scenario.smtp.port, limits=Limits(requests_per_minute=3))
    limited = Scenario(scenario.people, scenario.smtp, client, scenario.ada, scenario.ben)
    got = [await limited.notify("message", to=f"guess{number}@muster.test") for number in range(4)]
    assert [answer.status_code for answer in got] == [403, 403, 403, 429]
    assert 1 <= int(got[3].headers["retry-after"]) <= 20
    assert (await limited.notify("message", bearer=token(sub=scenario.ben), to="ada@muster.test")).status_code == 403


async def test_the_queue_is_bounded(serve: Callable[..., Any], scenario: Scenario) -> None:
    from muster_functions.settings import Limits

    client = await serve(1, limits=Limits(queue_length=1))  # nobody listens on that port
    limited = Scenario(scenario.people, scenario.smtp, client, scenario.ada, scenario.ben)
    scenario.people.connection.execute(
        "insert into functions.mail_queue (kind, recipient, subject, text_body, html_body, next_attempt_at) "
        "values ('system', 'x@muster.test', 's', 't', 'h', now() + interval '1 hour')"
    )
    limited.cause("message")
    got = await limited.notify("message")
    assert (got.status_code, got.json()["code"]) == (503, "QUEUE_FULL")
    assert scenario.people.count("functions.mail_receipts") == 0


@pytest.mark.parametrize("change", ["update auth.users set banned_until = now() + interval '1 day'",
                                    "delete from auth.users"])  # fmt: skip
async def test_a_suspended_member_sends_no_mail(scenario: Scenario, change: str) -> None:
    """§6.2: with a token that still holds, for something really done; somebody else's mail goes out meanwhile."""
    scenario.cause("message")
    scenario.people.connection.execute(f"{change} where id = %s", (scenario.ada,))
    got = await scenario.notify("message")
    assert (got.status_code, got.json()) == (
        403, {"success": False, "error": "This account is suspended", "code": "SUSPENDED"},
    )  # fmt: skip
    cleo = scenario.people.member("Cleo Marsh")
    scenario.people.add("messages", sender_id=cleo, recipient_id=scenario.ben, content="Still here")
    assert (await scenario.notify("message", bearer=token(sub=cleo))).json() == {"success": True, "error": None}
    (mail,) = await scenario.mails(1)
    assert "Cleo Marsh" in mail["subject"]
