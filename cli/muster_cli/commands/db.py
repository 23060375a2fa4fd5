"""muster migrate, reset, db: what is done to the database of a running stack."""

import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated
from urllib.parse import unquote, urlsplit, urlunsplit

import typer

from emulator.db.migrations import (
    MIGRATIONS,
    MigrationError,
    UnknownMigrationsError,
    applied_versions,
    apply_migrations,
    list_migrations,
)
from muster_cli.commands.options import HomeOption, JsonOption, StackOption, YesOption, confirm, home_of, target
from muster_cli.db.connect import connect
from muster_cli.output import UserError, out, print_json, print_table, talk

app = typer.Typer()
migrate = typer.Typer(no_args_is_help=False)
app.add_typer(migrate, name="migrate")
database = typer.Typer(help="The database: its URL, psql, dump, restore.", no_args_is_help=True)
app.add_typer(database, name="db")


@migrate.callback(invoke_without_command=True)
def migrate_up(context: typer.Context, stack: StackOption = "emulator", home: HomeOption = None) -> None:
    """Apply the migrations that the running stack lacks. Subcommands list them and create a new one.

    Example: ./muster migrate
    """
    if context.invoked_subcommand is not None:
        return
    with connect(target(stack, home).owner_url()) as connection:
        try:
            applied = apply_migrations(connection)
        except MigrationError as error:
            raise UserError(f"the migrations stopped at {error}") from error
        except UnknownMigrationsError as error:
            raise UserError(f"{error}: ./muster reset creates a new database") from error
        connection.execute("notify pgrst, 'reload schema'")
    talk.print(f"  {len(applied)} applied." if applied else "  Nothing to apply.")


@migrate.command("status")
def migrate_status(stack: StackOption = "emulator", home: HomeOption = None, as_json: JsonOption = False) -> None:
    """List the migrations, and whether the running stack has them.

    Example: ./muster migrate status --json
    """
    with connect(target(stack, home).owner_url()) as connection:
        done = applied_versions(connection)
    rows = [(item.version, item.name, item.version in done) for item in list_migrations()]
    if as_json:
        print_json([{"version": version, "name": name, "applied": applied} for version, name, applied in rows])
    else:
        print_table(
            ("Version", "Name", "Applied"), [(version, name, "yes" if ok else "no") for version, name, ok in rows]
        )


@migrate.command("new")
def migrate_new(
    name: Annotated[str, typer.Argument(help="What it does: a verb and an object, such as create_badges.")],
) -> None:
    """Create the file of a new migration in supabase/migrations; its path goes to stdout.

    Example: ./muster migrate new create_badges
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{2,60}", name):
        raise UserError(
            f"a migration's name consists of lower-case letters, digits and underscores, unlike {name!r}", 2
        )
    newest = max((item.version for item in list_migrations()), default="0")
    version = f"{datetime.now(UTC):%Y%m%d%H%M%S}"
    if version <= newest:
        raise UserError(f"the newest migration is dated {newest}, later than this machine's clock ({version})")
    path = MIGRATIONS / f"{version}_{name}.sql"
    with path.open("x", encoding="utf8") as file:
        file.write(f"-- {name.replace('_', ' ').capitalize()}: why, in a sentence.\n")
    out.print(str(path), markup=False, soft_wrap=True)


@app.command("reset")
def reset(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    with_seed: Annotated[bool, typer.Option("--seed/--no-seed", help="Load the seed.")] = True,
    yes: YesOption = False,
) -> None:
    """Replace the database by a new, migrated and seeded one. All rows and accounts are lost.

    The new database is created beside the old one, which serves until they are swapped: a reset that fails or is
    interrupted changes nothing. Services reconnect on their own; everyone is signed out.

    Example: ./muster reset --yes
    """
    from muster_cli.db.scratch import rebuild
    from muster_cli.stack.install import progress

    found = target(stack, home)
    if found.kind != "emulator":
        raise UserError("only the embedded stack is reset; the containers: docker compose down --volumes", 2)
    confirm("Every account and every row of this stack will be lost. Continue?", yes)
    secrets = home_of(home).secrets()
    with progress("New database"):
        rebuild(found.superuser_url(), secrets.postgres_password, secrets.demo_password if with_seed else None)
    talk.print(f"  The stack has a new database, {'with the seed' if with_seed else 'empty'}.")


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
    file: Annotated[Path, typer.Argument(help="The file to write; it contains password hashes.")],
    stack: StackOption = "emulator",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write every row of the product and its accounts to one file. Needs none of PostgreSQL's tools.

    The file restores into the embedded stack and into the containers alike. Sessions are not in it.

    Example: ./muster db dump backup.muster
    """
    from muster_cli.db import archive
    from muster_cli.stack.install import progress

    with connect(target(stack, home).owner_url()) as connection, progress("Dump") as advance:
        manifest = archive.dump(connection, file, advance)
    if as_json:
        print_json({"file": str(file), "rows": manifest.rows, "tables": len(manifest.tables)})
    else:
        talk.print(f"  {manifest.rows} rows of {len(manifest.tables)} tables written to {file}.", markup=False)


@database.command("restore")
def restore(
    file: Annotated[Path, typer.Argument(help="A file written by ./muster db dump.")],
    stack: StackOption = "emulator",
    home: HomeOption = None,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Replace the database's rows by those of a dump, all or nothing. Members keep their passwords.

    Example: ./muster db restore backup.muster --stack containers --yes
    """
    from muster_cli.db import archive
    from muster_cli.stack.install import progress

    found = target(stack, home)
    try:
        archive.read_manifest(file)
        confirm(f"Every row of this stack will be replaced by those of {file.name}. Continue?", yes)
        with connect(found.superuser or found.owner_url()) as connection, progress("Restore") as advance:
            manifest = archive.restore(connection, file, advance)
    except archive.ArchiveError as error:
        raise UserError(str(error)) from error
    if as_json:
        print_json({"file": str(file), "rows": manifest.rows, "tables": len(manifest.tables)})
    else:
        talk.print(f"  {manifest.rows} rows of {len(manifest.tables)} tables restored.")
