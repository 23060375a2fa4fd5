"""auth.schema_migrations, as the running service reads it."""

from emulator.auth.migrations import VERSIONS
from emulator.auth.models.sql import Db

_CURRENT = "select exists (select from auth.schema_migrations where version = %s)"


async def is_current(db: Db) -> bool:
    """Whether the newest version is recorded. Raises UndefinedTable where nothing was migrated."""
    row = await (await db.execute(_CURRENT, (VERSIONS[-1],))).fetchone()
    return row is not None and bool(row[0])
