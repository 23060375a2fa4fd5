"""What a project adds to the control plane: one value, which the project names in `supabase/muster.toml`.

    [cli]
    extension = "a_package.extension:EXTENSION"

The general part knows an extension by this class alone. Without the file nothing is added, which is how any other
Supabase project is started.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emulator.loading import LoadError, load_named
from muster_cli.findings import Finding
from muster_cli.output import UserError
from muster_cli.project.declaration import read_declaration
from muster_cli.project.find import Project, current

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True)
class CommandGroup:
    """Commands of one module, which is imported when one of them is asked for.

    `app` is the dotted name of a typer.Typer, such as "package.module:app". `lines` has what `muster --help` says of
    each of its commands, by name. With `is_group` there is one name, below which all of them go; they join the group
    that has the name already.
    """

    app: str
    lines: Mapping[str, str]
    is_group: bool = False


@dataclass(frozen=True)
class Extension:
    """What a project may add. Everything is optional."""

    commands: Sequence[CommandGroup] = ()
    # Builds what the gateway serves beside the API; returns its folder. Raises UserError.
    build_site: Callable[[], Path] | None = None
    # Fills an empty database, as a superuser in one transaction, with accounts of the given password.
    seed: "Callable[[Connection, str], list[str]] | None" = None
    # The files that decide what the seed makes: when one changes, databases for branches are made anew.
    seed_files: Callable[[], Iterable[Path]] = tuple
    # The seed's accounts that people are shown, by what they are: {"member": "dana@example.org"}.
    seed_accounts: Mapping[str, str] = field(default_factory=dict)
    # The sender of mails, name and address, where SMTP_SENDER_NAME and SMTP_ADMIN_EMAIL name no other.
    mail_sender: tuple[str, str] = ("Supabase", "no-reply@example.org")
    # Variables that the services read beside those of every project.
    environment: Mapping[str, str] = field(default_factory=dict)
    # Files that `muster config render` writes beside the general ones, with their texts.
    rendered_files: Callable[[], Mapping[Path, str]] = dict
    # What `muster doctor` looks at beside the general things: the machine, and the migrated database.
    examine_machine: Callable[[], Iterable[Finding]] = tuple
    examine_database: "Callable[[Connection], Iterable[Finding]]" = lambda _: ()


def load_extension() -> Extension:
    """The extension of the current project, or an empty one. Raises UserError when it can't be loaded."""
    return _load(current())


@cache
def _load(project: Project | None) -> Extension:
    name = read_declaration(project).extension
    if project is None or name is None:
        return Extension()
    try:
        return load_named(name, Extension)
    except LoadError as error:
        raise UserError(f"{project.declaration}: {error}") from error
