"""Apply supabase/migrations with the bookkeeping of the official CLI, so that either may take over at any time.

One file is one transaction, run as the non-superuser `postgres`, recorded in supabase_migrations.schema_migrations.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import psycopg

from emulator.paths import CHECKOUT

MIGRATIONS = CHECKOUT / "supabase" / "migrations"
_NAME = re.compile(r"^(\d{14})_([A-Za-z0-9_-]+)\.sql$")
_LEDGER = """
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (
  version text not null primary key, statements text[], name text
);
"""


class MigrationError(Exception):
    """A migration can't be applied; the text names the file and what PostgreSQL said."""


class UnknownMigrationsError(Exception):
    """The database has migrations that the folder lacks: another version made it; the text names them."""


@dataclass(frozen=True)
class Migration:
    """One file: version (14 digits, UTC), name, path."""

    version: str
    name: str
    path: Path


def list_migrations(folder: Path = MIGRATIONS) -> list[Migration]:
    """The migrations in order; raises MigrationError for a file whose name does not fit."""
    found = []
    for path in sorted(folder.glob("*.sql")):
        match = _NAME.match(path.name)
        if match is None:
            raise MigrationError(f"{path.name}: expected a name like 20260401000300_connections.sql")
        found.append(Migration(match[1], match[2], path))
    return found


def applied_versions(connection: psycopg.Connection) -> set[str]:
    """The versions that a database has."""
    if connection.execute("select to_regclass('supabase_migrations.schema_migrations')").fetchone() == (None,):
        return set()
    return {row[0] for row in connection.execute("select version from supabase_migrations.schema_migrations")}


def apply_migrations(connection: psycopg.Connection, folder: Path = MIGRATIONS) -> list[Migration]:
    """Apply what is missing, in order; returns what was applied. `connection` is that of `postgres`, autocommit.

    Raises MigrationError; the failing file leaves nothing behind, the ones before it stay. Raises
    UnknownMigrationsError before anything is applied: these files don't fit a schema that others made.
    """
    done = applied_versions(connection)
    known = list_migrations(folder)
    pending = [migration for migration in known if migration.version not in done]
    if not pending:
        return []
    if unknown := sorted(done - {migration.version for migration in known}):
        named = unknown[0] if len(unknown) == 1 else f"{unknown[0]} and {len(unknown) - 1} more"
        raise UnknownMigrationsError(f"the database has migrations that this version has no files for ({named})")
    connection.execute(_LEDGER)
    for migration in pending:
        script = migration.path.read_text("utf8")
        try:
            with connection.transaction():
                connection.execute(script.encode())
                connection.execute("reset all")
                connection.execute(
                    "insert into supabase_migrations.schema_migrations (version, name, statements) values (%s, %s, %s)",
                    (migration.version, migration.name, [script]),
                )
        except psycopg.Error as error:
            raise MigrationError(f"{migration.path.name}: {_describe(error, script)}") from error
    return pending


def _describe(error: psycopg.Error, script: str) -> str:
    message = error.diag.message_primary or str(error)
    if error.diag.statement_position is None:
        return message
    line = script[: int(error.diag.statement_position)].count("\n") + 1
    return f"line {line}: {message}"
