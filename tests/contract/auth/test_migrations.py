"""The service migrates its own schema: on a plain database, beside another process, and not where nothing is new."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg import sql

from emulator.auth.migrations import OF_THE_IMAGE, VERSIONS, migrate
from emulator.paths import CHECKOUT
from tests.contract.auth.harness import base_env, wait_until
from tests.support.commands import run, start
from tests.support.postgres import Database, free_port

SHAPE = """
select table_name, column_name, ordinal_position, data_type, column_default, is_nullable
from information_schema.columns where table_schema = 'auth' order by 1, 3
"""


@pytest.fixture
def plain(bare_database: Database, template: str) -> Database:
    """A database with nothing in it but what lets the service's role make a schema; `template` made the roles."""
    assert template
    with psycopg.connect(bare_database.dsn("supabase_admin"), autocommit=True) as connection:
        grant = sql.SQL("grant create on database {} to supabase_auth_admin")
        connection.execute(grant.format(sql.Identifier(bare_database.name)))
    return bare_database


def owner(database: Database) -> psycopg.Connection:
    return psycopg.connect(database.dsn("supabase_auth_admin"), autocommit=True)


def test_a_plain_database_gets_the_schema_of_a_stack(plain: Database, database: Database) -> None:
    with owner(plain) as connection, owner(database) as stack:
        assert migrate(connection) == list(VERSIONS)
        assert migrate(connection) == []
        assert connection.execute(SHAPE).fetchall() == stack.execute(SHAPE).fetchall()
        recorded = "select version from auth.schema_migrations order by 1"
        assert [row[0] for row in connection.execute(recorded).fetchall()] == sorted(VERSIONS)


def test_versions_that_gotrue_lacks_are_no_reason_to_migrate(plain: Database) -> None:
    """The image's init script records seven versions that a database made by GoTrue alone does not have."""
    with owner(plain) as connection:
        migrate(connection)
        connection.execute("delete from auth.schema_migrations where version = any(%s)", (sorted(OF_THE_IMAGE),))
        connection.execute("insert into auth.schema_migrations values ('20990101000000')")
        assert migrate(connection) == []


def test_two_that_start_at_once_take_turns(plain: Database) -> None:
    def start(_number: int) -> int:
        with owner(plain) as connection:
            return len(migrate(connection))

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(start, range(2))) == [0, len(VERSIONS)]


def test_a_refused_migration_leaves_nothing(plain: Database) -> None:
    with psycopg.connect(plain.dsn("supabase_admin"), autocommit=True) as connection:
        connection.execute("create schema auth")
        connection.execute("grant usage on schema auth to supabase_auth_admin")
    with owner(plain) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            migrate(connection)
        assert connection.execute(
            "select count(*) from pg_class where relnamespace = 'auth'::regnamespace"
        ).fetchone() == (0,)


def test_alone_it_migrates_and_says_that_it_listens(plain: Database, tmp_path: Path) -> None:
    port = free_port()
    log = tmp_path / "auth.log"
    env = base_env(f"http://127.0.0.1:{port}", plain.url("supabase_auth_admin"), API_HOST="127.0.0.1", PORT=str(port))
    with log.open("wb") as sink:
        streams = {"stdout": sink.fileno(), "stderr": sink.fileno()}
        process = start("emulator.auth", env={**os.environ, **env, "PORT": str(port)}, cwd=str(CHECKOUT), **streams)
    try:
        wait_until(lambda: "listening on" in log.read_text() or process.poll() is not None)
        assert process.poll() is None, log.read_text()
        assert httpx.get(f"http://127.0.0.1:{port}/health").status_code == 200
    finally:
        process.terminate()
        process.wait(20)


def test_alone_it_ends_where_it_may_not_migrate(plain: Database) -> None:
    env = base_env("http://auth.test", plain.url("authenticator"))
    ended = run(module="emulator.auth", env={**os.environ, **env}, cwd=str(CHECKOUT))
    assert ended.returncode != 0
    assert "permission denied" in ended.stderr
    assert "Traceback" not in ended.stderr
