"""The options that several commands have, the stack they mean, and the question before anything is destroyed."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from muster_cli.output import UserError, talk
from muster_cli.stack.home import Home, find_home
from muster_cli.stack.target import Target, find_target

EXIT_USAGE = 2
EXIT_UNCONFIRMED = 4

StackOption = Annotated[
    str, typer.Option("--stack", envvar="MUSTER_STACK", help="emulator, containers, or a stack's URL.")
]


def _check_local_stack(value: str) -> str:
    if value not in LOCAL_STACKS:
        raise UserError(f"--stack is {' or '.join(LOCAL_STACKS)} here, not {value!r}", EXIT_USAGE)
    return value


# Commands that start, stop or read the processes of a stack on this machine. Any other name is refused: a typing error
# must not stop the stack that was not meant.
LOCAL_STACKS = ("emulator", "containers")
LocalStackOption = Annotated[
    str,
    typer.Option("--stack", envvar="MUSTER_STACK", help=f"{' or '.join(LOCAL_STACKS)}.", callback=_check_local_stack),
]
HomeOption = Annotated[
    Path | None, typer.Option("--home", envvar="MUSTER_HOME", help="State folder of the stack.", show_default=".muster")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask; for scripts.")]


def target(stack: str, home: HomeOption) -> Target:
    """The stack a command acts on. Raises UserError."""
    return find_target(stack, find_home(home))


def home_of(home: HomeOption) -> Home:
    """The state folder of --home."""
    return find_home(home)


def confirm(question: str, yes: bool) -> None:
    """Ask before something is destroyed. Raises UserError (exit code 4) unless the answer is yes."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise UserError(f"{question} Nobody can answer here: use --yes.", EXIT_UNCONFIRMED)
    try:
        agreed = typer.confirm(question, err=True)
    except typer.Abort:  # Ctrl-C, or the end of the input
        talk.print()
        raise KeyboardInterrupt from None
    if not agreed:
        raise UserError("nothing was done", EXIT_UNCONFIRMED)
