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
    await one_time_tokens.delete_tokens(db, user.id)
    return user


async def confirm_phone(ctx: RequestContext, db: Db, user: User) -> User:
    """Mark the number as confirmed. GoTrue says so in the column alone, not in the metadata."""
    user = await users.update_user(db, user, ctx.now, phone_confirmed_at=ctx.now, confirmation_token="")
    await one_time_tokens.delete_tokens(db, user.id)
    return user


async def mark_identities_verified(ctx: RequestContext, db: Db, user: User) -> None:
    """Mark the address of each identity that has the user's own as verified."""
    for identity in await identities.identities_of(db, user.id):
        if identity.email and identity.email == user.email:
            data = {**identity.identity_data, "email_verified": True}
            await identities.update_identity(db, identity, ctx.now, identity_data=data)
