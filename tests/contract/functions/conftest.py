"""The functions service on a real port, a real mail server beside it, and people in the database."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from emulator.asgi.server import bind, make_server
from emulator.jwt import sign
from muster_functions.app import create_app
from muster_functions.mailer.backoff import Backoff
from muster_functions.runtime import database
from muster_functions.settings import FunctionsSettings, MailSettings
from tests.support.mail_server import MailServer, Options
from tests.support.patience import PATIENCE_S
from tests.support.postgres import Database

SECRET = "a-secret-of-more-than-thirty-two-characters"
SITE = "https://muster.test"


def token(role: str = "authenticated", sub: UUID | str | None = None, **claims: Any) -> str:
    """A token of the stack's secret: a member's, or with another role one of the keys."""
    named: dict[str, Any] = {"role": role, "exp": int(time.time()) + 86400}
    if role == "authenticated":
        named |= {"aud": "authenticated", "sub": str(sub)}
    return sign(named | claims, SECRET)


ANON = token("anon")
SERVICE = token("service_role")


async def until(condition: Callable[[], Any], timeout_s: float = PATIENCE_S) -> Any:
    """Wait for a condition to be truthy; returns its value."""
    async with asyncio.timeout(timeout_s):
        while not (value := condition()):  # noqa: ASYNC110 (conditions of every kind)
            await asyncio.sleep(0.01)
        return value


@contextmanager
def mail_server(**options: Any) -> Iterator[MailServer]:
    """A mail server of the test's own: its Options."""
    made = MailServer(Options(**options))
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="session")
def mail_server_process() -> Iterator[MailServer]:
    with mail_server() as made:
        yield made


@pytest.fixture
def smtp(mail_server_process: MailServer) -> MailServer:
    """A mail server on a free port, with nothing taken and no rule."""
    mail_server_process.reset()
    return mail_server_process


def make_settings(database: Database, smtp_port: int, **changes: Any) -> FunctionsSettings:
    """Settings of a service over a database and a mail server."""
    settings = FunctionsSettings(
        jwt_secret=SECRET, database_url=database.dsn(), site_url=SITE, development=True,
        smtp=MailSettings(host="127.0.0.1", port=smtp_port, timeout_s=PATIENCE_S),
        # At once and as often as it takes: a mail server of the test's may be a while in starting.
        backoff=Backoff(first_s=0.02, factor=1.0, attempts=100_000),
    )  # fmt: skip
    return settings.model_copy(update=changes)


@asynccontextmanager
async def service(settings: FunctionsSettings) -> AsyncIterator[httpx.AsyncClient]:
    """The service under uvicorn on a free port; yields a client whose base is /functions/v1/."""
    listener = bind("127.0.0.1", 0)
    server = make_server(create_app(settings))
    running = asyncio.ensure_future(server.serve(sockets=[listener]))
    try:
        await until(lambda: server.started or running.done())
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{listener.getsockname()[1]}/functions/v1/", timeout=PATIENCE_S
        ) as client:
            yield client
    finally:
        server.should_exit = True
        await running


@dataclass(frozen=True)
class Folder:
    """A service over functions that a test wrote."""

    path: Path
    client: httpx.AsyncClient

    def write(self, name: str, text: str) -> None:
        (self.path / f"{name}.py").write_text(text)


@dataclass(frozen=True)
class People:
    """Members, made as GoTrue makes them, and what they do."""

    connection: psycopg.Connection[tuple[Any, ...]]

    def member(self, name: str, *, email: str | None = None, admin: bool = False, **settings: Any) -> UUID:
        """A member; `settings` are merged into notification_settings."""
        id = uuid4()
        self.connection.execute(
            "insert into auth.users (id, email, aud, role, raw_user_meta_data) values (%s, %s, 'authenticated', "
            "'authenticated', jsonb_build_object('full_name', %s::text))",
            (id, email or f"{name.split(maxsplit=1)[0].lower()}@muster.test", name),
        )
        self.connection.execute("update public.profiles set full_name = %s where id = %s", (name, id))
        if settings:
            self.connection.execute(
                "update public.profiles set notification_settings = notification_settings || %s where id = %s",
                (psycopg.types.json.Jsonb(settings), id),
            )
        if admin:
            self.connection.execute("insert into private.admins (user_id) values (%s)", (id,))
        return id

    def add(self, table: str, **values: Any) -> UUID:
        """A row of public.`table`; returns its id."""
        names = psycopg.sql.SQL(", ").join(map(psycopg.sql.Identifier, values))
        marks = psycopg.sql.SQL(", ").join(psycopg.sql.Placeholder() for _ in values)
        statement = psycopg.sql.SQL("insert into public.{} ({}) values ({}) returning id")
        row = self.connection.execute(
            statement.format(psycopg.sql.Identifier(table), names, marks), list(values.values())
        ).fetchone()
        assert row is not None
        id: UUID = row[0]
        return id

    def count(self, query: str) -> int:
        row = self.connection.execute(f"select count(*) from {query}").fetchone()
        assert row is not None
        return int(row[0])


ALL_ON = {
    name: {"type": name, "enabled": True, "muted": False, "displayInApp": True, "email_enabled": True}
    for name in ("messages", "connections", "mentions", "system", "certifications", "digest", "trainings", "growth")
}


@pytest.fixture(scope="module")
def superuser(module_database: Database) -> Iterator[psycopg.Connection]:
    """A superuser's connection: a new one for each test would read the catalog and compile every function again."""
    with psycopg.connect(module_database.dsn("supabase_admin"), autocommit=True) as connection:
        connection.execute("set lock_timeout = '5s'")  # it shares a thread with the service: never wait for that
        yield connection


@pytest.fixture
def people(superuser: psycopg.Connection) -> People:
    """Nobody yet; writes to the database as a superuser: history is given, not made."""
    for table in (
        "functions.mail_requests", "functions.mail_queue", "functions.mail_receipts", "public.waitlist",
        "public.quiz_responses", "public.feedback", "auth.users",
    ):  # fmt: skip
        superuser.execute(psycopg.sql.SQL("delete from {}").format(psycopg.sql.Identifier(*table.split("."))))
    return People(superuser)


@pytest.fixture
async def serve(module_database: Database, people: People) -> AsyncIterator[Callable[..., Any]]:  # noqa: ARG001 (emptied before it starts)
    """Start services with settings of the test's choice, nobody in their database; they stop with the test."""
    async with AsyncExitStack() as stack:

        async def start(smtp_port: int = 1, **changes: Any) -> httpx.AsyncClient:
            return await stack.enter_async_context(service(make_settings(module_database, smtp_port, **changes)))

        yield start


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Services give up soon on a database that is away."""
    monkeypatch.setattr(database, "WAIT_S", 0.2)


@pytest.fixture
def module_settings(module_database: Database, people: People) -> Callable[..., FunctionsSettings]:  # noqa: ARG001
    """Make settings for a service that the test starts and stops itself."""
    return lambda smtp_port, **changes: make_settings(module_database, smtp_port, **changes)
