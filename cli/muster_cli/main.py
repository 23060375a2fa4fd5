"""The command line's table of contents, and the one place where errors become lines."""

import importlib.metadata
import sys
import tomllib
from pathlib import Path
from typing import Annotated

import typer

from emulator.paths import CHECKOUT
from muster_cli.commands import (
    config,
    database_tests,
    db,
    doctor,
    keys,
    logs,
    mail,
    project,
    schema_tools,
    stack,
    status,
)
from muster_cli.extension import CommandGroup, load_extension
from muster_cli.output import out, run_command
from muster_cli.project.find import choose

GROUPS = (
    CommandGroup(stack.app),
    CommandGroup(status.app),
    CommandGroup(project.app),
    CommandGroup(project.functions, "functions"),
    CommandGroup(project.seed, "seed"),
    CommandGroup(project.gen, "gen"),
    CommandGroup(db.app),
    CommandGroup(database_tests.app, "test"),
    CommandGroup(schema_tools.generate, "gen"),
    CommandGroup(mail.app, "mail"),
    CommandGroup(keys.app, "keys"),
    CommandGroup(logs.app),
    CommandGroup(doctor.app),
    CommandGroup(config.app, "config"),
)


def make_app() -> typer.Typer:
    """Every command: the general ones, and those that the project adds. Raises UserError."""
    app = typer.Typer(
        no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode=None,
    )  # fmt: skip
    app.callback(invoke_without_command=True)(_root)
    named: dict[str, typer.Typer] = {}
    for group in (*GROUPS, *load_extension().commands):
        if not group.name:
            app.add_typer(group.app)
        elif group.name in named:
            named[group.name].registered_commands += group.app.registered_commands
        else:
            # A copy, so that a project's commands join this application and not the module's own group.
            named[group.name] = typer.Typer(help=group.app.info.help, no_args_is_help=True)
            named[group.name].registered_commands += group.app.registered_commands
            app.add_typer(named[group.name], name=group.name)
    return app


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
    return importlib.metadata.version("muster")


def main() -> int:
    """Run one command; people's mistakes are one line and an exit code, never a trace."""
    return run_command(lambda: make_app()(choose(sys.argv[1:]), prog_name="muster"))


if __name__ == "__main__":
    sys.exit(main())
