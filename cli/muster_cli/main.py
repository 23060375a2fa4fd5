"""The command line's table of contents, and the one place where errors become lines."""

import sys
import tomllib
from pathlib import Path
from typing import Annotated

import typer
from typer.main import get_command

from emulator.paths import CHECKOUT
from muster_cli.extension import CommandGroup, load_extension
from muster_cli.lazy import LazyCommands, LazyGroup
from muster_cli.output import out, run_command
from muster_cli.project.find import choose

COMMANDS = (
    CommandGroup(
        "muster_cli.commands.stack:app",
        {
            "up": "Start everything and stay in the foreground.",
            "start": "Start the stack in the background, as the official CLI does.",
            "down": "Stop the stack; its data is kept.",
            "stop": "Stop the stack, as the official CLI names it.",
            "destroy": "Stop the stack and delete everything it has.",
            "restart": "Stop the stack and start it again.",
        },
    ),
    CommandGroup(
        "muster_cli.commands.status:app",
        {
            "status": "Show whether the stack runs, and its addresses.",
            "dashboard": "Print the address of the stack's dashboard.",
        },
    ),
    CommandGroup("muster_cli.commands.project:app", {"init": "Write supabase/config.toml, which makes a project."}),
    CommandGroup(
        "muster_cli.commands.project:functions", {"functions": "Functions in TypeScript: new, serve."}, is_group=True
    ),
    CommandGroup("muster_cli.commands.project:seed", {"seed": "What a new stack is filled with."}, is_group=True),
    CommandGroup("muster_cli.commands.project:gen", {"gen": "Generate types and signing keys."}, is_group=True),
    CommandGroup("muster_cli.commands.schema_tools:generate", {"gen": ""}, is_group=True),
    CommandGroup("muster_cli.commands.db:app", {"reset": "Replace the database with a new, migrated and seeded one."}),
    CommandGroup(
        "muster_cli.commands.migration:app", {"migration": "Schema history: new, list, up, repair."}, is_group=True
    ),
    CommandGroup(
        "muster_cli.commands.migration:alias", {"migrate": "The same as `migration up --include-all`."}, is_group=True
    ),
    CommandGroup(
        "muster_cli.commands.db:database",
        {"db": "The database: reset, diff, dump, push, query, psql, its URL."},
        is_group=True,
    ),
    CommandGroup(
        "muster_cli.commands.branch:branch",
        {"branch": "Copies of the stack, each behind its own URL: create, list, reset, delete."},
        is_group=True,
    ),
    CommandGroup(
        "muster_cli.commands.branch:snapshot",
        {"snapshot": "States to come back to: create, list, restore, delete."},
        is_group=True,
    ),
    CommandGroup("muster_cli.commands.database_tests:app", {"test": "Tests of a project's database."}, is_group=True),
    CommandGroup(
        "muster_cli.commands.mail:app",
        {"mail": "E-mails: the queue, those that could not be sent, those in the mailbox."},
        is_group=True,
    ),
    CommandGroup("muster_cli.commands.keys:app", {"keys": "The keys of a stack: show, rotate."}, is_group=True),
    CommandGroup("muster_cli.commands.logs:app", {"logs": "Print the last lines of the logs."}),
    CommandGroup("muster_cli.commands.doctor:app", {"doctor": "Examine the machine and the stack."}),
    CommandGroup(
        "muster_cli.commands.config:app",
        {"config": "The container stack's configuration: init, check, render."},
        is_group=True,
    ),
)


def make_app() -> LazyGroup:
    """Every command: the general ones, and those that the project adds. Raises UserError."""
    app = typer.Typer(
        cls=LazyGroup, no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode=None,
    )  # fmt: skip
    app.callback(invoke_without_command=True)(_root)
    group = get_command(app)
    assert isinstance(group, LazyGroup)
    group.commands = LazyCommands((*COMMANDS, *load_extension().commands))
    return group


def _print_version(wanted: bool) -> None:
    if wanted:
        out.print(f"muster {muster_version()}", markup=False)
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    project: Annotated[
        Path | None,
        typer.Option(
            "--project",
            "--workdir",
            help="Folder of the project, the parent of supabase/; before or after the command.",
            show_default="found from here upward",
        ),
    ] = None,
) -> None:
    """Muster: a Supabase-compatible backend on one machine, without containers.

    Example: ./muster --project ~/shop up
    """


def muster_version() -> str:
    """The version of this checkout, or of the installed package."""
    project = CHECKOUT / "pyproject.toml"
    if project.exists():
        return str(tomllib.loads(project.read_text("utf8"))["project"]["version"])
    from importlib.metadata import version  # 25 ms

    return version("muster")


def main() -> int:
    """Run one command; people's mistakes are one line and an exit code, never a trace."""
    return run_command(lambda: make_app()(choose(sys.argv[1:]), prog_name="muster"))


if __name__ == "__main__":
    sys.exit(main())
