"""POST /otp and /magiclink: sign in by what was mailed or texted, creating the account if need be."""

from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.creation import hash_random_password
from emulator.auth.accounts.mail import MAGIC_LINK, Pkce, send_mail_token, send_phone_token
from emulator.auth.api.recover import mail_recovery
from emulator.auth.api.responses import answer
from emulator.auth.api.signup import Pending, Registration, register
from emulator.auth.context import Call
from emulator.auth.models import users
from emulator.auth.security.enumeration_protection import after_the_answer, pause
from emulator.auth.utilities import addresses

VERIFICATION_PREFIX = "Could not read verification params"


@dataclass(frozen=True)
class OtpParams:
    """The body of /otp."""

    email: str = ""
    phone: str = ""
    create_user: bool = True
    data: dict[str, Any] = field(default_factory=dict)
    channel: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def otp(call: Call) -> Response:
    """By address or number."""
    call.limit("otp", call.settings.rates.otp)
    params = call.params(OtpParams)
    if params.email and params.phone:
        raise errors.validation_failed("Only an email address or phone number should be provided")
    if params.email and params.channel:
        raise errors.validation_failed("Channel should only be specified with Phone OTP")
    if not params.email and not params.phone:
        raise errors.validation_failed("One of email or phone must be set")
    pkce = Pkce.checked(params.code_challenge, params.code_challenge_method)
    if not params.create_user:
        await _require_known(call, params)
    if params.email:
        return await _mail_link(call, params, pkce)
    return await _text_code(call, params)


async def magic_link(call: Call) -> Response:
    """By address, always creating."""
    call.limit("magiclink", call.settings.rates.otp)
    params = call.params(OtpParams, prefix=VERIFICATION_PREFIX)
    if not params.email:
        raise errors.validation_failed("Password recovery requires an email", 422)
    pkce = Pkce.checked(params.code_challenge, params.code_challenge_method)
    return await _mail_link(call, params, pkce)


async def _require_known(call: Call, params: OtpParams) -> None:
    """A malformed address is as unknown as any other."""
    async with call.service.pool.connection() as db:
        if params.email:
            user = await users.user_by_email(db, params.email, call.aud)
        else:
            user = await users.user_by_phone(db, addresses.format_phone(params.phone), call.aud)
    if user is None:
        raise errors.otp_disabled()


async def _mail_link(call: Call, params: OtpParams, pkce: Pkce) -> Response:
    settings = call.settings
    if not settings.email_enabled:
        raise errors.email_provider_disabled("Email logins are")
    if not settings.magic_link_enabled:
        raise errors.email_provider_disabled("Login with magic link is")
    email = addresses.validate_email(params.email)
    hashed = await hash_random_password(call)
    pause(call, email, "recovery", "signup")
    async with call.service.pool.connection() as db:
        user = await users.user_by_email(db, email, call.aud)
    proven = user is not None and user.email_confirmed_at is not None
    if not proven and settings.disable_signup:
        raise errors.signup_disabled()
    wish = Registration(email, "", hashed, params.data, pkce, call.aud)

    async def mail_it() -> None:
        if user is not None and proven:
            await mail_recovery(call, user, MAGIC_LINK, pkce)
        else:
            await _register_by_mail(call, wish)

    await after_the_answer(call, mail_it)
    return answer({})


async def _register_by_mail(call: Call, wish: Registration) -> None:
    """A confirmation mail is the first magic link; one of its own follows where addresses need no proof."""
    async with call.transaction() as db:
        outcome = await register(call, db, wish, quiet=True)
        user = None if isinstance(outcome, Pending) else await users.user_by_email(db, wish.email, wish.aud)
        if user is not None:
            await audit.record(call, db, user, "user_recovery_requested")
            await send_mail_token(call, db, user, MAGIC_LINK, wish.pkce)


async def _text_code(call: Call, params: OtpParams) -> Response:
    settings = call.settings
    addresses.validate_channel(params.channel)
    if not settings.phone_enabled:
        raise errors.phone_provider_disabled("Unsupported phone provider", 400)
    phone = addresses.validate_phone(params.phone)
    hashed = await hash_random_password(call)
    async with call.transaction() as db:
        user = await users.user_by_phone(db, phone, call.aud)
        if user is None or user.phone_confirmed_at is None:
            if settings.disable_signup:
                raise errors.signup_disabled()
            await register(call, db, Registration("", phone, hashed, params.data, Pkce(), call.aud))
            return answer({})
        await audit.record(call, db, user, "user_recovery_requested", channel="sms")
        _, message_id = await send_phone_token(call, db, user, "confirmation", phone)
    return answer({"message_id": message_id} if message_id else {})
