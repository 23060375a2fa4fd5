"""muster migration, reset, db: what is done to the database of a running stack."""

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import unquote, urlsplit, urlunsplit

import psycopg
import typer

from emulator.db.migrations import list_migrations
from muster_cli.commands import schema_tools
from muster_cli.commands.options import HomeOption, JsonOption, StackOption, YesOption, confirm, home_of, target
from muster_cli.commands.project_sql import current_config, say
from muster_cli.commands.schema_tools import SchemaOption
from muster_cli.db.connect import connect, one_line
from muster_cli.output import UserError, out, print_json, talk
from muster_cli.project.declaration import is_configured_by_services
from muster_cli.stack.project_database import note_buckets, project_sql
from muster_cli.stack.target import Target

if TYPE_CHECKING:
    from muster_cli.db.archive_files import Layout

FilesOption = Annotated[
    Path | None, typer.Option("--files", help="The folder of the containers' volume storage-data, on this machine.")
]

app = typer.Typer()
database = typer.Typer()


@app.command("reset")
@database.command("reset")
def reset(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    with_seed: Annotated[bool, typer.Option("--seed/--no-seed", help="Load the seed.")] = True,
    version: Annotated[str | None, typer.Option(help="Apply migrations up to this version.")] = None,
    last: Annotated[int | None, typer.Option(min=1, help="Leave out this many of the newest migrations.")] = None,
    yes: YesOption = False,
) -> None:
    """Replace the database with a new, migrated and seeded one. All rows and accounts are lost.

    The new database is created beside the old one, which serves until they are swapped: a reset that fails or is
    interrupted changes nothing. Services reconnect on their own; everyone is signed out. Roles stay.

    Example: ./muster db reset --yes
    """
    from muster_cli.db.scratch import rebuild
    from muster_cli.stack.install import progress

    found = target(stack, home)
    if found.kind != "emulator":
        raise UserError("only the embedded stack is reset; the containers: docker compose down --volumes", 2)
    confirm("Every account and every row of this stack will be lost. Continue?", yes)
    secrets = home_of(home).secrets()
    if not is_configured_by_services():
        _reset_project(found, secrets.postgres_password, with_seed=with_seed, version=version, last=last)
        return
    if version is not None or last is not None:
        raise UserError("--version and --last are for projects that are configured by config.toml", 2)
    with progress("New database"):
        rebuild(found.superuser_url(), secrets.postgres_password, secrets.demo_password if with_seed else None)
    talk.print(f"  The stack has a new database, {'with the seed' if with_seed else 'empty'}.")


def _reset_project(found: Target, password: str, *, with_seed: bool, version: str | None, last: int | None) -> None:
    from muster_cli.db.drop_later import drop_later
    from muster_cli.db.rebuild import reset_project
    from muster_cli.stack.buckets import seed_buckets

    config = current_config()
    project = project_sql(config)
    if last is not None:
        versions = [item.version for item in list_migrations(project.migrations)]
        if last >= len(versions):
            raise UserError(f"--last must be smaller than the number of migrations, {len(versions)}", 2)
        version = versions[-last - 1]
    project = replace(project, last_version=version, seed_patterns=project.seed_patterns if with_seed else ())
    say("Resetting local database...")
    try:
        applied = reset_project(found.superuser_url(), password, project, say, drop_later)
    except psycopg.Error as error:
        raise UserError(
            f"the new database could not be built: {one_line(error)}; the stack keeps the one it had"
        ) from error
    for warning in applied.warnings:
        say(f"WARN: {warning}")
    if config.storage.buckets:
        seed_buckets(config, *found.api_access(), say)
        note_buckets(found.superuser_url())
    say("Finished supabase db reset on branch main.")


@database.command("url")
def database_url(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    superuser: Annotated[
        bool, typer.Option("--superuser", help="The URL of supabase_admin instead of postgres.")
    ] = False,
) -> None:
    """Print the database's URL, with its password.

    Example: psql "$(./muster db url)"
    """
    found = target(stack, home)
    out.print(found.superuser_url() if superuser else found.owner_url(), markup=False, soft_wrap=True)


@database.command(
    "psql",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "allow_interspersed_args": False},
)
def psql(context: typer.Context, stack: StackOption = "emulator", home: HomeOption = None) -> None:
    """Open psql on the database as its owner; further arguments are passed to psql.

    Example: ./muster db psql -c "select count(*) from auth.users"
    """
    program = shutil.which("psql")
    if program is None:
        raise UserError("psql is not on the PATH (Debian, Ubuntu: apt install postgresql-client)")
    url = urlsplit(target(stack, home).owner_url())
    bare = urlunsplit(url._replace(netloc=f"{url.username}@{url.hostname}:{url.port or 5432}"))
    os.environ["PGPASSWORD"] = unquote(url.password or "")  # not an argument: the process list shows those
    os.execv(program, [program, bare, *context.args])


@database.command("dump")
def dump(
    archive_file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Write an archive for `db restore`; it has password hashes."),
    ] = None,
    stack: StackOption = "emulator",
    home: HomeOption = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Write the SQL to this file.")] = None,
    schema: SchemaOption = None,
    data_only: Annotated[bool, typer.Option("--data-only", help="Rows, as INSERT.")] = False,
    role_only: Annotated[bool, typer.Option("--role-only", help="The project's roles, without passwords.")] = False,
    files: FilesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the schema as SQL, by the official CLI's engine for differences. Needs none of PostgreSQL's tools.

    With FILE: every row of the product, its accounts and the files of storage, in an archive that restores into the
    embedded stack and the containers (with --files, whose files are not at hand otherwise). Sessions are not in it.

    Example: ./muster db dump --data-only --file rows.sql
    """
    from muster_cli.db import archive
    from muster_cli.stack.install import progress

    if archive_file is None:
        schema_tools.dump_sql(stack, home, schema, file, data_only=data_only, role_only=role_only)
        return
    found = target(stack, home)
    with connect(found.owner_url()) as connection, progress("Dump") as advance:
        manifest = archive.dump(connection, archive_file, advance, _layout(found, home, files))
    if as_json:
        print_json({"file": str(archive_file), "rows": manifest.rows, "tables": len(manifest.tables)})
    else:
        talk.print(f"  {manifest.rows} rows of {len(manifest.tables)} tables written to {archive_file}.", markup=False)


def _layout(found: Target, home: HomeOption, files: Path | None) -> "Layout | None":
    """Where the objects of storage are, if that is here."""
    from muster_cli.db.archive_files import ContainerLayout, EmbeddedLayout

    if found.kind == "emulator":
        if files is not None:
            raise UserError("--files is for the containers' volume only; the embedded stack's folder is known", 2)
        return EmbeddedLayout(home_of(home).files)
    if files is None:
        return None
    if not files.is_dir():
        raise UserError(f"{files} is not a folder")
    return ContainerLayout(files)


@database.command("diff")
def diff(
    home: HomeOption = None,
    schema: SchemaOption = None,
    file: Annotated[str | None, typer.Option("--file", "-f", help="Write a migration of this name instead.")] = None,
) -> None:
    """Print what was changed in the database since the migrations, as SQL. Built by the official CLI, without Docker.

    Example: ./muster db diff --file add_badges
    """
    schema_tools.diff(home, schema, file)


@database.command("push")
def push(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    include_all: Annotated[
        bool, typer.Option("--include-all", help="Also those that are older than the newest that is applied.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be applied.")] = False,
) -> None:
    """Apply pending migrations to a database, also to one that --stack names by its URL.

    Example: ./muster db push --stack postgresql://postgres:secret@db.example.org/postgres --dry-run
    """
    schema_tools.push(home, stack, include_all=include_all, dry_run=dry_run)


@database.command("query")
def query(
    statement: Annotated[str | None, typer.Argument(help="SQL; without it, stdin.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the SQL from this file.")] = None,
    stack: StackOption = "emulator",
    home: HomeOption = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Comma-separated values.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run SQL as role postgres and print the last result.

    Example: ./muster db query "select count(*) from auth.users"
    """
    if file is not None:
        try:
            statement = file.read_text("utf8")
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{file} can't be read: {error}") from error
    schema_tools.query(statement or sys.stdin.read(), stack, home, as_json=as_json, as_csv=as_csv)


@database.command("restore")
def restore(
    file: Annotated[Path, typer.Argument(help="A file written by ./muster db dump.")],
    stack: StackOption = "emulator",
    home: HomeOption = None,
    files: FilesOption = None,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Replace the database's rows with those of a dump, all or nothing. Members keep their passwords.

    Example: ./muster db restore backup.muster --stack containers --yes
    """
    from muster_cli.db import archive
    from muster_cli.stack.install import progress

    found = target(stack, home)
    try:
        archive.read_manifest(file)
        confirm(f"Every row of this stack will be replaced by those of {file.name}. Continue?", yes)
        with connect(found.superuser or found.owner_url()) as connection, progress("Restore") as advance:
            manifest = archive.restore(connection, file, advance, _layout(found, home, files))
    except archive.ArchiveError as error:
        raise UserError(str(error)) from error
    if as_json:
        print_json({"file": str(file), "rows": manifest.rows, "tables": len(manifest.tables)})
    else:
        talk.print(f"  {manifest.rows} rows of {len(manifest.tables)} tables restored.")
