"""muster gen types; and what `db diff`, `db dump`, `db push` and `db query` do."""

import csv
import sys
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from muster_cli.commands.migration import apply_pending, pending_migrations
from muster_cli.commands.options import HomeOption, StackOption, home_of, target
from muster_cli.commands.project_sql import current_config, current_sql, say
from muster_cli.db.connect import connect
from muster_cli.output import UserError, print_json, print_table, talk
from muster_cli.project.declaration import is_configured_by_services
from muster_cli.project.find import require
from muster_cli.stack.target import Target

generate = typer.Typer()

SHADOW = "muster_shadow"

SchemaOption = Annotated[
    list[str] | None, typer.Option("--schema", "-s", help="Only this schema; may be repeated, or a list with commas.")
]


@generate.command("types")
def gen_types(
    schema: SchemaOption = None,
    lang: Annotated[str, typer.Option(help="typescript, go, python, swift or dart.")] = "typescript",
    stack: StackOption = "emulator",
    home: HomeOption = None,
) -> None:
    """Print the types of the database's tables and functions, by the official CLI's generator (no Docker).

    Example: ./muster gen types > src/database.types.ts
    """
    from muster_cli.stack.official_cli import run_official_cli, without_password

    url = target(stack, home).owner_url()
    schemas = _split(schema) or (["public"] if is_configured_by_services() else list(current_config().api.schemas))
    arguments = ["gen", "types", "--lang", lang, f"--remote={without_password(url)}"]
    sys.stdout.write(run_official_cli(require().root, [*arguments, "--schema", ",".join(schemas)], url).lstrip())


def diff(home: HomeOption, schemas: list[str] | None, file: str | None) -> None:
    """The difference from the migrations to the database: on stdout, or as a new migration."""
    from muster_cli.db.rebuild import project_database

    found = target("emulator", home)
    password = home_of(home).secrets().postgres_password
    project = replace(current_sql(), seed_patterns=())  # only definitions are compared
    say("Creating shadow database...")
    with project_database(found.superuser_url(), password, project, SHADOW, say) as (_, applied):
        if applied.failure is not None:
            raise UserError(str(applied.failure))
        difference = _difference(found, SHADOW, schemas)
    if not difference:
        say("No schema changes found")
    elif file is None:
        sys.stdout.write(difference)
    else:
        path = project.migrations / f"{datetime.now(UTC):%Y%m%d%H%M%S}_{file}.sql"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(difference, "utf8")
        talk.print(str(path), markup=False, soft_wrap=True)


def dump_sql(
    stack: str, home: HomeOption, schemas: list[str] | None, file: Path | None, *, data_only: bool, role_only: bool
) -> None:
    """Schema, rows or roles as SQL, on stdout or into a file."""
    from muster_cli.db.rebuild import platform_database
    from muster_cli.db.sql_dump import dump_roles, dump_rows

    found = target(stack, home)
    if data_only or role_only:
        with connect(found.owner_url()) as connection:
            rows = dump_roles(connection) if role_only else dump_rows(connection, _split(schemas) or None)
            _write(rows, file)
        return
    password = home_of(home).secrets().postgres_password
    with platform_database(found.superuser_url(), password, SHADOW):
        _write([_difference(found, SHADOW, schemas)], file)


def push(home: HomeOption, stack: str, *, include_all: bool, dry_run: bool) -> None:
    """Apply pending migrations, or say which."""
    found = target(stack, home)
    if dry_run:
        say("DRY RUN: migrations will *not* be pushed to the database.")
        wanted = pending_migrations(found, include_all=include_all)
        for item in wanted:
            say(f"Would push migration {item.path.name}...")
    else:
        wanted = apply_pending(found, include_all=include_all)
    if not wanted:
        say("The database is up to date.")


def query(statement: str, stack: str, home: HomeOption, *, as_json: bool, as_csv: bool) -> None:
    """Run SQL as role postgres and print the last result."""
    with connect(target(stack, home).owner_url()) as connection:
        cursor = connection.execute(statement.encode())
        while cursor.nextset():
            pass
        if cursor.description is None:
            say(cursor.statusmessage or "")
            return
        names = [column.name for column in cursor.description]
        rows = cursor.fetchall()
    if as_json:
        print_json([dict(zip(names, row, strict=True)) for row in rows])
    elif as_csv:
        writer = csv.writer(sys.stdout)
        writer.writerow(names)
        writer.writerows(rows)
    else:
        print_table(names, rows)


def _difference(found: Target, before: str, schemas: list[str] | None) -> str:
    """The SQL that leads from another database of the server to the live one."""
    import tempfile

    from muster_cli.stack.official_cli import run_official_cli, without_password

    url = found.owner_url()
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "difference.sql"
        arguments = ["db", "diff", "--from", without_password(url, before), "--to", without_password(url)]
        wanted = [part for name in _split(schemas) for part in ("--schema", name)]
        run_official_cli(require().root, [*arguments, *wanted, "--output", str(output)], url)
        return output.read_text("utf8").strip() + "\n" if output.exists() and output.stat().st_size else ""


def _split(names: Iterable[str] | None) -> list[str]:
    return [part.strip() for name in names or () for part in name.split(",") if part.strip()]


def _write(pieces: Iterable[str], file: Path | None) -> None:
    if file is None:
        sys.stdout.writelines(pieces)
        return
    with file.open("w", encoding="utf8") as out:
        out.writelines(pieces)
