"""Which stack a command acts on: the embedded one, the containers, or one that a URL names."""

import os
from dataclasses import dataclass
from typing import Literal

from muster_cli.output import EXIT_NOT_RUNNING, UserError
from muster_cli.stack.home import Home

Kind = Literal["emulator", "containers", "url"]


@dataclass(frozen=True)
class Target:
    """How a stack is reached. What a URL alone can't give is None; ask by the methods, which say what is missing."""

    kind: Kind
    api: str | None = None
    service_key: str | None = None
    owner: str | None = None
    superuser: str | None = None

    def api_access(self) -> tuple[str, str]:
        """The origin and the service key. Raises UserError when this target has none."""
        if self.api is None or self.service_key is None:
            raise UserError("this needs the API: --stack emulator, containers, or the stack's http(s) URL", 2)
        return self.api, self.service_key

    def owner_url(self) -> str:
        """The database's URL as role postgres. Raises UserError when this target has none."""
        if self.owner is None:
            raise UserError("this needs the database: --stack emulator, containers, or a postgresql:// URL", 2)
        return self.owner

    def superuser_url(self) -> str:
        """The database's URL as supabase_admin. Raises UserError when this target has none."""
        if self.superuser is None:
            raise UserError("this needs the superuser of the database: --stack emulator or containers", 2)
        return self.superuser


def find_target(stack: str, home: Home) -> Target:
    """The stack of `--stack`. Raises UserError when it does not run or is unknown."""
    if stack == "emulator":
        return _emulator(home)
    if stack == "containers":
        return _containers()
    if stack.startswith(("postgresql://", "postgres://")):
        return Target("url", owner=stack)
    if stack.startswith(("https://", "http://")):
        key = os.environ.get("SUPABASE_SERVICE_ROLE_KEY")
        if not key:
            raise UserError("a stack given by its URL needs its service key: set SUPABASE_SERVICE_ROLE_KEY", 2)
        return Target("url", api=stack.rstrip("/"), service_key=key)
    raise UserError(f"--stack is emulator, containers, or a URL, not {stack!r}", 2)


def _emulator(home: Home) -> Target:
    state = home.running()
    if state is None:
        raise UserError(f"no stack is running in {home.path}: ./muster up starts it", EXIT_NOT_RUNNING)
    secrets = home.secrets()
    where = f"{secrets.postgres_password}@127.0.0.1:{state.database_port}/postgres"
    return Target(
        "emulator", state.api, secrets.service_role_key,
        owner=f"postgresql://postgres:{where}", superuser=f"postgresql://supabase_admin:{where}",
    )  # fmt: skip


def _containers() -> Target:
    from muster_cli.stack.compose import read_env  # with all of a project's configuration: 50 ms

    env = read_env()
    where = f"{env['POSTGRES_PASSWORD']}@127.0.0.1:{env['DB_PORT']}/postgres"
    return Target(
        "containers", f"http://127.0.0.1:{env['GATEWAY_PORT']}", env["SERVICE_ROLE_KEY"],
        owner=f"postgresql://postgres:{where}", superuser=f"postgresql://supabase_admin:{where}",
    )  # fmt: skip
