"""Whether a session is still valid: lifetime, inactivity, assurance level, one session per user."""

from datetime import UTC, datetime

from emulator.auth import errors
from emulator.auth.context import RequestContext
from emulator.auth.models import factors, refresh_tokens, sessions
from emulator.auth.models.sessions import Session
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.errors import ApiError


async def session_error(ctx: RequestContext, db: Db, user: User, session: Session) -> ApiError | None:
    """Why a session can no longer be refreshed, None when it can."""
    limits, now = ctx.settings.sessions, ctx.now
    if session.not_after is not None and now >= session.not_after:
        return errors.session_expired()
    if limits.timebox_s and (now - session.created_at).total_seconds() >= limits.timebox_s:
        return errors.session_expired()
    if limits.inactivity_timeout_s and await _idle_s(db, session, now) >= limits.inactivity_timeout_s:
        return errors.session_expired("Inactivity")
    if limits.allow_low_aal_s and session.aal == "aal1":
        enrolled = await factors.factors_of(db, user.id)
        too_old = (now - session.created_at).total_seconds() >= limits.allow_low_aal_s
        if too_old and any(factor.is_verified for factor in enrolled):
            return errors.session_expired("Low AAL: User Needs MFA Verification")
    if limits.single_per_user and await _superseded(db, user, session):
        return errors.session_expired("Revoked by Newer Login")
    return None


async def _idle_s(db: Db, session: Session, now: datetime) -> float:
    if session.refreshed_at is not None:
        last = session.refreshed_at.replace(tzinfo=UTC)
    else:
        token = await refresh_tokens.last_refresh_token(db, session.id)
        last = token.updated_at if token is not None else session.created_at
    return (now - last).total_seconds()


async def _superseded(db: Db, user: User, session: Session) -> bool:
    """Whether another session of this user was used later."""
    others = [other for other in await sessions.sessions_of(db, user.id) if other.tag == session.tag]
    return any(other.id != session.id and last_used(other) > last_used(session) for other in others)


def last_used(session: Session) -> datetime:
    """When a session was last refreshed, or created."""
    return session.refreshed_at.replace(tzinfo=UTC) if session.refreshed_at is not None else session.created_at
