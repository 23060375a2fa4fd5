"""Which account somebody from outside becomes: a known identity's, one with the same proven address, or a new one."""

from dataclasses import dataclass

from emulator.auth import audit, errors
from emulator.auth.accounts.changes import update_app_metadata_providers
from emulator.auth.accounts.confirmation import confirm_email
from emulator.auth.accounts.creation import signup_new_user
from emulator.auth.accounts.mail import CONFIRMATION, send_mail_token
from emulator.auth.api.provider.provider import ProviderEmail, ProviderUser, provider_failure
from emulator.auth.context import Call
from emulator.auth.models import identities, sessions, users
from emulator.auth.models.identities import Identity
from emulator.auth.models.payloads import Json
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.utilities import addresses
from emulator.errors import ApiError


@dataclass(frozen=True)
class Arrival:
    """Somebody a provider sent."""

    provider: str
    person: ProviderUser
    email_optional: bool = False

    def email(self) -> ProviderEmail | None:
        """The address that counts: a proven one, the primary one first; lower case."""
        ranked = sorted(self.person.emails, key=lambda item: (not item.verified, not item.primary))
        if not ranked:
            return None
        best = ranked[0]
        return ProviderEmail(addresses.validate_email(best.email), best.verified, best.primary)

    def data(self) -> Json:
        """What the identity remembers."""
        email = self.email()
        known: Json = {"email_verified": bool(email and email.verified), "phone_verified": False}
        known |= {"email": email.email} if email else {}
        return {**self.person.claims, **known}


async def sign_in_from_outside(call: Call, db: Db, arrival: Arrival) -> User | ApiError:
    """The account to sign in to. An error that is returned, not raised, shall be committed: a mail went out."""
    email = arrival.email()
    if email is None and not arrival.email_optional:
        raise provider_failure("Error getting user email from external provider")
    identity = await identities.identity_of_provider(db, arrival.provider, arrival.person.subject)
    if identity is not None:
        user = await _known(call, db, identity, arrival)
    else:
        user = await _linked(call, db, arrival, email) or await _created(call, db, arrival, email)
    if user.is_banned(call.now):
        raise errors.user_banned()
    user = await update_app_metadata_providers(call, db, user)
    if email is None or user.email_confirmed_at is not None:
        return user
    mailer = call.settings.mailer
    if email.verified or mailer.autoconfirm:
        return await confirm_email(call, db, user)
    if mailer.allow_unverified_sign_ins:
        return user
    await audit.record(call, db, user, "user_confirmation_requested", provider=arrival.provider)
    await send_mail_token(call, db, user, CONFIRMATION)
    return errors.provider_email_needs_verification(arrival.provider.capitalize(), sent=True)


async def _known(call: Call, db: Db, identity: Identity, arrival: Arrival) -> User:
    data = {**identity.identity_data, **arrival.data()}
    await identities.update_identity(db, identity, call.now, identity_data=data, last_sign_in_at=call.now)
    user = await users.user_by_id(db, identity.user_id)
    if user is None:
        raise errors.user_not_found()
    merged = {**(user.raw_user_meta_data or {}), **arrival.data()}
    return await users.update_user(db, user, call.now, raw_user_meta_data=merged)


async def _linked(call: Call, db: Db, arrival: Arrival, email: ProviderEmail | None) -> User | None:
    """The one account with that proven address. An unproven account loses what its maker left in it."""
    if email is None or not email.verified:
        return None
    owners = await users.email_owners(db, email.email, call.aud)
    if len(owners) > 1:
        raise provider_failure(
            "Multiple accounts with the same email address in the same linking domain detected: default"
        )
    if not owners:
        return None
    user = await users.lock_user(db, owners[0].id) or owners[0]
    if user.email_confirmed_at is None:
        await identities.delete_identities(db, user.id)
        await sessions.delete_sessions(db, user.id)
        user = await users.update_user(
            db, user, call.now,
            encrypted_password="", raw_user_meta_data={}, raw_app_meta_data={}, phone=None, phone_confirmed_at=None,
        )  # fmt: skip
    await identities.insert_identity(db, user.id, arrival.provider, arrival.person.subject, arrival.data(), call.now)
    merged = {**(user.raw_user_meta_data or {}), **arrival.data()}
    return await users.update_user(db, user, call.now, raw_user_meta_data=merged)


async def _created(call: Call, db: Db, arrival: Arrival, email: ProviderEmail | None) -> User:
    if call.settings.disable_signup:
        raise errors.signup_disabled()
    address = email.email if email else None
    if address and await users.email_owner(db, address, call.aud) is not None:
        raise errors.provider_email_needs_verification(arrival.provider.capitalize(), sent=False)
    user = await signup_new_user(
        call, db, aud=call.aud, email=address, user_metadata=arrival.data(), encrypted_password="",
        app_metadata={"provider": arrival.provider, "providers": [arrival.provider]},
    )  # fmt: skip
    await identities.insert_identity(db, user.id, arrival.provider, arrival.person.subject, arrival.data(), call.now)
    await audit.record(call, db, user, "user_signedup", provider=arrival.provider)
    return user


async def link_to(call: Call, db: Db, user: User, arrival: Arrival) -> User:
    """Add the identity to an account whose owner asked for it."""
    identity = await identities.identity_of_provider(db, arrival.provider, arrival.person.subject)
    if identity is not None:
        raise errors.identity_already_exists(other_user=identity.user_id != user.id)
    await identities.insert_identity(db, user.id, arrival.provider, arrival.person.subject, arrival.data(), call.now)
    email = arrival.email()
    if user.is_anonymous and email is not None:
        if await users.email_owner(db, email.email, call.aud, user.id):
            raise errors.email_exists()
        user = await users.update_user(db, user, call.now, email=email.email, is_anonymous=False)
        if email.verified or call.settings.mailer.autoconfirm:
            user = await confirm_email(call, db, user)
    elif user.is_anonymous:
        user = await users.update_user(db, user, call.now, is_anonymous=False)
    await audit.record(call, db, user, "identity_linked", ip=call.ip, provider=arrival.provider)
    return await update_app_metadata_providers(call, db, user)
