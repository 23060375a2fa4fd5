"""Run one SQL file of a project as the official CLI does: its statements in one transaction, or as the file demands.

A file that opens or ends transactions itself runs statement by statement; what PostgreSQL refuses inside a transaction
runs alone, and what came before it is committed then.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import psycopg
from psycopg.pq import TransactionStatus

from emulator.db.failure import Failure, ScriptError
from emulator.db.sql_kinds import (
    SuperuserStatement,
    changed_role,
    controls_transactions,
    copies_from_stdin,
    for_database,
    index_method,
    runs_alone,
    superuser_statement,
)
from emulator.db.sql_split import SqlStatement, skip_comments, split_statements

# Extensions of the image that no table, type or policy of a project is made of.
DISPENSABLE = frozenset({"pg_repack", "pg_stat_monitor", "pgaudit", "pgroonga", "pgroonga_database", "rum"})
_LONGEST_SHOWN = 1000
_COPY_REFUSED = (
    "COPY FROM STDIN needs psql, which sends the rows after it; write the rows as INSERT (pg_dump --inserts)"
)
_PSQL_REFUSED = "lines that begin with a backslash are commands of psql, not SQL; remove them"


class Superuser(Protocol):
    """Runs the statements that PostgreSQL reserves for superusers and the image lets role postgres run."""

    def provide(self, script: str) -> list[str]:
        """Make the extensions of a script available where a package brings them; returns what failed, a line each."""

    def execute(self, connection: psycopg.Connection, statement: SqlStatement, reserved: SuperuserStatement) -> bool:
        """Run it in the transaction of `connection`; False when it does not need a superuser after all."""


@dataclass(frozen=True)
class Script:
    """A file that was read: the name people know it by, its text, its statements."""

    name: str
    text: str
    statements: Sequence[SqlStatement]


Warn = Callable[[str], None]
Record = Callable[[psycopg.Connection], None]


@dataclass(frozen=True)
class ScriptOptions:
    """How the files of a project are run: who helps with reserved statements, and where warnings go."""

    superuser: Superuser | None = None
    warn: Warn = lambda _: None
    # For a database that is to replace `postgres` of the same cluster: roles that exist are neither created nor
    # dropped, and `alter database postgres` means this one.
    replaces_database: bool = False


PLAIN = ScriptOptions()


def read_script(path: Path, name: str) -> Script:
    """Read a file and split it. Raises ScriptError when it is missing or no text."""
    try:
        text = path.read_bytes().decode("utf-8-sig")  # line ends stay as they are: the history has them, too
    except UnicodeDecodeError as error:
        raise ScriptError(Failure(name, f"the file is not UTF-8 ({error.reason} at byte {error.start})")) from error
    except OSError as error:
        raise ScriptError(Failure(name, f"the file can't be read: {error.strerror}")) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ScriptError(Failure(name, "the file contains a NUL character", line=line, sqlstate="22021"))
    return Script(name, text, split_statements(text))


def run_script(connection: psycopg.Connection, script: Script, options: ScriptOptions, *, record: Record) -> None:
    """Run the statements and then `record`, which notes the file in its history.

    `connection` is in autocommit, as role postgres; its settings are reset first. Raises ScriptError.
    """
    connection.prepare_threshold = None
    runner = _Runner(connection, script, options)
    connection.execute("reset all")
    for failure in options.superuser.provide(script.text) if options.superuser is not None else ():
        options.warn(failure)
    if controls_transactions(list(script.statements)):
        runner.run(enumerate(script.statements), record, is_atomic=False)
        return
    batch: list[tuple[int, SqlStatement]] = []
    for number, statement in enumerate(script.statements):
        if not runs_alone(statement):
            batch.append((number, statement))
            continue
        runner.run(batch, None, is_atomic=True)
        runner.run([(number, statement)], None, is_atomic=False)
        batch = []
    runner.run(batch, record, is_atomic=True)


@dataclass(frozen=True)
class _Runner:
    connection: psycopg.Connection
    script: Script
    options: ScriptOptions

    def run(self, statements: Iterable[tuple[int, SqlStatement]], record: Record | None, *, is_atomic: bool) -> None:
        connection = self.connection
        current: tuple[int, SqlStatement] | None = None
        try:
            if is_atomic:
                connection.execute("begin")
            for current in statements:
                self._execute(current[1])
            if record is not None:
                current = None
                connection.execute("reset role")
                record(connection)
            if is_atomic:
                current = None
                connection.execute("commit")
        except psycopg.Error as error:
            raise ScriptError(self._failure(error, current)) from error
        finally:
            if connection.info.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
                connection.execute("rollback")

    def _execute(self, statement: SqlStatement) -> None:
        if copies_from_stdin(statement):
            raise psycopg.errors.ProtocolViolation(_COPY_REFUSED)
        reserved = superuser_statement(statement)
        if self._is_index_of_missing_method(statement) or self._is_dispensable_extension(statement, reserved):
            return
        if self.options.replaces_database and self._is_known_role(statement):
            return
        superuser = self.options.superuser
        if reserved and superuser and superuser.execute(self.connection, statement, reserved):
            return
        text = statement.text
        if self.options.replaces_database:
            text = for_database(statement, self.connection.info.dbname)
        self.connection.execute(text.encode())

    def _is_index_of_missing_method(self, statement: SqlStatement) -> bool:
        """Indexes change no result: one of a method that only a C library brings is left out."""
        method = index_method(statement)
        if method is None:
            return False
        known = self.connection.execute("select from pg_catalog.pg_am where amname = %s", (method,)).fetchone()
        if known is not None:
            return False
        self._warn_of(statement, f"the index is left out, there is no access method {method} here")
        return True

    def _is_dispensable_extension(self, statement: SqlStatement, reserved: SuperuserStatement | None) -> bool:
        """Whether a project works without it, but for what it measures, checks or speeds up."""
        if reserved is None or (reserved.kind, reserved.verb) != ("extension", "create"):
            return False
        if reserved.name not in DISPENSABLE:
            return False
        found = "select from pg_catalog.pg_available_extensions where name = %s"
        if self.connection.execute(found, (reserved.name,)).fetchone() is not None:
            return False
        self._warn_of(statement, f"the extension {reserved.name} is left out, this PostgreSQL does not have it")
        return True

    def _warn_of(self, statement: SqlStatement, text: str) -> None:
        line = _line(self.script.text, statement.offset + skip_comments(statement.text))
        self.options.warn(f"{self.script.name}, line {line}: {text}")

    def _is_known_role(self, statement: SqlStatement) -> bool:
        role = changed_role(statement)
        known = "select from pg_catalog.pg_roles where rolname = %s"
        return role is not None and self.connection.execute(known, (role,)).fetchone() is not None

    def _failure(self, error: psycopg.Error, current: tuple[int, SqlStatement] | None) -> Failure:
        diag = error.diag
        message = diag.message_primary or str(error).strip() or type(error).__name__
        found = Failure(
            self.script.name, message, sqlstate=error.sqlstate or "", detail=diag.message_detail, hint=diag.message_hint
        )
        if current is None:
            return found
        number, statement = current
        offset = statement.offset + skip_comments(statement.text)
        if diag.statement_position is not None:
            offset = statement.offset + int(diag.statement_position) - 1
        if error.sqlstate == "42601" and re.search(r"^\\", statement.body, re.MULTILINE):
            found = replace(found, hint=_PSQL_REFUSED)
        text = statement.body
        shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
        return replace(found, statement=shown, number=number, line=_line(self.script.text, offset))


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
