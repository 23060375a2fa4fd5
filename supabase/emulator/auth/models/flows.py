"""auth.one_time_tokens, auth.flow_state, auth.oauth_client_states and auth.audit_log_entries."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from psycopg.types.json import Json

from emulator.auth.models.rows import NIL_UUID, AuditEntry, FlowState
from emulator.auth.models.sql import Db, columns, fetch_all, fetch_one, fetch_value, insert, update

_FLOW = f"select {columns(FlowState)} from auth.flow_state"


async def put_one_time_token(db: Db, user_id: UUID, kind: str, token_hash: str, relates_to: str, now: datetime) -> None:
    """A user's only token of its kind: an older one is replaced."""
    moment = now.astimezone(UTC).replace(tzinfo=None)
    await db.execute("delete from auth.one_time_tokens where user_id = %s and token_type::text = %s", (user_id, kind))
    await db.execute(
        "insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)"
        " values (%s, %s, %s::auth.one_time_token_type, %s, %s, %s, %s)",
        (uuid4(), user_id, kind, token_hash, relates_to.lower(), moment, moment),
    )


async def drop_one_time_tokens(db: Db, user_id: UUID, *kinds: str) -> None:
    """A user's tokens: of some kinds, or all when none is named."""
    await db.execute(
        "delete from auth.one_time_tokens where user_id = %s and (%s or token_type::text = any(%s))",
        (user_id, not kinds, list(kinds)),
    )


async def insert_flow(db: Db, values: dict[str, Any], now: datetime) -> UUID:
    """A new flow; returns its id."""
    flow_id = uuid4()
    tokens = {"provider_access_token": "", "provider_refresh_token": ""}
    await insert(db, "flow_state", {"id": flow_id, "created_at": now, "updated_at": now, **tokens, **values})
    return flow_id


async def flow_by_code(db: Db, auth_code: str) -> FlowState | None:
    """The flow that a code belongs to, locked."""
    return await fetch_one(db, FlowState, f"{_FLOW} where auth_code = %s for update", (auth_code,))


async def lock_flow(db: Db, flow_id: UUID) -> FlowState | None:
    """A flow by its id; None when it is gone or somebody else is finishing it."""
    return await fetch_one(db, FlowState, f"{_FLOW} where id = %s for update skip locked", (flow_id,))


async def latest_flow(db: Db, user_id: UUID, method: str) -> FlowState | None:
    """The newest flow of a user by one method."""
    where = "where user_id = %s and authentication_method = %s order by created_at desc limit 1"
    return await fetch_one(db, FlowState, f"{_FLOW} {where}", (user_id, method))


async def update_flow(db: Db, flow: FlowState, now: datetime, **changes: Any) -> FlowState:
    """Change some columns."""
    return await update(db, "flow_state", FlowState, flow.id, {**changes, "updated_at": now}) or flow


async def delete_flow(db: Db, flow_id: UUID) -> None:
    """A finished flow."""
    await db.execute("delete from auth.flow_state where id = %s", (flow_id,))


async def insert_client_state(db: Db, provider: str, code_verifier: str, now: datetime) -> UUID:
    """Our own PKCE verifier towards a provider."""
    state_id = uuid4()
    values = {"id": state_id, "provider_type": provider, "code_verifier": code_verifier, "created_at": now}
    await insert(db, "oauth_client_states", values)
    return state_id


async def take_client_state(db: Db, state_id: UUID) -> str | None:
    """That verifier, once."""
    statement = "delete from auth.oauth_client_states where id = %s returning code_verifier"
    value = await fetch_value(db, statement, (state_id,))
    return None if value is None else str(value)


async def insert_audit(db: Db, payload: dict[str, Any], ip: str, now: datetime) -> None:
    """One line of the audit trail."""
    await db.execute(
        "insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)"
        " values (%s, %s, %s, %s, %s)",
        (NIL_UUID, uuid4(), Json(payload), now, ip),
    )


async def list_audit(db: Db, field: str, text: str, limit: int, offset: int) -> tuple[list[AuditEntry], int]:
    """A page of the trail, newest first, and the count. `field`: "", author, action or type."""
    keys = {"author": ["actor_username", "actor_name"], "action": ["action"], "type": ["log_type"]}.get(field, [])
    where = "where instance_id = %s"
    params: list[Any] = [NIL_UUID]
    if keys:
        where += " and (" + " or ".join(f"payload ->> '{key}' ilike %s" for key in keys) + ")"
        params += [f"%{text}%" for _ in keys]
    total = await fetch_value(db, f"select count(*) from auth.audit_log_entries {where}", params)
    page = await fetch_all(
        db,
        AuditEntry,
        f"select {columns(AuditEntry)} from auth.audit_log_entries {where} order by created_at desc limit %s offset %s",
        [*params, limit, offset],
    )
    return page, int(total)
