"""A database with a schema of its own for the REST contract, and services on it."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import httpx
import psycopg
import pytest

from emulator.db.cluster import Cluster
from emulator.jwt import sign
from emulator.rest.app import RestApp
from tests.contract.rest.server import rest_server
from tests.support.patience import PATIENCE_S

SECRET = "the secret of the contract tests, 32+ characters"
SCHEMA = (Path(__file__).parent / "schema.sql").read_text(encoding="utf-8")


class Rest:
    """A running REST service: `http` is a client of it, `app` the application, `dsn` its database as superuser."""

    def __init__(self, port: int, app: RestApp, dsn: str) -> None:
        self.port = port
        self.app = app
        self.dsn = dsn
        self.url = f"http://127.0.0.1:{port}"
        self.http = httpx.Client(base_url=self.url, timeout=30)

    def token(self, role: str = "rest_member", **claims: object) -> dict[str, str]:
        """Authorization for a role."""
        return {"Authorization": f"Bearer {sign({'role': role, **claims}, SECRET)}"}

    def sql(self, statement: str) -> list[tuple[object, ...]]:
        """Run a statement as superuser."""
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


def wait_for(condition: Callable[[], bool], timeout_s: float = PATIENCE_S) -> None:
    """Poll a condition; fail when it stays false."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true"
        threading.Event().wait(0.02)


def running(rest: Rest, function: str) -> int:
    """How many statements that contain a word the service is running."""
    rows = rest.sql(
        f"select count(*) from pg_stat_activity where state = 'active' and query like '%{function}%' "
        "and usename = 'rest_authenticator' and datname = current_database()"
    )
    number = rows[0][0]
    assert isinstance(number, int)
    return number


@pytest.fixture(scope="module")
def rest_database(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of a database with the contract's schema, for one module."""
    name = "rest_" + request.module.__name__.rpartition(".")[2]
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        connection.execute(f'drop database if exists "{name}" with (force)'.encode())
        connection.execute(f'create database "{name}" template template0'.encode())
    with psycopg.connect(cluster.dsn(database=name), autocommit=True) as connection:
        connection.execute(SCHEMA.encode())
    yield name
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        connection.execute(f'drop database "{name}" with (force)'.encode())


def environment(cluster: Cluster, database: str, **more: str) -> dict[str, str]:
    """The service's variables for that database."""
    return {
        "PGRST_DB_URI": psycopg.conninfo.make_conninfo(
            cluster.dsn("rest_authenticator", database), password="contract"
        ),
        "PGRST_DB_SCHEMAS": "api,other",
        "PGRST_DB_EXTRA_SEARCH_PATH": "public",
        "PGRST_DB_ANON_ROLE": "rest_anon",
        "PGRST_DB_AGGREGATES_ENABLED": "true",
        "PGRST_DB_PLAN_ENABLED": "true",
        "PGRST_DB_TX_END": "commit-allow-override",
        "PGRST_JWT_SECRET": SECRET,
        **more,
    }


@pytest.fixture(scope="module")
def make_rest(cluster: Cluster, rest_database: str) -> Iterator[Callable[..., Rest]]:
    """Start more services on the module's database, with other settings."""
    with ExitStack() as stack:

        def make(settings: Mapping[str, str] | None = None) -> Rest:
            env = environment(cluster, rest_database, **(settings or {}))
            port, app = stack.enter_context(rest_server(env))
            made = Rest(port, app, cluster.dsn(database=rest_database))
            stack.callback(made.http.close)
            return made

        yield make


@pytest.fixture(scope="module")
def rest(make_rest: Callable[..., Rest]) -> Rest:
    """The module's service."""
    return make_rest()
