"""The variables of supabase/config/services.toml, for either backend. What the columns mean is explained there."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Literal

from emulator.paths import CONFIG

Backend = Literal["containers", "embedded"]
_PLACEHOLDER = re.compile(r"\$\{(?P<name>[A-Z0-9_]+)(?::-(?P<default>[^}]*))?\}")


def read_variables(backend: Backend) -> dict[str, dict[str, str]]:
    """Every service's variables on one backend, placeholders and all, in the order of the file."""
    declared = tomllib.loads((CONFIG / "services.toml").read_text("utf8"))
    return {service: dict(_of_backend(rows, backend)) for service, rows in declared.items()}


def _of_backend(rows: Mapping[str, str | Mapping[str, str]], backend: Backend) -> Iterator[tuple[str, str]]:
    for name, value in rows.items():
        if isinstance(value, str):
            yield name, value
        elif backend in value:
            yield name, value[backend]


def fill(text: str, values: Mapping[str, str]) -> str:
    """A value with its placeholders replaced. Raises KeyError for one that is neither known nor has a default."""

    def replace(match: re.Match[str]) -> str:
        default = match["default"]
        return values[match["name"]] if default is None else values.get(match["name"]) or default

    return _PLACEHOLDER.sub(replace, text)
