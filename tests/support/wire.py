"""A backend as seen by a client: an origin, its keys, the mails it sends. Used by the contract tests.

`MUSTER_CONTRACT_ENV` names a file with the origin and keys of any running stack: what `./muster status --env` prints,
the .env of the containers, or what the official CLI's `supabase status -o env` prints.
"""

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from supabase.lib.client_options import SyncClientOptions

from muster_cli.stack.variables import parse_env
from supabase import Client, create_client
from tests.support.compose import find_caddy, small_stack, wired_stack, write_site
from tests.support.postgres import free_port
from tests.support.stack import start_stack, stop_stack

PASSWORD = "Ladder-truck-41-tango"
KEYS = ("ANON_KEY", "SERVICE_ROLE_KEY", "PUBLISHABLE_KEY", "SECRET_KEY")
Mails = Callable[[str], list[str]]


class NotHere(Exception):
    """This machine can't provide that backend; the text is the reason to skip."""


@dataclass(frozen=True)
class Member:
    """An account of the backend, signed in."""

    id: str
    email: str
    token: str
    refresh_token: str


@dataclass(frozen=True)
class Backend:
    """A backend: origin, its four keys, and how to read the mails to an address."""

    url: str
    keys: dict[str, str]
    mails: Mails

    def get(self, path: str, key: str | None = None, **options: Any) -> httpx.Response:
        """GET with an API key."""
        return self.ask("GET", path, key, **options)

    def ask(self, method: str, path: str, key: str | None = None, **options: Any) -> httpx.Response:
        """A request with an API key; `token` authenticates a member."""
        headers = {"apikey": self.keys[key]} if key else {}
        token = options.pop("token", None)
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= options.pop("headers", {})
        return httpx.request(method, self.url + path, headers=headers, timeout=30, **options)

    def rows(self, method: str, path: str, **options: Any) -> Any:
        """The rows REST returns to the service role; fails when rejected."""
        answer = self.ask(method, f"/rest/v1/{path}", "SECRET_KEY", **options)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def member(self, name: str = "") -> Member:
        """A new, confirmed member who has signed in."""
        email = f"m-{uuid4().hex[:10]}@example.org"
        body = {"email": email, "password": PASSWORD, "email_confirm": True, "user_metadata": {"full_name": name}}
        made = self.ask("POST", "/auth/v1/admin/users", "SERVICE_ROLE_KEY", json=body)
        assert made.status_code == 200, made.text
        session = self.sign_in(email).json()
        return Member(made.json()["id"], email, session["access_token"], session["refresh_token"])

    def sign_in(self, email: str, password: str = PASSWORD) -> httpx.Response:
        """The response to a sign-in with a password."""
        body = {"email": email, "password": password}
        return self.ask("POST", "/auth/v1/token?grant_type=password", "PUBLISHABLE_KEY", json=body)

    @contextmanager
    def client(self) -> Iterator[Client]:
        """The official Python client, as a visitor."""
        with httpx.Client(timeout=30) as http:
            yield create_client(self.url, self.keys["PUBLISHABLE_KEY"], SyncClientOptions(httpx_client=http))

    @property
    def socket(self) -> str:
        """The URL of Realtime's socket, without the version."""
        origin = self.url.replace("http", "ws", 1)
        return f"{origin}/realtime/v1/websocket?apikey={self.keys['PUBLISHABLE_KEY']}"


def emulator(stack: ExitStack) -> Backend:
    """The embedded stack."""
    home = Path(tempfile.mkdtemp(prefix="muster-contract-", dir="/tmp"))
    stack.callback(stop_stack, home)
    running = start_stack(home, free_port(), "--no-web", "--no-seed")
    return Backend(running.url, {name: running.env[name] for name in KEYS}, own_mailbox(f"{running.url}/mail"))


def compose(stack: ExitStack) -> Backend:
    """The emulator's services, each alone with its container's environment, behind the real Caddy."""
    if find_caddy() is None:
        raise NotHere("no Caddy: apt install caddy, or set MUSTER_CADDY to its path")
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="muster-wired-", dir="/tmp")))
    write_site(folder / "site")
    wired = stack.enter_context(wired_stack(folder, folder / "site"))
    return Backend(wired.url, wired.env, lambda to: [text for people, text in wired.sink.mails if to in people])


def small(stack: ExitStack) -> Backend:
    """The compose file's service `emulator`: everything in one container, mails to a server outside."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="muster-small-", dir="/tmp")))
    made = stack.enter_context(small_stack(folder))
    keys = {name.upper(): value for name, value in json.loads((folder / "state" / "secrets.json").read_text()).items()}
    return Backend(made.url, keys, lambda to: [text for people, text in made.sink.mails if to in people])


def named(_stack: ExitStack) -> Backend:
    """The stack that MUSTER_CONTRACT_ENV names: containers, or any other deployment."""
    file = os.environ.get("MUSTER_CONTRACT_ENV")
    if not file:
        raise NotHere("no other stack: MUSTER_CONTRACT_ENV names a file with its origin and keys")
    return from_env(parse_env(Path(file).read_text("utf8")))


def from_env(env: Mapping[str, str]) -> Backend:
    """A backend from the output of a status command or a container stack's .env."""
    url = (env.get("API_URL") or f"http://127.0.0.1:{env['GATEWAY_PORT']}").rstrip("/")
    twins = {"PUBLISHABLE_KEY": env["ANON_KEY"], "SECRET_KEY": env["SERVICE_ROLE_KEY"]}
    keys = {name: env.get(name) or twins[name] for name in KEYS}
    mailbox = env.get("MAILPIT_URL") or env.get("INBUCKET_URL") or f"http://127.0.0.1:{env.get('MAIL_PORT', '')}"
    return Backend(url, keys, own_mailbox(mailbox) if mailbox.endswith("/mail") else mailpit(mailbox))


def own_mailbox(url: str) -> Mails:
    """Mails as our mailbox shows them."""

    def mails(address: str) -> list[str]:
        found = httpx.get(f"{url}/api/messages").json()["messages"]
        wanted = [mail["id"] for mail in found if address in [to["address"] for to in mail["to"]]]
        return [httpx.get(f"{url}/api/messages/{mail}/raw").text for mail in wanted]

    return mails


def mailpit(url: str) -> Mails:
    """Mails as Mailpit shows them."""

    def mails(address: str) -> list[str]:
        found = httpx.get(f"{url}/api/v1/search", params={"query": f'to:"{address}"'}).json()["messages"]
        return [httpx.get(f"{url}/api/v1/message/{mail['ID']}/raw").text for mail in found]

    return mails


def link_in(mail: str, origin: str) -> str:
    """The link to auth's verification in a mail's source."""
    from html import unescape

    text = unescape(mail.replace("=\r\n", "").replace("=\n", "").replace("=3D", "="))
    found = re.search(rf"{re.escape(origin)}/auth/v1/verify\?[^\s\"'<>)]+", text)
    assert found is not None, text
    return found[0]
