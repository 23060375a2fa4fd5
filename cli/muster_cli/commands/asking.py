"""What commands share: their common options, and asking before anything is destroyed."""

import sys
from typing import Annotated

import typer

from muster_cli.commands.stack import HomeOption
from muster_cli.output import UserError
from muster_cli.stack.home import Home, find_home
from muster_cli.stack.target import Target, find_target

EXIT_UNCONFIRMED = 4

StackOption = Annotated[
    str, typer.Option("--stack", envvar="MUSTER_STACK", help="emulator, containers, or a stack's URL.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask; for scripts.")]

__all__ = ["EXIT_UNCONFIRMED", "HomeOption", "JsonOption", "StackOption", "YesOption", "confirm", "home_of", "target"]


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
        raise UserError(f"{question} Say --yes to do it without being asked.", EXIT_UNCONFIRMED)
    if not typer.confirm(question, err=True):
        raise UserError("nothing was done", EXIT_UNCONFIRMED)
