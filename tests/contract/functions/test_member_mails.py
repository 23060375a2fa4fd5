"""Mails from member to member: only for what the caller really did just now, only to who wants them."""

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
class House:
    """Ada, who does things, and Ben, who wants mails of everything."""

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

    def do(self, deed: str) -> UUID:
        """Ada does something to Ben; returns the id of its row."""
        add = self.people.add
        if deed == "message":
            return add("messages", sender_id=self.ada, recipient_id=self.ben, content="Was the <roof> sagging?")
        if deed == "connection":
            return add("connections", user_id=self.ada, connected_user_id=self.ben)
        if deed == "accepted":
            return add("connections", user_id=self.ben, connected_user_id=self.ada, status="accepted")
        post = add("posts", user_id=self.ben, title="Truss, 11 minutes in", content="We cut twice.")
        if deed == "reaction":
            return add("reactions", user_id=self.ada, post_id=post, type="thanks")
        comment = add("comments", post_id=post, user_id=self.ada, content="@Ben how long?")
        if deed == "others":
            return comment
        return add("mentions", mentioned_user_id=self.ben, mentioned_by_id=self.ada, comment_id=comment)


@pytest.fixture
async def house(serve: Callable[..., Any], smtp: MailServer, people: People) -> House:
    ada = people.member("Ada Stone")
    ben = people.member("Ben Kowalczyk", preferences=ALL_ON)
    return House(people, smtp, await serve(smtp.port), ada, ben)


DEEDS = [
    pytest.param("message", "message", "Ada Stone sent you a message", "/messages", id="message"),
    pytest.param("mention", "mention", "Ada Stone mentioned you in a comment", "/post/", id="mention"),
    pytest.param("reaction", "reaction", "Ada Stone says thanks for your post", "/post/", id="reaction"),
    pytest.param("connection", "connection", "Ada Stone asks to connect with you", "/network", id="request"),
    pytest.param("accepted", "connection", "Ada Stone accepted your request", "/profile/", id="accepted"),
    pytest.param("others", "others", "Ada Stone commented on your post", "/post/", id="others"),
    pytest.param("others", "comment", "Ada Stone commented on your post", "/post/", id="comment"),
]


@pytest.mark.parametrize(("deed", "kind", "subject", "path"), DEEDS)
async def test_a_deed_is_told_once_in_the_databases_words(
    house: House, deed: str, kind: str, subject: str, path: str
) -> None:
    """§7.43, §7.44, §1.7: neither title, content nor name of the caller's body reach the recipient."""
    house.do(deed)
    for _ in range(2):
        got = await house.notify(kind)
        assert (got.status_code, got.json()) == (200, {"success": True, "error": None})
    [mail] = await house.mails(1)
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


@pytest.mark.parametrize(("deed", "kind"), [pytest.param(*row.values[:2], id=row.id) for row in DEEDS])
async def test_a_deed_not_done_or_long_past_or_anothers_is_refused_like_an_unknown_address(
    house: House, deed: str, kind: str
) -> None:
    cleo = house.people.member("Cleo")
    refusals = [await house.notify(kind), await house.notify(kind, to="nobody@muster.test")]
    id = house.do(deed)
    refusals.append(await house.notify(kind, to="cleo@muster.test"))
    refusals.append(await house.notify(kind, bearer=token(sub=cleo)))
    refusals.append(await house.notify(kind, metadata={f"{kind}_id": str(uuid4()), "comment_id": str(uuid4())}))
    table, stamp = {"accepted": ("connections", "updated_at"), "connection": ("connections", "updated_at")}.get(
        deed, ({"others": "comments"}.get(deed, f"{deed}s"), "created_at")
    )
    house.people.connection.execute(f"alter table public.{table} disable trigger user")
    house.people.connection.execute(
        f"update public.{table} set {stamp} = now() - interval '16 minutes' where id = '{id}'"
    )
    house.people.connection.execute(f"alter table public.{table} enable trigger user")
    refusals.append(await house.notify(kind))
    want = (403, {"success": False, "error": REFUSAL, "code": "NOTHING_TO_NOTIFY"})
    assert [(got.status_code, got.json()) for got in refusals] == [want] * len(refusals)
    assert house.people.count("functions.mail_receipts") == 0


async def test_each_of_two_messages_is_told(house: House) -> None:
    for content in ("first words", "second words"):
        house.people.add("messages", sender_id=house.ada, recipient_id=house.ben, content=content)
    for _ in range(3):
        assert (await house.notify("message")).status_code == 200
    raw = "".join(mail.as_string() for mail in await house.mails(2))
    assert "first words" in raw
    assert "second words" in raw


async def test_the_deed_may_be_named(house: House) -> None:
    first = house.people.add("messages", sender_id=house.ada, recipient_id=house.ben, content="first words")
    house.people.add("messages", sender_id=house.ada, recipient_id=house.ben, content="second words")
    await house.notify("message", metadata={"message_id": str(first)})
    [mail] = await house.mails(1)
    assert "first words" in mail.as_string()


async def test_addresses_are_found_in_any_case(house: House) -> None:
    house.do("message")
    assert (await house.notify("message", to=" Ben@MUSTER.test ")).status_code == 200


async def test_one_cannot_write_to_oneself(house: House) -> None:
    assert (await house.notify("message", to="ada@muster.test")).status_code == 403


@pytest.mark.parametrize("bearer", [ANON, token(sub="no-uuid")], ids=["visitor", "no member"])
@pytest.mark.parametrize("kind", ["message", "system", "invitation"])
async def test_only_members_write_to_members(house: House, bearer: str, kind: str) -> None:
    got = await house.notify(kind, bearer=bearer)
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
async def test_who_does_not_want_it_gets_none(house: House, settings: dict[str, Any]) -> None:
    """§3.11, §3.12, §3.13: declined without a mail, which is no error of the caller's."""
    house.people.member("Cleo", **({"preferences": ALL_ON} | settings))
    cleo = house.people.connection.execute("select id from public.profiles where full_name = 'Cleo'").fetchone()
    house.people.add("messages", sender_id=house.ada, recipient_id=cleo[0], content="x")  # type: ignore[index]
    got = await house.notify("message", to="cleo@muster.test")
    assert (got.status_code, got.json()["success"]) == (200, False)
    assert house.people.count("functions.mail_queue") == 0


async def test_admins_write_their_own_words_but_link_only_here(house: House) -> None:
    boss = token(sub=house.people.member("Boss", admin=True))
    words = {"title": "Drill <tonight>\r\nBcc: x@evil.test", "content": "19:00"}
    assert (await house.notify("system", **words)).json()["code"] == "ADMINS_ONLY"
    urls = ["/feed?x=1", "https://muster.test/feed", "https://evil.test/", "//evil.test", "javascript:alert(1)"]
    for url in urls:
        got = await house.notify("system", bearer=boss, metadata={"url": url}, **words)
        assert got.json() == {"success": True, "error": None}
    mails = await house.mails(5)
    assert {mail["subject"] for mail in mails} == {"Drill <tonight> Bcc: x@evil.test"}
    assert all(mail["bcc"] is None for mail in mails)
    links = [line.split(": ", 1)[1] for mail in mails for line in mail.get_body(("plain",)).get_content().splitlines()
             if line.startswith("Open Muster: ")]  # fmt: skip
    site = "https://muster.test"
    assert sorted(links) == sorted([f"{site}/feed?x=1", f"{site}/feed", f"{site}/", f"{site}/", f"{site}/"])


async def test_an_admin_invites_who_is_invited_on_the_waitlist(house: House) -> None:
    boss = token(sub=house.people.member("Boss", admin=True))
    house.people.add("waitlist", email="rookie@station.test", status="invited")
    house.people.add("waitlist", email="other@station.test")
    assert (await house.notify("invitation", to="rookie@station.test")).json()["code"] == "ADMINS_ONLY"
    assert (await house.notify("invitation", to="other@station.test", bearer=boss)).status_code == 403
    for bearer in (boss, boss, SERVICE):
        assert (await house.notify("invitation", to="rookie@station.test", bearer=bearer)).status_code == 200
    [mail] = await house.mails(1)
    assert "https://muster.test/invitation" in mail.get_body(("plain",)).get_content()
    assert mail["list-unsubscribe"] is None


async def test_a_caller_has_so_many_mails_an_hour(serve: Callable[..., Any], house: House) -> None:
    from muster_functions.settings import Limits

    client = await serve(house.smtp.port, limits=Limits(mails_per_caller_per_hour=2))
    limited = House(house.people, house.smtp, client, house.ada, house.ben)
    got = []
    for _ in range(3):
        limited.do("message")
        got.append(await limited.notify("message"))
    assert [answer.status_code for answer in got] == [200, 200, 429]
    assert 3500 < int(got[2].headers["retry-after"]) <= 3600
    assert got[2].json()["success"] is False


async def test_a_recipient_gets_so_many_mails_an_hour(serve: Callable[..., Any], house: House) -> None:
    from muster_functions.settings import Limits

    client = await serve(house.smtp.port, limits=Limits(mails_per_recipient_per_hour=1))
    limited = House(house.people, house.smtp, client, house.ada, house.ben)
    for want in (200, 429):
        limited.do("message")
        got = await limited.notify("message")
        assert got.status_code == want
    assert int(got.headers["retry-after"]) > 3500
    cleo = house.people.member("Cleo", preferences=ALL_ON)
    house.people.add("messages", sender_id=house.ada, recipient_id=cleo, content="x")
    assert (await limited.notify("message", to="cleo@muster.test")).status_code == 200


async def test_a_caller_asks_so_often_a_minute_and_guessing_counts(serve: Callable[..., Any], house: House) -> None:
    from muster_functions.settings import Limits

    client = await serve(house.smtp.port, limits=Limits(requests_per_minute=3))
    limited = House(house.people, house.smtp, client, house.ada, house.ben)
    got = [await limited.notify("message", to=f"guess{number}@muster.test") for number in range(4)]
    assert [answer.status_code for answer in got] == [403, 403, 403, 429]
    assert 1 <= int(got[3].headers["retry-after"]) <= 20
    assert (await limited.notify("message", bearer=token(sub=house.ben), to="ada@muster.test")).status_code == 403


async def test_the_queue_is_bounded(serve: Callable[..., Any], house: House) -> None:
    from muster_functions.settings import Limits

    client = await serve(1, limits=Limits(queue_length=1))  # nobody listens on that port
    limited = House(house.people, house.smtp, client, house.ada, house.ben)
    house.people.connection.execute(
        "insert into functions.mail_queue (kind, recipient, subject, text_body, html_body, next_attempt_at) "
        "values ('system', 'x@muster.test', 's', 't', 'h', now() + interval '1 hour')"
    )
    limited.do("message")
    got = await limited.notify("message")
    assert (got.status_code, got.json()["code"]) == (503, "QUEUE_FULL")
    assert house.people.count("functions.mail_receipts") == 0


@pytest.mark.parametrize("change", ["update auth.users set banned_until = now() + interval '1 day'",
                                    "delete from auth.users"])  # fmt: skip
async def test_a_suspended_member_sends_no_mail(house: House, change: str) -> None:
    """§6.2: with a token that still holds, for something really done; somebody else's mail goes out meanwhile."""
    house.do("message")
    house.people.connection.execute(f"{change} where id = %s", (house.ada,))
    got = await house.notify("message")
    assert (got.status_code, got.json()) == (
        403, {"success": False, "error": "This account is suspended", "code": "SUSPENDED"},
    )  # fmt: skip
    cleo = house.people.member("Cleo Marsh")
    house.people.add("messages", sender_id=cleo, recipient_id=house.ben, content="Still here")
    assert (await house.notify("message", bearer=token(sub=cleo))).json() == {"success": True, "error": None}
    (mail,) = await house.mails(1)
    assert "Cleo Marsh" in mail["subject"]
