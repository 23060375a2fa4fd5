"""A project's database anew, beside the live one: `db reset`, and the scratch databases that `db diff` compares with.

Two databases of the cluster are templates: one with the platform alone, one with the project's migrations, which is
copied as long as no file of them changed. Seeds always run. Roles belong to the cluster, so they stay.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
from psycopg import conninfo, sql

from emulator.db.bootstrap import apply_bootstrap
from emulator.db.copies import at_database, copy_database, drop_database
from emulator.db.project_sql import Applied, ProjectSql, apply_project
from emulator.paths import BOOTSTRAP
from emulator.schemas import migrate_services
from muster_cli.db.scratch import Drop, swap_in
from muster_cli.output import UserError
from muster_cli.stack.database import Connection

PLATFORM = "muster_platform"
MIGRATED = "muster_migrated"
NEW = "muster_new"
_SERVICES = """
select md5(string_agg(version, ',' order by version)) from (
  select version::text from auth.schema_migrations union all select hash from storage.migrations
) as steps (version)
"""

Report = Callable[[str], None]


def reset_project(
    superuser_url: str, password: str, project: ProjectSql, report: Report = lambda _: None, drop: Drop | None = None
) -> Applied:
    """Replace the live database by one with the project's migrations and seeds; services reconnect on their own.

    The old one serves until the swap, and also after an error; `drop` drops it in its own time. Raises UserError, also
    when a statement fails.
    """
    with project_database(superuser_url, password, project, NEW, report) as (_, applied):
        if applied.failure is not None:
            raise UserError(f"{applied.failure}; the database is as it was")
        swap_in(superuser_url, NEW, drop)
    return applied


@contextmanager
def project_database(
    superuser_url: str, password: str, project: ProjectSql, name: str, report: Report = lambda _: None
) -> Iterator[tuple[str, Applied]]:
    """A database of this name with everything of the project: its superuser DSN, and what was done. Dropped at the end.

    A failure is in what was done.
    """
    project = replace(project, replaces_database=True)
    try:
        with psycopg.connect(at_database(superuser_url, "template1"), autocommit=True) as connection:
            platform = _ensure_platform(connection, superuser_url, password)
            digest = _digest(project, platform)
            if _comment(connection, MIGRATED) == digest:
                copy_database(connection, MIGRATED, name)
            else:
                failed = _build_migrated(connection, superuser_url, password, project, name, digest, report)
                if failed is not None:
                    yield at_database(superuser_url, name), failed
                    return
        dsn, owner = _dsns(superuser_url, password, name)
        yield dsn, apply_project(project, dsn, owner, report)
    finally:
        with psycopg.connect(at_database(superuser_url, "template1"), autocommit=True) as connection:
            drop_database(connection, name)


@contextmanager
def platform_database(superuser_url: str, password: str, name: str) -> Iterator[str]:
    """A database with the platform alone; its superuser DSN. Dropped at the end."""
    with psycopg.connect(at_database(superuser_url, "template1"), autocommit=True) as connection:
        _ensure_platform(connection, superuser_url, password)
        copy_database(connection, PLATFORM, name)
        try:
            yield at_database(superuser_url, name)
        finally:
            drop_database(connection, name)


def _build_migrated(
    connection: Connection, url: str, password: str, project: ProjectSql, name: str, digest: str, report: Report
) -> Applied | None:
    """Migrate a copy of the platform and keep a copy of that; what was done when it failed."""
    copy_database(connection, PLATFORM, name)
    applied = apply_project(project, *_dsns(url, password, name), report, seeds_later=True)
    if applied.failure is not None:
        return applied
    copy_database(connection, name, MIGRATED)
    connection.execute(sql.SQL("comment on database {} is {}").format(sql.Identifier(MIGRATED), sql.Literal(digest)))
    return None


def _ensure_platform(connection: Connection, url: str, password: str) -> str:
    """The template with bootstrap and the services' schemas, up to date; a digest of what is in it."""
    if connection.execute("select from pg_database where datname = %s", (PLATFORM,)).fetchone() is None:
        connection.execute(sql.SQL("create database {} template template0").format(sql.Identifier(PLATFORM)))
    with psycopg.connect(at_database(url, PLATFORM), autocommit=True) as platform:
        apply_bootstrap(platform, password)
        migrate_services(platform)
        row = platform.execute(_SERVICES).fetchone()
    return str(row[0] if row else "")


def _digest(project: ProjectSql, platform: str) -> str:
    """Of everything that decides what the migrations make."""
    digest = hashlib.sha256(platform.encode())
    facts = (project.has_migrations, sorted(project.vault_secrets.items()), project.exposes_new_tables)
    digest.update(repr((*facts, project.last_version)).encode())
    for path in [*_files(BOOTSTRAP), project.supabase / "roles.sql", *_files(project.migrations)]:
        if path.is_file():
            digest.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sql"))


def _comment(connection: Connection, name: str) -> str | None:
    query = "select shobj_description(oid, 'pg_database') from pg_database where datname = %s"
    row = connection.execute(query, (name,)).fetchone()
    return row[0] if row else None


def _dsns(url: str, password: str, name: str) -> tuple[str, str]:
    """As superuser and as owner. Commits don't wait for the disk: that of the swap waits for all before it."""
    dsn = conninfo.make_conninfo(at_database(url, name), options="-c synchronous_commit=off")
    return dsn, conninfo.make_conninfo(dsn, user="postgres", password=password)
