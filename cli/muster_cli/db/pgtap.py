"""Run a project's database tests: every file on a connection of its own, as psql would, and read what it prints."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from emulator.db.extensions import remedy
from muster_cli.db.connect import one_line
from muster_cli.db.psql import Command, PsqlError, Sql, is_output_setting, is_true, scan
from muster_cli.db.tap import FileResult, read_tap
from muster_cli.output import UserError

SUFFIXES = (".sql", ".pg")
MOST_INCLUDES = 50

Print = Callable[[str], None]


def find_tests(paths: Sequence[Path]) -> list[Path]:
    """The test files at these paths, folders with all that is in them. Raises UserError for a path that is missing."""
    found: list[Path] = []
    for path in paths:
        if path.is_file():
            found.append(path)
        elif path.is_dir():
            found += sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
        else:
            raise UserError(f"there is no test at {path}")
    return found


def run_tests(url: str, files: Iterable[Path], show: Print) -> list[tuple[Path, FileResult]]:
    """Run the files in order; pgTAP is there meanwhile, and goes again unless it was before. Raises UserError."""
    results = []
    with psycopg.connect(url, autocommit=True) as connection:
        had_it = connection.execute("select from pg_extension where extname = 'pgtap'").fetchone() is not None
        try:
            connection.execute("create extension if not exists pgtap with schema extensions")
        except psycopg.Error as error:
            raise UserError(f"pgTAP can't be installed: {remedy(str(error)) or one_line(error)}") from error
        try:
            for file in files:
                results.append((file, run_file(url, file, show)))
        finally:
            if not had_it:
                connection.execute("drop extension if exists pgtap")
    return results


def run_file(url: str, file: Path, show: Print = lambda _: None) -> FileResult:
    """Run one file; `show` gets every line that it prints."""
    lines: list[str] = []

    def write(line: str) -> None:
        lines.append(line)
        show(line)

    error = ""
    with psycopg.connect(url, autocommit=True, application_name="muster test") as connection:
        connection.prepare_threshold = None
        session = _Session(connection, write)
        try:
            session.run(file)
        except _Quit:
            pass
        except _Failed as failed:
            error = str(failed)
    return read_tap(lines, error)


class _Quit(Exception):
    """The script ends itself."""


class _Failed(Exception):
    """A statement failed and ON_ERROR_STOP is on, or a command can't be run."""


@dataclass
class _Session:
    connection: "psycopg.Connection[tuple[Any, ...]]"
    write: Print
    # As pg_prove starts psql.
    variables: dict[str, str] = field(default_factory=lambda: {"ON_ERROR_STOP": "1"})
    depth: int = 0
    # Of every open `if`: whether its present branch runs, and whether one has run already.
    branches: list[tuple[bool, bool]] = field(default_factory=list)

    def run(self, file: Path) -> None:
        try:
            script = file.read_text("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise _Failed(f"{file} can't be read: {error}") from error
        for item in scan(script, self.variables):
            where = f"{file.name}:{item.line}"
            try:
                self._item(item, file)
            except PsqlError as error:
                raise _Failed(f"{where}: {error}") from error
            except psycopg.Error as error:
                self.write(f"# {where}: ERROR: {one_line(error)}")
                if is_true(self.variables.get("ON_ERROR_STOP", "0")):
                    raise _Failed(f"{where}: {one_line(error)} (SQLSTATE {error.sqlstate})") from error

    def _item(self, item: Sql | Command, file: Path) -> None:
        if isinstance(item, Command) and item.name in {"if", "elif", "else", "endif"}:
            self._branch(item)
        elif all(runs for runs, _ in self.branches):
            if isinstance(item, Sql):
                self._print(item.text)
            else:
                self._command(item, file)

    def _print(self, statement: str) -> None:
        for row in self._rows(statement):
            self.write("|".join(_text(value) for value in row))

    def _rows(self, statement: str) -> Iterator[tuple[Any, ...]]:
        cursor = self.connection.execute(statement.encode())
        more: bool | None = True
        while more:
            if cursor.description:
                yield from cursor.fetchall()
            more = cursor.nextset()

    def _command(self, command: Command, file: Path) -> None:
        name, arguments = command.name, command.arguments
        if name == "set":
            if arguments:
                self.variables[arguments[0]] = "".join(arguments[1:])
        elif name == "unset":
            self.variables.pop(arguments[0] if arguments else "", None)
        elif name in {"echo", "qecho", "warn"}:
            self.write(" ".join(arguments))
        elif name in {"i", "include", "ir", "include_relative"}:
            self._include(arguments, file.parent if "r" in name.removeprefix("include") else Path())
        elif name == "gset":
            self._store(command)
        elif name == "gexec":
            for row in list(self._rows(command.before)):
                for statement in row:
                    self._print(str(statement))
        elif name == "g" and command.before:
            self._print(command.before)
        elif name == "q":
            raise _Quit
        elif not is_output_setting(command):
            raise PsqlError(f"\\{name} is a command of psql that is not supported here")

    def _include(self, arguments: tuple[str, ...], folder: Path) -> None:
        if not arguments:
            raise PsqlError("\\i needs the name of a file")
        if self.depth >= MOST_INCLUDES:
            raise PsqlError(f"files include each other more than {MOST_INCLUDES} deep")
        self.depth += 1
        self.run(folder / arguments[0])
        self.depth -= 1

    def _store(self, command: Command) -> None:
        cursor = self.connection.execute(command.before.encode())
        rows = cursor.fetchall() if cursor.description else []
        if len(rows) != 1:
            raise PsqlError(f"\\gset needs one row, and there are {len(rows)}")
        prefix = command.arguments[0] if command.arguments else ""
        for column, value in zip(cursor.description or (), rows[0], strict=True):
            self.variables[prefix + column.name] = _text(value)

    def _branch(self, command: Command) -> None:
        condition = command.arguments[0] if command.arguments else ""
        if command.name == "if":
            runs = is_true(condition) if all(runs for runs, _ in self.branches) else False
            self.branches.append((runs, runs))
            return
        if not self.branches:
            raise PsqlError(f"\\{command.name}: no matching \\if")
        _, had_one = self.branches.pop()
        if command.name == "elif":
            runs = not had_one and is_true(condition)
            self.branches.append((runs, had_one or runs))
        elif command.name == "else":
            self.branches.append((not had_one, True))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "t" if value else "f"
    return "" if value is None else str(value)
