"""How a person wants the embedded stack: the options of `muster up`, and their way to a process in the background."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, get_args

from muster_cli.output import UserError
from muster_cli.stack.home import Home

PostgresChoice = Literal["embedded", "system"]


@dataclass(frozen=True)
class Options:
    """What was chosen on the command line. Each field but `home` has the variable MUSTER_<NAME>."""

    home: Home
    host: str = "127.0.0.1"
    port: int = 54321
    postgres: str = "embedded"
    database_url: str | None = None
    seed: bool = True
    web: bool = True
    workers: int = 1
    public_url: str | None = None
    log_format: str = "text"
    log_requests: str = "failed"

    def __post_init__(self) -> None:
        if self.postgres not in get_args(PostgresChoice):
            raise UserError(f"--postgres is embedded or system, not {self.postgres!r}", 2)

    def environment(self) -> Mapping[str, str]:
        """The options as variables, not as arguments: those stand in the process list, and a URL has a password."""
        chosen = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "home"}
        given = {f"MUSTER_{name.upper()}": str(value) for name, value in chosen.items() if value is not None}
        return {"MUSTER_HOME": str(self.home.path), **given}
