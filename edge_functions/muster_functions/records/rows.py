"""The only SQL of the functions on issued records."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.rows import class_row

from emulator.principal import Principal
from muster_functions.runtime.database import Connection

_ONE = "select r.code, r.document from public.issued_records as r where r.id = %s and r.document is not null"


@dataclass(frozen=True)
class IssuedRecord:
    """`document` is described in docs/records.md."""

    code: str
    document: dict[str, Any]


async def record_seen_by(connection: Connection, caller: Principal, id: UUID) -> IssuedRecord | None:
    """The record, if the caller issued it and it is on: PostgreSQL is asked as the caller."""
    await connection.execute("select set_config('request.jwt.claims', %s, true)", (caller.claims_json,))
    await connection.execute("set local role authenticated")
    async with connection.cursor(row_factory=class_row(IssuedRecord)) as cursor:
        return await (await cursor.execute(_ONE, (id,))).fetchone()
