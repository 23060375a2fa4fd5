"""`python -m emulator.db.migrate`: the containers' migrate job, on the database that libpq's PG* variables name.

It waits until auth, realtime and storage have made their schemas, then applies what is new: the code and the ledger of
`muster up`. Run again at every start.
"""

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import psycopg

from emulator.db.migrations import MIGRATIONS, MigrationError, UnknownMigrationsError, apply_migrations, skipped_files
from emulator.settings import Settings, SettingsError

# A healthy realtime may still lack realtime.messages, and auth.jwt() is GoTrue's, not the image's.
_READY = """
select to_regclass('realtime.messages') is not null and to_regclass('storage.objects') is not null
  and to_regprocedure('auth.jwt()') is not null
  and exists (select from information_schema.columns
    where table_schema = 'auth' and table_name = 'users' and column_name = 'is_anonymous')
"""


class MigrateSettings(Settings):
    """Where the files are, and how long the services are waited for."""

    migrations_dir: Path = MIGRATIONS
    wait_tries: int = 90
    wait_sleep: float = 2.0  # seconds between two tries


class NotReady(Exception):
    """The services never made their schemas."""


def main(env: Mapping[str, str]) -> int:
    """Apply and say what was applied; 1 and one line when that can't be done."""
    try:
        settings = MigrateSettings.from_env(env)
        for line in skipped_files(settings.migrations_dir):
            sys.stderr.write(f"migrate: {line}\n")
        with wait_for_schemas(settings) as connection:
            for migration in apply_migrations(connection, settings.migrations_dir):
                sys.stdout.write(f"migrate: {migration.path.name}\n")
            connection.execute("notify pgrst, 'reload schema'")
    except (SettingsError, NotReady, MigrationError, UnknownMigrationsError, psycopg.Error) as error:
        sys.stderr.write(f"migrate: {error}\n")
        return 1
    return 0


def wait_for_schemas(settings: MigrateSettings) -> psycopg.Connection:
    """A connection to a database that has the services' schemas. Raises NotReady."""
    reason = "the schemas of auth, realtime and storage never appeared"
    for _ in range(settings.wait_tries):
        try:
            connection = psycopg.connect("", autocommit=True)
        except psycopg.OperationalError as error:
            reason = str(error).strip().splitlines()[-1]
        else:
            if connection.execute(_READY).fetchone() == (True,):
                return connection
            connection.close()
            reason = "the schemas of auth, realtime and storage never appeared"
        time.sleep(settings.wait_sleep)
    raise NotReady(reason)


if __name__ == "__main__":
    sys.exit(main(os.environ))
