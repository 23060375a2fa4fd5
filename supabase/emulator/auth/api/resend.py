"""POST /resend: a pending confirmation once more; the response is the same for unknown addresses."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.email_change import send_email_change
from emulator.auth.accounts.mail import send_mail_token
from emulator.auth.accounts.mail_tokens import CONFIRMATION
from emulator.auth.accounts.phone import send_phone_token
from emulator.auth.accounts.pkce import Pkce
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.security.enumeration_protection import check_mail_interval, run_after_response
from emulator.auth.utilities import addresses

MAIL_TYPES, PHONE_TYPES = ("signup", "email_change"), ("sms", "phone_change")


@dataclass(frozen=True)
class ResendConfirmationParams:
    """The body."""

    type: str = ""
    email: str = ""
    phone: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def resend(ctx: RequestContext) -> Response:
    """Send a new token for an address or a number that is not confirmed yet."""
    ctx.check_rate_limit(ctx.rate_limits.resend)
    params = ctx.params(ResendConfirmationParams)
    pkce = _validate(ctx, params)
    if params.type in MAIL_TYPES:
        check_mail_interval(ctx, params.email.lower(), params.type)
        async with ctx.service.pool.connection() as db:
            known = await users.user_by_email(db, params.email, ctx.aud)

        async def send() -> None:
            if known is not None:
                await _resend_mail(ctx, known, params.type, pkce)

        await run_after_response(ctx, send)
        return json_response({})
    async with ctx.transaction() as db:
        user = await users.user_by_phone(db, addresses.format_phone(params.phone), ctx.aud)
        message_id = await _resend_code(ctx, db, user, params.type) if user is not None else ""
    return json_response({"message_id": message_id} if message_id else {})


def _validate(ctx: RequestContext, params: ResendConfirmationParams) -> Pkce:
    if params.type not in MAIL_TYPES + PHONE_TYPES:
        raise errors.validation_failed("Missing one of these types: signup, email_change, sms, phone_change")
    if params.type in MAIL_TYPES and not params.email and params.phone:
        raise errors.validation_failed("Type provided requires an email address")
    if params.type in PHONE_TYPES and not params.phone and params.email:
        raise errors.validation_failed("Type provided requires a phone number")
    if params.email and params.phone:
        raise errors.validation_failed("Only an email address or phone number should be provided.")
    if params.email:
        if not ctx.settings.email_enabled:
            raise errors.email_provider_disabled("Email logins are", 400)
        addresses.validate_email(params.email)
    elif params.phone:
        if not ctx.settings.phone_enabled:
            raise errors.phone_provider_disabled("Phone logins are disabled", 400)
        addresses.validate_phone(params.phone)
    else:
        raise errors.validation_failed("Missing email address or phone number")
    return Pkce.parse(params.code_challenge, params.code_challenge_method)


async def _resend_mail(ctx: RequestContext, known: User, kind: str, pkce: Pkce) -> None:
    async with ctx.transaction() as db:
        user = await users.lock_user(db, known.id)
        if user is None:
            return
        if kind == "signup" and user.email_confirmed_at is None:
            await audit.record(ctx, db, user, "user_confirmation_requested", provider="email")
            await send_mail_token(ctx, db, user, CONFIRMATION, pkce)
        elif kind == "email_change" and user.email_change:
            await audit.record(ctx, db, user, "user_modified")
            await send_email_change(ctx, db, user, user.email_change, pkce)


async def _resend_code(ctx: RequestContext, db: Db, user: User, kind: str) -> str:
    if kind == "sms" and user.phone_confirmed_at is None:
        await audit.record(ctx, db, user, "user_recovery_requested", channel="sms")
        return (await send_phone_token(ctx, db, user, "confirmation", user.phone or ""))[1]
    if kind == "phone_change" and user.phone_change:
        await audit.record(ctx, db, user, "user_modified")
        return (await send_phone_token(ctx, db, user, "phone_change", user.phone_change))[1]
    return ""
