"""The account of an external identity: the one it is linked to, one with the same verified address, or a new one."""

from dataclasses import dataclass

from emulator.auth import audit, errors
from emulator.auth.accounts.confirmation import confirm_email
from emulator.auth.accounts.creation import signup_new_user
from emulator.auth.accounts.identities import update_app_metadata_providers
from emulator.auth.accounts.mail import notify, send_mail_token
from emulator.auth.accounts.mail_tokens import CONFIRMATION
from emulator.auth.api.provider.provider import ProviderEmail, UserProvidedData, provider_failure
from emulator.auth.context import RequestContext
from emulator.auth.models import identities, sessions, users
from emulator.auth.models.identities import Identity
from emulator.auth.models.payloads import Json
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.tokens.claims import SSO_PREFIX
from emulator.auth.utilities import addresses
from emulator.errors import ApiError


@dataclass(frozen=True)
class ExternalIdentity:
    """A person whom a provider has authenticated."""

    provider: str
    data: UserProvidedData
    email_optional: bool = False

    @property
    def is_sso(self) -> bool:
        """Of a SAML provider: its people are accounts of their own, whatever their addresses."""
        return self.provider.startswith(SSO_PREFIX)

    def email(self) -> ProviderEmail | None:
        """The address to sign in with: a verified one if there is any, the primary one first; in lower case."""
        ranked = sorted(self.data.emails, key=lambda item: (not item.verified, not item.primary))
        if not ranked:
            return None
        best = ranked[0]
        return ProviderEmail(addresses.validate_email(best.email), best.verified, best.primary)

    def identity_data(self) -> Json:
        """What is stored with the identity: the provider's primary address, or its last one."""
        listed = self.data.emails
        email = next((one for one in listed if one.primary), listed[-1] if listed else None)
        known: Json = {"email_verified": bool(email and email.verified), "phone_verified": False}
        known |= {"email": email.email} if email else {}
        return {**self.data.claims, **known}


async def account_for_external_identity(ctx: RequestContext, db: Db, external: ExternalIdentity) -> User | ApiError:
    """The account to sign in to. An error is returned, not raised, where a mail was sent, which must be committed."""
    email = external.email()
    if email is None and not external.email_optional:
        raise provider_failure("Error getting user email from external provider")
    identity = await identities.identity_of_provider(db, external.provider, external.data.subject)
    if identity is not None:
        user = await _update_known(ctx, db, identity, external)
    else:
        linked = _link_sso if external.is_sso else _link_by_email
        user = await linked(ctx, db, external, email) or await _create(ctx, db, external, email)
    if user.is_banned(ctx.now):
        raise errors.user_banned()
    user = await update_app_metadata_providers(ctx, db, user)
    if email is None or user.email_confirmed_at is not None:
        return user
    mailer = ctx.settings.mailer
    if email.verified or mailer.autoconfirm:
        await audit.record(ctx, db, user, "user_signedup", provider=external.provider)
        return await confirm_email(ctx, db, user)
    await send_mail_token(ctx, db, user, CONFIRMATION)
    if mailer.allow_unverified_sign_ins:
        return user
    return errors.provider_email_needs_verification(external.provider, sent=True)


async def _update_known(ctx: RequestContext, db: Db, identity: Identity, external: ExternalIdentity) -> User:
    await identities.update_identity(
        db, identity, ctx.now, identity_data=external.identity_data(), last_sign_in_at=ctx.now
    )
    user = await users.user_by_id(db, identity.user_id)
    if user is None:
        raise errors.user_not_found()
    merged = {**(user.raw_user_meta_data or {}), **external.identity_data()}
    return await users.update_user(db, user, ctx.now, raw_user_meta_data=merged)


async def _link_by_email(
    ctx: RequestContext, db: Db, external: ExternalIdentity, email: ProviderEmail | None
) -> User | None:
    """The one account with that verified address.

    If it was never confirmed, somebody else may have made it: what they left in it (password, identities) is removed.
    """
    if email is None or not email.verified:
        return None
    owners = await users.email_owners(db, email.email, ctx.aud)
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
            db, user, ctx.now,
            encrypted_password="", raw_user_meta_data={}, raw_app_meta_data={}, phone=None, phone_confirmed_at=None,
        )  # fmt: skip
    return await _link(ctx, db, user, external)


async def _link_sso(
    ctx: RequestContext, db: Db, external: ExternalIdentity, email: ProviderEmail | None
) -> User | None:
    """The one account of the same SAML provider with that address: the provider has given the person a new name."""
    owners = await identities.owners_at_provider(db, external.provider, email.email) if email else []
    if len(owners) > 1:
        text = "Multiple accounts with the same email address in the same linking domain detected"
        raise provider_failure(f"{text}: {external.provider}")
    user = await users.lock_user(db, owners[0]) if owners else None
    return await _link(ctx, db, user, external) if user is not None else None


async def _link(ctx: RequestContext, db: Db, user: User, external: ExternalIdentity) -> User:
    identity = await identities.insert_identity(
        db, user.id, external.provider, external.data.subject, external.identity_data(), ctx.now
    )
    await audit.record(
        ctx, db, user, "identity_linked",
        ip=ctx.ip, identity_id=str(identity.id), provider=identity.provider, provider_id=identity.provider_id,
    )  # fmt: skip
    merged = {**(user.raw_user_meta_data or {}), **external.identity_data()}
    return await users.update_user(db, user, ctx.now, raw_user_meta_data=merged)


async def _create(ctx: RequestContext, db: Db, external: ExternalIdentity, email: ProviderEmail | None) -> User:
    if ctx.settings.disable_signup:
        raise errors.signup_disabled()
    address = email.email if email else None
    if address and not external.is_sso and await users.email_owner(db, address, ctx.aud) is not None:
        raise errors.provider_email_needs_verification(external.provider, sent=False)
    user = await signup_new_user(
        ctx, db, aud=ctx.aud, email=address, user_metadata=external.identity_data(), encrypted_password="",
        app_metadata={"provider": external.provider, "providers": [external.provider]}, is_sso_user=external.is_sso,
    )  # fmt: skip
    await identities.insert_identity(
        db, user.id, external.provider, external.data.subject, external.identity_data(), ctx.now
    )
    return user


async def link_identity(ctx: RequestContext, db: Db, user: User, external: ExternalIdentity) -> User:
    """Link the identity to the account of a signed-in user."""
    identity = await identities.identity_of_provider(db, external.provider, external.data.subject)
    if identity is not None:
        raise errors.identity_already_exists(other_user=identity.user_id != user.id)
    await identities.insert_identity(
        db, user.id, external.provider, external.data.subject, external.identity_data(), ctx.now
    )
    email = external.email()
    if user.is_anonymous and email is not None:
        if await users.email_owner(db, email.email, ctx.aud, user.id):
            raise errors.email_exists()
        user = await users.update_user(db, user, ctx.now, email=email.email, is_anonymous=False)
        if email.verified or ctx.settings.mailer.autoconfirm:
            user = await confirm_email(ctx, db, user)
    elif user.is_anonymous:
        user = await users.update_user(db, user, ctx.now, is_anonymous=False)
    await audit.record(ctx, db, user, "identity_linked", ip=ctx.ip, provider=external.provider)
    notify(ctx, user, "identity_linked", Provider=external.provider)
    return await update_app_metadata_providers(ctx, db, user)
