"""Fixtures: a mailbox, and auth services with any settings over one database a module."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path

import httpx
import pytest

from emulator.auth.app import create_app
from emulator.auth.conf.settings import AuthSettings
from emulator.auth.context import Service
from emulator.auth.crypto.password import Hasher
from emulator.db.cluster import Cluster
from emulator.mailbox.app import create_app as create_mailbox
from emulator.mailbox.settings import MailboxSettings
from tests.contract.auth.harness import AuthClient, Mailbox, Served, base_env
from tests.support.postgres import Database, create_database, drop_database, free_port

StartAuth = Callable[..., AuthClient]


@contextmanager
def outside_world(make: Callable[[], httpx.AsyncBaseTransport]) -> Iterator[None]:
    """Let services reach nothing but the transport that is made for each: a service has an event loop of its own."""
    with pytest.MonkeyPatch.context() as patch:
        http = cached_property(lambda _: httpx.AsyncClient(transport=make()))
        http.__set_name__(Service, "http")
        patch.setattr(Service, "http", http)
        yield


@pytest.fixture(scope="module")
def mailbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mailbox]:
    """A running mailbox."""
    folder: Path = tmp_path_factory.mktemp("mail")
    smtp_port = free_port()
    served = Served(create_mailbox(MailboxSettings(folder=folder, smtp_port=smtp_port)))
    yield Mailbox(served.url, smtp_port)
    served.stop()


@pytest.fixture(scope="module")
def module_database(cluster: Cluster, platform: Database) -> Iterator[Database]:
    """Without the product: its triggers are no part of the dialect."""
    made = create_database(cluster, platform.name)
    yield made
    drop_database(made)


@pytest.fixture(scope="module")
def hash_cost() -> int:
    """bcrypt's least, as a hash of the services' own cost takes 60 ms; a module that is about that one gives it."""
    return 4


@pytest.fixture(scope="module", autouse=True)
def _hashes_cost(hash_cost: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("emulator.auth.app.Hasher", partial(Hasher, cost=hash_cost))
        yield


@pytest.fixture(scope="module")
def start_auth(module_database: Database, mailbox: Mailbox) -> Iterator[StartAuth]:
    """Start a service; keyword arguments are GOTRUE_ variables without the prefix."""
    running: list[AuthClient] = []

    def start(**more: str) -> AuthClient:
        smtp = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(mailbox.smtp_port), "SMTP_ADMIN_EMAIL": "auth@example.org"}
        url = module_database.url("supabase_auth_admin")
        env = base_env("http://auth.test", url, **{**smtp, **more})
        client = AuthClient(
            Served(create_app(AuthSettings.from_env(env))), module_database.dsn("supabase_admin"), mailbox
        )
        running.append(client)
        return client

    yield start
    for client in running:  # all of them, before the first is waited for
        client.served.end()
    for client in running:
        client.close()


@pytest.fixture(scope="module")
def auth(start_auth: StartAuth) -> AuthClient:
    """The ordinary service: mails must be confirmed."""
    return start_auth()


@pytest.fixture(scope="module")
def open_auth(start_auth: StartAuth) -> AuthClient:
    """A service that confirms everybody at once, on the same database."""
    return start_auth(
        MAILER_AUTOCONFIRM="true", SMS_AUTOCONFIRM="true", EXTERNAL_PHONE_ENABLED="true",
        EXTERNAL_ANONYMOUS_USERS_ENABLED="true",
    )  # fmt: skip
