"""From nothing to a migrated, seeded database: the steps between a PostgreSQL that answers and services that start."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import conninfo

from emulator.db.bootstrap import apply_bootstrap
from emulator.db.cluster import SUPERUSER
from emulator.db.migrations import MigrationError, UnknownMigrationsError, apply_migrations
from emulator.schemas import migrate_services
from muster_cli.extension import load_extension
from muster_cli.output import UserError

Connection = psycopg.Connection[tuple[Any, ...]]

OLDEST_SERVER = 150000
SEED_MARK = "seed:dev"  # its row in _muster.bootstrap says that the seed was loaded


@dataclass(frozen=True)
class Prepared:
    """What was done to the database of a stack."""

    migrations: int
    seeded: bool
    has_seed: bool


def prepare_database(
    superuser_dsn: str, owner_dsn: str, password: str, seed: Callable[[Connection], list[str]] | None
) -> Prepared:
    """Bootstrap, migrate and, when the database was empty, seed; None seeds nothing.

    Raises UserError with one line.
    """
    try:
        with psycopg.connect(superuser_dsn, autocommit=True) as superuser:
            apply_bootstrap(superuser, password)
            migrate_services(superuser)
            with psycopg.connect(owner_dsn, autocommit=True) as owner:
                applied = apply_migrations(owner)
            seeded = seed is not None and _is_unseeded(superuser)
            if seed is not None and seeded:
                seed(superuser)
                superuser.execute("insert into _muster.bootstrap values (%s, '')", (SEED_MARK,))
            has_seed = _has_seed(superuser)
    except MigrationError as error:
        raise UserError(f"the migrations stopped at {error}") from error
    except UnknownMigrationsError as error:
        remedy = "run the version that made it, or start over: with another --home, or after deleting this one"
        raise UserError(f"{error}: {remedy}") from error
    except psycopg.Error as error:
        raise UserError(f"the database could not be prepared: {_one_line(error)}") from error
    return Prepared(len(applied), seeded, has_seed)


def seed_with(password: str | None) -> Callable[[Connection], list[str]] | None:
    """The project's seed with its accounts' password; None when there is no seed or none is wanted."""
    seed = load_extension().seed
    if seed is None or password is None:
        return None
    return lambda connection: seed(connection, password)


def adopt_server(url: str, password: str) -> tuple[str, str]:
    """Prepare an external PostgreSQL: create the superuser supabase_admin; returns the DSNs of it and of postgres.

    `url` must be a superuser's. Raises UserError when the server is too old, not logical, or not ours to change.
    """
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            if connection.info.server_version < OLDEST_SERVER:
                raise UserError(
                    f"PostgreSQL {connection.info.server_version // 10000} is too old: 15 or newer is needed"
                )
            facts = "select current_setting('wal_level'), rolsuper from pg_roles where rolname = current_user"
            row = connection.execute(facts).fetchone()
            if row is None or row[0] != "logical":
                raise UserError(
                    "the server must run with wal_level = logical (then restart it): realtime streams changes"
                )
            if not row[1]:
                raise UserError("MUSTER_DATABASE_URL must name a superuser: roles and schemas are made at first start")
            _ensure_superuser(connection, password)
    except psycopg.Error as error:
        raise UserError(f"MUSTER_DATABASE_URL does not answer: {_one_line(error)}") from error
    own = {"user": SUPERUSER, "password": password}
    return conninfo.make_conninfo(url, **own), conninfo.make_conninfo(url, **{**own, "user": "postgres"})


def _ensure_superuser(connection: psycopg.Connection, password: str) -> None:
    known = connection.execute("select from pg_roles where rolname = %s", (SUPERUSER,)).fetchone()
    verb = "create" if known is None else "alter"
    statement = psycopg.sql.SQL(f"{verb} role {{}} superuser login password {{}}")
    connection.execute(statement.format(psycopg.sql.Identifier(SUPERUSER), psycopg.sql.Literal(password)))


def _is_unseeded(connection: psycopg.Connection) -> bool:
    """Whether no seed was loaded and no account exists."""
    return not _has_seed(connection) and connection.execute("select from auth.users limit 1").fetchone() is None


def _has_seed(connection: psycopg.Connection) -> bool:
    return connection.execute("select from _muster.bootstrap where name = %s", (SEED_MARK,)).fetchone() is not None


def _one_line(error: psycopg.Error) -> str:
    return (error.diag.message_primary or str(error)).strip().splitlines()[0]
