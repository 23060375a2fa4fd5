"""The schemas that services own: each service migrates its own at start, as the original does, as its own role.

A stack does the same for all of them before the project's migrations, which refer to their tables.
"""

from collections.abc import Callable, Mapping

import psycopg
from psycopg import sql

from emulator.auth.migrations import migrate as migrate_auth
from emulator.realtime.database.migrate import migrate as migrate_realtime
from emulator.storage.migrate import migrate as migrate_storage

# The role that a service signs in as, which owns what it makes, and how its schema is brought up to date.
SERVICES: Mapping[str, Callable[[psycopg.Connection], object]] = {
    "supabase_auth_admin": migrate_auth,
    "supabase_storage_admin": migrate_storage,
    "supabase_admin": migrate_realtime,
}


def migrate_services(connection: psycopg.Connection) -> None:
    """Bring every service's schema up to date. `connection` is a superuser's, autocommit. Raises psycopg.Error."""
    for role, migrate in SERVICES.items():
        connection.execute(sql.SQL("set role {}").format(sql.Identifier(role)))
        try:
            migrate(connection)
        finally:
            connection.execute("reset role")
