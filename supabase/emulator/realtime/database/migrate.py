"""Make what the service needs in schema `realtime`, at its start, as the original's own migrations do. I/O.

The original's functions for polling wal2json (apply_rls and those that it calls) are not made: this service reads the
log itself. So its migrations are not recorded as done, and the original runs its own on a database that moves to it.
"""

import hashlib
from pathlib import Path
from typing import Any

import psycopg

SCHEMA = Path(__file__).with_name("schema.sql")
_LOCK = 0x7265_616C  # "real": two services that start at once take turns
# The original's own migration after which its schema has all that is used here.
_NEEDED_OF_THE_ORIGINAL = 20260603120000
_LEDGER = """
create schema if not exists _muster;
create table if not exists _muster.bootstrap (name text primary key, sha256 text not null);
"""
_NAME = "realtime"


class OutdatedSchema(Exception):
    """A schema that an older Realtime made; the text says which."""


def migrate(connection: psycopg.Connection[Any]) -> bool:
    """Bring the schema up to date; whether anything was done. Raises OutdatedSchema, psycopg.Error.

    `connection` is a superuser's, in autocommit. A schema that the original made is left as it is.
    """
    script = SCHEMA.read_bytes()
    digest = hashlib.sha256(script).hexdigest()
    if _is_current(connection, digest):
        return False
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        if _is_current(connection, digest):
            return False
        connection.execute(_LEDGER)
        connection.execute(script)
        connection.execute(
            "insert into _muster.bootstrap values (%s, %s) on conflict (name) do update set sha256 = excluded.sha256",
            (_NAME, digest),
        )
    return True


def _is_current(connection: psycopg.Connection[Any], digest: str) -> bool:
    if connection.execute("select to_regclass('realtime.schema_migrations')").fetchone() != (None,):
        row = connection.execute("select max(version) from realtime.schema_migrations").fetchone()
        newest = row[0] if row is not None and row[0] is not None else 0
        if newest < _NEEDED_OF_THE_ORIGINAL:
            raise OutdatedSchema(
                f"the schema realtime is at migration {newest} of Realtime, this service needs "
                f"{_NEEDED_OF_THE_ORIGINAL}: start a newer Realtime on it once"
            )
        return True
    if connection.execute("select to_regclass('_muster.bootstrap')").fetchone() == (None,):
        return False
    row = connection.execute("select sha256 from _muster.bootstrap where name = %s", (_NAME,)).fetchone()
    exists = connection.execute("select to_regclass('realtime.messages')").fetchone() != (None,)
    return row == (digest,) and exists
