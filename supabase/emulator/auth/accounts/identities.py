"""The identities of an account: an e-mail address, a phone number, an account at an external provider."""

from uuid import UUID

from emulator.auth.context import RequestContext
from emulator.auth.models import identities, users
from emulator.auth.models.identities import Identity
from emulator.auth.models.payloads import Json
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


def identity_data(
    user_id: UUID, *, email: str | None = None, phone: str | None = None, verified: bool = False,
    phone_verified: bool = False, data: Json | None = None,
) -> Json:  # fmt: skip
    """identity_data of an e-mail or phone identity; `data` never overrides what is known here."""
    own: Json = {"sub": str(user_id), "email_verified": verified, "phone_verified": phone_verified}
    own |= {"email": email} if email else {}
    own |= {"phone": phone} if phone else {}
    return {**(data or {}), **own}


async def find_identity(db: Db, user: User, provider: str) -> Identity | None:
    """The user's identity at that provider."""
    return next((found for found in await identities.identities_of(db, user.id) if found.provider == provider), None)


async def set_identity_address(
    ctx: RequestContext, db: Db, user: User, provider: str, address: str, verified: bool
) -> None:
    """Set the address or number of the e-mail or phone identity; creates it when there is none."""
    identity = await find_identity(db, user, provider)
    data = {
        **(identity.identity_data if identity else identity_data(user.id)),
        provider: address,
        f"{provider}_verified": verified,
    }
    if identity is None:
        await identities.insert_identity(db, user.id, provider, str(user.id), data, ctx.now)
    else:
        await identities.update_identity(db, identity, ctx.now, identity_data=data)


async def update_app_metadata_providers(ctx: RequestContext, db: Db, user: User) -> User:
    """app_metadata.provider and .providers follow the identities, oldest first."""
    known = await identities.identities_of(db, user.id)
    names = list(dict.fromkeys(identity.provider for identity in known))
    metadata = dict(user.raw_app_meta_data or {})
    if names:
        metadata |= {"provider": names[0], "providers": names}
    if metadata == (user.raw_app_meta_data or {}):
        return user
    return await users.update_user(db, user, ctx.now, raw_app_meta_data=metadata)
