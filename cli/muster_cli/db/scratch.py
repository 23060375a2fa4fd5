"""Build a database beside the live one, then swap them: a failed `muster reset` changes nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from psycopg import conninfo, sql

from emulator.db.copies import StillInUse, allow_connections, at_database, drop_database, end_sessions
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
    allow_connections(connection, LIVE, False)
    try:
        end_sessions(connection, LIVE, SWAP_TIMEOUT_S, with_slots=True)  # Realtime makes a new slot
        with connection.transaction():
            connection.execute(sql.SQL("alter database {live} rename to {old}").format(**names))
            connection.execute(sql.SQL("alter database {new} rename to {live}").format(**names))
    except StillInUse as error:
        allow_connections(connection, LIVE, True)
        raise UserError("the database's sessions did not end; nothing was changed") from error
    except BaseException:
        allow_connections(connection, LIVE, True)
        raise
