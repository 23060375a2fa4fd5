"""Services over copies of a database: they share what one has read for as long as it is true of each, and no longer."""

import asyncio
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from emulator.asgi.lifespan import running as running_app
from emulator.db.cluster import Cluster
from emulator.db.copies import drop_database
from emulator.rest.app import RestApp, create_app
from emulator.rest.introspect import FINGERPRINT, Catalogs
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.settings import RestSettings
from tests.contract.rest.conftest import environment, wait_for

BEFORE = """
begin;
create type api.light as enum ('red', 'green');
create function api.left_one() returns int language sql as 'select 1';
create function api.right_one() returns int language sql as 'select 1';
create view api.lights as select 'red'::api.light as light;
commit;
"""


class Copies:
    """Two copies of one database, with a session in each."""

    def __init__(self, cluster: Cluster, names: tuple[str, str]) -> None:
        self._cluster, self.names = cluster, names
        self.sessions = [psycopg.connect(cluster.dsn(database=name), autocommit=True) for name in names]

    def run(self, place: int, statement: str) -> None:
        """Change one of them."""
        self.sessions[place].execute(statement.encode())

    def fingerprints(self) -> list[str]:
        """Of both."""
        return [str((session.execute(FINGERPRINT.encode()).fetchone() or ("",))[0]) for session in self.sessions]

    def settings(self, place: int) -> RestSettings:
        """Of a service over one of them."""
        return RestSettings.from_env(environment(self._cluster, self.names[place]))


@pytest.fixture
def copies(cluster: Cluster, rest_database: str) -> Iterator[Copies]:
    with psycopg.connect(cluster.dsn(database=rest_database), autocommit=True) as connection:
        connection.execute(
            b"drop type if exists api.light cascade; drop function if exists api.left_one, api.right_one"
        )
        connection.execute(BEFORE.encode())
    names = (f"{rest_database}_one", f"{rest_database}_other")
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        for name in names:
            drop_database(connection, name)
            copy = sql.SQL("create database {} template {} strategy wal_log")
            connection.execute(copy.format(sql.Identifier(name), sql.Identifier(rest_database)))
        made = Copies(cluster, names)
        yield made
        for session in made.sessions:
            session.close()
        for name in names:
            drop_database(connection, name)


def functions(app: RestApp) -> set[str]:
    """The names of what a service calls, as far as it is of these tests."""
    assert app.service.snapshot is not None
    return {one.name for one in app.service.snapshot.cache.functions if one.name.endswith("_one")}


def knows(app: RestApp, table: str) -> bool:
    """Whether a service reads a table."""
    snapshot = app.service.snapshot
    return snapshot is not None and QualifiedIdentifier("api", table) in snapshot.cache.tables


def test_a_fingerprint_tells_copies_apart_by_what_was_changed_and_not_by_how_much(copies: Copies) -> None:
    one, other = copies.fingerprints()
    assert one == other
    # Each loses one of two functions that one transaction made.
    copies.run(0, "drop function api.left_one()")
    copies.run(1, "drop function api.right_one()")
    one, other = copies.fingerprints()
    assert one != other
    copies.run(0, "drop function api.right_one()")
    copies.run(1, "drop function api.left_one()")
    one, other = copies.fingerprints()
    assert one == other
    # The numbers of the transactions have one sum: n and n + 3, n + 1 and n + 2.
    for place, name in ((0, "a"), (1, "b"), (1, "c"), (0, "d")):
        copies.run(place, f"create function api.{name}() returns int language sql as 'select 1'")
    one, other = copies.fingerprints()
    assert one != other


def test_a_fingerprint_is_of_everything_that_a_cache_is_made_of(copies: Copies) -> None:
    for statement in (
        "alter type api.light add value 'amber'",
        "alter type api.light rename value 'red' to 'stop'",
        "comment on view api.lights is 'of the crossing'",
        "alter view api.lights alter light set default 'green'",
        "create function api.put() returns trigger language plpgsql as 'begin return new; end'",
        "create trigger put instead of insert on api.lights for each row execute function api.put()",
        "drop trigger put on api.lights",
        f"alter role rest_anon in database \"{copies.names[0]}\" set statement_timeout = '7s'",
        f"alter role rest_authenticator in database \"{copies.names[0]}\" set pgrst.db_schemas = 'other'",
        "vacuum full pg_catalog.pg_proc",
    ):
        before = copies.fingerprints()
        copies.run(0, statement)
        after = copies.fingerprints()
        assert (after[0] != before[0], after[1]) == (True, before[1]), statement


async def test_a_copy_is_served_with_what_is_known_of_another(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogs = Catalogs()

    async def refuse(*_: object) -> None:
        raise AssertionError("the catalog is read again")

    first, second = (create_app(copies.settings(place), catalogs) for place in (0, 1))
    async with running_app(first):
        with monkeypatch.context() as patch:
            patch.setattr("emulator.rest.service.load_schema_cache", refuse)
            patch.setattr("emulator.rest.listen._LISTEN_AFTER_S", 3600)
            async with running_app(second):
                assert (functions(second), second.listener.is_listening) == ({"left_one", "right_one"}, False)
        # Each sees what is changed in its own database, before it listens and without a notification, and nothing else.
        late = create_app(copies.settings(1), catalogs)
        async with running_app(late):
            await asyncio.to_thread(copies.run, 1, "create table api.late (id int)")
            await asyncio.to_thread(wait_for, lambda: knows(late, "late"))
        assert not knows(first, "late")


async def test_copies_that_were_changed_are_served_with_their_own(copies: Copies) -> None:
    catalogs = Catalogs()
    copies.run(0, "drop function api.left_one()")
    copies.run(1, "drop function api.right_one()")
    for place, left in ((0, {"right_one"}), (1, {"left_one"}), (0, {"right_one"})):
        app = create_app(copies.settings(place), catalogs)
        async with running_app(app):
            assert functions(app) == left
    role = f'alter role rest_authenticator in database "{copies.names[1]}"'
    copies.run(1, f"{role} set pgrst.db_max_rows = '2'")
    for place, most in ((0, None), (1, 2), (0, None)):
        app = create_app(copies.settings(place), catalogs)
        async with running_app(app):
            assert app.service.settings.db_max_rows == most
    # Nor with one of other schemas.
    app = create_app(copies.settings(0).model_copy(update={"db_schemas": ("other",)}), catalogs)
    async with running_app(app):
        assert functions(app) == set()
