"""Sign-up by e-mail address or phone number, shared by /signup, /otp and /magiclink."""

from dataclasses import dataclass, replace
from uuid import uuid4

from emulator.auth import audit
from emulator.auth.accounts.confirmation import confirm_email, confirm_phone
from emulator.auth.accounts.creation import signup_new_user
from emulator.auth.accounts.identities import identity_data
from emulator.auth.accounts.mail import send_mail_token
from emulator.auth.accounts.mail_tokens import CONFIRMATION, insert_mail_flow, issue_token
from emulator.auth.accounts.phone import send_phone_token
from emulator.auth.accounts.pkce import Pkce
from emulator.auth.accounts.unproven import is_unproven
from emulator.auth.context import RequestContext
from emulator.auth.models import flow_states, identities, users
from emulator.auth.models.identities import Identity
from emulator.auth.models.payloads import Json, as_changed
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.tokens.grant import Grant
from emulator.auth.tokens.sessions import issue_session


@dataclass(frozen=True)
class Registration:
    """A validated sign-up request."""

    email: str
    phone: str
    password_hash: str
    data: Json
    pkce: Pkce
    aud: str
    channel: str = "sms"  # how a code reaches the phone


@dataclass(frozen=True)
class Pending:
    """The account waits for the confirmation of its address or number."""

    user: User
    message_id: str = ""


@dataclass(frozen=True)
class Repeated:
    """A confirmed account has that address or number already."""


async def register(
    ctx: RequestContext, db: Db, registration: Registration, *, without_session: bool = False
) -> Grant | Pending | Repeated:
    """Create the account, or continue with an unconfirmed one.

    Of one that a stranger may have signed up for, password and metadata stay as they were until the link or code of
    this sign-up comes back (unproven.py).

    `without_session`: none where the address needs no confirmation, because another mail follows.
    """
    if registration.email:
        user = await users.email_owner(db, registration.email, registration.aud)
    else:
        user = await users.user_by_phone(db, registration.phone, registration.aud)
    if user is not None and _is_confirmed(user, registration):
        await audit.record(ctx, db, user, "user_repeated_signup", provider=provider_of(registration))
        if registration.email and ctx.settings.mailer.background and not without_session:
            await _simulate_signup(ctx, db, registration)
        return Repeated()
    is_new = user is None
    if user is None:
        async with db.transaction():  # a savepoint, so that it takes as long as _simulate_signup
            user = await _create(ctx, db, registration)
    if _is_confirmed(user, registration):
        pass  # by a trigger of the project: nothing is left to prove, so nothing is sent
    elif registration.email and ctx.settings.mailer.autoconfirm:
        user = await confirm_email(ctx, db, user)
        await audit.record(ctx, db, user, "user_signedup", provider="email")
    elif registration.phone and ctx.settings.sms.autoconfirm:
        user = await confirm_phone(ctx, db, user)
        await audit.record(ctx, db, user, "user_signedup", provider="phone")
    elif registration.email:
        await audit.record(ctx, db, user, "user_confirmation_requested", provider="email")
        user = await send_mail_token(ctx, db, user, CONFIRMATION, registration.pkce)
        await _keep_for_link(ctx, db, user, registration, is_new=is_new)
        return Pending(user)
    else:
        await audit.record(ctx, db, user, "user_confirmation_requested", provider="phone")
        user, message_id = await send_phone_token(
            ctx, db, user, "confirmation", registration.phone, registration.channel
        )  # fmt: skip
        await _keep_for_link(ctx, db, user, registration, is_new=is_new)
        return Pending(user, message_id)
    if without_session:
        return Repeated()
    await audit.record(ctx, db, user, "login", provider=provider_of(registration))
    grant = await issue_session(ctx, db, user, "password")
    shown = [_as_shown(one) for one in grant.identities] if is_new and registration.email else grant.identities
    return replace(grant, user=as_changed(grant.user), identities=shown)


def _is_confirmed(user: User, registration: Registration) -> bool:
    """Whether the address or the number of this sign-up is confirmed."""
    return (user.email_confirmed_at if registration.email else user.phone_confirmed_at) is not None


async def _keep_for_link(ctx: RequestContext, db: Db, user: User, registration: Registration, *, is_new: bool) -> None:
    if not is_new and is_unproven(user):
        await flow_states.insert_pending(
            db, user.id, user.confirmation_token or "", registration.password_hash, registration.data, ctx.now
        )


def _as_shown(identity: Identity) -> Identity:
    """The identity in the response of the sign-up that made it: GoTrue says there that the address is verified.

    What is stored says that it is not: nobody has proved it.
    """
    return replace(identity, identity_data={**identity.identity_data, "email_verified": True})


async def _simulate_signup(ctx: RequestContext, db: Db, registration: Registration) -> None:
    """Write what a new account would, and roll it back: a taken address takes the same time as a free one."""
    async with db.transaction(force_rollback=True):
        registration = replace(registration, email=f"{uuid4().hex}@nobody.invalid")
        user = await _create(ctx, db, registration, run_hooks=False)
        await insert_mail_flow(ctx, db, user, CONFIRMATION, registration.pkce)
        await issue_token(ctx, db, user, CONFIRMATION, registration.pkce)


def provider_of(registration: Registration) -> str:
    """Of its first identity."""
    return "email" if registration.email else "phone"


async def _create(ctx: RequestContext, db: Db, registration: Registration, *, run_hooks: bool = True) -> User:
    user_id, provider, settings = uuid4(), provider_of(registration), ctx.settings
    data = identity_data(user_id, email=registration.email or None, data=registration.data)
    user = await signup_new_user(
        ctx, db, aud=registration.aud, email=registration.email or None, phone=registration.phone or None,
        user_id=user_id, encrypted_password=registration.password_hash, user_metadata=registration.data,
        app_metadata={"provider": provider, "providers": [provider]}, run_hooks=run_hooks,
        run_after_hook=not (settings.mailer.autoconfirm if registration.email else settings.sms.autoconfirm),
    )  # fmt: skip
    # Triggers and hooks see the metadata as it was given; the address joins it with the identity, as in GoTrue.
    await identities.insert_identity(db, user.id, provider, str(user.id), data, ctx.now)
    return await users.update_user(db, user, ctx.now, raw_user_meta_data=data)
