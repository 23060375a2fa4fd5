"""New accounts and their first identity."""

from typing import Any
from uuid import UUID, uuid4

import psycopg

from emulator.auth import errors
from emulator.auth.context import Call
from emulator.auth.crypto.password import random_password
from emulator.auth.hooks import v0hooks
from emulator.auth.models import identities, users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User

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


async def signup_new_user(
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
        await v0hooks.before_user_created(call, db, values)
    try:
        user = await users.insert_user(db, values)
    except psycopg.errors.UniqueViolation as error:
        if error.diag.constraint_name in ("users_email_partial_key", "users_phone_key"):
            raise errors.user_already_exists() from error
        raise errors.unexpected_failure("Database error creating new user") from error
    except (psycopg.errors.OperationalError, psycopg.errors.AdminShutdown):
        raise
    except psycopg.DatabaseError as error:
        raise errors.unexpected_failure("Database error saving new user") from error
    if announced:
        v0hooks.after_user_created(call, user)
    return user


async def signup_invited_user(call: Call, db: Db, email: str, data: Json, aud: str) -> User:
    """A user made by an admin's mail: metadata as given, an e-mail identity, no password."""
    user = await signup_new_user(
        call, db, aud=aud, email=email, user_metadata=data, encrypted_password="",
        app_metadata={"provider": "email", "providers": ["email"]},
    )  # fmt: skip
    await identities.insert_identity(db, user.id, "email", str(user.id), identity_data(user.id, email=email), call.now)
    return user


async def hash_random_password(call: Call) -> str:
    """The hash of a password that nobody knows."""
    return await call.service.hasher.hash(random_password())
