"""supabase/muster.toml: what a project tells Muster alone. The official CLI does not read it.

    [cli]
    extension = "a_package.extension:EXTENSION"   # what it adds to the control plane: muster_cli.extension

    [stack]
    configuration = "services"                    # default: "project"

`project`: what the services are told comes from config.toml, with the public keys of every local stack. `services`: it
comes from supabase/config/services.toml, as in the containers, and keys and passwords are generated.
"""

import tomllib
from dataclasses import dataclass
from typing import Any, Literal

from muster_cli.output import UserError
from muster_cli.project.find import Project, require

Configuration = Literal["project", "services"]


@dataclass(frozen=True)
class Declaration:
    """The file's values, or its absence."""

    extension: str | None = None
    configuration: Configuration = "project"


def read_declaration(project: Project | None) -> Declaration:
    """What a project declares. Raises UserError with one line."""
    if project is None or not project.declaration.is_file():
        return Declaration()
    file = project.declaration
    try:
        tables = tomllib.loads(file.read_text("utf8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{file} can't be parsed: {error}") from error
    extension = _value(tables, "cli", "extension")
    configuration = _value(tables, "stack", "configuration") or "project"
    if extension is not None and not isinstance(extension, str):
        raise UserError(f"{file}: cli.extension is a name such as package.module:NAME, not {extension!r}")
    if configuration == "services":
        return Declaration(extension, "services")
    if configuration != "project":
        raise UserError(f"{file}: stack.configuration is project or services, not {configuration!r}")
    return Declaration(extension)


def is_configured_by_services() -> bool:
    """Whether the stack of this command's project is not told by its config.toml."""
    return read_declaration(require()).configuration == "services"


def _value(tables: dict[str, Any], section: str, key: str) -> Any:
    found = tables.get(section)
    return found.get(key) if isinstance(found, dict) else None
