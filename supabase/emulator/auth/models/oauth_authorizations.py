"""auth.oauth_authorizations: what a client of the OAuth server asked for, until it has its tokens."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from emulator.auth.models.sql import Db, columns, fetch_one, insert, update


@dataclass(frozen=True)
class OAuthAuthorization:
    """A request of a client. It belongs to the first user who opens it."""

    id: UUID
    authorization_id: str
    client_id: UUID
    user_id: UUID | None
    redirect_uri: str
    scope: str
    state: str | None
    resource: str | None
    code_challenge: str | None
    code_challenge_method: str | None
    nonce: str | None
    status: str
    authorization_code: str | None
    created_at: datetime
    expires_at: datetime


_AUTHORIZATION = f"select {columns(OAuthAuthorization)} from auth.oauth_authorizations"
_CLEANED_AT_ONCE = 100


async def insert_authorization(db: Db, values: dict[str, Any], now: datetime) -> None:
    """Insert a request, and delete some that nobody answered in time: strangers can make as many as they like."""
    await db.execute(
        "with expired as materialized (select id from auth.oauth_authorizations"
        " where status = 'pending' and expires_at < %s limit %s for update skip locked)"
        " delete from auth.oauth_authorizations where id in (select id from expired)",
        (now, _CLEANED_AT_ONCE),
    )
    await insert(db, "oauth_authorizations", values)


async def lock_authorization(db: Db, authorization_id: str) -> OAuthAuthorization | None:
    """By its public id, locked; None when it is gone or locked by another request."""
    where = "where authorization_id = %s for update skip locked"
    return await fetch_one(db, OAuthAuthorization, f"{_AUTHORIZATION} {where}", (authorization_id,))


async def lock_approved(db: Db, code: str) -> OAuthAuthorization | None:
    """By the code of its approval, locked; None when it was used or another request has it."""
    where = "where authorization_code = %s and status = 'approved' for update skip locked"
    return await fetch_one(db, OAuthAuthorization, f"{_AUTHORIZATION} {where}", (code,))


async def update_authorization(db: Db, found: OAuthAuthorization, **changes: Any) -> OAuthAuthorization:
    """Change some columns."""
    return await update(db, "oauth_authorizations", OAuthAuthorization, found.id, changes) or found


async def delete_authorization(db: Db, found: OAuthAuthorization) -> None:
    """Delete one whose code was used."""
    await db.execute("delete from auth.oauth_authorizations where id = %s", (found.id,))
