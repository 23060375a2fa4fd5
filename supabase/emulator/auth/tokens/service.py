"""Sessions and their tokens: issued at sign-in, rotated at refresh, refused when reused or outlived."""

import asyncio
import random
import re
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.responses import answer
from emulator.auth.conf.settings import SessionSettings
from emulator.auth.context import Call
from emulator.auth.crypto.otp import make_refresh_token
from emulator.auth.hooks import v0hooks
from emulator.auth.models import amr_claims, factors, identities, refresh_tokens, sessions, users
from emulator.auth.models.amr_claims import AmrClaim
from emulator.auth.models.factors import Factor
from emulator.auth.models.identities import Identity
from emulator.auth.models.refresh_tokens import RefreshToken
from emulator.auth.models.sessions import Session
from emulator.auth.models.sql import Db, Query, fetch_together
from emulator.auth.models.users import User
from emulator.auth.tokens import access_tokens
from emulator.auth.tokens.grant import Grant, grant_payload
from emulator.errors import ApiError

_FORM = re.compile(r"[a-z0-9]{12}")
LOCK_TIMEOUT_S = 5.0


async def sign_in(call: Call, db: Db, user: User, method: str) -> Grant:
    """A new session for a user who proved to be one by `method`."""
    now = call.now
    token = make_refresh_token()
    async with db.pipeline():
        session = await sessions.insert_session(db, user.id, call.user_agent, call.ip, now)
        await amr_claims.add_amr(db, session.id, method, now)
        await refresh_tokens.insert_refresh_token(db, token, user.id, session.id, None, now)
        signed_in = users.update_user_query(user.id, now, last_sign_in_at=now)
        updated, *parts = await fetch_together(db, signed_in, *_grant_queries(user, session))
    if not updated:
        raise users.UserGone
    return await _granted(call, db, updated[0], session, token, method, *parts)


async def grant(call: Call, db: Db, user: User, session: Session, refresh_token: str, method: str) -> Grant:
    """An access token for a session as it is now, with all that its answer shows; `method` is why it is given."""
    parts = await fetch_together(db, *_grant_queries(user, session))
    return await _granted(call, db, user, session, refresh_token, method, *parts)


def _grant_queries(user: User, session: Session) -> tuple[Query[AmrClaim], Query[Factor], Query[Identity]]:
    return (
        amr_claims.amr_query(session.id), factors.factors_query(user.id), identities.identities_query(user.id)
    )  # fmt: skip


async def _granted(
    call: Call, db: Db, user: User, session: Session, refresh_token: str, method: str, amr: list[AmrClaim],
    factors: list[Factor], identities: list[Identity],
) -> Grant:  # fmt: skip
    now, settings = call.now, call.settings
    exp_s = _lifetime(settings.jwt.exp_s, settings.sessions, session, factors, access_tokens.level(amr), now)
    claims = access_tokens.make_claims(user, session, amr, settings.jwt, now, exp_s)
    expires_at = int(claims["exp"])
    claims = await v0hooks.customise_claims(call, db, user.id, claims, method)
    return Grant(
        user,
        identities,
        factors,
        session,
        call.service.keyring.sign(claims),
        refresh_token,
        exp_s,
        expires_at,
    )


def _lifetime(
    exp_s: int, limits: SessionSettings, session: Session, factors: Sequence[Factor], aal: str, now: datetime
) -> int:
    """Shorter where a member with a second factor is only let in for a while without it."""
    if not limits.allow_low_aal_s or aal != "aal1" or not any(factor.is_verified for factor in factors):
        return exp_s
    left = limits.allow_low_aal_s - (now - session.created_at).total_seconds()
    return max(1, min(exp_s, int(left)))


def grant_headers(given: Grant) -> dict[str, str]:
    """What an answer with tokens says about them in headers."""
    return {
        "sb-auth-user-id": str(given.user.id),
        "sb-auth-session-id": str(given.session.id),
        "sb-auth-refresh-token-prefix": given.refresh_token[:5],
    }


def grant_answer(given: Grant) -> Response:
    """The answer to a sign-in."""
    return answer(grant_payload(given), headers=grant_headers(given))


async def refresh(call: Call, presented: str) -> Response:
    """Swap a refresh token. Refusals that change rows (a revoked family) are committed before they are raised."""
    if _FORM.fullmatch(presented) is None:
        raise errors.validation_failed("Refresh token is not valid")
    give_up_at = time.monotonic() + LOCK_TIMEOUT_S
    while time.monotonic() < give_up_at:
        async with call.transaction(pipelined=True) as db:
            outcome = await _attempt(call, db, presented)
        if isinstance(outcome, ApiError):
            raise outcome
        if outcome is not None:
            given, headers = outcome
            return answer(grant_payload(given), headers={**grant_headers(given), **headers})
        await asyncio.sleep(random.uniform(0.01, 0.03))
    raise errors.refresh_conflict()


async def _attempt(call: Call, db: Db, presented: str) -> tuple[Grant, dict[str, str]] | ApiError | None:
    """One try; None when another request holds the token or its session."""
    token, session, user = await refresh_tokens.refresh_state(db, presented)
    if token is None:
        return errors.refresh_token_not_found()
    if session is None or user is None:
        await refresh_tokens.delete_refresh_token(db, token.id)
        return errors.refresh_session_not_found()
    if user.is_banned(call.now):
        return errors.user_banned(400, "Invalid Refresh Token: User Banned")
    refusal = await check_session(call, db, user, session)
    if refusal is not None:
        return refusal
    locked = await refresh_tokens.lock_refresh_token(db, token.id, session.id)
    if locked is None:
        return None
    return await _swap(call, db, user, session, locked)


async def _swap(
    call: Call, db: Db, user: User, session: Session, token: RefreshToken
) -> tuple[Grant, dict[str, str]] | ApiError:
    now, cause = call.now, ""
    current = token.token
    if token.revoked:
        active = await refresh_tokens.active_refresh_token(db, session.id)
        interval_s = call.settings.security.reuse_interval_s
        if active is not None and active.parent == token.token:
            current, cause = active.token, "fail-to-save"
        elif interval_s and (now - token.updated_at).total_seconds() <= interval_s:
            cause = "concurrent-refresh"
        else:
            if call.settings.security.rotation:
                await refresh_tokens.revoke_family(db, session.id, now)
            return errors.refresh_token_already_used()
    async with db.pipeline():
        if cause != "fail-to-save":
            current = await rotate(call, db, user, session, token.token)
            await audit.record(call, db, user, "token_refreshed")
        if not token.revoked:
            await refresh_tokens.revoke_refresh_token(db, token.id, now)
            await audit.record(call, db, user, "token_revoked")
        await sessions.touch_session(db, session, call.user_agent, call.ip, now)
    headers = {"sb-auth-refresh-token-reuse": "true" if cause else "false"}
    headers |= {"sb-auth-refresh-token-reuse-cause": cause} if cause else {"sb-auth-refresh-token-rotated": "true"}
    return await grant(call, db, user, session, current, "token_refresh"), headers


async def rotate(call: Call, db: Db, user: User, session: Session, parent: str) -> str:
    """A child of `parent` in the same session."""
    token = make_refresh_token()
    await refresh_tokens.insert_refresh_token(db, token, user.id, session.id, parent, call.now)
    return token


async def check_session(call: Call, db: Db, user: User, session: Session) -> ApiError | None:
    """Why a session may not go on, None when it may."""
    limits, now = call.settings.sessions, call.now
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
    """When a session was last refreshed, or begun."""
    return session.refreshed_at.replace(tzinfo=UTC) if session.refreshed_at is not None else session.created_at
