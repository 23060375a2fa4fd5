"""Bring a plain PostgreSQL to where the supabase/postgres image starts: roles, auth and realtime schemas.

Files of sql/bootstrap run in name order as the superuser, each in one transaction, and again only when a file
changed. The application's own schema comes by migrations (migrations.py).
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import psycopg
from psycopg import sql

from emulator.paths import BOOTSTRAP

LOGIN_ROLES = (
    "postgres", "authenticator", "supabase_auth_admin", "supabase_storage_admin", "supabase_functions_admin",
    "supabase_replication_admin", "supabase_read_only_user", "pgbouncer",
)  # fmt: skip
SCRAM_ITERATIONS, SCRAM_ITERATIONS_SINCE = 256, 160000  # the server's version
_LEDGER = """
create schema if not exists _muster;
create table if not exists _muster.bootstrap (name text primary key, sha256 text not null);
"""


def apply_bootstrap(connection: psycopg.Connection, password: str, files: Iterable[Path] | None = None) -> list[str]:
    """Run the bootstrap files that are new or changed; returns their names. `connection` is a superuser's, autocommit.

    `password` becomes the password of every login role.
    """
    connection.execute(_LEDGER)
    known: dict[str, str] = dict(connection.execute("select name, sha256 from _muster.bootstrap").fetchall())
    applied: list[str] = []
    for path in sorted(files if files is not None else BOOTSTRAP.glob("*.sql")):
        script = path.read_text("utf8")
        digest = hashlib.sha256(script.encode()).hexdigest()
        if known.get(path.name) == digest:
            continue
        with connection.transaction():
            connection.execute(script.encode())
            if not applied:  # after the first file, which makes the roles
                own_database(connection, connection.info.dbname)
            connection.execute(
                "insert into _muster.bootstrap values (%s, %s)"
                " on conflict (name) do update set sha256 = excluded.sha256",
                (path.name, digest),
            )
            connection.execute("reset all")
        applied.append(path.name)
    if applied:
        set_passwords(connection, password)
    return applied


def own_database(connection: psycopg.Connection, name: str) -> None:
    """Give a database its owner and the privileges on it, which a copy of a database lacks."""
    database = sql.Identifier(name)
    connection.execute(sql.SQL("alter database {} owner to postgres").format(database))
    services = "grant create on database {} to supabase_auth_admin, supabase_realtime_admin, supabase_storage_admin"
    connection.execute(sql.SQL(services).format(database))
    connection.execute(sql.SQL("grant all on database {} to dashboard_user").format(database))


def set_passwords(connection: psycopg.Connection, password: str) -> None:
    """Give every login role the generated password (stored as SCRAM verifier).

    Iterations make guessing slow, which a random password of 128 bits does not need, and one that everybody knows can't
    have; they cost every new connection 2 ms, and a branch opens several.
    """
    with connection.transaction():
        if connection.info.server_version >= SCRAM_ITERATIONS_SINCE:
            connection.execute(sql.SQL("set local scram_iterations = {}").format(sql.Literal(SCRAM_ITERATIONS)))
        for role in LOGIN_ROLES:
            connection.execute(sql.SQL("alter role {} password {}").format(sql.Identifier(role), sql.Literal(password)))
