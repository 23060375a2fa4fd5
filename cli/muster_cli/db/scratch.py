"""Build a database beside the live one, then swap them: a failed `muster reset` changes nothing."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from psycopg import conninfo, sql

from muster_cli.output import UserError
from muster_cli.stack.database import Connection, prepare_database, seed_with

LIVE = "postgres"
REPLACED = "muster_replaced"
SWAP_TIMEOUT_S = 20.0

Drop = Callable[[str, str], None]


@contextmanager
def scratch_database(superuser_url: str, password: str, name: str, seed_password: str | None = None) -> Iterator[str]:
    """A bootstrapped, migrated and perhaps seeded database; its superuser DSN. Dropped at the end unless renamed."""
    with psycopg.connect(at_database(superuser_url, "template1"), autocommit=True) as connection:
        drop_database(connection, name)
        connection.execute(sql.SQL("create database {} template template0").format(sql.Identifier(name)))
    try:
        dsn = at_database(superuser_url, name)
        owner = conninfo.make_conninfo(dsn, user="postgres", password=password)
        prepare_database(dsn, owner, password, seed_with(seed_password))
        yield dsn
    finally:
        with psycopg.connect(at_database(superuser_url, "template1"), autocommit=True) as connection:
            drop_database(connection, name)


def rebuild(superuser_url: str, password: str, seed_password: str | None) -> None:
    """Replace the live database by a new one; services reconnect on their own.

    The old one serves until the swap, and also after an error. Raises UserError or psycopg.Error.
    """
    with scratch_database(superuser_url, password, "muster_new", seed_password):
        swap_in(superuser_url, "muster_new")


def swap_in(superuser_url: str, new: str, drop: Drop | None = None) -> None:
    """Make a finished database the live one; the old one is dropped, perhaps by `drop`, which gets the server's DSN.

    Raises UserError or psycopg.Error.
    """
    server = at_database(superuser_url, "template1")
    with psycopg.connect(server, autocommit=True) as connection:
        drop_database(connection, REPLACED)
        _swap(connection, new, REPLACED)
        if drop is None:
            drop_database(connection, REPLACED)
    if drop is not None:
        drop(server, REPLACED)


def _swap(connection: Connection, new: str, old: str) -> None:
    """Rename both in one transaction. Connections are not allowed meanwhile, so no write to the old one is lost."""
    names = {"live": sql.Identifier(LIVE), "new": sql.Identifier(new), "old": sql.Identifier(old)}
    connection.execute(sql.SQL("alter database {live} with allow_connections false").format(**names))
    try:
        _empty_of_sessions(connection)
        with connection.transaction():
            connection.execute(sql.SQL("alter database {live} rename to {old}").format(**names))
            connection.execute(sql.SQL("alter database {new} rename to {live}").format(**names))
    except BaseException:
        connection.execute(sql.SQL("alter database {live} with allow_connections true").format(**names))
        raise


def _empty_of_sessions(connection: Connection) -> None:
    """End every session of the live database and drop its replication slots (Realtime creates a new one)."""
    ended = "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = %s"
    slots = "select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = %s and not active"
    left = (
        "select (select count(*) from pg_stat_activity where datname = %s)"
        " + (select count(*) from pg_replication_slots where database = %s)"
    )
    deadline = time.monotonic() + SWAP_TIMEOUT_S
    while True:
        connection.execute(ended, (LIVE,))
        connection.execute(slots, (LIVE,))
        if connection.execute(left, (LIVE, LIVE)).fetchone() == (0,):
            return
        if time.monotonic() > deadline:
            raise UserError("the database's sessions did not end; nothing was changed")
        time.sleep(0.05)


def drop_database(connection: Connection, name: str) -> None:
    """Drop it if it is there, whoever is connected."""
    connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))


def at_database(superuser_url: str, database: str) -> str:
    """The same server, another database."""
    return conninfo.make_conninfo(superuser_url, dbname=database)
