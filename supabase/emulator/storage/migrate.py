"""Make the schema `storage`, as storage-api's own migrations leave it. I/O."""

from pathlib import Path
from typing import Any

import psycopg

_FILES = Path(__file__).parent / "schema"
_NEWEST = 63  # the last of storage-api's migrations that this schema contains
_LOCK = -8525285245963000605  # storage-api's own: whichever of the two comes first migrates
_OWNER = "supabase_storage_admin"


class OutdatedSchema(Exception):
    """A schema that an older storage-api made; the text says which."""


def migrate(connection: psycopg.Connection[Any]) -> bool:
    """Make the schema unless it is there; whether it was made. Raises OutdatedSchema, psycopg.Error.

    `connection` is that of supabase_storage_admin, or of a superuser, and in autocommit. The schema itself comes with
    the roles (sql/bootstrap, or the image).
    """
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        if _is_made(connection):
            return False
        connection.execute(f"set local role {_OWNER}")
        connection.execute("set local search_path = storage, public, extensions")
        for file in sorted(_FILES.glob("*.sql")):
            connection.execute(file.read_text("utf8").encode())
    return True


def _is_made(connection: psycopg.Connection[Any]) -> bool:
    if connection.execute("select to_regclass('storage.objects')").fetchone() == (None,):
        return False
    row = connection.execute("select max(id) from storage.migrations").fetchone()
    newest = row[0] if row is not None and row[0] is not None else 0
    if newest < _NEWEST:
        raise OutdatedSchema(
            f"the schema storage is at migration {newest} of storage-api, this service needs {_NEWEST}: "
            "start a newer storage-api on it once"
        )
    return True
