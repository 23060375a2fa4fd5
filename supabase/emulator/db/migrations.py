"""Apply supabase/migrations by the rules of the official CLI, so that either may take over at any time.

Files run in the order of their names as text, as the non-superuser `postgres`, and are recorded with their statements
in supabase_migrations.schema_migrations. What was applied is known by its version alone.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psycopg

from emulator.db.failure import Failure, ScriptError
from emulator.db.script import PLAIN, Script, ScriptOptions, read_script, run_script
from emulator.paths import CHECKOUT

MIGRATIONS = CHECKOUT / "supabase" / "migrations"
_NAME = re.compile(r"^([0-9]+)_(.*)\.sql$")
# Dumps of the platform's own schema that early versions of the official CLI wrote as the first migration.
_RELIC = re.compile(r"^([0-9]{14})_init\.sql$")
_NEWEST_RELIC = "20211209000000"
_LEDGER = """
set lock_timeout = '4s';
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text not null primary key);
alter table supabase_migrations.schema_migrations add column if not exists statements text[];
alter table supabase_migrations.schema_migrations add column if not exists name text;
reset lock_timeout;
"""


class MigrationError(ScriptError):
    """A migration can't be applied. `applied` are the files that were, before it."""

    def __init__(self, failure: Failure, applied: "list[Migration] | None" = None) -> None:
        super().__init__(failure)
        self.applied = applied or []


class UnknownMigrationsError(Exception):
    """The database has migrations that the folder lacks: another version made it; the text names them."""


@dataclass(frozen=True)
class Migration:
    """One file: version (digits), name, path."""

    version: str
    name: str
    path: Path


@dataclass(frozen=True)
class Pending:
    """The files of a folder against the history of a database. `missing` are applied versions without a file."""

    new: tuple[Migration, ...]
    older: tuple[Migration, ...]  # not applied, but before the newest that is
    missing: tuple[str, ...]


def list_migrations(folder: Path = MIGRATIONS) -> list[Migration]:
    """The migrations of a folder in order. Raises MigrationError when two have the same version."""
    found: dict[str, Migration] = {}
    for path in _sql_files(folder):
        match = _NAME.match(path.name)
        if match is None:
            continue
        if (first := found.get(match[1])) is not None:
            message = f"{first.path.name} has the same version {match[1]}; rename one of them"
            raise MigrationError(Failure(path.name, message, sqlstate="23505"))
        found[match[1]] = Migration(match[1], match[2], path)
    return list(found.values())


def skipped_files(folder: Path) -> list[str]:
    """What is said of files in the folder that are no migrations."""
    pattern = 'file name must match pattern "<timestamp>_name.sql"'
    names = [path.name for path in sorted(folder.iterdir()) if path.is_file()] if folder.is_dir() else []
    return [
        f"Skipping migration {name}... ({pattern})"
        for name in names
        if _NAME.match(name) is None and not name.startswith(".")
    ]


def applied_versions(connection: psycopg.Connection) -> set[str]:
    """The versions that a database has."""
    if connection.execute("select to_regclass('supabase_migrations.schema_migrations')").fetchone() == (None,):
        return set()
    return {row[0] for row in connection.execute("select version from supabase_migrations.schema_migrations")}


def compare(known: Iterable[Migration], applied: set[str]) -> Pending:
    """What is to be done, in order. Pure."""
    known = list(known)
    last = max((place for place, item in enumerate(known) if item.version in applied), default=-1)
    older = tuple(item for item in known[: last + 1] if item.version not in applied)
    missing = tuple(sorted(applied - {item.version for item in known}))
    return Pending(tuple(known[last + 1 :]), older, missing)


def apply_migrations(
    connection: psycopg.Connection,
    folder: Path = MIGRATIONS,
    options: ScriptOptions = PLAIN,
    announce: Callable[[Migration], None] = lambda _: None,
) -> list[Migration]:
    """Apply what is missing, in order; returns what was applied. `connection` is that of `postgres`, autocommit.

    Raises MigrationError; the failing file leaves nothing behind, the ones before it stay. Raises
    UnknownMigrationsError before anything is applied: these files don't fit a schema that others made.
    """
    pending = compare(list_migrations(folder), applied_versions(connection))
    if not (pending.new or pending.older):
        return []
    if unknown := pending.missing:
        named = unknown[0] if len(unknown) == 1 else f"{unknown[0]} and {len(unknown) - 1} more"
        raise UnknownMigrationsError(f"the database has migrations that this version has no files for ({named})")
    wanted = [*pending.older, *pending.new]
    run_migrations(connection, wanted, options, announce)
    return wanted


def run_migrations(
    connection: psycopg.Connection,
    wanted: Iterable[Migration],
    options: ScriptOptions = PLAIN,
    announce: Callable[[Migration], None] = lambda _: None,
) -> None:
    """Run these files, each recorded in its own transaction. Raises MigrationError."""
    ensure_history(connection)
    done: list[Migration] = []
    for migration in wanted:
        announce(migration)
        try:
            script = read_script(migration.path, migration.path.name)
            record = partial(record_applied, migration=migration, script=script)
            run_script(connection, script, options, record=record)
        except ScriptError as error:
            raise MigrationError(error.failure, done) from error
        done.append(migration)
    connection.execute("reset all")


def ensure_history(connection: psycopg.Connection) -> None:
    """Make the table of applied migrations, as the official CLI does."""
    connection.execute(_LEDGER)


def record_applied(connection: psycopg.Connection, migration: Migration, script: Script) -> None:
    """Note a migration in the history, with its statements."""
    connection.execute(
        "insert into supabase_migrations.schema_migrations (version, name, statements) values (%s, %s, %s)",
        (migration.version, migration.name, [statement.text for statement in script.statements]),
    )


def _sql_files(folder: Path) -> list[Path]:
    files = sorted((path for path in folder.glob("*.sql") if path.is_file()), key=lambda path: path.name)
    if files and (relic := _RELIC.match(files[0].name)) and relic[1] < _NEWEST_RELIC:
        return files[1:]
    return files
