"""Auth and the mailbox served for tests: real sockets, real SMTP, real PostgreSQL, in this process's threads."""

import asyncio
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

import httpx
import jwt as pyjwt
import psycopg

from emulator.asgi.server import bind, make_server
from emulator.auth.mailer.templatemailer import KINDS
from tests.support.patience import PATIENCE_S

SECRET = "an-ordinary-secret-of-more-than-32-characters"
PASSWORD = "correct horse 7"
NEW = {"X-Supabase-Api-Version": "2024-01-01"}
Json = dict[str, Any]


class Served:
    """An ASGI application on a port of its own, in a thread."""

    def __init__(self, app: Any) -> None:
        listener = bind("127.0.0.1", 0)
        self.port = int(listener.getsockname()[1])
        self._server = make_server(app)
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(listener,), daemon=True)
        self._thread.start()
        wait_until(lambda: self._server.started or not self._thread.is_alive())
        assert self._server.started, self._failure

    def _run(self, listener: Any) -> None:
        try:
            with asyncio.Runner(loop_factory=self._server.config.get_loop_factory()) as runner:
                runner.run(self._server.serve(sockets=[listener]))
        except BaseException as error:
            self._failure = error

    @property
    def url(self) -> str:
        """Its base URL."""
        return f"http://127.0.0.1:{self.port}"

    def end(self) -> None:
        """Ask it to stop, without waiting; it takes a quarter of a second."""
        self._server.should_exit = True

    def stop(self) -> None:
        """Stop it and wait."""
        self.end()
        self._thread.join(15)
        assert not self._thread.is_alive()


def wait_until(condition: Callable[[], Any], timeout_s: float = PATIENCE_S) -> Any:
    """Poll until the condition is true; its value."""
    deadline = time.monotonic() + timeout_s
    while not (value := condition()):
        assert time.monotonic() < deadline, "the condition never came true"
        threading.Event().wait(0.01)
    return value


@dataclass(frozen=True)
class Mailbox:
    """The mails that the services sent."""

    url: str
    smtp_port: int

    def all(self, to: str) -> list[Json]:
        """Every mail to that address, newest first."""
        found = httpx.get(f"{self.url}/mail/api/messages", params={"to": to}).json()["messages"]
        return [httpx.get(f"{self.url}/mail/api/messages/{item['id']}").json() for item in found]

    def last(self, to: str) -> "Letter":
        """The newest mail to that address."""
        mails = self.all(to)
        assert mails, f"no mail to {to}"
        return Letter(mails[0])


@dataclass(frozen=True)
class Letter:
    """One mail as it is read."""

    mail: Json

    @property
    def link(self) -> str:
        """The link to follow."""
        return str(self.mail["links"][0])

    @property
    def otp(self) -> str:
        """The code to type."""
        found = re.search(r"^\s*(\d{6,10})\s*$", self.mail["text"], re.MULTILINE)
        assert found, self.mail["text"]
        return found.group(1)

    @property
    def token_hash(self) -> str:
        """The hash in the link."""
        return dict(parse_qsl(urlsplit(self.link).query))["token"]


@dataclass
class Person:
    """A signed-in user."""

    email: str
    session: Json
    client: "AuthClient"

    @property
    def id(self) -> str:
        """Their id."""
        return str(self.session["user"]["id"])

    @property
    def bearer(self) -> dict[str, str]:
        """Their authorization."""
        return {"Authorization": f"Bearer {self.session['access_token']}"}

    @property
    def claims(self) -> Json:
        """The claims of their token."""
        return dict(pyjwt.decode(self.session["access_token"], options={"verify_signature": False}))

    def request(self, method: str, path: str, body: Any = None, **options: Any) -> httpx.Response:
        """Call as this person."""
        headers = {**self.bearer, **options.pop("headers", {})}
        return self.client.request(method, path, body, headers=headers, **options)


@dataclass
class AuthClient:
    """A running auth service with what tests need around it."""

    served: Served
    dsn: str
    mailbox: Mailbox | None = None
    http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.http = httpx.Client(base_url=self.served.url, timeout=20)

    @property
    def url(self) -> str:
        """Its base URL."""
        return self.served.url

    def close(self) -> None:
        """Stop it."""
        self.http.close()
        self.served.stop()

    def request(self, method: str, path: str, body: Any = None, **options: Any) -> httpx.Response:
        """Call with a JSON body."""
        return (
            self.http.request(method, path, json=body, **options)
            if body is not None
            else self.http.request(method, path, **options)
        )

    def post(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        """POST."""
        return self.request("POST", path, {} if body is None else body, **options)

    def get(self, path: str, **options: Any) -> httpx.Response:
        """GET."""
        return self.request("GET", path, **options)

    def admin(self, method: str, path: str, body: Any = None, **options: Any) -> httpx.Response:
        """Call as the service role."""
        headers = {"Authorization": f"Bearer {mint(role='service_role')}", **options.pop("headers", {})}
        return self.request(method, path, body, headers=headers, **options)

    def person(self, email: str | None = None, password: str = PASSWORD, **fields: Any) -> Person:
        """A new confirmed user, signed in by password."""
        address = email or new_email()
        made = self.admin(
            "POST", "/admin/users", {"email": address, "password": password, "email_confirm": True, **fields}
        )
        assert made.status_code == 200, made.text
        return self.sign_in(address, password)

    def sign_in(self, email: str, password: str = PASSWORD) -> Person:
        """A session by password."""
        answer = self.post("/token?grant_type=password", {"email": email, "password": password})
        assert answer.status_code == 200, answer.text
        return Person(email, answer.json(), self)

    def refresh(self, token: str, **options: Any) -> httpx.Response:
        """Exchange a refresh token."""
        return self.post("/token?grant_type=refresh_token", {"refresh_token": token}, **options)

    def sql(self, statement: str, *params: Any) -> list[tuple[Any, ...]]:
        """Read or change what the service stored."""
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            cursor = connection.execute(statement, params)
            return cursor.fetchall() if cursor.description else []

    def letter(self, to: str) -> Letter:
        """The newest mail to an address."""
        assert self.mailbox is not None
        return self.mailbox.last(to)


def mint(secret: str = SECRET, **claims: Any) -> str:
    """A token signed with the shared secret."""
    return pyjwt.encode({"iat": int(time.time()), "exp": int(time.time()) + 600, **claims}, secret, "HS256")


def new_email(name: str = "person") -> str:
    """An address that was never used before."""
    return f"{name}-{uuid4().hex[:12]}@example.com"


def fragment(location: str) -> dict[str, str]:
    """The fragment of a redirect."""
    return dict(parse_qsl(urlsplit(location).fragment, keep_blank_values=True))


def query(location: str) -> dict[str, str]:
    """The query of a redirect."""
    return dict(parse_qsl(urlsplit(location).query, keep_blank_values=True))


def error_of(answer: httpx.Response) -> tuple[int, str, str]:
    """Status, code and message of an error in the version of 2024-01-01."""
    body = answer.json()
    return answer.status_code, body["code"], body["message"]


# With the code beside the link, which the default mails lack.
TEMPLATE = Path(__file__).with_name("mail.html").as_uri()
TEMPLATES = {f"MAILER_TEMPLATES_{kind.upper()}": TEMPLATE for kind in KINDS if kind != "reauthentication"}


def base_env(url: str, database_url: str, **more: str) -> Mapping[str, str]:
    """The variables that every test service has, and `more`, both without the prefix GOTRUE_."""
    own = {
        "SITE_URL": "http://localhost:3000", "JWT_SECRET": SECRET, "JWT_AUD": "authenticated",
        "JWT_DEFAULT_GROUP_NAME": "authenticated", "JWT_ADMIN_ROLES": "service_role,supabase_admin",
        "DB_DATABASE_URL": database_url, "DB_MAX_POOL_SIZE": "5", "DB_DRIVER": "postgres", "SMTP_MAX_FREQUENCY": "1ns",
        "RATE_LIMIT_EMAIL_SENT": "100000", **TEMPLATES, **more,
    }  # fmt: skip
    return {"API_EXTERNAL_URL": url, **{f"GOTRUE_{name}": value for name, value in own.items()}}
