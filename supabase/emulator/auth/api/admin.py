"""/admin/users: every account, for those whose token says service_role."""

import base64
import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.changes import merge_metadata, set_identity_address, update_app_metadata_providers
from emulator.auth.accounts.confirmation import confirm_email, confirm_phone
from emulator.auth.accounts.creation import identity_data, signup_new_user
from emulator.auth.api.auth import path_uuid, require_admin
from emulator.auth.api.pagination import page_headers, parse_page, parse_sort
from emulator.auth.api.responses import answer
from emulator.auth.api.user import set_password
from emulator.auth.conf.env import parse_duration_s
from emulator.auth.context import Call
from emulator.auth.crypto import password
from emulator.auth.models import factors, identities, one_time_tokens, sessions, users, webauthn_credentials
from emulator.auth.models.payloads import user_payload
from emulator.auth.models.sql import NIL_UUID, Db
from emulator.auth.models.users import User
from emulator.auth.utilities import addresses


@dataclass(frozen=True)
class AdminUserParams:
    """The body of POST and PUT; absent differs from empty for most."""

    id: str = ""
    aud: str = ""
    role: str = ""
    email: str = ""
    phone: str = ""
    password: str | None = None
    password_hash: str = ""
    email_confirm: bool = False
    phone_confirm: bool = False
    user_metadata: dict[str, Any] | None = None
    app_metadata: dict[str, Any] | None = None
    ban_duration: str = ""


@dataclass(frozen=True)
class AdminUserDeleteParams:
    """The optional body of DELETE."""

    should_soft_delete: bool = False


async def list_users(call: Call) -> Response:
    """A page of users of the request's audience; identities are not loaded."""
    require_admin(call)
    page, order = parse_page(call), parse_sort(call)
    async with call.transaction() as db:
        page_users, total = await users.list_users(
            db, call.aud, search=call.query("filter"), order=order, limit=page.size, offset=page.offset
        )
    payload = {"users": [user_payload(user, None) for user in page_users], "aud": call.aud}
    return answer(payload, headers=page_headers(call, page, total))


async def _load(call: Call, db: Db) -> User:
    user = await users.lock_user(db, path_uuid(call, "user_id", "user_id must be an UUID"))
    if user is None:
        raise errors.user_not_found()
    return user


async def _payload(db: Db, user: User) -> dict[str, Any]:
    known = await identities.identities_of(db, user.id)
    return user_payload(user, known, await factors.factors_of(db, user.id))


async def get_user(call: Call) -> Response:
    """One user."""
    require_admin(call)
    async with call.transaction() as db:
        return answer(await _payload(db, await _load(call, db)))


async def create_user(call: Call) -> Response:
    """A user as described, no mail sent."""
    claims = require_admin(call)
    params = call.params(AdminUserParams)
    email = addresses.validate_email(params.email) if params.email else None
    phone = addresses.validate_phone(params.phone) if params.phone else None
    if not email and not phone:
        raise errors.validation_failed("Cannot create a user without either an email or phone")
    hashed = await _hash_given(call, params)
    user_id, banned = _parse_id(params.id), _parse_ban(params.ban_duration)
    aud = params.aud or call.aud
    async with call.transaction() as db:
        if email and await users.email_owner(db, email, aud):
            raise errors.email_exists()
        if phone and await users.user_by_phone(db, phone, aud):
            raise errors.phone_exists("Phone number already registered by another user")
        providers = [name for name, given in (("email", email), ("phone", phone)) if given]
        user = await signup_new_user(
            call, db, aud=aud, email=email, phone=phone, encrypted_password=hashed, user_id=user_id,
            role=params.role, user_metadata=merge_metadata({}, params.user_metadata or {}), announced=False,
            app_metadata=merge_metadata(
                {"provider": providers[0], "providers": providers}, params.app_metadata or {}
            ),
        )  # fmt: skip
        for provider, address in (("email", email), ("phone", phone)):
            if address:
                data = identity_data(
                    user.id, email=email if provider == "email" else None, phone=phone if provider == "phone" else None,
                    verified=provider == "email" and params.email_confirm,
                    phone_verified=provider == "phone" and params.phone_confirm,
                )  # fmt: skip
                await identities.insert_identity(db, user.id, provider, str(user.id), data, call.now)
        if email and params.email_confirm:
            user = await confirm_email(call, db, user)
        if phone and params.phone_confirm:
            user = await confirm_phone(call, db, user)
        if banned is not None:
            user = await users.update_user(db, user, call.now, banned_until=_until(call, banned))
        await audit.record_admin(
            call, db, claims, "user_signedup", user_email=email or "", user_id=str(user.id), user_phone=phone or ""
        )
        return answer(await _payload(db, user))


async def _hash_given(call: Call, params: AdminUserParams) -> str:
    if params.password and params.password_hash:
        raise errors.validation_failed("Only a password or a password hash should be provided")
    if params.password_hash:
        if not password.is_supported_hash(params.password_hash):
            raise errors.unexpected_failure("Database error creating new user")
        return params.password_hash
    if params.password and len(params.password.encode()) > password.MAX_BYTES:
        raise errors.validation_failed("bcrypt: password length exceeds 72 bytes")
    return await call.service.hasher.hash(params.password or password.random_password())


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


def _parse_ban(text: str) -> float | None:
    """Seconds; 0 lifts a ban, None leaves things as they are."""
    if not text:
        return None
    if text == "none":
        return 0.0
    try:
        seconds = parse_duration_s(text)
    except ValueError as error:
        raise errors.validation_failed(f"invalid format for ban duration: {error}") from None
    if abs(seconds) > 290 * 365 * 86400:
        raise errors.validation_failed(f'invalid format for ban duration: time: invalid duration "{text}"')
    return seconds


def _until(call: Call, seconds: float) -> Any:
    return call.now + timedelta(seconds=seconds) if seconds else None


async def update_user(call: Call) -> Response:
    """Change what is given; any refusal of the database is a plain failure, as upstream."""
    claims = require_admin(call)
    params = call.params(AdminUserParams)
    email = addresses.validate_email(params.email) if params.email else None
    phone = addresses.validate_phone(params.phone) if params.phone else None
    banned = _parse_ban(params.ban_duration)
    hashed = ""
    if params.password is not None:
        password.check_strength(params.password, call.settings.password)
        hashed = await call.service.hasher.hash(params.password)
    try:
        async with call.transaction() as db:
            user = await _load(call, db)
            user = await _change(call, db, user, params, email, phone, hashed)
            if banned is not None:
                user = await users.update_user(db, user, call.now, banned_until=_until(call, banned))
                if user.is_banned(call.now):
                    await sessions.delete_sessions(db, user.id)
            await audit.record_admin(
                call, db, claims, "user_modified",
                user_email=user.email or "", user_id=str(user.id), user_phone=user.phone or "",
            )  # fmt: skip
            payload = await _payload(db, user)
    except (psycopg.errors.IntegrityError, psycopg.errors.DataError) as error:
        raise errors.unexpected_failure("Error updating user") from error
    return answer(payload)


async def _change(
    call: Call, db: Db, user: User, params: AdminUserParams, email: str | None, phone: str | None, hashed: str
) -> User:
    now = call.now
    if params.role or params.aud:
        changes = {name: value for name, value in (("role", params.role), ("aud", params.aud)) if value}
        user = await users.update_user(db, user, now, **changes)
    if params.email_confirm:
        user = await confirm_email(call, db, user)
    if params.phone_confirm:
        user = await confirm_phone(call, db, user)
    if hashed:
        user = await set_password(call, db, user, hashed)
    if email:
        user = await users.update_user(db, user, now, email=email)
        await set_identity_address(call, db, user, "email", email, params.email_confirm)
    if phone:
        user = await users.update_user(db, user, now, phone=phone)
        await set_identity_address(call, db, user, "phone", phone, params.phone_confirm)
    if email or phone:
        user = await update_app_metadata_providers(call, db, user)
    if params.app_metadata is not None:
        merged = merge_metadata(user.raw_app_meta_data, params.app_metadata)
        user = await users.update_user(db, user, now, raw_app_meta_data=merged)
    if params.user_metadata is not None:
        merged = merge_metadata(user.raw_user_meta_data, params.user_metadata)
        user = await users.update_user(db, user, now, raw_user_meta_data=merged)
    return user


async def delete_user(call: Call) -> Response:
    """For good, or leaving an anonymised row."""
    claims = require_admin(call)
    params = call.params(AdminUserDeleteParams) if call.body.strip() else AdminUserDeleteParams()
    async with call.transaction() as db:
        user = await _load(call, db)
        if not params.should_soft_delete:
            await users.delete_user(db, user.id)
        elif user.deleted_at is None:
            await _anonymise(call, db, user)
        await audit.record_admin(
            call, db, claims, "user_deleted",
            user_email=user.email or "", user_id=str(user.id), user_phone=user.phone or "",
        )  # fmt: skip
    return answer({})


async def _anonymise(call: Call, db: Db, user: User) -> None:
    now = call.now
    await users.update_user(
        db, user, now,
        email=_obscured(user, user.email or ""), phone=_obscured(user, user.phone or "")[:15],
        email_change="", phone_change="", encrypted_password=None, deleted_at=now,
        raw_user_meta_data={}, raw_app_meta_data={}, confirmation_token="", recovery_token="",
        email_change_token_current="", email_change_token_new="", phone_change_token="", reauthentication_token="",
    )  # fmt: skip
    await one_time_tokens.drop_tokens(db, user.id)
    for identity in await identities.identities_of(db, user.id):
        hidden = _obscured(user, f"{identity.provider_id}")
        await identities.update_identity(db, identity, now, identity_data={}, provider_id=hidden)
    await factors.delete_factors(db, user.id)
    await webauthn_credentials.delete_credentials(db, user.id)
    await sessions.delete_sessions(db, user.id)


def _obscured(user: User, value: str) -> str:
    digest = hashlib.sha256((str(user.id) + value).encode()).digest()
    return base64.urlsafe_b64encode(digest).decode()
