"""Changing an account's password, address, number and metadata."""

from uuid import UUID

import psycopg

from emulator.auth import errors
from emulator.auth.accounts.confirmation import confirm_email
from emulator.auth.accounts.identities import set_identity_address, update_app_metadata_providers
from emulator.auth.context import RequestContext
from emulator.auth.models import one_time_tokens, sessions, users
from emulator.auth.models.payloads import Json
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


def merge_metadata(old: Json | None, new: Json) -> Json:
    """A shallow merge, as GoTrue merges metadata; null deletes a key."""
    result = {**(old or {}), **new}
    return {name: value for name, value in result.items() if value is not None}


async def set_password(
    ctx: RequestContext, db: Db, user: User, password_hash: str, *, keep: UUID | None = None
) -> User:
    """Store a new password. It ends every session but `keep`, and invalidates every one-time token."""
    user = await users.update_user(
        db, user, ctx.now, encrypted_password=password_hash, confirmation_token="", confirmation_sent_at=None,
        recovery_token="", recovery_sent_at=None, email_change_token_current="", email_change_token_new="",
        email_change_sent_at=None, phone_change_token="", phone_change_sent_at=None, reauthentication_token="",
        reauthentication_sent_at=None,
    )  # fmt: skip
    await one_time_tokens.delete_tokens(db, user.id)
    await sessions.delete_sessions(db, user.id, keep=keep)
    return user


async def apply_email(ctx: RequestContext, db: Db, user: User, email: str) -> User:
    """Make a confirmed address (or one that needs no confirmation) the user's; raises email_exists.

    The address in the metadata, which the sign-up put there, stays the old one, as with GoTrue.
    """
    try:
        user = await users.update_user(
            db, user, ctx.now, email=email, email_change="", email_change_token_new="",
            email_change_token_current="", email_change_confirm_status=0, is_anonymous=False,
        )  # fmt: skip
    except psycopg.errors.UniqueViolation as error:
        raise errors.email_exists() from error
    await one_time_tokens.delete_tokens(db, user.id)
    if user.email_confirmed_at is None:
        user = await confirm_email(ctx, db, user)
    await set_identity_address(ctx, db, user, "email", email, True)
    return await update_app_metadata_providers(ctx, db, user)


async def apply_phone(ctx: RequestContext, db: Db, user: User, phone: str) -> User:
    """Make a confirmed number (or one that needs no confirmation) the user's; raises phone_exists."""
    try:
        user = await users.update_user(
            db, user, ctx.now, phone=phone, phone_change="", phone_change_token="", phone_confirmed_at=ctx.now,
            is_anonymous=False,
        )  # fmt: skip
    except psycopg.errors.UniqueViolation as error:
        raise errors.phone_exists() from error
    await one_time_tokens.delete_tokens(db, user.id)
    await set_identity_address(ctx, db, user, "phone", phone, True)
    return await update_app_metadata_providers(ctx, db, user)
