"""Changing an account's password, address, number, identities and metadata."""

from emulator.auth.accounts.creation import Json, identity_data
from emulator.auth.context import Call
from emulator.auth.models import identities, users
from emulator.auth.models.identities import Identity
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


async def set_identity_address(call: Call, db: Db, user: User, provider: str, address: str, verified: bool) -> None:
    """Make the e-mail or phone identity name this address; creates it when there is none."""
    identity = await find_identity(db, user, provider)
    data = {
        **(identity.identity_data if identity else identity_data(user.id)),
        provider: address,
        f"{provider}_verified": verified,
    }
    if identity is None:
        await identities.insert_identity(db, user.id, provider, str(user.id), data, call.now)
    else:
        await identities.update_identity(db, identity, call.now, identity_data=data)


async def find_identity(db: Db, user: User, provider: str) -> Identity | None:
    """The user's identity at that provider."""
    return next((found for found in await identities.identities_of(db, user.id) if found.provider == provider), None)


async def update_app_metadata_providers(call: Call, db: Db, user: User) -> User:
    """app_metadata.provider and .providers follow the identities, oldest first."""
    known = await identities.identities_of(db, user.id)
    names = list(dict.fromkeys(identity.provider for identity in known))
    metadata = dict(user.raw_app_meta_data or {})
    if names:
        metadata |= {"provider": names[0], "providers": names}
    if metadata == (user.raw_app_meta_data or {}):
        return user
    return await users.update_user(db, user, call.now, raw_app_meta_data=metadata)


def merge_metadata(old: Json | None, new: Json) -> Json:
    """A shallow merge; null deletes a key."""
    result = {**(old or {}), **new}
    return {name: value for name, value in result.items() if value is not None}
