"""New accounts: signed up by themselves, or invited by an admin."""

from uuid import UUID, uuid4

import psycopg

from emulator.auth import audit, errors
from emulator.auth.accounts.identities import (
    identity_data,
)
from emulator.auth.accounts.unproven import is_unproven, overwrite
from emulator.auth.context import RequestContext
from emulator.auth.crypto.password import random_password
from emulator.auth.hooks import v0hooks
from emulator.auth.models import identities, users
from emulator.auth.models.payloads import Json
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.principal import Principal


async def signup_new_user(
    ctx: RequestContext, db: Db, *, aud: str, email: str | None = None, phone: str | None = None,
    encrypted_password: str | None = None, user_metadata: Json | None = None, app_metadata: Json | None = None,
    is_anonymous: bool = False, role: str | None = None, user_id: UUID | None = None, run_hooks: bool = True,
    run_after_hook: bool = True, is_sso_user: bool = False,
) -> User:  # fmt: skip
    """Insert a user, and call the hooks before_user_created and after_user_created unless `run_hooks` is off.

    `run_after_hook` is off for sign-ups that are confirmed at once, which GoTrue does not tell the second one.
    Raises user_already_exists for a lost race, unexpected_failure when a trigger fails, and the error of a hook.
    """
    now = ctx.now
    values = {
        "id": user_id or uuid4(), "aud": aud, "role": role or ctx.settings.jwt.default_group, "email": email,
        "phone": phone, "encrypted_password": encrypted_password, "raw_user_meta_data": user_metadata or {},
        "raw_app_meta_data": app_metadata or {}, "is_anonymous": is_anonymous, "created_at": now, "updated_at": now,
        **({"is_sso_user": True} if is_sso_user else {}),
    }  # fmt: skip
    if run_hooks:
        await v0hooks.before_user_created(ctx, db, values)
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
    if run_hooks and run_after_hook:
        v0hooks.after_user_created(ctx, user)
    return user


async def signup_invited_user(ctx: RequestContext, db: Db, email: str, data: Json, aud: str) -> User:
    """Insert an invited user: metadata as given, an e-mail identity, no password."""
    user = await signup_new_user(
        ctx, db, aud=aud, email=email, user_metadata=data, encrypted_password="",
        app_metadata={"provider": "email", "providers": ["email"]},
    )  # fmt: skip
    await identities.insert_identity(db, user.id, "email", str(user.id), identity_data(user.id, email=email), ctx.now)
    return user


async def find_or_invite_user(ctx: RequestContext, db: Db, admin: Principal, email: str, data: Json) -> User:
    """The account to invite, made if there is none; raises email_exists when it is confirmed already."""
    user = await users.email_owner(db, email, ctx.aud)
    if user is not None and user.email_confirmed_at is not None:
        raise errors.email_exists()
    if user is None:
        user = await signup_invited_user(ctx, db, email, data, ctx.aud)
    elif is_unproven(user):
        user = await overwrite(ctx, db, user, "", {})
        user = await users.update_user(db, user, ctx.now, raw_user_meta_data=data)
    await audit.record_admin(ctx, db, admin, "user_invited", user_id=str(user.id), user_email=email)
    return user


async def hash_random_password(ctx: RequestContext) -> str:
    """The hash of a random password, for accounts without one."""
    return await ctx.service.hasher.hash(random_password())
