"""POST /admin/users: an account as described, without a mail."""

from uuid import UUID

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.changes import merge_metadata
from emulator.auth.accounts.confirmation import confirm_email, confirm_phone
from emulator.auth.accounts.creation import signup_new_user
from emulator.auth.accounts.identities import identity_data
from emulator.auth.api.admin.user_params import AdminUserParams, banned_until, parse_ban_duration
from emulator.auth.api.auth import require_admin
from emulator.auth.api.responses import json_response, load_user_payload
from emulator.auth.context import RequestContext
from emulator.auth.crypto import password
from emulator.auth.models import identities, users
from emulator.auth.models.payloads import as_changed
from emulator.auth.models.sql import NIL_UUID
from emulator.auth.utilities import addresses


async def create_user(ctx: RequestContext) -> Response:
    """Insert a user as described; no mail is sent, no hook called."""
    admin = await require_admin(ctx)
    params = ctx.params(AdminUserParams)
    email = addresses.validate_email(params.email) if params.email else None
    phone = addresses.validate_phone(params.phone) if params.phone else None
    if not email and not phone:
        raise errors.validation_failed("Cannot create a user without either an email or phone")
    password_hash = await _password_hash(ctx, params)
    user_id, ban_s = _parse_id(params.id), parse_ban_duration(params.ban_duration)
    aud = params.aud or ctx.aud
    async with ctx.transaction() as db:
        if email and await users.email_owner(db, email, aud):
            raise errors.email_exists()
        if phone and await users.user_by_phone(db, phone, aud):
            raise errors.phone_exists("Phone number already registered by another user")
        providers = [name for name, given in (("email", email), ("phone", phone)) if given]
        user = await signup_new_user(
            ctx, db, aud=aud, email=email, phone=phone, encrypted_password=password_hash, user_id=user_id,
            role=params.role, user_metadata=merge_metadata({}, params.user_metadata or {}), run_hooks=False,
            app_metadata=merge_metadata(
                {"provider": providers[0], "providers": providers}, params.app_metadata or {}
            ),
        )  # fmt: skip
        if email:
            data = identity_data(user.id, email=email)
            await identities.insert_identity(db, user.id, "email", str(user.id), data, ctx.now)
        if phone:
            data = identity_data(user.id, phone=phone)
            await identities.insert_identity(db, user.id, "phone", str(user.id), data, ctx.now)
        if email and params.email_confirm:
            user = await confirm_email(ctx, db, user)
        if phone and params.phone_confirm:
            user = await confirm_phone(ctx, db, user)
        if ban_s is not None:
            user = await users.update_user(db, user, ctx.now, banned_until=banned_until(ctx, ban_s))
        await audit.record_admin(
            ctx, db, admin, "user_signedup",
            provider=providers[0], user_email=email or "", user_id=str(user.id), user_phone=phone or "",
        )  # fmt: skip
        return json_response(await load_user_payload(db, as_changed(user)))


async def _password_hash(ctx: RequestContext, params: AdminUserParams) -> str:
    if params.password is not None and params.password_hash:
        raise errors.validation_failed("Only a password or a password hash should be provided")
    if params.password_hash:
        if not password.is_supported_hash(params.password_hash):
            raise errors.validation_failed("Password hash must be bcrypt, Argon2 or Firebase scrypt")
        return params.password_hash
    if params.password and len(params.password.encode()) > password.MAX_BYTES:
        raise errors.validation_failed("bcrypt: password length exceeds 72 bytes")
    return await ctx.service.hasher.hash(params.password or password.random_password())


def _parse_id(text: str) -> UUID | None:
    if not text:
        return None
    try:
        user_id = UUID(text)
    except ValueError:
        raise errors.validation_failed("ID must conform to the uuid v4 format") from None
    if user_id == NIL_UUID:
        raise errors.validation_failed("ID cannot be a nil uuid")
    return user_id
