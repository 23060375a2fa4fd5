"""For programs: bring a database to what a project needs, and get the variables that `emulator.app.build` takes.

docs/library.md has the call; nothing here starts a process or listens.
"""

import os
from pathlib import Path

from muster_cli.output import UserError
from muster_cli.project.find import Project, claim
from muster_cli.project.read import load
from muster_cli.stack.database import adopt_server
from muster_cli.stack.environment import Addresses
from muster_cli.stack.home import Home
from muster_cli.stack.options import refuse_remote_database
from muster_cli.stack.ports import free_port
from muster_cli.stack.project_database import prepare_project
from muster_cli.stack.project_environment import project_service_environment, project_stack_secrets
from muster_cli.stack.third_party import third_party_keys


def prepare(
    project: str | Path, database_url: str, *, home: str | Path | None = None, port: int = 54321
) -> dict[str, str]:
    """Bootstrap, migrate and seed a database on this machine; the variables of every service.

    `project` is the parent of a folder `supabase`, `database_url` a superuser's, with wal_level = logical; what is
    applied already is not run again. `home` keeps keys, mails and files, by default as `muster up` does. `port` is only
    what addresses name. Raises UserError with one line: also for a migration or a seed that fails.
    """
    found = Project(Path(project).resolve())
    loaded = load(found, os.environ)
    refuse_remote_database(database_url)
    state = Home(Path(home or found.home).resolve())
    state.prepare()
    claim(state.path, found)
    secrets = project_stack_secrets(loaded, state)
    superuser, owner = adopt_server(database_url, secrets.postgres_password)
    failure = prepare_project(loaded, superuser, owner, secrets).report.failure
    if failure is not None:
        raise UserError(str(failure))
    addresses = Addresses.of_database(superuser, host="127.0.0.1", port=port, smtp_port=free_port(0))
    others, _ = third_party_keys(loaded.config, state.path)
    return project_service_environment(loaded, addresses, secrets, state, os.environ, others)
