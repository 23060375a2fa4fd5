"""Dump and restore: all rows of the application, its accounts and its files in one file, without pg_dump.

The schema is not included: it comes from the migrations and the services, so a dump of the emulator restores into the
containers or a hosted project and back. Sessions and pending tokens are not included: everyone signs in again. Files
come along where their folder is at hand: the embedded stack's, or the containers' volume. Without it a dump leaves out
the rows of storage, and a restore leaves them alone: a row says that its file is there.
"""

import hashlib
import json
import os
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import psycopg
from psycopg import sql

from emulator.db.migrations import applied_versions
from muster_cli.db.archive_files import PREFIX, FileRestorer, Layout, StoredFile, add_files, holds_any

FORMAT = 1
STORAGE = "storage"
STORAGE_TABLES = ("buckets", "objects")  # uploads in parts are begun anew
SCHEMAS = ("public", "private", "functions", "auth")
# Short-lived rows of sign-ins, and each service's own migration history.
PASSING = (
    "schema_migrations", "sessions", "refresh_tokens", "mfa_amr_claims", "mfa_challenges", "one_time_tokens",
    "flow_state", "saml_relay_states", "webauthn_challenges", "oauth_authorizations", "oauth_client_states",
)  # fmt: skip
CHUNK = 1 << 20

Connection = psycopg.Connection[tuple[Any, ...]]
Progress = Callable[[float | None], None]


class ArchiveError(Exception):
    """The file can't be used, or does not fit the database; the text is one line for a person."""


@dataclass(frozen=True)
class TableEntry:
    """One table's rows in the file: PostgreSQL's text format, in the order of `columns`."""

    schema: str
    name: str
    columns: list[str]
    rows: int
    sha256: str

    @property
    def member(self) -> str:
        """The name within the file."""
        return f"{self.schema}.{self.name}.copy"

    @property
    def identifier(self) -> sql.Identifier:
        """The table's name, quoted."""
        return sql.Identifier(self.schema, self.name)


@dataclass(frozen=True)
class Manifest:
    """The table of contents of a dump. A sequence is [schema, name, last value, whether it was used]."""

    created_at: str
    server_version: int
    migrations: list[str]
    tables: list[TableEntry]
    sequences: list[tuple[str, str, int, bool]]
    format: int = FORMAT

    @property
    def rows(self) -> int:
        """How many there are in all."""
        return sum(table.rows for table in self.tables)


_TABLES = """
select n.nspname, c.relname, array_agg(a.attname::text order by a.attnum)
from pg_class as c
inner join pg_namespace as n on n.oid = c.relnamespace
inner join pg_attribute as a on a.attrelid = c.oid
where c.relkind = 'r' and n.nspname = any(%s)
  and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
group by n.nspname, c.relname order by n.nspname, c.relname
"""
_SEQUENCES = """
select n.nspname, c.relname from pg_class as c inner join pg_namespace as n on n.oid = c.relnamespace
where c.relkind = 'S' and n.nspname = any(%s) order by 1, 2
"""


def dump(
    connection: Connection, file: Path, advance: Progress = lambda _: None, files: Layout | None = None
) -> Manifest:
    """Write one snapshot to `file`, readable by its owner only, atomically. `connection` is postgres'.

    `files`: where the service keeps the objects.
    """
    partial = file.with_name(f"{file.name}.partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as raw, tarfile.open(fileobj=raw, mode="w:gz", compresslevel=6) as archive:
            manifest = _dump_into(connection, archive, advance, files)
            _add(archive, "manifest.json", json.dumps(asdict(manifest), indent=1).encode())
        partial.rename(file)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return manifest


def read_manifest(file: Path) -> Manifest:
    """The table of contents of a dump. Raises ArchiveError."""
    try:
        with tarfile.open(file, "r:gz") as archive:
            member = archive.extractfile("manifest.json")
            assert member is not None
            said = json.loads(member.read())
        if said["format"] != FORMAT:
            raise ArchiveError(f"{file.name} has format {said['format']}; this version reads {FORMAT}")
        tables = [TableEntry(**entry) for entry in said.pop("tables")]
        sequences = [(str(s), str(n), int(last), bool(used)) for s, n, last, used in said.pop("sequences")]
        return Manifest(**said, tables=tables, sequences=sequences)
    except (OSError, EOFError, tarfile.TarError, KeyError, ValueError, TypeError, AssertionError) as error:
        raise ArchiveError(f"{file} is not a dump from ./muster db dump, or it is damaged: {error}") from error


def restore(
    connection: Connection, file: Path, advance: Progress = lambda _: None, files: Layout | None = None
) -> Manifest:
    """Replace the rows of the database by those of a dump, in one transaction.

    `connection` is a superuser's (or one that may set session_replication_role). Files come back before the rows are
    committed; the service removes those that nothing names. Raises ArchiveError, psycopg.Error.
    """
    manifest = read_manifest(file)
    if files is None:
        manifest = replace(manifest, tables=[table for table in manifest.tables if table.schema != STORAGE])
    with connection.transaction():
        connection.execute("set local session_replication_role = replica")
        connection.execute("set local statement_timeout = 0")
        _check_fit(connection, manifest)
        names = sql.SQL(", ").join(table.identifier for table in manifest.tables)
        connection.execute(sql.SQL("truncate {} cascade").format(names))
        _restore_rows(connection, file, manifest, advance, files)
        for schema, name, last, used in manifest.sequences:
            connection.execute(
                "select setval(format('%%I.%%I', %s::text, %s::text)::regclass, %s, %s)", (schema, name, last, used)
            )
        connection.execute("notify pgrst, 'reload schema'")
    connection.execute("analyze")
    return manifest


def _dump_into(connection: Connection, archive: tarfile.TarFile, advance: Progress, files: Layout | None) -> Manifest:
    with connection.transaction():
        connection.execute("set transaction isolation level repeatable read, read only")
        connection.execute("set local statement_timeout = 0")
        rows = connection.execute(_TABLES, (list(SCHEMAS),)).fetchall()
        wanted = [row for row in rows if not (row[0] == "auth" and row[1] in PASSING)]
        stored = _stored_files(connection) if files is not None else []
        if files is not None and (not stored or holds_any(files, stored)):
            found = connection.execute(_TABLES, ([STORAGE],)).fetchall()
            wanted += [row for row in found if row[1] in STORAGE_TABLES]
        tables = []
        for number, (schema, name, columns) in enumerate(wanted):
            advance(number / len(wanted))
            tables.append(_dump_table(connection, archive, schema, name, columns))
        if files is not None:
            add_files(archive, files, stored)
        sequences = []
        for schema, name in connection.execute(_SEQUENCES, (list(SCHEMAS),)).fetchall():
            row = connection.execute(
                sql.SQL("select last_value, is_called from {}").format(sql.Identifier(schema, name))
            ).fetchone()
            assert row is not None
            sequences.append((schema, name, row[0], row[1]))
        migrations = sorted(applied_versions(connection))
    created_at = datetime.now(UTC).isoformat(timespec="seconds")
    return Manifest(created_at, connection.info.server_version, migrations, tables, sequences)


def _stored_files(connection: Connection) -> list[StoredFile]:
    if connection.execute("select to_regclass('storage.objects')").fetchone() == (None,):
        return []
    rows = connection.execute(
        "select version, bucket_id, name, coalesce(metadata ->> 'mimetype', 'application/octet-stream'),"
        " coalesce(metadata ->> 'cacheControl', 'no-cache') from storage.objects where version is not null"
    )
    return [StoredFile(*row) for row in rows]


def _dump_table(
    connection: Connection, archive: tarfile.TarFile, schema: str, name: str, columns: list[str]
) -> TableEntry:
    digest = hashlib.sha256()
    statement = sql.SQL("copy {} ({}) to stdout").format(sql.Identifier(schema, name), _columns(columns))
    with tempfile.TemporaryFile() as spool, connection.cursor() as cursor:
        with cursor.copy(statement) as copy:
            for piece in copy:
                digest.update(piece)
                spool.write(piece)
        entry = TableEntry(schema, name, columns, cursor.rowcount, digest.hexdigest())
        info = tarfile.TarInfo(entry.member)
        info.size, info.mode = spool.tell(), 0o600
        spool.seek(0)
        archive.addfile(info, spool)
    return entry


def _check_fit(connection: Connection, manifest: Manifest) -> None:
    """Refuse a dump whose tables or migrations differ from the database's. Raises ArchiveError."""
    here, there = applied_versions(connection), set(manifest.migrations)
    if here != there:
        odd = sorted(here ^ there)
        hint = "apply them first: ./muster migrate" if there > here else "restore it with the version that made it"
        raise ArchiveError(f"the dump and the database differ in migration {', '.join(odd)}; {hint}")
    known = {
        (schema, name): set(columns) for schema, name, columns in connection.execute(_TABLES, ([*SCHEMAS, STORAGE],))
    }
    for table in manifest.tables:
        missing = set(table.columns) - known.get((table.schema, table.name), set())
        if missing:
            raise ArchiveError(
                f"the database's {table.schema}.{table.name} has no {', '.join(sorted(missing))}: "
                "its services are older than those that made the dump"
            )


def _restore_rows(
    connection: Connection, file: Path, manifest: Manifest, advance: Progress, files: Layout | None
) -> None:
    waiting = {table.member: table for table in manifest.tables}
    done = 0
    restorer: FileRestorer | None = None
    try:
        with tarfile.open(file, "r:gz") as archive:
            for member in archive:
                table = waiting.pop(member.name, None)
                if table is not None:
                    source = archive.extractfile(member)
                    assert source is not None
                    _restore_table(connection, table, source)
                    done += table.rows
                    advance(done / max(manifest.rows, 1))
                elif files is not None and member.name.startswith(PREFIX):
                    if restorer is None:  # rows come first: they say what each file is
                        restorer = FileRestorer(files, {file.version: file for file in _stored_files(connection)})
                    source = archive.extractfile(member)
                    assert source is not None
                    restorer.restore(member, source)
    except (OSError, EOFError, ValueError, tarfile.TarError) as error:
        raise ArchiveError(f"{file} is damaged: {error}; nothing was changed") from error
    finally:
        if restorer is not None:
            restorer.close()
    if any(table.schema == STORAGE for table in manifest.tables):
        # What was removed while the dump ran has a row there, and no file.
        there = [] if restorer is None else restorer.versions
        connection.execute("delete from storage.objects where version <> all(%s)", (there,))
    if waiting:
        raise ArchiveError(f"{file} lacks {', '.join(waiting)}; nothing was changed")


def _restore_table(connection: Connection, table: TableEntry, source: IO[bytes]) -> None:
    digest = hashlib.sha256()
    statement = sql.SQL("copy {} ({}) from stdin").format(table.identifier, _columns(table.columns))
    with connection.cursor() as cursor:
        with cursor.copy(statement) as copy:
            while piece := source.read(CHUNK):
                digest.update(piece)
                copy.write(piece)
        if digest.hexdigest() != table.sha256 or cursor.rowcount != table.rows:
            raise ArchiveError(f"the rows of {table.schema}.{table.name} are damaged; nothing was changed")


def _columns(names: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(sql.Identifier(name) for name in names)


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    with tempfile.TemporaryFile() as spool:
        spool.write(content)
        spool.seek(0)
        info = tarfile.TarInfo(name)
        info.size, info.mode = len(content), 0o600
        archive.addfile(info, spool)
