"""auth.audit_log_entries."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from psycopg.types.json import Json

from emulator.auth.models.sql import NIL_UUID, Db, columns, fetch_all, fetch_value


@dataclass(frozen=True)
class AuditLogEntry:
    """auth.audit_log_entries."""

    id: UUID
    payload: dict[str, Any] | None
    created_at: datetime | None
    ip_address: str


async def insert_audit(db: Db, payload: dict[str, Any], ip: str, now: datetime) -> None:
    """Insert an entry."""
    await db.execute(
        "insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)"
        " values (%s, %s, %s, %s, %s)",
        (NIL_UUID, uuid4(), Json(payload), now, ip),
    )


async def list_audit(db: Db, field: str, text: str, limit: int, offset: int) -> tuple[list[AuditLogEntry], int]:
    """A page, newest first, and the total. `field`: "", author, action or type."""
    keys = {"author": ["actor_username", "actor_name"], "action": ["action"], "type": ["log_type"]}.get(field, [])
    where = "where instance_id = %s"
    params: list[Any] = [NIL_UUID]
    if keys:
        where += " and (" + " or ".join(f"payload ->> '{key}' ilike %s" for key in keys) + ")"
        params += [f"%{text}%" for _ in keys]
    total = await fetch_value(db, f"select count(*) from auth.audit_log_entries {where}", params)
    newest = f"select {columns(AuditLogEntry)} from auth.audit_log_entries {where} order by created_at desc"
    page = await fetch_all(db, AuditLogEntry, f"{newest} limit %s offset %s", [*params, limit, offset])
    return page, int(total)
