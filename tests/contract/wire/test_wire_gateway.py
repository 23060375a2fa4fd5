"""One application, two backends: the same questions to the embedded stack and to what docker-compose.yml describes.

Without Docker the latter is the emulator's services, each alone with its container's environment, behind the real
Caddy (tests/support/compose.py). With MUSTER_CONTRACT_ENV naming the .env of a running container stack, that one is
asked too: the first machine with Docker proves the rest.
"""

import asyncio
import json
import os
import re
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest
from supabase.lib.client_options import SyncClientOptions
from websockets.asyncio.client import connect

from cli.stack.compose import read_env
from supabase import create_client
from tests.support.compose import find_caddy, small_stack, wired_stack
from tests.support.postgres import free_port
from tests.support.stack import start_stack, stop_stack, wait_until

PASSWORD = "Ladder-truck-41-tango"


@dataclass(frozen=True)
class Backend:
    """An origin, its four keys, and how the mails to an address are read."""

    url: str
    keys: dict[str, str]
    mails: Callable[[str], list[str]]

    def get(self, path: str, key: str | None = None, **options: Any) -> httpx.Response:
        """GET with an API key."""
        return self.ask("GET", path, key, **options)

    def ask(self, method: str, path: str, key: str | None = None, **options: Any) -> httpx.Response:
        """A request with an API key."""
        headers = {"apikey": self.keys[key]} if key else {}
        return httpx.request(
            method, self.url + path, headers=headers | options.pop("headers", {}), timeout=30, **options
        )


def _emulator(stack: ExitStack) -> Backend:
    home = Path(tempfile.mkdtemp(prefix="muster-contract-", dir="/tmp"))
    stack.callback(stop_stack, home)
    running = start_stack(home, free_port(), "--no-web", "--no-seed")

    def mails(address: str) -> list[str]:
        found = httpx.get(f"{running.url}/mail/api/messages").json()["messages"]
        wanted = [mail["id"] for mail in found if address in [to["address"] for to in mail["to"]]]
        return [httpx.get(f"{running.url}/mail/api/messages/{mail}/raw").text for mail in wanted]

    names = ("ANON_KEY", "SERVICE_ROLE_KEY", "PUBLISHABLE_KEY", "SECRET_KEY")
    return Backend(running.url, {name: running.env[name] for name in names}, mails)


def _compose(stack: ExitStack) -> Backend:
    if find_caddy() is None:
        pytest.skip("no Caddy: apt install caddy, or set MUSTER_CADDY to its path")
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="muster-wired-", dir="/tmp")))
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text("<!doctype html><title>Muster</title>")
    wired = stack.enter_context(wired_stack(folder, folder / "site"))
    return Backend(wired.url, wired.env, lambda to: [text for people, text in wired.sink.mails if to in people])


def _small(stack: ExitStack) -> Backend:
    """The compose file's service `emulator`: everything in one container, mails to a server outside."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="muster-small-", dir="/tmp")))
    small = stack.enter_context(small_stack(folder))
    keys = {name.upper(): value for name, value in json.loads((folder / "state" / "secrets.json").read_text()).items()}
    return Backend(small.url, keys, lambda to: [text for people, text in small.sink.mails if to in people])


def _containers(_stack: ExitStack) -> Backend:
    file = os.environ.get("MUSTER_CONTRACT_ENV")
    if not file:
        pytest.skip("no container stack: MUSTER_CONTRACT_ENV names its .env")
    env = read_env(Path(file))
    mailpit = f"http://127.0.0.1:{env['MAIL_PORT']}/api/v1"

    def mails(address: str) -> list[str]:
        found = httpx.get(f"{mailpit}/search", params={"query": f'to:"{address}"'}).json()["messages"]
        return [httpx.get(f"{mailpit}/message/{mail['ID']}/raw").text for mail in found]

    return Backend(f"http://127.0.0.1:{env['GATEWAY_PORT']}", env, mails)


@pytest.fixture(
    scope="module",
    params=[_emulator, _compose, _small, _containers],
    ids=["emulator", "compose", "small", "containers"],
)
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    with ExitStack() as stack:
        yield request.param(stack)


@pytest.mark.parametrize(
    ("path", "key", "status"),
    [
        pytest.param("/healthz", None, 200, id="health"),
        pytest.param("/rest/v1/posts?limit=1", None, 401, id="no-key"),
        pytest.param("/rest/v1/posts?limit=1", "ANON_KEY", 200, id="anon"),
        pytest.param("/rest/v1/posts?limit=1", "PUBLISHABLE_KEY", 200, id="publishable"),
        pytest.param("/rest/v1/posts?limit=1", "SERVICE_ROLE_KEY", 200, id="service"),
        pytest.param("/rest/v1/posts?limit=1", "SECRET_KEY", 200, id="secret"),
        pytest.param("/rest/v1/messages?limit=1", "PUBLISHABLE_KEY", 401, id="visitors-read-no-messages"),
        pytest.param("/rest/v1/messages?limit=1", "SECRET_KEY", 200, id="the-service-reads-messages"),
        pytest.param("/rest/v1/", "PUBLISHABLE_KEY", 403, id="description-for-visitors"),
        pytest.param("/rest/v1/", "SECRET_KEY", 200, id="description-for-the-service"),
        pytest.param("/rest/v1/no_such_table", "PUBLISHABLE_KEY", 404, id="no-such-table"),
        pytest.param("/auth/v1/settings", None, 401, id="auth-no-key"),
        pytest.param("/auth/v1/settings", "PUBLISHABLE_KEY", 200, id="auth-settings"),
        pytest.param("/auth/v1/verify", None, 400, id="links-carry-no-key"),
        pytest.param("/auth/v1/admin/users", "PUBLISHABLE_KEY", 403, id="visitors-administer-nobody"),
        pytest.param("/auth/v1/admin/users", "SECRET_KEY", 200, id="the-service-administers"),
        pytest.param("/realtime/v1/api/tenants/realtime-dev", "SECRET_KEY", 403, id="tenants-are-closed"),
        pytest.param("/realtime/v1/websocket", None, 401, id="socket-no-key"),
        pytest.param("/functions/v1/no-such-function", "PUBLISHABLE_KEY", 404, id="no-such-function"),
    ],
)
def test_the_gateway_knows_paths_and_keys(backend: Backend, path: str, key: str | None, status: int) -> None:
    assert backend.get(path, key).status_code == status


def test_refusals_are_json_and_tell_missing_from_wrong(backend: Backend) -> None:
    missing = backend.get("/rest/v1/posts")
    wrong = backend.get("/rest/v1/posts", headers={"apikey": "sb_publishable_of_somebody_else"})
    assert (missing.status_code, wrong.status_code) == (401, 401)
    assert (missing.json(), wrong.json()) == (
        {"message": "No API key found in request"}, {"message": "Invalid API key"},
    )  # fmt: skip


def test_a_key_may_stand_in_the_query(backend: Backend) -> None:
    assert backend.get(f"/auth/v1/settings?apikey={backend.keys['PUBLISHABLE_KEY']}").status_code == 200
    assert backend.get("/auth/v1/settings?apikey=wrong").status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/REST/v1/posts", id="upper-case"), pytest.param("/rest/v1", id="no-slash"),
        pytest.param("/rest/v2/posts", id="other-version"), pytest.param("/rest/posts", id="no-version"),
    ],
)  # fmt: skip
def test_a_path_written_otherwise_gives_nothing_without_a_key(backend: Backend, path: str) -> None:
    """Caddy's paths know no case: then the key is asked for as well. Else it is a page of the web application."""
    answer = backend.get(path)
    assert answer.status_code in (401, 404) or "json" not in answer.headers["content-type"]


@pytest.mark.parametrize("path", ["/rest/v1/../../auth/v1/admin/users", "/rest/v1/%2e%2e/%2e%2e/auth/v1/admin/users"])
def test_dots_in_a_path_open_nothing(backend: Backend, path: str) -> None:
    """Sent as they are, by hand: a client library would tidy them up."""
    origin = urlsplit(backend.url)
    with socket.create_connection((str(origin.hostname), int(origin.port or 80)), timeout=10) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {origin.netloc}\r\nConnection: close\r\n\r\n".encode())
        status = raw.makefile("rb").readline().split()[1]
    assert status in (b"401", b"400", b"404")


def test_a_token_of_ones_own_is_never_replaced(backend: Backend) -> None:
    refused = backend.get("/rest/v1/posts", "SECRET_KEY", headers={"Authorization": "Bearer not.a.token"})
    assert refused.status_code == 401


def test_a_body_beyond_the_limit_is_refused(backend: Backend) -> None:
    answer = backend.ask("POST", "/rest/v1/posts", "SECRET_KEY", content=b"x" * (10 * 1024 * 1024 + 1))
    assert answer.status_code == 413


def test_a_preflight_needs_no_key(backend: Backend) -> None:
    asked = {
        "Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "apikey,authorization,content-type",
    }  # fmt: skip
    answer = backend.ask("OPTIONS", "/rest/v1/posts", headers=asked)
    assert answer.status_code in (200, 204)
    assert answer.headers["access-control-allow-origin"] in ("*", "https://elsewhere.example")
    assert "apikey" in answer.headers["access-control-allow-headers"].lower()


def test_a_member_comes_in_by_the_link_in_the_mail(backend: Backend) -> None:
    """Sign-up, the mail, its link through the gateway, sign-in, the profile that the database made, sign-out."""
    email = f"ada-{uuid4().hex[:8]}@example.org"
    body = {"email": email, "password": PASSWORD, "data": {"full_name": "Ada Brand"}}
    assert backend.ask("POST", "/auth/v1/signup", "PUBLISHABLE_KEY", json=body).status_code == 200
    wait_until(lambda: backend.mails(email))
    followed = httpx.get(_link(backend.mails(email)[0], backend.url), follow_redirects=False)
    assert followed.status_code in (302, 303)
    assert "access_token" in parse_qs(urlsplit(followed.headers["location"]).fragment)

    with httpx.Client(timeout=30) as http:
        options = SyncClientOptions(httpx_client=http)
        client = create_client(backend.url, backend.keys["PUBLISHABLE_KEY"], options)
        session = client.auth.sign_in_with_password({"email": email, "password": PASSWORD})
        assert session.user is not None
        (profile,) = client.table("profiles").select("id,full_name").eq("id", session.user.id).execute().data
        assert profile["full_name"] == "Ada Brand"
        client.auth.sign_out()


def test_a_row_change_reaches_the_socket_of_whom_it_concerns(backend: Backend) -> None:
    email, member = _member(backend)
    other = _member(backend)[1]
    token = _sign_in(backend, email)
    rows = [_notification(member, "For you"), _notification(other, "For somebody else")]
    received = asyncio.run(_changes(backend, token, member, rows))
    assert [record["title"] for record in received] == ["For you"]


def test_a_suspended_member_is_out_at_once(backend: Backend) -> None:
    """§6.2: the token holds for an hour more, and reads, writes, asks and mails nothing; the session is not renewed."""
    email, member = _member(backend)
    session = _session(backend, email)
    as_member = {"Authorization": f"Bearer {session['access_token']}"}

    def told() -> list[Any]:
        asked = [
            ("GET", f"/rest/v1/profiles?select=id&id=eq.{member}", None),
            ("POST", "/rest/v1/posts", {"user_id": member, "content": "Still here?"}),
            ("PATCH", f"/rest/v1/profiles?id=eq.{member}&select=id", {"bio": "Still here"}),
            ("POST", "/rest/v1/rpc/search_profiles", {"term": "example.org", "max_results": 1}),
        ]
        headers = as_member | {"Prefer": "return=representation"}
        answers = [backend.ask(how, path, "PUBLISHABLE_KEY", json=body, headers=headers) for how, path, body in asked]
        return [answer.status_code if answer.is_error else len(answer.json()) for answer in answers]

    _member(backend)  # whom the search finds
    assert told() == [1, 1, 1, 1]
    _ban(backend, member, "876000h")
    assert told() == [0, 403, 0, 0]
    body = {"notification": {"type": "message", "title": "", "content": ""}, "recipient": {"email": email}}
    mailed = backend.ask(
        "POST", "/functions/v1/send-notification-email", "PUBLISHABLE_KEY", json=body, headers=as_member
    )
    assert (mailed.status_code, mailed.json()["code"]) == (403, "SUSPENDED")
    renewed = backend.ask(
        "POST", "/auth/v1/token?grant_type=refresh_token", "PUBLISHABLE_KEY",
        json={"refresh_token": session["refresh_token"]},
    )  # fmt: skip
    assert renewed.status_code == 400
    _ban(backend, member, "none")
    assert told() == [1, 1, 1, 1]


def test_a_suspended_members_open_socket_falls_silent(backend: Backend) -> None:
    """§6.2 §7.50: rows are judged in order, so once the witness hears of theirs, the silence before it is proven."""
    email, member = _member(backend)
    witness_email, witness = _member(backend)
    tokens = _sign_in(backend, email), _sign_in(backend, witness_email)

    async def scenario() -> list[str]:
        async with connect(_socket(backend)) as heard, connect(_socket(backend)) as other:
            for socket, token in zip((heard, other), tokens, strict=True):
                await _follow_notifications(socket, token)
            await _write(backend, _notification(member, "Before"))
            titles = [await _next_title(heard)]
            await asyncio.to_thread(_ban, backend, member, "876000h")
            await _write(backend, _notification(member, "Not for the suspended"))
            await _write(backend, _notification(witness, "The witness hears"))
            assert await _next_title(other) == "The witness hears"
            await asyncio.to_thread(_ban, backend, member, "none")
            await _write(backend, _notification(member, "After"))
            return [*titles, await _next_title(heard)]

    assert asyncio.run(scenario()) == ["Before", "After"]


def test_a_broadcast_reaches_the_other_socket(backend: Backend) -> None:
    async def scenario() -> dict[str, Any]:
        async with connect(_socket(backend)) as one, connect(_socket(backend)) as two:
            for socket in (one, two):
                await _join(socket, "realtime:station-9", {"broadcast": {"ack": False, "self": False}})
            message = {"type": "broadcast", "event": "hose", "payload": {"length_m": 20}}
            await one.send(json.dumps([None, "9", "realtime:station-9", "broadcast", message]))
            return await _next(two, "broadcast")

    assert asyncio.run(scenario())["payload"] == {"length_m": 20}


def test_an_invitation_is_mailed_by_the_function(backend: Backend) -> None:
    email = f"ben-{uuid4().hex[:8]}@example.org"
    row = {"email": email, "status": "invited"}
    assert backend.ask("POST", "/rest/v1/waitlist", "SECRET_KEY", json=row).status_code == 201
    body = {"notification": {"type": "invitation", "title": "", "content": ""}, "recipient": {"email": email}}
    headers = {"Authorization": f"Bearer {backend.keys['SERVICE_ROLE_KEY']}"}
    answer = backend.ask(
        "POST", "/functions/v1/send-notification-email", "SERVICE_ROLE_KEY", json=body, headers=headers
    )
    assert answer.json() == {"success": True, "error": None}
    wait_until(lambda: backend.mails(email))


def test_a_visitor_can_mail_nobody(backend: Backend) -> None:
    body = {"notification": {"type": "message", "title": "", "content": ""}, "recipient": {"email": "x@example.org"}}
    answer = backend.ask("POST", "/functions/v1/send-notification-email", "PUBLISHABLE_KEY", json=body)
    assert answer.status_code in (401, 403)


def _link(mail: str, origin: str) -> str:
    text = unescape(mail.replace("=\r\n", "").replace("=\n", "").replace("=3D", "="))
    found = re.search(rf"{re.escape(origin)}/auth/v1/verify\?[^\s\"'<>)]+", text)
    assert found is not None, text
    return found[0]


def _member(backend: Backend) -> tuple[str, str]:
    email = f"m-{uuid4().hex[:8]}@example.org"
    body = {"email": email, "password": PASSWORD, "email_confirm": True}
    made = backend.ask("POST", "/auth/v1/admin/users", "SERVICE_ROLE_KEY", json=body)
    assert made.status_code == 200, made.text
    return email, made.json()["id"]


def _session(backend: Backend, email: str) -> dict[str, Any]:
    body = {"email": email, "password": PASSWORD}
    answer = backend.ask("POST", "/auth/v1/token?grant_type=password", "PUBLISHABLE_KEY", json=body)
    session: dict[str, Any] = answer.json()
    return session


def _sign_in(backend: Backend, email: str) -> str:
    return str(_session(backend, email)["access_token"])


def _ban(backend: Backend, member: str, duration: str) -> None:
    path = f"/auth/v1/admin/users/{member}"
    answer = backend.ask("PUT", path, "SERVICE_ROLE_KEY", json={"ban_duration": duration})
    assert answer.status_code == 200, answer.text


def _notification(member: str, title: str) -> dict[str, Any]:
    return {"user_id": member, "type": "system", "title": title, "content": "", "seen": False}


def _socket(backend: Backend) -> str:
    origin = backend.url.replace("http", "ws", 1)
    return f"{origin}/realtime/v1/websocket?apikey={backend.keys['PUBLISHABLE_KEY']}&vsn=2.0.0"


async def _changes(backend: Backend, token: str, member: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a member's socket hears of rows written one after the other; the last one heard is theirs."""
    async with connect(_socket(backend)) as socket:
        await _follow_notifications(socket, token)
        for row in [*reversed(rows), _notification(member, "The last")]:
            await _write(backend, row)
        heard: list[dict[str, Any]] = []
        while True:
            record = (await _next(socket, "postgres_changes"))["data"]["record"]
            if record["title"] == "The last":
                return heard
            heard.append(record)


async def _follow_notifications(socket: Any, token: str) -> None:
    wanted = {"event": "INSERT", "schema": "public", "table": "notifications"}
    await _join(socket, "realtime:bell", {"postgres_changes": [wanted]}, token)
    while "Subscribed to PostgreSQL" not in str((await _next(socket, "system")).get("message")):
        pass


async def _write(backend: Backend, notification: dict[str, Any]) -> None:
    written = await asyncio.to_thread(backend.ask, "POST", "/rest/v1/notifications", "SECRET_KEY", json=notification)
    assert written.status_code == 201, written.text


async def _next_title(socket: Any) -> str:
    return str((await _next(socket, "postgres_changes"))["data"]["record"]["title"])


async def _join(socket: Any, topic: str, config: dict[str, Any], token: str | None = None) -> None:
    payload = {"config": config} | ({"access_token": token} if token else {})
    await socket.send(json.dumps(["1", "1", topic, "phx_join", payload]))
    reply = await _next(socket, "phx_reply")
    assert reply["status"] == "ok", reply


async def _next(socket: Any, event: str, timeout_s: float = 20.0) -> dict[str, Any]:
    deadline = time.monotonic() + timeout_s
    while True:
        frame = json.loads(await asyncio.wait_for(socket.recv(), deadline - time.monotonic()))
        if frame[3] == event:
            payload: dict[str, Any] = frame[4]
            return payload
