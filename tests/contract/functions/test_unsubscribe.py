"""The link that stops a kind of mail, followed by people, mail providers, scanners and strangers."""

import re
from collections.abc import Callable
from email import message_from_bytes, policy
from typing import Any
from uuid import uuid4

import httpx
import pytest
from psycopg.types.json import Jsonb

from muster_functions.emails.unsubscribe_links import Subscription, write_token
from muster_functions.settings import Limits
from tests.contract.functions.conftest import ALL_ON, SECRET, SERVICE, SITE, People, until
from tests.support.mail_server import MailServer

PATH = "unsubscribe"
NOTIFY = "send-notification-email"
ONE_CLICK = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
async def client(serve: Callable[..., Any], smtp: MailServer) -> httpx.AsyncClient:
    made: httpx.AsyncClient = await serve(smtp.port, limits=Limits(requests_per_minute=10**6))
    return made


def settings_of(people: People, member: object) -> dict[str, Any]:
    row = people.connection.execute(
        "select notification_settings from public.profiles where id = %s", (member,)
    ).fetchone()
    assert row is not None
    settings: dict[str, Any] = row[0]
    return settings


async def test_the_button_of_a_mail_provider_stops_that_kind_and_no_other(
    client: httpx.AsyncClient, smtp: MailServer, people: People
) -> None:
    """The link as it stands in a delivered mail, posted without cookies, session or key (RFC 8058, section 3.1)."""
    ada = people.member("ada", preferences=ALL_ON)
    body = {"notification": {"type": "system", "title": "Drill"}, "recipient": {"email": "ada@muster.test"}}
    headers = {"authorization": f"Bearer {SERVICE}"}
    assert (await client.post(NOTIFY, headers=headers, json=body)).json() == {"success": True, "error": None}
    await until(lambda: smtp.taken)
    content = smtp.taken[0].content
    mail = message_from_bytes(content, policy=policy.SMTP)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = re.fullmatch(rf"<{re.escape(SITE)}/functions/v1/(unsubscribe\?token=[\w-]+)>", mail["List-Unsubscribe"])
    assert address is not None
    assert b"=?utf-8" not in content.split(b"\r\n\r\n")[0].lower()

    answer = await client.post(address[1], headers=ONE_CLICK, content=b"List-Unsubscribe=One-Click")
    assert answer.status_code == 200
    assert "any more" in answer.text
    found = settings_of(people, ada)["preferences"]
    assert found["system"] == {**ALL_ON["system"], "email_enabled": False}
    assert {name: found[name] for name in ("messages", "connections", "mentions")} == {
        name: ALL_ON[name] for name in ("messages", "connections", "mentions")
    }
    refused = await client.post(NOTIFY, headers=headers, json=body)
    assert refused.json() == {"success": False, "error": "The recipient does not take e-mail for this"}


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({}, id="nothing said"),
        pytest.param({"preferences": {}}, id="no preferences"),
        pytest.param({"globalMute": True, "preferences": {"messages": ALL_ON["messages"]}}, id="muted"),
    ],
)
async def test_settings_that_say_little_become_whole(
    client: httpx.AsyncClient, people: People, settings: dict[str, Any]
) -> None:
    ada = people.member("ada")
    people.connection.execute(
        "update public.profiles set notification_settings = %s where id = %s", (Jsonb(settings), ada)
    )
    answer = await client.post(PATH, params={"token": write_token(Subscription(ada, "messages"), SECRET)})
    assert answer.status_code == 200
    assert settings_of(people, ada) == {
        **settings, "preferences": {"messages": {**ALL_ON["messages"], "email_enabled": False}},
    }  # fmt: skip


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_looking_changes_nothing(client: httpx.AsyncClient, people: People, method: str) -> None:
    """Scanners follow every link of a mail. The page asks, and its form posts to the same address."""
    ada = people.member("ada", preferences=ALL_ON)
    token = write_token(Subscription(ada, "mentions"), SECRET)
    answer = await client.request(method, PATH, params={"token": token})
    assert answer.status_code == 200
    assert settings_of(people, ada)["preferences"] == ALL_ON
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    if method == "GET":
        assert '<form method="post">' in answer.text
        assert f"{SITE}/settings/notifications" in answer.text


async def test_a_second_click_and_a_deleted_member_are_answered_alike(
    client: httpx.AsyncClient, people: People
) -> None:
    ada = people.member("ada", preferences=ALL_ON)
    answers = [
        await client.post(PATH, params={"token": write_token(Subscription(id, "system"), SECRET)})
        for id in (ada, ada, uuid4())
    ]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("", id="no token"),
        pytest.param("token=", id="empty"),
        pytest.param("token=" + "A" * 44, id="not ours"),
        pytest.param("token=" + "A" * 50_000, id="long"),
        pytest.param("token=%00%ff%22%3E%3Cscript%3E", id="markup"),
        pytest.param("token={token}&token={token}", id="twice"),
        pytest.param("token={forged}", id="of another secret"),
        pytest.param("token={token}x", id="one letter more"),
    ],
)
async def test_a_link_that_is_not_ours_does_nothing(client: httpx.AsyncClient, people: People, query: str) -> None:
    ada = people.member("ada", preferences=ALL_ON)
    subscription = Subscription(ada, "messages")
    forged = write_token(subscription, "another-secret-of-more-than-thirty-two-chars")
    address = f"{PATH}?{query}".replace("{token}", write_token(subscription, SECRET)).replace("{forged}", forged)
    for method in ("GET", "POST"):
        answer = await client.request(method, address)
        assert answer.status_code == 400
        assert "<script" not in answer.text
    assert settings_of(people, ada)["preferences"] == ALL_ON


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
async def test_other_methods_are_refused(client: httpx.AsyncClient, method: str) -> None:
    answer = await client.request(method, PATH)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, POST")


@pytest.mark.usefixtures("impatient")
async def test_a_database_that_is_away_is_said(serve: Callable[..., Any], people: People) -> None:
    """503, so that the provider tries again; never a success that was none."""
    ada = people.member("ada")
    client: httpx.AsyncClient = await serve(1, database_url="host=127.0.0.1 port=1 user=x dbname=x")
    token = write_token(Subscription(ada, "system"), SECRET)
    assert (await client.post(PATH, params={"token": token}, timeout=20)).status_code == 503
    assert (await client.get(PATH, params={"token": token})).is_success
