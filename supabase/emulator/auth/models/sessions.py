"""auth.sessions, auth.refresh_tokens and auth.mfa_amr_claims."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from emulator.auth.models.rows import NIL_UUID, AmrClaim, RefreshToken, Session, User
from emulator.auth.models.sql import Db, Query, columns, fetch_all, fetch_one, fetch_together, insert, update

_SESSION = f"select {columns(Session)} from auth.sessions"
_TOKEN = f"select {columns(RefreshToken)} from auth.refresh_tokens"


async def insert_session(db: Db, user_id: UUID, user_agent: str | None, ip: str | None, now: datetime) -> Session:
    """A fresh aal1 session."""
    session = Session(uuid4(), user_id, now, now, None, "aal1", None, None, user_agent, ip, None)
    await insert(
        db,
        "sessions",
        {
            "id": session.id, "user_id": user_id, "created_at": now, "updated_at": now, "aal": "aal1",
            "user_agent": user_agent, "ip": ip,
        },
    )  # fmt: skip
    return session


async def session_by_id(db: Db, session_id: UUID) -> Session | None:
    """One session."""
    return await fetch_one(db, Session, f"{_SESSION} where id = %s", (session_id,))


async def sessions_of(db: Db, user_id: UUID) -> list[Session]:
    """All sessions of a user, newest first."""
    return await fetch_all(db, Session, f"{_SESSION} where user_id = %s order by created_at desc", (user_id,))


async def update_session(db: Db, session: Session, now: datetime, **changes: Any) -> Session:
    """Change some columns."""
    return await update(db, "sessions", Session, session.id, {**changes, "updated_at": now}) or session


async def touch_session(db: Db, session: Session, user_agent: str | None, ip: str | None, now: datetime) -> None:
    """Record a refresh: when, from where, with what."""
    await db.execute(
        "update auth.sessions set refreshed_at = %s, user_agent = %s, ip = %s, updated_at = %s where id = %s",
        (now.astimezone(UTC).replace(tzinfo=None), user_agent, ip, now, session.id),
    )


async def delete_session(db: Db, session_id: UUID) -> None:
    """One session with its tokens."""
    await db.execute("delete from auth.sessions where id = %s", (session_id,))


async def delete_sessions(db: Db, user_id: UUID, besides: UUID | None = None, only_aal: str | None = None) -> None:
    """A user's sessions: all, or all but one, or those of one level."""
    await db.execute(
        "delete from auth.sessions where user_id = %s and id is distinct from %s"
        " and (%s::text is null or aal::text = %s)",
        (user_id, besides, only_aal, only_aal),
    )


async def release_factor(db: Db, factor_id: UUID, methods: tuple[str, ...], now: datetime) -> None:
    """Sessions that a factor had raised fall back to aal1."""
    await db.execute(
        "delete from auth.mfa_amr_claims where authentication_method = any(%s)"
        " and session_id in (select id from auth.sessions where factor_id = %s)",
        (list(methods), factor_id),
    )
    await db.execute(
        "update auth.sessions set aal = 'aal1', factor_id = null, updated_at = %s where factor_id = %s",
        (now, factor_id),
    )


async def add_amr(db: Db, session_id: UUID, method: str, now: datetime) -> None:
    """Record a method of authentication; a repeated one only moves its time."""
    await db.execute(
        "insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method, id)"
        " values (%s, %s, %s, %s, %s)"
        " on conflict on constraint mfa_amr_claims_session_id_authentication_method_pkey"
        " do update set updated_at = excluded.updated_at",
        (session_id, now, now, method, uuid4()),
    )


def amr_query(session_id: UUID) -> Query[AmrClaim]:
    """How a session was authenticated, to be asked together with others."""
    statement = f"select {columns(AmrClaim)} from auth.mfa_amr_claims where session_id = %s"
    return Query(AmrClaim, statement, (session_id,))


async def amr_of(db: Db, session_id: UUID) -> list[AmrClaim]:
    """How a session was authenticated."""
    query = amr_query(session_id)
    return await fetch_all(db, query.cls, query.statement, query.params)


def session_query(session_id: UUID) -> Query[Session]:
    """One session, to be asked together with others."""
    return Query(Session, f"{_SESSION} where id = %s", (session_id,))


async def refresh_state(db: Db, token: str) -> tuple[RefreshToken | None, Session | None, User | None]:
    """A refresh token with its session and user, as far as they are there."""
    of_token = "(select session_id from auth.refresh_tokens where token = %s)"
    tokens, sessions, users = await fetch_together(
        db,
        Query(RefreshToken, f"{_TOKEN} where token = %s", (token,)),
        Query(Session, f"{_SESSION} where id = {of_token}", (token,)),
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
    """A live refresh token."""
    await db.execute(
        "insert into auth.refresh_tokens"
        " (instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id)"
        " values (%s, %s, %s, false, %s, %s, %s, %s)",
        (NIL_UUID, token, str(user_id), now, now, parent, session_id),
    )


async def lock_refresh_token(db: Db, token_id: int, session_id: UUID) -> RefreshToken | None:
    """Lock token and session for this transaction without waiting; None when somebody else has one of them."""
    tokens, sessions = await fetch_together(
        db,
        Query(RefreshToken, f"{_TOKEN} where id = %s for update skip locked", (token_id,)),
        Query(Session, f"{_SESSION} where id = %s for update skip locked", (session_id,)),
    )
    return tokens[0] if tokens and sessions else None


async def active_refresh_token(db: Db, session_id: UUID) -> RefreshToken | None:
    """The newest live token of a session."""
    where = "where session_id = %s and revoked = false order by id desc limit 1"
    return await fetch_one(db, RefreshToken, f"{_TOKEN} {where}", (session_id,))


async def last_refresh_token(db: Db, session_id: UUID) -> RefreshToken | None:
    """The newest token of a session, dead or alive."""
    return await fetch_one(db, RefreshToken, f"{_TOKEN} where session_id = %s order by id desc limit 1", (session_id,))


async def revoke_refresh_token(db: Db, token_id: int, now: datetime) -> None:
    """End one token."""
    await db.execute("update auth.refresh_tokens set revoked = true, updated_at = %s where id = %s", (now, token_id))


async def revoke_family(db: Db, session_id: UUID, now: datetime) -> None:
    """End every live token of a session."""
    await db.execute(
        "update auth.refresh_tokens set revoked = true, updated_at = %s where session_id = %s and revoked = false",
        (now, session_id),
    )


async def delete_refresh_token(db: Db, token_id: int) -> None:
    """A token whose session is gone."""
    await db.execute("delete from auth.refresh_tokens where id = %s", (token_id,))
