"""muster migration: a project's schema history, by the names and the bookkeeping of the official CLI."""

import re
import sys
from datetime import UTC, datetime
from typing import Annotated, Literal

import typer

from emulator.db.failure import ScriptError
from emulator.db.migrations import (
    Migration,
    MigrationError,
    applied_versions,
    compare,
    ensure_history,
    list_migrations,
    record_applied,
    run_migrations,
    skipped_files,
)
from emulator.db.script import Script, ScriptOptions, read_script
from emulator.db.superuser import SuperuserGate
from muster_cli.commands.options import HomeOption, JsonOption, StackOption, target
from muster_cli.commands.project_sql import current_sql, refused, say
from muster_cli.db.connect import connect
from muster_cli.output import UserError, out, print_json, print_table
from muster_cli.project.find import require
from muster_cli.stack.target import Target

app = typer.Typer()
alias = typer.Typer(no_args_is_help=False)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,100}")


@alias.command("new")
@app.command("new")
def new(
    name: Annotated[str, typer.Argument(help="What it does: a verb and an object, such as create_badges.")],
) -> None:
    """Create the file of a new migration; its path goes to stdout. SQL that is piped in becomes its content.

    Example: ./muster migration new create_badges
    """
    if not _NAME.fullmatch(name):
        raise UserError(f"a migration's name has letters, digits, - and _ only, not {name!r}", 2)
    folder = require().supabase / "migrations"
    newest = max((item.version for item in _listed()), default="0")
    version = f"{datetime.now(UTC):%Y%m%d%H%M%S}"
    if version <= newest:
        raise UserError(f"the newest migration is dated {newest}, later than this machine's clock ({version})")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{version}_{name}.sql"
    path.write_text("" if sys.stdin.isatty() else sys.stdin.read(), "utf8")
    out.print(str(path), markup=False, soft_wrap=True)


@alias.command("status")
@app.command("list")
def list_all(stack: StackOption = "emulator", home: HomeOption = None, as_json: JsonOption = False) -> None:
    """List local files and applied versions side by side.

    Example: ./muster migration list --json
    """
    with connect(target(stack, home).owner_url()) as connection:
        applied = applied_versions(connection)
    names = {item.version: item.name for item in _listed()}
    versions = sorted({*names, *applied})
    if as_json:
        print_json(
            [{"version": v, "name": names.get(v), "local": v in names, "applied": v in applied} for v in versions]
        )
        return
    rows = [(v if v in names else "", v if v in applied else "", _time(v), names.get(v, "")) for v in versions]
    print_table(("Local", "Applied", "Time (UTC)", "Name"), rows)


@app.command("up")
def up(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    include_all: Annotated[
        bool, typer.Option("--include-all", help="Also those that are older than the newest that is applied.")
    ] = False,
) -> None:
    """Apply the migrations that the running stack lacks.

    Example: ./muster migration up
    """
    apply_pending(target(stack, home), include_all=include_all)
    say("Local database is up to date.")


@alias.callback(invoke_without_command=True)
def migrate(context: typer.Context, stack: StackOption = "emulator", home: HomeOption = None) -> None:
    """The same as `migration up --include-all`; below it `status` for `migration list`, and `new`.

    Example: ./muster migrate
    """
    if context.invoked_subcommand is None:
        applied = apply_pending(target(stack, home), include_all=True)
        say(f"  {len(applied)} applied." if applied else "  Nothing to apply.")


@app.command("repair")
def repair(
    versions: Annotated[list[str], typer.Argument(help="Versions, such as 20260401000000.")],
    status: Annotated[Literal["applied", "reverted"], typer.Option(help="applied or reverted.")],
    stack: StackOption = "emulator",
    home: HomeOption = None,
) -> None:
    """Record versions as applied, or forget them. No migration's SQL is run.

    Example: ./muster migration repair 20260401000000 --status reverted
    """
    known = {item.version: item for item in _listed()}
    with connect(target(stack, home).owner_url()) as connection, connection.transaction():
        ensure_history(connection)
        for version in versions:
            if not version.isdecimal():
                raise UserError(f"a version is made of digits only, not {version!r}", 2)
            if status == "applied" and version not in known:
                raise UserError(f"there is no migration with version {version}")
            connection.execute("delete from supabase_migrations.schema_migrations where version = %s", (version,))
            if status == "applied":
                item = known[version]
                record_applied(connection, item, _read(item))
    say(f"Repaired migration history: [{' '.join(versions)}] => {status}")


def pending_migrations(found: Target, *, include_all: bool) -> list[Migration]:
    """What the stack lacks, in order. Raises UserError where the official CLI refuses."""
    with connect(found.owner_url()) as connection:
        pending = compare(_listed(), applied_versions(connection))
    if pending.missing:
        raise UserError(
            "Remote migration versions not found in local migrations directory. "
            f"Forget them: muster migration repair --status reverted {' '.join(pending.missing)}"
        )
    if pending.older and not include_all:
        raise UserError(
            "Found local migration files to be inserted before the last migration on the database: "
            f"{', '.join(item.path.name for item in pending.older)}. Apply them with --include-all."
        )
    return [*pending.older, *pending.new]


def apply_pending(found: Target, *, include_all: bool) -> list[Migration]:
    """Apply what the stack lacks by the rules of the official CLI; returns it. Raises UserError."""
    for line in skipped_files(current_sql().migrations):
        say(line)
    wanted = pending_migrations(found, include_all=include_all)
    gate = SuperuserGate(found.superuser) if found.superuser and found.kind == "emulator" else None
    with connect(found.owner_url()) as connection:
        try:
            options = ScriptOptions(gate, lambda text: say(f"WARN: {text}"))
            run_migrations(connection, wanted, options, lambda item: say(f"Applying migration {item.path.name}..."))
        except MigrationError as error:
            raise refused(error) from error
        finally:
            if gate is not None:
                gate.close()
        connection.execute("notify pgrst, 'reload schema'")
    return wanted


def _listed() -> list[Migration]:
    try:
        return list_migrations(require().supabase / "migrations")
    except MigrationError as error:
        raise refused(error) from error


def _read(item: Migration) -> Script:
    try:
        return read_script(item.path, item.path.name)
    except ScriptError as error:
        raise refused(error) from error


def _time(version: str) -> str:
    """A version of 14 digits as the time that it says."""
    try:
        return f"{datetime.strptime(version, '%Y%m%d%H%M%S'):%Y-%m-%d %H:%M:%S}"
    except ValueError:
        return version
