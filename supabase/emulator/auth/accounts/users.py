"""What creating, confirming and changing an account means for its rows; shared by the endpoints."""

from typing import Any
from uuid import UUID, uuid4

import psycopg

from emulator.auth import errors
from emulator.auth.context import Call
from emulator.auth.crypto.password import random_password
from emulator.auth.hooks import v0hooks as hooks
from emulator.auth.models import flows
from emulator.auth.models import users as rows
from emulator.auth.models.rows import Identity, User
from emulator.auth.models.sql import Db

Json = dict[str, Any]


def identity_data(
    user_id: UUID, *, email: str | None = None, phone: str | None = None, verified: bool = False,
    phone_verified: bool = False, data: Json | None = None,
) -> Json:  # fmt: skip
    """What an e-mail or phone identity knows; `data` never overrides what we know ourselves."""
    own: Json = {"sub": str(user_id), "email_verified": verified, "phone_verified": phone_verified}
    own |= {"email": email} if email else {}
    own |= {"phone": phone} if phone else {}
    return {**(data or {}), **own}


async def create_user(
    call: Call, db: Db, *, aud: str, email: str | None = None, phone: str | None = None,
    encrypted_password: str | None = None, user_metadata: Json | None = None, app_metadata: Json | None = None,
    is_anonymous: bool = False, role: str | None = None, user_id: UUID | None = None, announced: bool = True,
) -> User:  # fmt: skip
    """Insert a user row, `announced` to the hooks.

    Raises user_already_exists for a lost race, unexpected_failure for a trigger's refusal, and what a hook says.
    """
    now = call.now
    values = {
        "id": user_id or uuid4(), "aud": aud, "role": role or call.settings.jwt.default_group, "email": email,
        "phone": phone, "encrypted_password": encrypted_password, "raw_user_meta_data": user_metadata or {},
        "raw_app_meta_data": app_metadata or {}, "is_anonymous": is_anonymous, "created_at": now, "updated_at": now,
    }  # fmt: skip
    if announced:
        await hooks.before_user_created(call, db, values)
    try:
        user = await rows.insert_user(db, values)
    except psycopg.errors.UniqueViolation as error:
        if error.diag.constraint_name in ("users_email_partial_key", "users_phone_key"):
            raise errors.user_already_exists() from error
        raise errors.unexpected_failure("Database error creating new user") from error
    except (psycopg.errors.OperationalError, psycopg.errors.AdminShutdown):
        raise
    except psycopg.DatabaseError as error:
        raise errors.unexpected_failure("Database error saving new user") from error
    if announced:
        hooks.after_user_created(call, user)
    return user


async def create_invited(call: Call, db: Db, email: str, data: Json, aud: str) -> User:
    """A user made by an admin's mail: metadata as given, an e-mail identity, no password."""
    user = await create_user(
        call, db, aud=aud, email=email, user_metadata=data, encrypted_password="",
        app_metadata={"provider": "email", "providers": ["email"]},
    )  # fmt: skip
    await rows.insert_identity(db, user.id, "email", str(user.id), identity_data(user.id, email=email), call.now)
    return user


async def confirm_email(call: Call, db: Db, user: User, **changes: Any) -> User:
    """The address is proven: stamp it and say so in the metadata."""
    now = call.now
    metadata = {**(user.raw_user_meta_data or {}), "email_verified": True}
    user = await rows.update_user(
        db, user, now, email_confirmed_at=now, confirmation_token="", raw_user_meta_data=metadata, **changes
    )
    await flows.drop_one_time_tokens(db, user.id, "confirmation_token")
    return user


async def confirm_phone(call: Call, db: Db, user: User) -> User:
    """The number is proven."""
    metadata = {**(user.raw_user_meta_data or {}), "phone_verified": True}
    now = call.now
    user = await rows.update_user(
        db, user, now, phone_confirmed_at=now, confirmation_token="", raw_user_meta_data=metadata
    )
    await flows.drop_one_time_tokens(db, user.id, "confirmation_token")
    return user


async def mark_identity_verified(call: Call, db: Db, user: User, provider: str) -> None:
    """The identity of that provider says its address is proven."""
    for identity in await rows.identities_of(db, user.id):
        if identity.provider == provider:
            data = {**identity.identity_data, f"{provider}_verified": True}
            await rows.update_identity(db, identity, call.now, identity_data=data)


async def set_identity_address(call: Call, db: Db, user: User, provider: str, address: str, verified: bool) -> None:
    """Make the e-mail or phone identity name this address; creates it when there is none."""
    identity = await find_identity(db, user, provider)
    data = {
        **(identity.identity_data if identity else identity_data(user.id)),
        provider: address,
        f"{provider}_verified": verified,
    }
    if identity is None:
        await rows.insert_identity(db, user.id, provider, str(user.id), data, call.now)
    else:
        await rows.update_identity(db, identity, call.now, identity_data=data)


async def find_identity(db: Db, user: User, provider: str) -> Identity | None:
    """The user's identity at that provider."""
    return next((found for found in await rows.identities_of(db, user.id) if found.provider == provider), None)


async def refresh_providers(call: Call, db: Db, user: User) -> User:
    """app_metadata.provider and .providers follow the identities, oldest first."""
    identities = await rows.identities_of(db, user.id)
    names = list(dict.fromkeys(identity.provider for identity in identities))
    metadata = dict(user.raw_app_meta_data or {})
    if names:
        metadata |= {"provider": names[0], "providers": names}
    if metadata == (user.raw_app_meta_data or {}):
        return user
    return await rows.update_user(db, user, call.now, raw_app_meta_data=metadata)


def merged(old: Json | None, new: Json) -> Json:
    """A shallow merge; null deletes a key."""
    result = {**(old or {}), **new}
    return {name: value for name, value in result.items() if value is not None}


async def random_hash(call: Call) -> str:
    """The hash of a password that nobody knows."""
    return await call.service.hasher.hash(random_password())
