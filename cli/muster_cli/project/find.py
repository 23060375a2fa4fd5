"""Which project a command is about: a folder with `supabase/` in it, found as the official CLI finds it."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from emulator.paths import CHECKOUT
from muster_cli.output import UserError

# The order in which the official CLI prefers them.
CONFIG_NAMES = ("config.json", "config.jsonc", "config.toml")
OPTIONS = ("--project", "--workdir")
VARIABLES = ("MUSTER_PROJECT", "SUPABASE_WORKDIR")
# In the state folder of a stack: the project that it is of.
OWNER_FILE = "project"


@dataclass(frozen=True)
class Project:
    """A project's folder, the parent of `supabase/`. Paths only; config.py reads."""

    root: Path

    @property
    def supabase(self) -> Path:
        """The folder that most paths of the configuration are relative to."""
        return self.root / "supabase"

    @property
    def config_files(self) -> tuple[Path, ...]:
        """The configuration files that exist, the one that counts first."""
        return tuple(path for name in CONFIG_NAMES if (path := self.supabase / name).is_file())

    @property
    def declaration(self) -> Path:
        """What the project tells Muster alone; the official CLI does not read it."""
        return self.supabase / "muster.toml"

    @property
    def home(self) -> Path:
        """Where its stack keeps its state by default."""
        return self.root / ".muster"


def locate(arguments: Sequence[str], env: Mapping[str, str], folder: Path) -> Project | None:
    """The project of a command line; None when there is none.

    A folder that is named is taken as it is. Otherwise the project of the named state folder, then the first folder
    from `folder` upward that has a configuration, then the checkout that this code belongs to. Raises UserError when a
    named folder is no project.
    """
    named = _option(arguments, OPTIONS) or next((env[name] for name in VARIABLES if env.get(name)), None)
    if named is not None:
        return _named(folder / Path(named).expanduser())
    home = _option(arguments, ("--home",)) or env.get("MUSTER_HOME")
    if home and (owner := owner_of(folder / Path(home).expanduser())) is not None:
        return Project(owner)
    for candidate in (folder, *folder.parents):
        if Project(candidate).config_files:
            return Project(candidate)
    return checkout()


def checkout() -> Project | None:
    """The checkout that this code belongs to; None where it was installed as a package."""
    found = Project(CHECKOUT)
    return found if found.declaration.is_file() else None


@cache
def _select(arguments: tuple[str, ...], folder: Path) -> Project | None:
    return locate(arguments, os.environ, folder)


_chosen: list[tuple[str, ...]] = [()]


def choose(arguments: Sequence[str]) -> list[str]:
    """Say which command line `current` goes by; the same without the option, which every command has."""
    _chosen[0] = tuple(arguments)
    rest: list[str] = []
    steps = iter(arguments)
    for argument in steps:
        if argument == "--":
            return [*rest, argument, *steps]
        if argument in OPTIONS:
            next(steps, None)
        elif argument.partition("=")[0] not in OPTIONS:
            rest.append(argument)
    return rest


def current() -> Project | None:
    """The project of this process's command; None when there is none. Raises UserError."""
    return _select(_chosen[0], Path.cwd())


def require() -> Project:
    """The project of this process's command. Raises UserError when there is none."""
    found = current()
    if found is None:
        raise UserError(
            f"no supabase/config.toml in {Path.cwd()} or above it: go to a project's folder, name it with --project, "
            "or make one with muster init"
        )
    return found


def owner_of(home: Path) -> Path | None:
    """The root of the project that a state folder belongs to; None while nothing is known."""
    with suppress(OSError):
        return Path((home / OWNER_FILE).read_text("utf8").strip())
    return None


def claim(home: Path, project: Project) -> None:
    """Note in a state folder whose it is. Raises UserError when it is another project's."""
    owner = owner_of(home)
    if owner is None:
        (home / OWNER_FILE).write_text(f"{project.root}\n", "utf8")
    elif owner != project.root:
        raise UserError(f"the state folder {home} belongs to the project {owner}: choose another with --home")


def _named(root: Path) -> Project:
    found = Project(root.resolve())
    if not found.supabase.is_dir():
        raise UserError(f"{root} is not a Supabase project: it has no supabase folder", 2)
    return found


def _option(arguments: Sequence[str], names: Sequence[str]) -> str | None:
    """The value of an option, before the command line is parsed: the commands themselves depend on the project."""
    for index, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if argument == "--":
            return None
        if name in names:
            if equals:
                return value
            return arguments[index + 1] if index + 1 < len(arguments) else None
    return None
