"""muster migrate, seed, reset, policies, db: what is done to the database of a running stack."""

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
from muster_cli.commands.asking import HomeOption, JsonOption, StackOption, YesOption, confirm, home_of, target
from muster_cli.db.connect import connect, one_line
from muster_cli.output import UserError, out, print_json, print_table, talk

app = typer.Typer()
migrate = typer.Typer(no_args_is_help=False)
app.add_typer(migrate, name="migrate")
database = typer.Typer(help="The database itself: its address, a shell, dump, restore.", no_args_is_help=True)
app.add_typer(database, name="db")


@migrate.callback(invoke_without_command=True)
def migrate_up(context: typer.Context, stack: StackOption = "emulator", home: HomeOption = None) -> None:
    """Apply the migrations that the running stack lacks; below: where it stands, and a new one.

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
            raise UserError(f"{error}: ./muster reset makes the database anew") from error
        connection.execute("notify pgrst, 'reload schema'")
    talk.print(f"  {len(applied)} applied." if applied else "  Nothing to apply.")


@migrate.command("status")
def migrate_status(stack: StackOption = "emulator", home: HomeOption = None, as_json: JsonOption = False) -> None:
    """List the migrations, and which the running stack has.

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
    """Begin a migration: an empty file in supabase/migrations with the next version; its path goes to stdout.

    Example: ./muster migrate new create_badges
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{2,60}", name):
        raise UserError(f"a migration's name has small letters, digits and underscores, not {name!r}", 2)
    newest = max((item.version for item in list_migrations()), default="0")
    version = f"{datetime.now(UTC):%Y%m%d%H%M%S}"
    if version <= newest:
        raise UserError(f"the newest migration is of {newest}, later than this machine's clock ({version})")
    path = MIGRATIONS / f"{version}_{name}.sql"
    with path.open("x", encoding="utf8") as file:
        file.write(f"-- {name.replace('_', ' ').capitalize()}: why, in a sentence.\n")
    out.print(str(path), markup=False, soft_wrap=True)


@app.command("seed")
def seed(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    members: Annotated[
        int | None, typer.Option(min=10, help="Instead of the demo community: so many made-up members.")
    ] = None,
    posts: Annotated[int | None, typer.Option(min=0, help="With --members; five a member.")] = None,
    messages: Annotated[int | None, typer.Option(min=0, help="With --members; twenty a member.")] = None,
) -> None:
    """Fill a database without accounts with the demo community. Exit code 1 when there are accounts.

    With --members: a community as big as asked, for measuring, also beside what is there. They are
    member1@scale.test and so on, with the demo password.

    Example: ./muster seed --stack containers
    """
    if members is not None:
        _seed_scale(stack, home, members, members * 5 if posts is None else posts, messages)
        return
    from muster_cli.stack.install import progress
    from muster_product.database.seed import load_seed

    found = target(stack, home)
    password = home_of(home).secrets().demo_password
    with connect(found.superuser_url()) as connection:
        if connection.execute("select from auth.users limit 1").fetchone() is not None:
            raise UserError("there are accounts already, and a seed goes into an empty database: ./muster reset")
        with progress("Seed"):
            files = load_seed(connection, "dev", password)
    talk.print(f"  {len(files)} files loaded. Every demo account has the password {password}", markup=False)


def _seed_scale(stack: str, home: HomeOption, members: int, posts: int, messages: int | None) -> None:
    import bcrypt
    import psycopg

    from muster_cli.stack.install import progress
    from muster_product.database.scale import Scale, seed_scale

    found = target(stack, home)
    password = home_of(home).secrets().demo_password
    scale = Scale(members, posts, members * 20 if messages is None else messages)
    hashed = bcrypt.hashpw(password.encode(), bcrypt.gensalt(10)).decode()
    with progress("Members") as advance:
        total = sum(scale.rows().values())
        written: dict[str, int] = {}

        def report(what: str, done: int, _: int) -> None:
            written[what] = done
            advance(min(1.0, sum(written.values()) / max(total, 1)))

        try:
            rows = seed_scale(found.superuser_url(), scale, report, hashed)
        except psycopg.Error as error:
            raise UserError(f"the seed stopped: {one_line(error)} (./muster migrate first?)") from error
    talk.print(f"  {sum(rows.values())} rows written: {', '.join(f'{count} {what}' for what, count in rows.items())}")


@app.command("reset")
def reset(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    with_seed: Annotated[bool, typer.Option("--seed/--no-seed", help="Fill it with the demo community.")] = True,
    yes: YesOption = False,
) -> None:
    """Begin anew: an empty, migrated, seeded database in the place of this one. All rows and accounts are lost.

    The new database is made beside the old one, which serves until they are swapped: a reset that fails or is cut off
    changes nothing. Services reconnect by themselves; everybody is signed out.

    Example: ./muster reset --yes
    """
    from muster_cli.db.scratch import rebuild
    from muster_cli.stack.install import progress

    found = target(stack, home)
    if found.kind != "emulator":
        raise UserError("only the embedded stack is reset; the containers: docker compose down --volumes", 2)
    confirm("Every account, message and post of this stack will be lost. Go on?", yes)
    secrets = home_of(home).secrets()
    with progress("New database"):
        rebuild(found.superuser_url(), secrets.postgres_password, secrets.demo_password if with_seed else None)
    talk.print(f"  A new {'demo community' if with_seed else 'empty house'} is served.")


@app.command("policies")
def policies(
    tables: Annotated[list[str] | None, typer.Argument(help="Only these tables.")] = None,
    home: HomeOption = None,
    check: Annotated[
        bool, typer.Option("--check", help="Ask a new database of the running stack whether it is so.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print who may do what to which table. Exit code 1 when --check finds a difference.

    Example: ./muster policies messages --check
    """
    from muster_product.database.policies import expected, rows_for_people
    from muster_product.database.policy_cases import MATRIX

    unknown = set(tables or ()) - set(MATRIX)
    if unknown:
        raise UserError(f"no such table: {', '.join(sorted(unknown))}; there are {', '.join(MATRIX)}", 2)
    wanted = tables or list(MATRIX)
    if check:
        _check_policies(wanted, home)
    elif as_json:
        print_json([{**vars(case), "action": case.action} for case in expected(wanted)])
    else:
        heading, *rows = rows_for_people(wanted)
        print_table(heading, rows)


def _check_policies(tables: list[str], home: HomeOption) -> None:
    import psycopg

    from muster_cli.db.scratch import scratch_database
    from muster_cli.stack.install import progress
    from muster_product.database.policies import expected, make_world, probe

    found, secrets = target("emulator", home), home_of(home).secrets()
    with (
        progress("Policies"),
        scratch_database(found.superuser_url(), secrets.postgres_password, "muster_policies") as dsn,
        psycopg.connect(dsn) as connection,
        connection.transaction(force_rollback=True),
    ):
        make_world(connection)
        differences = list(probe(connection, expected(tables)))
    for difference in differences:
        out.print(str(difference), markup=False, soft_wrap=True)
    if differences:
        raise UserError(f"{len(differences)} differences")
    talk.print(f"  It is so, for {len(expected(tables))} statements as each actor.")


@database.command("url")
def database_url(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    superuser: Annotated[bool, typer.Option("--superuser", help="That of supabase_admin, not of postgres.")] = False,
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
    """Open psql on the database as its owner; what follows is psql's.

    Example: ./muster db psql -c "select count(*) from public.profiles"
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
    file: Annotated[Path, typer.Argument(help="Where to; it has password hashes in it.")],
    stack: StackOption = "emulator",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write every row of the product and its accounts to one file. Needs no tool of PostgreSQL's.

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
    file: Annotated[Path, typer.Argument(help="What ./muster db dump wrote.")],
    stack: StackOption = "emulator",
    home: HomeOption = None,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Put a dump in the place of what is in the database, all of it or nothing. People sign in as they did.

    Example: ./muster db restore backup.muster --stack containers --yes
    """
    from muster_cli.db import archive
    from muster_cli.stack.install import progress

    found = target(stack, home)
    try:
        archive.read_manifest(file)
        confirm(f"Every row of this stack will be replaced by those of {file.name}. Go on?", yes)
        with connect(found.superuser or found.owner_url()) as connection, progress("Restore") as advance:
            manifest = archive.restore(connection, file, advance)
    except archive.ArchiveError as error:
        raise UserError(str(error)) from error
    if as_json:
        print_json({"file": str(file), "rows": manifest.rows, "tables": len(manifest.tables)})
    else:
        talk.print(f"  {manifest.rows} rows of {len(manifest.tables)} tables restored.")
