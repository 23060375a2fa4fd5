"""Confirming an address or a number."""

from typing import Any

from emulator.auth.context import RequestContext
from emulator.auth.models import identities, one_time_tokens, users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


async def confirm_email(ctx: RequestContext, db: Db, user: User, **changes: Any) -> User:
    """Mark the address as confirmed, in its column and in the metadata; `changes` other columns as well."""
    now = ctx.now
    metadata = {**(user.raw_user_meta_data or {}), "email_verified": True}
    user = await users.update_user(
        db, user, now, email_confirmed_at=now, confirmation_token="", raw_user_meta_data=metadata, **changes
    )
    await one_time_tokens.delete_tokens(db, user.id, "confirmation_token")
    return user


async def confirm_phone(ctx: RequestContext, db: Db, user: User) -> User:
    """Mark the number as confirmed."""
    metadata = {**(user.raw_user_meta_data or {}), "phone_verified": True}
    now = ctx.now
    user = await users.update_user(
        db, user, now, phone_confirmed_at=now, confirmation_token="", raw_user_meta_data=metadata
    )
    await one_time_tokens.delete_tokens(db, user.id, "confirmation_token")
    return user


async def mark_identity_verified(ctx: RequestContext, db: Db, user: User, provider: str) -> None:
    """Mark the address of that provider's identity as verified."""
    for identity in await identities.identities_of(db, user.id):
        if identity.provider == provider:
            data = {**identity.identity_data, f"{provider}_verified": True}
            await identities.update_identity(db, identity, ctx.now, identity_data=data)
