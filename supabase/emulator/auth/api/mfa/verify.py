"""POST /factors/{id}/verify: the right response to a challenge raises the session to aal2."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.mail import notify
from emulator.auth.api.auth import SignedInUser
from emulator.auth.api.mfa import webauthn
from emulator.auth.api.mfa.factors import AMR, TOTP_PERIOD_S, require_enabled, require_factor
from emulator.auth.api.responses import grant_response
from emulator.auth.context import RequestContext
from emulator.auth.crypto.otp import matches
from emulator.auth.hooks import v0hooks
from emulator.auth.models import amr_claims, challenges, factors, refresh_tokens, sessions
from emulator.auth.models.challenges import Challenge
from emulator.auth.models.factors import Factor
from emulator.auth.models.sql import NIL_UUID, Db
from emulator.auth.sms.send import is_approved, provider_checks
from emulator.auth.tokens.grant import Grant
from emulator.auth.tokens.sessions import issue_grant, issue_refresh_token
from emulator.errors import ApiError

TOTP_WINDOW = 1  # a code of the period before or after is accepted, too: clocks differ


@dataclass(frozen=True)
class VerifyFactorParams:
    """The body: `code` for totp and phone, `webauthn` for security keys."""

    challenge_id: str = ""
    code: str = ""
    webauthn: dict[str, Any] | None = None


async def verify(ctx: RequestContext) -> Response:
    """Verify the response to a challenge: the factor is verified from then on, and the session is aal2."""
    ctx.check_rate_limit(ctx.rate_limits.factor_verify)
    async with ctx.transaction() as db:
        caller, factor = await require_factor(ctx, db)
        params = ctx.params(VerifyFactorParams)
        challenge_id = _parse_challenge_id(params.challenge_id)
        if factor.factor_type != "webauthn" and not params.code:
            raise errors.validation_failed("Code needs to be non-empty")
        require_enabled(ctx, factor.factor_type, "verify")
        if factor.factor_type == "webauthn":
            webauthn.check_params(params.webauthn)
        challenge = await _lock_challenge(ctx, db, factor, challenge_id)
        result = await _verify(ctx, db, caller, factor, challenge, params) if challenge is not None else None
    if isinstance(result, ApiError):  # raised only now, because what it changed is committed
        raise result
    if result is None:
        raise errors.mfa_challenge_expired(params.challenge_id)
    return grant_response(result, headers={})


def _parse_challenge_id(text: str) -> UUID:
    """An absent one is nil; raises bad_json, as GoTrue's decoder does."""
    try:
        return UUID(text) if text else NIL_UUID
    except ValueError:
        if len(text) in (32, 36):
            raise errors.bad_json(f"uuid: incorrect UUID format in string {json.dumps(text)}") from None
        raise errors.bad_json(f"uuid: incorrect UUID length {len(text)} in string {json.dumps(text)}") from None


async def _lock_challenge(ctx: RequestContext, db: Db, factor: Factor, challenge_id: UUID) -> Challenge | None:
    """The challenge that is responded to; None when it has expired (and is deleted)."""
    found = await challenges.lock_challenge(db, challenge_id, factor.id)
    if found is None:
        raise errors.mfa_factor_not_found("MFA factor with the provided challenge ID not found", 422)
    if found.verified_at is not None or found.ip_address != ctx.ip:
        raise errors.mfa_ip_address_mismatch()
    if (ctx.now - found.created_at).total_seconds() >= ctx.settings.mfa.challenge_expiry_s:
        await challenges.delete_challenge(db, found.id)
        return None
    return found


async def _verify(
    ctx: RequestContext, db: Db, caller: SignedInUser, factor: Factor, challenge: Challenge, params: VerifyFactorParams
) -> Grant | ApiError:
    """The tokens of the raised session. An error is returned where its changes must be committed."""
    limiter, key, now = ctx.rate_limits.factor_failures, str(factor.id), ctx.service.clock()
    if limiter.is_exhausted(key, now):
        raise errors.over_request_rate_limit()
    wrong: ApiError | None = None
    try:
        await _check_response(ctx, db, caller, factor, challenge, params)
    except ApiError as error:
        limiter.take(key, now)
        wrong = error
    rejection = await v0hooks.mfa_verification_attempt(ctx, db, factor, wrong is None)
    if rejection:
        await sessions.delete_sessions(db, caller.user.id)
        return errors.mfa_verification_rejected(rejection)
    if wrong is not None:
        raise wrong
    return await _raise_session(ctx, db, caller, factor, challenge)


async def _check_response(
    ctx: RequestContext, db: Db, caller: SignedInUser, factor: Factor, challenge: Challenge, params: VerifyFactorParams
) -> None:
    """Raise mfa_verification_failed or webauthn_verification_failed unless it is right."""
    if factor.factor_type == "totp":
        import pyotp

        totp = pyotp.TOTP(factor.secret or "", interval=TOTP_PERIOD_S)
        if not params.code.isascii() or not totp.verify(params.code, for_time=ctx.now, valid_window=TOTP_WINDOW):
            raise errors.mfa_verification_failed()
    elif factor.factor_type == "phone":
        if provider_checks(ctx):
            if not await is_approved(ctx, factor.phone or "", params.code):
                raise errors.otp_expired()
        elif not matches(challenge.otp_code, factor.phone or "", params.code):
            raise errors.mfa_verification_failed("Invalid MFA Phone code entered")
    else:
        await webauthn.verify(ctx, db, factor, challenge, params.webauthn or {})
    await audit.record(
        ctx, db, caller.user, "verification_attempted",
        ip=ctx.ip, factor_id=str(factor.id), challenge_id=str(challenge.id), factor_type=factor.factor_type,
    )  # fmt: skip


async def _raise_session(
    ctx: RequestContext, db: Db, caller: SignedInUser, factor: Factor, challenge: Challenge
) -> Grant:
    """Raise the session to aal2, with new tokens, and end the user's sessions at aal1."""
    session, user, now = caller.session, caller.user, ctx.now
    if session is None:
        raise errors.token_session_not_found()
    await challenges.verify_challenge(db, challenge.id, now)
    await factors.update_factor(db, factor, now, status="verified")
    if not factor.is_verified:
        notify(ctx, user, "mfa_factor_enrolled", FactorType=factor.factor_type)
    await amr_claims.add_amr(db, session.id, AMR[factor.factor_type], now)
    session = await sessions.update_session(db, session, now, aal="aal2", factor_id=factor.id)
    active = await refresh_tokens.active_refresh_token(db, session.id)
    token = await issue_refresh_token(ctx, db, user, session, active.token if active else "")
    if active is not None:
        await refresh_tokens.revoke_refresh_token(db, active.id, now)
    await sessions.delete_sessions(db, user.id, keep=session.id, only_aal="aal1")
    await factors.delete_unverified_factors(db, user.id, factor.factor_type)
    return await issue_grant(ctx, db, user, session, token, AMR[factor.factor_type])
