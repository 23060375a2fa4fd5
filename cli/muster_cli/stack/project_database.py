"""From nothing to the database of somebody's project: bootstrap, the services' schemas, migrations, seeds."""

import psycopg

from emulator.db.bootstrap import apply_bootstrap
from emulator.db.migrations import MigrationError, UnknownMigrationsError, apply_migrations
from emulator.schemas import migrate_services
from muster_cli.output import UserError
from muster_cli.project.read import Loaded
from muster_cli.stack.secrets import Secrets
from muster_cli.stack.start_report import Applied, Failure, StartReport


def prepare_project(loaded: Loaded, superuser_dsn: str, owner_dsn: str, secrets: Secrets) -> StartReport:
    """Bring the database up to date; what is there already is not run again. Raises UserError.

    A file that fails is in the report; it leaves nothing behind, and those before it stay.
    """
    warnings = loaded.warnings
    try:
        with psycopg.connect(superuser_dsn, autocommit=True) as superuser:
            apply_bootstrap(superuser, secrets.postgres_password)
            migrate_services(superuser)
        with psycopg.connect(owner_dsn, autocommit=True) as owner:
            applied = apply_migrations(owner, loaded.config.root / "migrations")
    except (MigrationError, UnknownMigrationsError) as error:
        name, _, message = str(error).partition(": ")
        return StartReport(Applied(0, Failure(name, message)), warnings=warnings)
    except psycopg.Error as error:
        raise UserError(f"the database could not be prepared: {error}") from error
    return StartReport(Applied(len(applied)), warnings=warnings)
