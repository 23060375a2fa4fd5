"""What a proven address or number changes."""

from typing import Any

from emulator.auth.context import Call
from emulator.auth.models import identities, one_time_tokens, users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


async def confirm_email(call: Call, db: Db, user: User, **changes: Any) -> User:
    """The address is proven: stamp it and say so in the metadata."""
    now = call.now
    metadata = {**(user.raw_user_meta_data or {}), "email_verified": True}
    user = await users.update_user(
        db, user, now, email_confirmed_at=now, confirmation_token="", raw_user_meta_data=metadata, **changes
    )
    await one_time_tokens.drop_tokens(db, user.id, "confirmation_token")
    return user


async def confirm_phone(call: Call, db: Db, user: User) -> User:
    """The number is proven."""
    metadata = {**(user.raw_user_meta_data or {}), "phone_verified": True}
    now = call.now
    user = await users.update_user(
        db, user, now, phone_confirmed_at=now, confirmation_token="", raw_user_meta_data=metadata
    )
    await one_time_tokens.drop_tokens(db, user.id, "confirmation_token")
    return user


async def mark_identity_verified(call: Call, db: Db, user: User, provider: str) -> None:
    """The identity of that provider says its address is proven."""
    for identity in await identities.identities_of(db, user.id):
        if identity.provider == provider:
            data = {**identity.identity_data, f"{provider}_verified": True}
            await identities.update_identity(db, identity, call.now, identity_data=data)
