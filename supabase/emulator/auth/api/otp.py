"""POST /otp and /magiclink: sign in by a link or a code that is sent, creating the account if there is none."""

from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.creation import hash_random_password
from emulator.auth.accounts.mail import send_mail_token, send_recovery
from emulator.auth.accounts.mail_tokens import MAGIC_LINK
from emulator.auth.accounts.phone import send_phone_token
from emulator.auth.accounts.pkce import NO_PKCE, Pkce
from emulator.auth.accounts.registration import Pending, Registration, register
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import users
from emulator.auth.security.enumeration_protection import check_mail_interval, run_after_response
from emulator.auth.tokens.grant import Grant
from emulator.auth.utilities import addresses

VERIFICATION_PREFIX = "Could not read verification params"


@dataclass(frozen=True)
class OtpParams:
    """The body of both."""

    email: str = ""
    phone: str = ""
    create_user: bool = True
    data: dict[str, Any] = field(default_factory=dict)
    channel: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def otp(ctx: RequestContext) -> Response:
    """By e-mail address or phone number."""
    ctx.check_rate_limit(ctx.rate_limits.otp)
    params = ctx.params(OtpParams)
    if params.email and params.phone:
        raise errors.validation_failed("Only an email address or phone number should be provided")
    if params.email and params.channel:
        raise errors.validation_failed("Channel should only be specified with Phone OTP")
    if not params.email and not params.phone:
        raise errors.validation_failed("One of email or phone must be set")
    pkce = Pkce.parse(params.code_challenge, params.code_challenge_method)
    if not params.create_user:
        await _require_account(ctx, params)
    if params.email:
        return await _send_link(ctx, params, pkce)
    return await _send_code(ctx, params)


async def magic_link(ctx: RequestContext) -> Response:
    """By e-mail address."""
    ctx.check_rate_limit(ctx.rate_limits.magic_link)
    params = ctx.params(OtpParams, prefix=VERIFICATION_PREFIX)
    if not params.email:
        raise errors.validation_failed("Password recovery requires an email", 422)
    pkce = Pkce.parse(params.code_challenge, params.code_challenge_method)
    return await _send_link(ctx, params, pkce)


async def _require_account(ctx: RequestContext, params: OtpParams) -> None:
    """Raise otp_disabled for an unknown address, also for a malformed one."""
    async with ctx.service.pool.connection() as db:
        if params.email:
            user = await users.user_by_email(db, params.email, ctx.aud)
        else:
            user = await users.user_by_phone(db, addresses.format_phone(params.phone), ctx.aud)
    if user is None:
        raise errors.otp_disabled()


async def _send_link(ctx: RequestContext, params: OtpParams, pkce: Pkce) -> Response:
    settings = ctx.settings
    if not settings.email_enabled:
        raise errors.email_provider_disabled("Email logins are")
    if not settings.magic_link_enabled:
        raise errors.email_provider_disabled("Login with magic link is")
    email = addresses.validate_email(params.email)
    hashed = await hash_random_password(ctx)
    check_mail_interval(ctx, email, "recovery", "signup")
    async with ctx.service.pool.connection() as db:
        user = await users.user_by_email(db, email, ctx.aud)
    is_confirmed = user is not None and user.email_confirmed_at is not None
    if not is_confirmed and settings.disable_signup:
        raise errors.signup_disabled()
    registration = Registration(email, "", hashed, params.data, pkce, ctx.aud)

    async def send() -> None:
        if user is not None and is_confirmed:
            await send_recovery(ctx, user, MAGIC_LINK, pkce)
        else:
            await _sign_up(ctx, registration)

    await run_after_response(ctx, send)
    return json_response({})


async def _sign_up(ctx: RequestContext, registration: Registration) -> None:
    """Sign up: the confirmation mail is the magic link, unless addresses need no confirmation; then one follows."""
    async with ctx.transaction() as db:
        result = await register(ctx, db, registration, without_session=True)
        user = (
            None if isinstance(result, Pending) else await users.user_by_email(db, registration.email, registration.aud)
        )
        if user is not None:
            await audit.record(ctx, db, user, "user_recovery_requested")
            await send_mail_token(ctx, db, user, MAGIC_LINK, registration.pkce)


async def _send_code(ctx: RequestContext, params: OtpParams) -> Response:
    settings = ctx.settings
    if not settings.phone_enabled:
        raise errors.phone_provider_disabled("Unsupported phone provider", 400)
    phone = addresses.validate_phone(params.phone)
    channel = addresses.validate_channel(params.channel, settings.sms.provider)
    hashed = await hash_random_password(ctx)
    async with ctx.transaction() as db:
        user = await users.user_by_phone(db, phone, ctx.aud)
        if user is None or user.phone_confirmed_at is None:
            if settings.disable_signup:
                raise errors.signup_disabled()
            signed_up = await register(ctx, db, Registration("", phone, hashed, params.data, NO_PKCE, ctx.aud, channel))
            if not isinstance(signed_up, Grant):
                return json_response({})
            user = signed_up.user  # confirmed at once: the code follows, as for a number that was known
        await audit.record(ctx, db, user, "user_recovery_requested", channel=channel)
        _, message_id = await send_phone_token(ctx, db, user, "confirmation", phone, channel)
    return json_response({"message_id": message_id} if message_id else {})
