"""auth.sessions."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from emulator.auth.models.sql import Db, Query, columns, fetch_all, insert, update


@dataclass(frozen=True)
class OAuthAccess:
    """Which client of the OAuth server a session is for, and the scopes that it has, separated by spaces."""

    oauth_client_id: UUID
    scopes: str


@dataclass(frozen=True)
class Session:
    """auth.sessions. refreshed_at has no zone: it is UTC."""

    id: UUID
    user_id: UUID
    created_at: datetime
    updated_at: datetime
    factor_id: UUID | None
    aal: str | None
    not_after: datetime | None
    refreshed_at: datetime | None
    user_agent: str | None
    ip: str | None
    tag: str | None
    oauth_client_id: UUID | None = None
    scopes: str | None = None


SELECT_SESSION = f"select {columns(Session)} from auth.sessions"


async def insert_session(
    db: Db, user_id: UUID, user_agent: str | None, ip: str | None, now: datetime, oauth: OAuthAccess | None = None,
    not_after: datetime | None = None,
) -> Session:  # fmt: skip
    """Insert a session at aal1; `oauth` for one of a client of the OAuth server."""
    access = vars(oauth) if oauth is not None else {}
    session = Session(uuid4(), user_id, now, now, None, "aal1", not_after, None, user_agent, ip, None, **access)
    await insert(
        db,
        "sessions",
        {
            "id": session.id, "user_id": user_id, "created_at": now, "updated_at": now, "aal": "aal1",
            "user_agent": user_agent, "ip": ip, **({"not_after": not_after} if not_after else {}), **access,
        },
    )  # fmt: skip
    return session


async def sessions_of(db: Db, user_id: UUID) -> list[Session]:
    """All sessions of a user, newest first."""
    return await fetch_all(db, Session, f"{SELECT_SESSION} where user_id = %s order by created_at desc", (user_id,))


async def update_session(db: Db, session: Session, now: datetime, **changes: Any) -> Session:
    """Change some columns."""
    return await update(db, "sessions", Session, session.id, {**changes, "updated_at": now}) or session


async def touch_session(db: Db, session: Session, user_agent: str | None, ip: str | None, now: datetime) -> None:
    """Record a refresh: time, address, user agent."""
    await db.execute(
        "update auth.sessions set refreshed_at = %s, user_agent = %s, ip = %s, updated_at = %s where id = %s",
        (now.astimezone(UTC).replace(tzinfo=None), user_agent, ip, now, session.id),
    )


async def delete_session(db: Db, session_id: UUID) -> None:
    """Delete one session; its tokens go by cascade."""
    await db.execute("delete from auth.sessions where id = %s", (session_id,))


async def delete_sessions(db: Db, user_id: UUID, keep: UUID | None = None, only_aal: str | None = None) -> None:
    """Delete a user's sessions: all, or all but `keep`, or only those of one assurance level."""
    await db.execute(
        "delete from auth.sessions where user_id = %s and id is distinct from %s"
        " and (%s::text is null or aal::text = %s)",
        (user_id, keep, only_aal, only_aal),
    )


async def release_factor(db: Db, factor_id: UUID, methods: tuple[str, ...], now: datetime) -> None:
    """Let the sessions that a factor had raised fall back to aal1."""
    await db.execute(
        "delete from auth.mfa_amr_claims where authentication_method = any(%s)"
        " and session_id in (select id from auth.sessions where factor_id = %s)",
        (list(methods), factor_id),
    )
    await db.execute(
        "update auth.sessions set aal = 'aal1', factor_id = null, updated_at = %s where factor_id = %s",
        (now, factor_id),
    )


def session_query(session_id: UUID) -> Query[Session]:
    """One session, as a query."""
    return Query(Session, f"{SELECT_SESSION} where id = %s", (session_id,))
