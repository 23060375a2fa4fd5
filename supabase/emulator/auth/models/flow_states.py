"""auth.flow_state."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from emulator.auth.models.sql import Db, columns, fetch_one, insert, update


@dataclass(frozen=True)
class FlowState:
    """A PKCE or OAuth flow that has begun."""

    id: UUID
    user_id: UUID | None
    auth_code: str | None
    code_challenge_method: str | None
    code_challenge: str | None
    provider_type: str
    provider_access_token: str | None
    provider_refresh_token: str | None
    created_at: datetime
    updated_at: datetime
    authentication_method: str
    auth_code_issued_at: datetime | None
    invite_token: str | None
    referrer: str | None
    oauth_client_state_id: UUID | None
    linking_target_id: UUID | None


_FLOW = f"select {columns(FlowState)} from auth.flow_state"


async def insert_flow(db: Db, values: dict[str, Any], now: datetime) -> UUID:
    """Insert a flow; returns its id."""
    flow_id = uuid4()
    tokens = {"provider_access_token": "", "provider_refresh_token": ""}
    await insert(db, "flow_state", {"id": flow_id, "created_at": now, "updated_at": now, **tokens, **values})
    return flow_id


async def flow_by_code(db: Db, auth_code: str) -> FlowState | None:
    """The flow that a code belongs to, locked."""
    return await fetch_one(db, FlowState, f"{_FLOW} where auth_code = %s for update", (auth_code,))


async def lock_flow(db: Db, flow_id: UUID) -> FlowState | None:
    """By id, locked; None when it is gone or locked by another request."""
    return await fetch_one(db, FlowState, f"{_FLOW} where id = %s for update skip locked", (flow_id,))


async def latest_flow(db: Db, user_id: UUID, method: str) -> FlowState | None:
    """The newest flow of a user by one method."""
    where = "where user_id = %s and authentication_method = %s order by created_at desc limit 1"
    return await fetch_one(db, FlowState, f"{_FLOW} {where}", (user_id, method))


async def update_flow(db: Db, flow: FlowState, now: datetime, **changes: Any) -> FlowState:
    """Change some columns."""
    return await update(db, "flow_state", FlowState, flow.id, {**changes, "updated_at": now}) or flow


async def delete_flow(db: Db, flow_id: UUID) -> None:
    """Delete a finished flow."""
    await db.execute("delete from auth.flow_state where id = %s", (flow_id,))


_PENDING = (
    "pending"  # provider_type of rows that GoTrue never asks for: they belong to no user, and expire as its own do
)


async def insert_pending(
    db: Db, user_id: UUID, token: str, password_hash: str, data: dict[str, Any], now: datetime
) -> None:
    """Keep a sign-up's password and metadata until its token comes back; GoTrue's schema has no table for it."""
    values = {
        "provider_type": _PENDING, "authentication_method": "email/signup", "auth_code": token,
        "code_challenge": password_hash, "referrer": json.dumps(data), "linking_target_id": user_id,
    }  # fmt: skip
    await insert_flow(db, values, now)


async def take_pending(db: Db, user_id: UUID, token: str) -> tuple[str, dict[str, Any]] | None:
    """Password hash and metadata of the sign-up with that token; all that are pending for the user are deleted."""
    statement = (
        "delete from auth.flow_state where linking_target_id = %s and provider_type = %s"
        " returning auth_code, code_challenge, referrer"
    )
    rows = await (await db.execute(statement, (user_id, _PENDING))).fetchall()
    return next(((str(row[1]), json.loads(row[2])) for row in rows if row[0] == token), None)
