"""POST /factors/{id}/challenge."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.phone import fixed_otp
from emulator.auth.api.mfa import webauthn
from emulator.auth.api.mfa.factors import require_enabled, require_factor
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.crypto.otp import hash_otp, make_otp
from emulator.auth.hooks import v0hooks
from emulator.auth.models import challenges, factors, identities
from emulator.auth.models.factors import Factor
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.ratelimit.frequency import SMS_LIMIT, check_frequency
from emulator.auth.sms.providers import SmsError
from emulator.auth.sms.send import send_code
from emulator.auth.utilities import addresses


@dataclass(frozen=True)
class ChallengeFactorParams:
    """The body; empty for totp."""

    channel: str = ""
    webauthn: dict[str, Any] | None = None


async def challenge(ctx: RequestContext) -> Response:
    """Create a challenge, which expires after MFA_CHALLENGE_EXPIRY_DURATION."""
    ctx.check_rate_limit(ctx.rate_limits.factor_challenge)
    async with ctx.transaction() as db:
        caller, factor = await require_factor(ctx, db)
        require_enabled(ctx, factor.factor_type, "verify")
        now, challenge_id = ctx.now, uuid4()
        values: dict[str, Any] = {
            "id": challenge_id, "factor_id": factor.id, "created_at": now, "ip_address": ctx.ip, "otp_code": "",
        }  # fmt: skip
        extra: dict[str, Any] = {}
        if factor.factor_type == "phone":
            values["otp_code"] = await _send_otp(ctx, db, caller.user, factor, ctx.params(ChallengeFactorParams))
        elif factor.factor_type == "webauthn":
            params = ctx.params(ChallengeFactorParams)
            values["web_authn_session_data"], options = webauthn.challenge(
                ctx, caller.user, factor, params.webauthn or {}
            )
            extra = {"webauthn": options}
        await challenges.insert_challenge(db, values)
        await factors.update_factor(db, factor, now, last_challenged_at=now)
        await audit.record(
            ctx, db, caller.user, "challenge_created",
            ip=ctx.ip, factor_id=str(factor.id), factor_status=factor.status,
        )  # fmt: skip
    expires_at = int(now.timestamp() + ctx.settings.mfa.challenge_expiry_s)
    return json_response({"id": str(challenge_id), "type": factor.factor_type, "expires_at": expires_at, **extra})


async def _send_otp(ctx: RequestContext, db: Db, user: User, factor: Factor, params: ChallengeFactorParams) -> str:
    """Send a code to the factor's number, by the send_sms hook or the provider; returns its hash.

    Raises validation_failed, too_soon, sms_send_failed.
    """
    mfa = ctx.settings.mfa
    channel = addresses.validate_channel(params.channel, ctx.settings.sms.provider)
    check_frequency(factor.last_challenged_at, ctx.now, mfa.phone_max_frequency_s, SMS_LIMIT)
    phone = factor.phone or ""
    otp = fixed_otp(ctx, phone)
    if otp is None:
        otp = make_otp(mfa.phone_otp_length)
        if v0hooks.is_enabled(ctx, "send_sms"):
            await v0hooks.send_sms(ctx, db, user, await identities.identities_of(db, user.id), phone, otp, "mfa")
        else:
            try:
                await send_code(ctx, phone, otp, channel, mfa.phone_template)
            except SmsError as error:
                raise errors.sms_send_failed("confirmation", str(error)) from error
    return hash_otp(phone, otp)
