"""POST /signup: new accounts by e-mail, phone, or none at all (anonymous)."""

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.accounts.pkce import Pkce
from emulator.auth.accounts.registration import Registration, Repeated, provider_of, register
from emulator.auth.api.anonymous import sign_up_anonymously
from emulator.auth.api.password import check_password_strength
from emulator.auth.api.responses import grant_response, json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import identities
from emulator.auth.models.payloads import Json, time_text, user_payload
from emulator.auth.security.enumeration_protection import check_mail_interval
from emulator.auth.tokens.grant import Grant
from emulator.auth.utilities import addresses


@dataclass(frozen=True)
class SignupParams:
    """The body."""

    email: str = ""
    phone: str = ""
    password: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    channel: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def sign_up(ctx: RequestContext) -> Response:
    """An account; with a taken address the response looks the same."""
    params = ctx.params(SignupParams)
    if not params.email and not params.phone:
        return await sign_up_anonymously(ctx, params.data)
    ctx.check_rate_limit(ctx.rate_limits.signup)
    if ctx.settings.disable_signup:
        raise errors.signup_disabled()
    registration = await _validate(ctx, params)
    if registration.email:
        check_mail_interval(ctx, registration.email, "signup")
    async with ctx.transaction() as db:
        result = await register(ctx, db, registration)
        if isinstance(result, Grant):
            return grant_response(result)
        if isinstance(result, Repeated):
            if ctx.settings.mailer.autoconfirm or ctx.settings.sms.autoconfirm:
                raise errors.user_already_exists()
            await identities.identities_of(db, uuid4())  # as for a new account, so that it takes as long
            return json_response(obfuscated_user(ctx, registration))
        known = await identities.identities_of(db, result.user.id)
        payload = user_payload(result.user, known)
    if result.user.invited_at is not None:
        payload |= {"user_metadata": {}, "identities": []}
    return json_response(payload)


async def _validate(ctx: RequestContext, params: SignupParams) -> Registration:
    """In GoTrue's order of errors. The password is hashed whether or not the address is known: same time."""
    settings = ctx.settings
    if not params.password:
        raise errors.validation_failed("Signup requires a valid password")
    await check_password_strength(ctx, params.password)
    if params.email and params.phone:
        raise errors.validation_failed("Only an email address or phone number should be provided on signup.")
    email, phone = "", ""
    if params.phone:
        addresses.validate_channel(params.channel, settings.sms.provider)
        if params.code_challenge:
            raise errors.validation_failed("PKCE not supported for phone signups")
    pkce = Pkce.parse(params.code_challenge, params.code_challenge_method)
    if params.email:
        if not settings.email_enabled:
            raise errors.email_provider_disabled("Email signups are", 400)
        email = addresses.validate_email(params.email)
    else:
        if not settings.phone_enabled:
            raise errors.phone_provider_disabled("Phone signups are disabled", 400)
        phone = addresses.validate_phone(params.phone)
    hashed = await ctx.service.hasher.hash(params.password)
    return Registration(email, phone, hashed, params.data, pkce, ctx.aud, params.channel or "sms")


def obfuscated_user(ctx: RequestContext, registration: Registration) -> Json:
    """A made-up user, for an address that is taken (GoTrue's sanitizeUser)."""
    now, provider = time_text(ctx.now), provider_of(registration)
    return {
        "id": str(uuid4()),
        "aud": registration.aud,
        "role": "",
        "email": registration.email,
        "phone": registration.phone,
        "confirmation_sent_at": now,
        "app_metadata": {"provider": provider, "providers": [provider]},
        "user_metadata": registration.data,
        "identities": [],
        "created_at": now,
        "updated_at": now,
        "is_anonymous": False,
    }
