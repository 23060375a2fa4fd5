"""From nothing to the database of somebody's project: bootstrap, the services' schemas, migrations, seeds."""

from collections.abc import Callable
from dataclasses import dataclass

import psycopg

from emulator.db.bootstrap import apply_bootstrap
from emulator.db.project_sql import ProjectSql, apply_project
from emulator.db.queues import SCHEMA, expose_queues
from emulator.schemas import migrate_services
from muster_cli.output import UserError
from muster_cli.project.config import ProjectConfig
from muster_cli.project.read import Loaded
from muster_cli.stack.secrets import Secrets
from muster_cli.stack.start_report import StartReport


def project_sql(config: ProjectConfig) -> ProjectSql:
    """What the configuration says of the project's own SQL."""
    resolved = {name: secret for name, secret in config.db.vault.items() if not secret.startswith("env(")}
    return ProjectSql(
        config.root,
        has_migrations=config.db.migrations.enabled,
        seed_patterns=config.db.seed.sql_paths if config.db.seed.enabled else (),
        vault_secrets=resolved,
        exposes_new_tables=config.api.auto_expose_new_tables,
    )


@dataclass(frozen=True)
class ProjectDatabase:
    """What was done. `is_new`: no start has worked on it before. `needs_buckets`: none has made them yet."""

    report: StartReport
    is_new: bool
    needs_buckets: bool


BUCKETS_STEP = "buckets"  # beside the steps of emulator.db.project_sql


def prepare_project(
    loaded: Loaded, superuser_dsn: str, owner_dsn: str, secrets: Secrets, report: Callable[[str], None] = lambda _: None
) -> ProjectDatabase:
    """Bring the database up to date; what is there already is not run again. Raises UserError.

    A file that fails is in the report; it leaves nothing behind, and those before it stay.
    """
    try:
        with psycopg.connect(superuser_dsn, autocommit=True) as superuser:
            apply_bootstrap(superuser, secrets.postgres_password)
            migrate_services(superuser)
            done = {row[0] for row in superuser.execute("select step from _muster.project_steps")}
        applied = apply_project(project_sql(loaded.config), superuser_dsn, owner_dsn, report)
        if SCHEMA in loaded.config.api.schemas:
            with psycopg.connect(owner_dsn, autocommit=True) as owner:
                expose_queues(owner)
    except psycopg.Error as error:
        raise UserError(f"the database could not be prepared: {error}") from error
    warnings = (*loaded.warnings, *applied.warnings)
    done_now = StartReport(applied.migrations, applied.seeds, warnings)
    needs_buckets = bool(loaded.config.storage.buckets) and BUCKETS_STEP not in done
    return ProjectDatabase(done_now, is_new=not done, needs_buckets=needs_buckets)


def note_buckets(superuser_dsn: str) -> None:
    """Say that the buckets are made: a later start leaves them alone. Raises psycopg.Error."""
    with psycopg.connect(superuser_dsn, autocommit=True) as superuser:
        superuser.execute("insert into _muster.project_steps values (%s) on conflict do nothing", (BUCKETS_STEP,))
