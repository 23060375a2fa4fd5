"""What the commands about a project's SQL have in common: which project, which files, and how failures are told."""

import os
from collections.abc import Callable

from emulator.db.failure import ScriptError
from emulator.db.project_sql import ProjectSql
from muster_cli.output import UserError, talk
from muster_cli.project.config import ProjectConfig
from muster_cli.project.declaration import is_configured_by_services
from muster_cli.project.find import require
from muster_cli.project.read import load
from muster_cli.stack.project_database import project_sql


def current_config() -> ProjectConfig:
    """The configuration of the project of this command. Raises UserError."""
    return load(require(), os.environ).config


def current_sql() -> ProjectSql:
    """The SQL files of the project of this command. Raises UserError."""
    found = require()
    if is_configured_by_services():
        return ProjectSql(found.supabase, seed_patterns=())
    return project_sql(current_config())


def say(line: str) -> None:
    """A line of progress, as the official CLI writes it: to stderr."""
    talk.print(line, markup=False, soft_wrap=True)


def refused(error: ScriptError) -> UserError:
    """A failing file as one line."""
    return UserError(str(error))


Say = Callable[[str], None]
