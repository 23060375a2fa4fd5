"""Refresh tokens: rotated when they are used, and the whole session's revoked when one is reused."""

import asyncio
import random
import re
import time
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from emulator.auth import audit, errors
from emulator.auth.context import RequestContext
from emulator.auth.models import refresh_tokens, sessions
from emulator.auth.models.refresh_tokens import RefreshToken
from emulator.auth.models.sessions import Session
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.tokens.grant import Grant
from emulator.auth.tokens.sessions import issue_grant, issue_refresh_token
from emulator.auth.tokens.validity import session_error
from emulator.errors import ApiError

_FORM = re.compile(r"[a-z0-9]{12}")
LOCK_TIMEOUT_S = 5.0


@dataclass(frozen=True)
class Refreshed:
    """The new tokens. `reuse_cause`: why a token that had been used before was accepted, "" when it had not."""

    grant: Grant
    reuse_cause: Literal["", "fail-to-save", "concurrent-refresh"]


async def refresh_session(ctx: RequestContext, presented: str, client_id: UUID | None = None) -> Refreshed:
    """Exchange a refresh token. Raises validation_failed, refresh_token_*, session_*, user_banned, conflict.

    `client_id`: the client of the OAuth server that asks; it raises invalid_client when the session is not its own.
    """
    if _FORM.fullmatch(presented) is None:
        raise errors.validation_failed("Refresh token is not valid")
    deadline = time.monotonic() + LOCK_TIMEOUT_S
    while time.monotonic() < deadline:
        async with ctx.transaction(pipelined=True) as db:
            result = await _try_refresh(ctx, db, presented, client_id)
        if isinstance(result, ApiError):  # raised only now, because what it changed (a revoked family) is committed
            raise result
        if result is not None:
            return result
        await asyncio.sleep(random.uniform(0.01, 0.03))
    raise errors.refresh_conflict()


async def _try_refresh(
    ctx: RequestContext, db: Db, presented: str, client_id: UUID | None
) -> Refreshed | ApiError | None:  # fmt: skip
    """None when another request holds the token or its session."""
    token, session, user = await refresh_tokens.refresh_state(db, presented)
    if token is None:
        return errors.refresh_token_not_found()
    if session is None or user is None:
        await refresh_tokens.delete_refresh_token(db, token.id)
        return errors.refresh_session_not_found()
    if user.is_banned(ctx.now):
        return errors.user_banned(400, "Invalid Refresh Token: User Banned")
    error = await session_error(ctx, db, user, session)
    if error is not None:
        return error
    if session.oauth_client_id != client_id:
        return _wrong_client(session, client_id)
    locked = await refresh_tokens.lock_refresh_token(db, token.id, session.id)
    if locked is None:
        return None
    return await _rotate(ctx, db, user, session, locked)


def _wrong_client(session: Session, client_id: UUID | None) -> ApiError:
    if session.oauth_client_id is None:
        text = "Client authentication not allowed for non-OAuth session"
    elif client_id is None:
        text = "Client authentication required for OAuth session"
    else:
        text = "Client does not match the session's OAuth client"
    return errors.OAuthError(400, "invalid_client", text)


async def _rotate(
    ctx: RequestContext, db: Db, user: User, session: Session, token: RefreshToken
) -> Refreshed | ApiError:
    now, current = ctx.now, token.token
    cause: Literal["", "fail-to-save", "concurrent-refresh"] = ""
    if token.revoked:
        active = await refresh_tokens.active_refresh_token(db, session.id)
        interval_s = ctx.settings.security.reuse_interval_s
        if active is not None and active.parent == token.token:
            # The client never got, or never saved, the token that replaced this one.
            current, cause = active.token, "fail-to-save"
        elif interval_s and (now - token.updated_at).total_seconds() <= interval_s:
            cause = "concurrent-refresh"
        else:
            if ctx.settings.security.rotation:
                await refresh_tokens.revoke_family(db, session.id, now)
            return errors.refresh_token_already_used()
    async with db.pipeline():
        await audit.record(ctx, db, user, "token_refreshed")
        if cause != "fail-to-save":
            current = await issue_refresh_token(ctx, db, user, session, token.token)
            if not token.revoked:
                await refresh_tokens.revoke_refresh_token(db, token.id, now)
            await audit.record(ctx, db, user, "token_revoked")
        await sessions.touch_session(db, session, ctx.user_agent, ctx.ip, now)
    return Refreshed(await issue_grant(ctx, db, user, session, current, "token_refresh"), cause)
