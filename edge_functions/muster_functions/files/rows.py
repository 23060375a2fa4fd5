"""The only SQL on public.files and functions.removed_files."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg

from emulator.principal import Principal
from muster_functions import errors
from muster_functions.runtime.database import Connection

_STANDING = """
select private.caller_is_active(), private.caller_is_admin()
from set_config('request.jwt.claims', %s, true)
"""
_INSERT = """
insert into public.files (id, user_id, bucket_id, mime_type, bytes, width, height, preview, name)
values (%(id)s, %(user_id)s, %(bucket_id)s, %(mime_type)s, %(bytes)s, %(width)s, %(height)s, %(preview)s, %(name)s)
returning address
"""
# Materialized: a plan may evaluate a subquery once per row, and each time it would skip those it has already taken.
_CLAIM = """
with oldest as materialized (
  select r.bucket_id, r.name from functions.removed_files as r
  where r.bucket_id = (select f.bucket_id from functions.removed_files as f order by f.removed_at limit 1)
  order by r.removed_at limit 500 for update skip locked
)
delete from functions.removed_files
where (bucket_id, name) in (select bucket_id, name from oldest)
returning bucket_id, name
"""
_QUEUE = "insert into functions.removed_files (bucket_id, name) values (%s, %s) on conflict do nothing"


@dataclass(frozen=True)
class NewFile:
    """A row to be."""

    id: UUID
    user_id: UUID
    bucket_id: str
    mime_type: str
    bytes: int
    width: int | None
    height: int | None
    preview: str | None
    name: str


async def check_standing(connection: Connection, caller: Principal, *, as_admin: bool) -> UUID:
    """The member who calls. Raises members_only_files, suspended, admins_only_files."""
    if caller.role != "authenticated" or caller.user_id is None:
        raise errors.members_only_files()
    claims = json.dumps({"role": caller.role, "sub": str(caller.user_id)})
    row = await (await connection.execute(_STANDING, (claims,))).fetchone()
    is_active, is_admin = row or (False, False)
    if not is_active:
        raise errors.suspended()
    if as_admin and not is_admin:
        raise errors.admins_only_files()
    return caller.user_id


async def insert(connection: Connection, file: NewFile) -> str:
    """The address of the new file. Raises files_full, suspended for an account that is gone."""
    values: dict[str, Any] = vars(file)
    try:
        row = await (await connection.execute(_INSERT, values)).fetchone()
    except psycopg.errors.ForeignKeyViolation as error:
        raise errors.suspended() from error
    except psycopg.Error as error:
        if error.sqlstate == "PT413":
            raise errors.files_full(error.diag.message_primary or "") from error
        raise
    assert row is not None
    address: str = row[0]
    return address


async def queue_removal(connection: Connection, bucket: str, name: str) -> None:
    """Have an object removed."""
    await connection.execute(_QUEUE, (bucket, name))


async def claim_removals(connection: Connection) -> tuple[str, list[str]] | None:
    """Take the oldest objects of one bucket off the queue; they are back when the transaction is rolled back."""
    rows = await (await connection.execute(_CLAIM)).fetchall()
    return (rows[0][0], [name for _, name in rows]) if rows else None


async def collect(connection: Connection) -> None:
    """Queue what nothing shows any more."""
    await connection.execute("select functions.collect_files()")
