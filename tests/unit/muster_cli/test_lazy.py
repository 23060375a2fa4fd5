"""Commands are imported when they are asked for, and the table of contents names every one."""

import subprocess
import sys

import pytest
import typer

from muster_cli.extension import CommandGroup
from muster_cli.lazy import LazyCommands
from muster_cli.main import COMMANDS, make_app

one, two, plain = typer.Typer(), typer.Typer(), typer.Typer()
HERE = __name__


@one.command("first")
def first() -> None:
    """Of the first module."""


@two.command("second")
def second() -> None:
    """Of the second module."""


@plain.command("alone")
def alone() -> None:
    """At the top."""


@plain.command("group")
def group() -> None:
    """A command of a name that a group has."""


def test_help_imports_no_command() -> None:
    script = (
        "import sys; sys.argv = ['muster', '--help']\n"
        "from muster_cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if '.commands.' in name or name in ('psycopg', 'httpx')])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "Start everything" in ran.stdout
    assert ran.stdout.splitlines()[-1] == "[]"


def test_every_name_has_a_line_and_a_command() -> None:
    commands = make_app().commands
    assert set(commands) == set(commands.lines)
    for name, line in commands.lines.items():
        assert line.endswith("."), name
        assert commands[name].name == name


@pytest.mark.parametrize("source", COMMANDS, ids=lambda source: source.app)
def test_no_command_of_a_module_is_left_out(source: CommandGroup) -> None:
    if not source.is_group:
        module, _, attribute = source.app.partition(":")
        app = getattr(__import__(module, fromlist=[attribute]), attribute)
        named = {info.name or info.callback.__name__ for info in app.registered_commands}
        assert named == set(source.lines)


def test_groups_of_one_name_are_one_and_keep_to_themselves() -> None:
    general = CommandGroup(f"{HERE}:one", {"group": "Both."}, is_group=True)
    added = CommandGroup(f"{HERE}:two", {"group": ""}, is_group=True)
    commands = LazyCommands((general, added))
    assert list(commands["group"].commands) == ["first", "second"]
    assert commands.lines == {"group": "Both."}
    assert [info.name for info in one.registered_commands] == ["first"]


def test_a_group_may_do_something_by_its_bare_name() -> None:
    commands = make_app().commands
    assert set(commands["seed"].commands) == {"buckets"}
    assert commands["seed"].invoke_without_command is True
    assert commands["keys"].invoke_without_command is False


def test_a_command_replaces_a_group_of_its_name() -> None:
    general = CommandGroup(f"{HERE}:one", {"group": "General."}, is_group=True)
    added = CommandGroup(f"{HERE}:plain", {"alone": "Alone.", "group": "Added."})
    commands = LazyCommands((general, added))
    assert commands.lines == {"group": "Added.", "alone": "Alone."}
    assert not hasattr(commands["group"], "commands")
    with pytest.raises(KeyError):
        commands["none"]
