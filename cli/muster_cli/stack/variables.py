"""The variables that a person sets for the embedded services: a file, and the environment of `muster up`.

Later wins: what the stack itself sets (services.toml), the file, the environment. A variable of the file reaches the
services whatever its name is; from the environment come those whose names belong to a service beyond doubt, because a
shell may have a PORT or a DB_HOST for something else.
"""

import os
from collections.abc import Iterator, Mapping

from muster_cli.output import UserError
from muster_cli.stack.options import Options

DEFAULT_FILE = "variables.env"  # in the home
PREFIXES = ("PGRST_", "GOTRUE_", "TENANT_", "CLIENT_PRESENCE_", "STORAGE_", "TUS_", "S3_PROTOCOL_")
NAMES = (
    "API_EXTERNAL_URL", "API_JWT_JWKS", "PRIVATE_ONLY", "SLOT_NAME", "POLICY_RECHECK_S", "MAX_FRAME_BYTES",
    "MAX_SOCKET_BUFFER_BYTES",
)  # fmt: skip
_FROM_FILE = "MUSTER_VARIABLES_FROM_FILE"  # which names the file has; never a variable of a service


def read_variables_of_person(options: Options) -> dict[str, str]:
    """The process's environment over the variables of the file. Raises UserError for a file that can't be read."""
    file = options.variables_file or options.home.path / DEFAULT_FILE
    if options.variables_file is None and not file.exists():
        return dict(os.environ)
    try:
        found = parse_env(file.read_text("utf8"))
    except (OSError, ValueError) as error:
        raise UserError(f"the variables in {file} can't be read: {error}", 2) from error
    return {**found, **os.environ, _FROM_FILE: ",".join(found)}


def chosen_variables(outside: Mapping[str, str]) -> dict[str, str]:
    """Of what `read_variables_of_person` found, what the services read in place of the stack's own."""
    of_file = set(outside.get(_FROM_FILE, "").split(","))
    return {
        name: value
        for name, value in outside.items()
        if name != _FROM_FILE and (name in of_file or name in NAMES or name.startswith(PREFIXES))
    }


def parse_env(text: str) -> dict[str, str]:
    """Names and values of an env file: NAME=value lines, in quotes or bare; comments and blank lines are fine."""
    return dict(_assignments(text))


def _assignments(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        name, equals, value = line.strip().partition("=")
        if not equals or name.startswith("#"):
            continue
        value = value.strip()
        quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "'\""
        yield name.removeprefix("export ").strip(), value[1:-1] if quoted else value
