"""What a project adds to the control plane: one value, which the project names in `supabase/muster.toml`.

    [cli]
    extension = "a_package.extension:EXTENSION"

The general part knows an extension by this class alone. Without the file nothing is added, which is how any other
Supabase project is started.
"""

import importlib
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import typer

from emulator.paths import CHECKOUT
from muster_cli.findings import Finding
from muster_cli.output import UserError

DECLARATION = CHECKOUT / "supabase" / "muster.toml"

Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True)
class CommandGroup:
    """Commands to add: below `name`, joining the group that has it already, or at the top where it is empty."""

    app: typer.Typer
    name: str = ""


@dataclass(frozen=True)
class Extension:
    """What a project may add. Everything is optional."""

    commands: Sequence[CommandGroup] = ()
    # Builds what the gateway serves beside the API; returns its folder. Raises UserError.
    build_site: Callable[[], Path] | None = None
    # Fills an empty database, as a superuser in one transaction, with accounts of the given password.
    seed: Callable[[Connection, str], list[str]] | None = None
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
    examine_database: Callable[[Connection], Iterable[Finding]] = lambda _: ()


@cache
def load_extension(declaration: Path = DECLARATION) -> Extension:
    """The extension of the project, or an empty one. Raises UserError when it is declared and can't be loaded."""
    if not declaration.exists():
        return Extension()
    try:
        name = tomllib.loads(declaration.read_text("utf8")).get("cli", {}).get("extension")
        if name is None:
            return Extension()
        module, _, attribute = name.partition(":")
        found = getattr(importlib.import_module(module), attribute)
    except (tomllib.TOMLDecodeError, ImportError, AttributeError) as error:
        raise UserError(f"{declaration}: the extension can't be loaded: {error}") from error
    if not isinstance(found, Extension):
        raise UserError(f"{declaration}: {name} is no muster_cli.extension.Extension")
    return found
