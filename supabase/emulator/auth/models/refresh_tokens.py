"""auth.refresh_tokens."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from emulator.auth.models.sessions import SELECT_SESSION, Session
from emulator.auth.models.sql import NIL_UUID, Db, Query, columns, fetch_one, fetch_together, select_together
from emulator.auth.models.users import User


@dataclass(frozen=True)
class RefreshToken:
    """auth.refresh_tokens."""

    id: int
    token: str
    user_id: str
    revoked: bool
    created_at: datetime
    updated_at: datetime
    parent: str | None
    session_id: UUID | None


_TOKEN = f"select {columns(RefreshToken)} from auth.refresh_tokens"


async def refresh_state(db: Db, token: str) -> tuple[RefreshToken | None, Session | None, User | None]:
    """A refresh token, its session and its user; each None when it is not there."""
    of_token = "(select session_id from auth.refresh_tokens where token = %s)"
    tokens, sessions, users = await select_together(
        db,
        Query(RefreshToken, f"{_TOKEN} where token = %s", (token,)),
        Query(Session, f"{SELECT_SESSION} where id = {of_token}", (token,)),
        Query(
            User,
            f"select {columns(User, 'u')} from auth.users u join auth.sessions s on s.user_id = u.id"
            f" where s.id = {of_token}",
            (token,),
        ),
    )
    return next(iter(tokens), None), next(iter(sessions), None), next(iter(users), None)


async def insert_refresh_token(
    db: Db, token: str, user_id: UUID, session_id: UUID, parent: str | None, now: datetime
) -> None:
    """Insert a token that is not revoked."""
    await db.execute(
        "insert into auth.refresh_tokens"
        " (instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id)"
        " values (%s, %s, %s, false, %s, %s, %s, %s)",
        (NIL_UUID, token, str(user_id), now, now, parent, session_id),
    )


async def lock_refresh_token(db: Db, token_id: int, session_id: UUID) -> RefreshToken | None:
    """Lock token and session for the transaction, without waiting; None when another one has locked either."""
    tokens, sessions = await fetch_together(
        db,
        Query(RefreshToken, f"{_TOKEN} where id = %s for update skip locked", (token_id,)),
        Query(Session, f"{SELECT_SESSION} where id = %s for update skip locked", (session_id,)),
    )
    return tokens[0] if tokens and sessions else None


async def active_refresh_token(db: Db, session_id: UUID) -> RefreshToken | None:
    """The newest token of a session that is not revoked."""
    where = "where session_id = %s and revoked = false order by id desc limit 1"
    return await fetch_one(db, RefreshToken, f"{_TOKEN} {where}", (session_id,))


async def last_refresh_token(db: Db, session_id: UUID) -> RefreshToken | None:
    """The newest token of a session, revoked or not."""
    return await fetch_one(db, RefreshToken, f"{_TOKEN} where session_id = %s order by id desc limit 1", (session_id,))


async def revoke_refresh_token(db: Db, token_id: int, now: datetime) -> None:
    """Revoke one token."""
    await db.execute("update auth.refresh_tokens set revoked = true, updated_at = %s where id = %s", (now, token_id))


async def revoke_family(db: Db, session_id: UUID, now: datetime) -> None:
    """Revoke all tokens of a session."""
    await db.execute(
        "update auth.refresh_tokens set revoked = true, updated_at = %s where session_id = %s and revoked = false",
        (now, session_id),
    )


async def delete_refresh_token(db: Db, token_id: int) -> None:
    """Delete one token."""
    await db.execute("delete from auth.refresh_tokens where id = %s", (token_id,))
