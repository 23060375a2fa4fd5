"""Sessions, issued at sign-in, and the access tokens of a session as it is now."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from emulator.auth.conf.settings import SessionSettings
from emulator.auth.context import RequestContext
from emulator.auth.crypto.otp import make_refresh_token
from emulator.auth.hooks import v0hooks
from emulator.auth.models import amr_claims, factors, identities, refresh_tokens, sessions, users
from emulator.auth.models.amr_claims import AmrClaim
from emulator.auth.models.factors import Factor
from emulator.auth.models.identities import Identity
from emulator.auth.models.sessions import OAuthAccess, Session
from emulator.auth.models.sql import Db, Query, fetch_together, select_together
from emulator.auth.models.users import User
from emulator.auth.tokens.claims import authenticator_assurance_level, make_claims, sso_provider_of
from emulator.auth.tokens.grant import Grant
from emulator.errors import ApiError


async def issue_session(
    ctx: RequestContext, db: Db, user: User, method: str, oauth: OAuthAccess | None = None,
    not_after: datetime | None = None,
) -> Grant:  # fmt: skip
    """A new session for a user who was authenticated by `method`; `oauth` for a client of the OAuth server.

    It can't be refreshed from `not_after` on.
    """
    now = ctx.now
    token = make_refresh_token()
    async with db.pipeline():
        session = await sessions.insert_session(db, user.id, ctx.user_agent, ctx.ip, now, oauth, not_after)
        await amr_claims.add_amr(db, session.id, method, now)
        await refresh_tokens.insert_refresh_token(db, token, user.id, session.id, None, now)
        signed_in = users.update_user_query(user.id, now, last_sign_in_at=now)
        updated, *parts = await fetch_together(db, signed_in, *_grant_queries(user, session))
    if not updated:
        raise users.UserGone
    return await _make_grant(ctx, db, updated[0], session, token, method, *parts)


async def issue_grant(
    ctx: RequestContext, db: Db, user: User, session: Session, refresh_token: str, method: str
) -> Grant:
    """A new access token for a session; `method` is the reason, for the hook."""
    parts = await select_together(db, *_grant_queries(user, session))
    return await _make_grant(ctx, db, user, session, refresh_token, method, *parts)


async def issue_refresh_token(ctx: RequestContext, db: Db, user: User, session: Session, parent: str) -> str:
    """A refresh token that takes the place of `parent` in its session."""
    token = make_refresh_token()
    await refresh_tokens.insert_refresh_token(db, token, user.id, session.id, parent, ctx.now)
    return token


def _grant_queries(user: User, session: Session) -> tuple[Query[AmrClaim], Query[Factor], Query[Identity]]:
    return (
        amr_claims.amr_query(session.id), factors.factors_query(user.id), identities.identities_query(user.id)
    )  # fmt: skip


async def _make_grant(
    ctx: RequestContext, db: Db, user: User, session: Session, refresh_token: str, method: str, amr: list[AmrClaim],
    user_factors: list[Factor], user_identities: list[Identity],
) -> Grant:  # fmt: skip
    now, settings = ctx.now, ctx.settings
    aal = authenticator_assurance_level(amr)
    expires_in = _lifetime_s(settings.jwt.exp_s, settings.sessions, session, user_factors, aal, now)
    claims = make_claims(user, session, amr, settings.jwt, now, expires_in, sso_provider_of(user_identities))
    expires_at = int(claims["exp"])
    try:
        claims = await v0hooks.custom_access_token(ctx, db, user.id, claims, method)
    except ApiError as error:  # GoTrue has written the headers of the session by then
        error.headers = (*error.headers, *session_headers(user.id, session.id, refresh_token).items())
        raise
    access_token = ctx.service.keyring.sign(claims)
    return Grant(user, user_identities, user_factors, session, access_token, refresh_token, expires_in, expires_at)


def session_headers(user_id: UUID, session_id: UUID, refresh_token: str) -> dict[str, str]:
    """GoTrue's sb-auth-* headers of a session whose tokens are issued."""
    return {
        "sb-auth-user-id": str(user_id),
        "sb-auth-session-id": str(session_id),
        "sb-auth-refresh-token-prefix": refresh_token[:5],
    }


def _lifetime_s(
    exp_s: int, limits: SessionSettings, session: Session, user_factors: Sequence[Factor], aal: str, now: datetime
) -> int:
    """Shorter while SESSIONS_ALLOW_LOW_AAL lets a user with a second factor in without it."""
    if not limits.allow_low_aal_s or aal != "aal1" or not any(factor.is_verified for factor in user_factors):
        return exp_s
    left = limits.allow_low_aal_s - (now - session.created_at).total_seconds()
    return max(1, min(exp_s, int(left)))
