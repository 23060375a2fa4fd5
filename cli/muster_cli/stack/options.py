"""How a person wants the embedded stack: the options of `muster up`, and their way to a process in the background."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, get_args

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from emulator.addresses import Networks, is_loopback
from muster_cli.output import UserError
from muster_cli.project.find import Project
from muster_cli.project.read import Loaded
from muster_cli.stack.home import Home
from muster_cli.stack.origin import bracketed, host_of, parse_origin

PostgresChoice = Literal["embedded", "system"]


@dataclass(frozen=True)
class Options:
    """What was chosen on the command line. Each field but the first three has the variable MUSTER_<NAME>.

    `loaded` is the configuration of a project that is served by it; None where services.toml has it. `database_port`
    None: the one after `port`, or any.

    `seed` None: a seed where only this machine reaches the stack. `trusted_proxy`: addresses and networks, separated by
    commas, or `none`; None: loopback where there is a public URL, else nobody.
    """

    home: Home
    project: Project
    loaded: Loaded | None = None
    host: str = "127.0.0.1"
    port: int = 54321
    database_port: int | None = None
    postgres: str = "embedded"
    database_url: str | None = None
    seed: bool | None = None
    web: bool = True
    workers: int = 1
    public_url: str | None = None
    trusted_proxy: str | None = None
    variables_file: Path | None = None
    test_control: bool = False
    log_format: str = "text"
    log_requests: str = "failed"

    def __post_init__(self) -> None:
        if self.postgres not in get_args(PostgresChoice):
            raise UserError(f"--postgres is embedded or system, not {self.postgres!r}", 2)
        try:
            Networks.parse(self.trusted_proxies)
        except ValueError as error:
            raise UserError(f"--trusted-proxy: {error}", 2) from error
        if self.public_url is not None:
            object.__setattr__(self, "public_url", parse_origin(self.public_url))
        if self.loaded is not None and self.database_url is not None:
            refuse_remote_database(self.database_url)
        if self.test_control and not self.has_branches:
            raise UserError(
                "--test-control is for a stack that only this machine reaches, with one process: whoever has the "
                "secret key makes databases, turns clocks and breaks connections with it",
                2,
            )
        if self.loaded is not None and self.is_public:
            raise UserError(
                "the keys and passwords of a project's stack are public knowledge: it is for this machine only. "
                'With [stack] configuration = "services" in supabase/muster.toml it gets its own'
            )

    @property
    def is_public(self) -> bool:
        """Whether others than this machine reach the stack."""
        return not is_loopback(self.host) or (self.public_url is not None and not is_loopback(host_of(self.public_url)))

    @property
    def has_branches(self) -> bool:
        """Whether branches can be made: where nobody else reaches them, in the one process that has them."""
        return not self.is_public and self.workers == 1

    @property
    def has_dashboard(self) -> bool:
        """Whether the stack shows what goes on inside: to this machine, of its one process."""
        return not self.is_public and self.workers == 1

    @property
    def is_seeded(self) -> bool:
        """Whether an empty database gets the seed. Its accounts are known to whoever reads the code."""
        return not self.is_public if self.seed is None else self.seed

    @property
    def url(self) -> str:
        """The origin that people use."""
        return self.public_url or f"http://{bracketed(self.host)}:{self.port}"

    @property
    def trusted_proxies(self) -> str:
        """Whose X-Forwarded-For is believed."""
        if self.trusted_proxy is not None:
            return "" if self.trusted_proxy == "none" else self.trusted_proxy
        return "127.0.0.0/8,::1" if self.public_url is not None else ""

    def refuse_open_mailbox(self, variables: Mapping[str, str]) -> None:
        """A stack that others reach must not show the mails of all its accounts. Raises UserError."""
        if self.is_public and not variables.get("SMTP_HOST"):
            named = f"--host {self.host}" if not is_loopback(self.host) else f"--public-url {self.public_url}"
            raise UserError(
                f"{named} makes the stack public, and without a mail server everybody could read the mailbox: "
                "set SMTP_HOST to a mail server"
            )

    def environment(self) -> Mapping[str, str]:
        """The options as variables, not as arguments: those stand in the process list, and a URL has a password."""
        names = [field.name for field in fields(self) if field.name not in ("home", "project", "loaded")]
        chosen = {name: getattr(self, name) for name in names}
        given = {f"MUSTER_{name.upper()}": str(value) for name, value in chosen.items() if value is not None}
        return {"MUSTER_HOME": str(self.home.path), "MUSTER_PROJECT": str(self.project.root), **given}


def refuse_remote_database(url: str) -> None:
    """Only a database of this machine may get the passwords that every project's stack has. Raises UserError."""
    try:
        host = str(conninfo_to_dict(url).get("host") or "")
    except ProgrammingError as error:
        raise UserError(f"the database's URL can't be read: {str(error).strip()}", 2) from error
    if host and not host.startswith("/") and not is_loopback(host):
        raise UserError(f"the passwords of a project's stack are public knowledge, and {host} is another machine", 2)
