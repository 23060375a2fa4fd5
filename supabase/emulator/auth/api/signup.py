"""POST /signup: new accounts by e-mail, phone, or none at all (anonymous)."""

from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.confirmation import confirm_email, confirm_phone
from emulator.auth.accounts.creation import identity_data, signup_new_user
from emulator.auth.accounts.mail import CONFIRMATION, Pkce, begin_flow, issue, send_mail_token, send_phone_token
from emulator.auth.api.responses import answer
from emulator.auth.context import Call
from emulator.auth.crypto import password
from emulator.auth.models import identities, users
from emulator.auth.models.payloads import Json, time_text, user_payload
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.security.enumeration_protection import pause
from emulator.auth.tokens import service
from emulator.auth.tokens.grant import Grant
from emulator.auth.utilities import addresses


@dataclass(frozen=True)
class SignupParams:
    """The body; nothing else in it has any effect."""

    email: str = ""
    phone: str = ""
    password: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    channel: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


@dataclass(frozen=True)
class Registration:
    """A checked wish for an account."""

    email: str
    phone: str
    password_hash: str
    data: Json
    pkce: Pkce
    aud: str


@dataclass(frozen=True)
class Pending:
    """The account waits for its address to be proven."""

    user: User
    message_id: str = ""


@dataclass(frozen=True)
class Repeated:
    """Somebody has that address already, and proved it."""


async def sign_up(call: Call) -> Response:
    """An account, or the same answer as if there had been none before."""
    params = call.params(SignupParams)
    if not params.email and not params.phone:
        return await _sign_up_anonymously(call, params.data)
    call.limit("signup", call.settings.rates.otp)
    if call.settings.disable_signup:
        raise errors.signup_disabled()
    registration = await _checked(call, params)
    if registration.email:
        pause(call, registration.email, "signup")
    async with call.transaction() as db:
        outcome = await register(call, db, registration)
        if isinstance(outcome, Grant):
            return service.grant_answer(outcome)
        if isinstance(outcome, Repeated):
            if call.settings.mailer.autoconfirm or call.settings.sms.autoconfirm:
                raise errors.user_already_exists()
            await identities.identities_of(db, uuid4())
            return answer(obfuscated(call, registration))
        known = await identities.identities_of(db, outcome.user.id)
        payload = user_payload(outcome.user, known)
    if outcome.user.invited_at is not None:
        payload |= {"user_metadata": {}, "identities": []}
    return answer(payload)


async def _checked(call: Call, params: SignupParams) -> Registration:
    """GoTrue's order of complaints. The password is hashed whether or not the address is known: same time."""
    settings = call.settings
    if not params.password:
        raise errors.validation_failed("Signup requires a valid password")
    password.check_strength(params.password, settings.password)
    if params.email and params.phone:
        raise errors.validation_failed("Only an email address or phone number should be provided on signup.")
    email, phone = "", ""
    if params.phone:
        addresses.validate_channel(params.channel)
        if params.code_challenge:
            raise errors.validation_failed("PKCE not supported for phone signups")
    pkce = Pkce.checked(params.code_challenge, params.code_challenge_method)
    if params.email:
        if not settings.email_enabled:
            raise errors.email_provider_disabled("Email signups are", 400)
        email = addresses.validate_email(params.email)
    else:
        if not settings.phone_enabled:
            raise errors.phone_provider_disabled("Phone signups are disabled", 400)
        phone = addresses.validate_phone(params.phone)
    hashed = await call.service.hasher.hash(params.password)
    return Registration(email, phone, hashed, params.data, pkce, call.aud)


async def register(call: Call, db: Db, wish: Registration, *, quiet: bool = False) -> Grant | Pending | Repeated:
    """Create the account, or go on with an unconfirmed one, whose password and metadata stay as they were.

    `quiet` makes no session where the address needs no proof: another mail follows.
    """
    if wish.email:
        user = await users.email_owner(db, wish.email, wish.aud)
        proven = user is not None and user.email_confirmed_at is not None
    else:
        user = await users.user_by_phone(db, wish.phone, wish.aud)
        proven = user is not None and user.phone_confirmed_at is not None
    if user is not None and proven:
        await audit.record(call, db, user, "user_repeated_signup", provider=_provider(wish))
        if wish.email and call.settings.mailer.background and not quiet:
            await _pretend(call, db, wish)
        return Repeated()
    if user is None:
        async with db.transaction():  # as in _pretend
            user = await _create(call, db, wish)
    if wish.email and call.settings.mailer.autoconfirm:
        user = await confirm_email(call, db, user)
    elif wish.phone and call.settings.sms.autoconfirm:
        user = await confirm_phone(call, db, user)
    elif wish.email:
        await audit.record(call, db, user, "user_confirmation_requested", provider="email")
        return Pending(await send_mail_token(call, db, user, CONFIRMATION, wish.pkce))
    else:
        await audit.record(call, db, user, "user_confirmation_requested", provider="phone")
        user, message_id = await send_phone_token(call, db, user, "confirmation", wish.phone)
        return Pending(user, message_id)
    await audit.record(call, db, user, "user_signedup", provider=_provider(wish))
    if quiet:
        return Repeated()
    await audit.record(call, db, user, "login", provider=_provider(wish))
    return await service.sign_in(call, db, user, "password")


async def _pretend(call: Call, db: Db, wish: Registration) -> None:
    """Write all that a new account would, for nobody, and take it back: a taken address costs the same time."""
    async with db.transaction(force_rollback=True):
        wish = replace(wish, email=f"{uuid4().hex}@nobody.invalid")
        nobody = await _create(call, db, wish, announced=False)
        await begin_flow(call, db, nobody, CONFIRMATION, wish.pkce)
        await issue(call, db, nobody, CONFIRMATION, wish.pkce)


def _provider(wish: Registration) -> str:
    return "email" if wish.email else "phone"


async def _create(call: Call, db: Db, wish: Registration, *, announced: bool = True) -> User:
    user_id, provider = uuid4(), _provider(wish)
    data = identity_data(user_id, email=wish.email or None, data=wish.data)
    user = await signup_new_user(
        call, db, aud=wish.aud, email=wish.email or None, phone=wish.phone or None, user_id=user_id,
        encrypted_password=wish.password_hash, user_metadata=data,
        app_metadata={"provider": provider, "providers": [provider]}, announced=announced,
    )  # fmt: skip
    await identities.insert_identity(db, user.id, provider, str(user.id), data, call.now)
    return user


def obfuscated(call: Call, wish: Registration) -> Json:
    """A user that isn't: what a stranger sees when the address is taken."""
    now, provider = time_text(call.now), _provider(wish)
    return {
        "id": str(uuid4()),
        "aud": wish.aud,
        "role": "",
        "email": wish.email,
        "phone": wish.phone,
        "confirmation_sent_at": now,
        "app_metadata": {"provider": provider, "providers": [provider]},
        "user_metadata": wish.data,
        "identities": [],
        "created_at": now,
        "updated_at": now,
        "is_anonymous": False,
    }


async def _sign_up_anonymously(call: Call, data: Json) -> Response:
    if not call.settings.anonymous_enabled:
        raise errors.anonymous_provider_disabled()
    call.limit("anonymous", call.settings.rates.anonymous)
    if call.settings.disable_signup:
        raise errors.signup_disabled()
    async with call.transaction() as db:
        user = await signup_new_user(call, db, aud=call.aud, user_metadata=data, is_anonymous=True)
        grant = await service.sign_in(call, db, user, "anonymous")
    return service.grant_answer(grant)
