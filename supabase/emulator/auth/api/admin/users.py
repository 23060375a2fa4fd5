"""/admin/users: every account, for tokens with an admin role."""

from dataclasses import dataclass
from typing import Any

import psycopg
from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.changes import merge_metadata, set_password
from emulator.auth.accounts.confirmation import confirm_email, confirm_phone
from emulator.auth.accounts.deletion import soft_delete
from emulator.auth.accounts.identities import set_identity_address
from emulator.auth.api.admin.pagination import page_headers, parse_page, parse_sort
from emulator.auth.api.admin.user_params import AdminUserParams, banned_until, parse_ban_duration
from emulator.auth.api.auth import path_uuid, require_admin
from emulator.auth.api.password import check_password_strength
from emulator.auth.api.responses import json_response, load_user_payload
from emulator.auth.context import RequestContext
from emulator.auth.models import factors, identities, sessions, users
from emulator.auth.models.identities import Identity
from emulator.auth.models.payloads import as_changed, user_payload
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.utilities import addresses


@dataclass(frozen=True)
class AdminUserDeleteParams:
    """The optional body of DELETE."""

    should_soft_delete: bool = False


async def list_users(ctx: RequestContext) -> Response:
    """A page of users of the request's audience; identities are not loaded."""
    await require_admin(ctx)
    page, order = parse_page(ctx), parse_sort(ctx)
    async with ctx.transaction() as db:
        found, total = await users.list_users(
            db, ctx.aud, search=ctx.query("filter"), order=order, limit=page.size, offset=page.offset
        )
    payload = {"users": [user_payload(user, None) for user in found], "aud": ctx.aud}
    return json_response(payload, headers=page_headers(ctx, page, total))


async def find_user(ctx: RequestContext, db: Db) -> User:
    """The user whom the path names."""
    user = await users.user_by_id(db, path_uuid(ctx, "user_id", "user_id must be an UUID"))
    if user is None:
        raise errors.user_not_found()
    return user


async def _lock_user(ctx: RequestContext, db: Db) -> User:
    user = await users.lock_user(db, path_uuid(ctx, "user_id", "user_id must be an UUID"))
    if user is None:
        raise errors.user_not_found()
    return user


async def get_user(ctx: RequestContext) -> Response:
    """One user, of any audience."""
    await require_admin(ctx)
    async with ctx.transaction() as db:
        return json_response(await load_user_payload(db, await _lock_user(ctx, db)))


async def update_user(ctx: RequestContext) -> Response:
    """Change what is given. If the database does not accept it, the error is unexpected_failure, as in GoTrue."""
    admin = await require_admin(ctx)
    params = ctx.params(AdminUserParams)
    email = addresses.validate_email(params.email) if params.email else None
    phone = addresses.validate_phone(params.phone) if params.phone else None
    ban_s = parse_ban_duration(params.ban_duration)
    hashed = ""
    if params.password is not None:
        await check_password_strength(ctx, params.password)
        hashed = await ctx.service.hasher.hash(params.password)
    try:
        async with ctx.transaction() as db:
            before = await _lock_user(ctx, db)
            known = await identities.identities_of(db, before.id)
            user = await _apply(ctx, db, before, params, email, phone, hashed)
            if ban_s is not None:
                user = await users.update_user(db, user, ctx.now, banned_until=banned_until(ctx, ban_s))
                if user.is_banned(ctx.now):
                    await sessions.delete_sessions(db, user.id)
            await audit.record_admin(
                ctx, db, admin, "user_modified",
                user_email=user.email or "", user_id=str(user.id), user_phone=user.phone or "",
            )  # fmt: skip
            payload = await _changed_payload(db, before, user, known)
    except (psycopg.errors.IntegrityError, psycopg.errors.DataError) as error:
        raise errors.unexpected_failure("Error updating user") from error
    return json_response(payload)


async def _changed_payload(db: Db, before: User, user: User, known: list[Identity]) -> dict[str, Any]:
    """The user as GoTrue responds: identities that were there already as they were, new ones as they are."""
    old = {identity.id: identity for identity in known}
    now = [old.get(identity.id, identity) for identity in await identities.identities_of(db, user.id)]
    return user_payload(as_changed(user, before), now, await factors.factors_of(db, user.id))


async def _apply(
    ctx: RequestContext, db: Db, user: User, params: AdminUserParams, email: str | None, phone: str | None, hashed: str
) -> User:
    now = ctx.now
    if params.role:
        user = await users.update_user(db, user, now, role=params.role)
    if params.email_confirm:
        user = await confirm_email(ctx, db, user)
    if params.phone_confirm:
        user = await confirm_phone(ctx, db, user)
    if hashed:
        user = await set_password(ctx, db, user, hashed)
    if email:
        user = await users.update_user(
            db, user, now, email=email, is_anonymous=user.is_anonymous and not params.email_confirm
        )
        await set_identity_address(ctx, db, user, "email", email, params.email_confirm)
    if phone:
        user = await users.update_user(
            db, user, now, phone=phone, is_anonymous=user.is_anonymous and not params.phone_confirm
        )
        await set_identity_address(ctx, db, user, "phone", phone, params.phone_confirm)
    if params.app_metadata is not None:
        merged = merge_metadata(user.raw_app_meta_data, params.app_metadata)
        user = await users.update_user(db, user, now, raw_app_meta_data=merged)
    if params.user_metadata is not None:
        merged = merge_metadata(user.raw_user_meta_data, params.user_metadata)
        user = await users.update_user(db, user, now, raw_user_meta_data=merged)
    return user


async def delete_user(ctx: RequestContext) -> Response:
    """Delete the row, or only what identifies a person (should_soft_delete)."""
    admin = await require_admin(ctx)
    params = ctx.params(AdminUserDeleteParams) if ctx.body.strip() else AdminUserDeleteParams()
    async with ctx.transaction() as db:
        user = await _lock_user(ctx, db)
        if not params.should_soft_delete:
            await users.delete_user(db, user.id)
        elif user.deleted_at is None:
            await soft_delete(ctx, db, user)
        await audit.record_admin(
            ctx, db, admin, "user_deleted",
            user_email=user.email or "", user_id=str(user.id), user_phone=user.phone or "",
        )  # fmt: skip
    return json_response({})
