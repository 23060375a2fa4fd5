"""GET and PUT /user: the signed-in user's own account."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.changes import (
    find_identity,
    merge_metadata,
    set_identity_address,
    update_app_metadata_providers,
)
from emulator.auth.accounts.mail import Pkce, send_email_change, send_phone_token
from emulator.auth.api.auth import Caller, require_audience, require_user, require_user_with
from emulator.auth.api.responses import answer
from emulator.auth.context import Call
from emulator.auth.crypto import password
from emulator.auth.crypto.otp import matches
from emulator.auth.models import amr_claims, factors, identities, one_time_tokens, sessions, users
from emulator.auth.models.factors import Factor
from emulator.auth.models.identities import Identity
from emulator.auth.models.payloads import user_payload
from emulator.auth.models.sql import Db, Query, fetch_together
from emulator.auth.models.users import User
from emulator.auth.utilities import addresses

FRESH_SESSION = timedelta(hours=24)


@dataclass(frozen=True)
class UserUpdateParams:
    """The body of PUT /user. An absent password differs from an empty one."""

    email: str = ""
    phone: str = ""
    password: str | None = None
    current_password: str | None = None
    nonce: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    app_metadata: dict[str, Any] = field(default_factory=dict)
    channel: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def get_user(call: Call) -> Response:
    """Who I am. Only reads: no transaction."""
    async with call.service.pool.connection() as db:
        caller, (identities, factors) = await require_user_with(call, db, _parts)
    require_audience(call, caller)
    return answer(user_payload(caller.user, identities, factors))


def _parts(user_id: UUID) -> tuple[Query[Identity], Query[Factor]]:
    return identities.identities_query(user_id), factors.factors_query(user_id)


async def _payload(db: Db, user: User) -> dict[str, Any]:
    identities, factors = await fetch_together(db, *_parts(user.id))
    return user_payload(user, identities, factors)


async def update_user(call: Call) -> Response:
    """Change my metadata, password, address or number; GoTrue's order of complaints."""
    call.limit("user", call.settings.rates.otp)
    async with call.service.pool.connection() as db:
        caller = await require_user(call, db)
    require_audience(call, caller)
    params, pkce = _checked(call, caller)
    password = await _examine(call, caller, params)
    async with call.transaction() as db:
        caller = await require_user(call, db, lock=True)
        await _allow(call, db, caller, params)
        if password is not None:
            await _allow_password(call, db, caller, params, password)
        user = await _apply(call, db, caller, params, password.new_hash if password else "", pkce)
        await audit.record(call, db, user, "user_modified")
        return answer(await _payload(db, user))


def _checked(call: Call, caller: Caller) -> tuple[UserUpdateParams, Pkce]:
    params = call.params(UserUpdateParams)
    if params.email:
        addresses.validate_email(params.email)
    if params.phone:
        addresses.validate_phone(params.phone)
        addresses.validate_channel(params.channel)
    if params.password is not None:
        password.check_strength(params.password, call.settings.password)
    pkce = Pkce.checked(params.code_challenge, params.code_challenge_method)
    if params.app_metadata and caller.claims.get("role") not in call.settings.jwt.admin_roles:
        raise errors.not_admin("Updating app_metadata requires admin privileges")
    return params, pkce


@dataclass(frozen=True)
class Examined:
    """What bcrypt, which is slow and so asked outside of any transaction, says about a wished password."""

    new_hash: str
    is_same: bool
    knows_current: bool


async def _examine(call: Call, caller: Caller, params: UserUpdateParams) -> Examined | None:
    if params.password is None:
        return None
    hasher, present = call.service.hasher, caller.user.encrypted_password
    asked = call.settings.security.update_password_current and params.current_password is not None
    return Examined(
        await hasher.hash(params.password),
        caller.user.has_password and await hasher.verify(params.password, present),
        bool(asked) and await hasher.verify(params.current_password or "", present),
    )


async def _allow(call: Call, db: Db, caller: Caller, params: UserUpdateParams) -> None:
    user = caller.user
    sensitive = bool(params.email or params.phone or params.password is not None)
    if (
        sensitive
        and caller.session is not None
        and caller.aal == "aal1"
        and any(factor.is_verified for factor in await factors.factors_of(db, user.id))
    ):
        raise errors.insufficient_aal("AAL2 session is required to update email or password when MFA is enabled.", 401)
    if user.is_anonymous and params.password is not None and not params.email and not params.phone:
        text = "Updating password of an anonymous user without an email or phone is not allowed"
        raise errors.validation_failed(text, 422)
    if user.is_sso_user and sensitive:
        raise errors.user_sso_managed()
    email = params.email.lower()
    if email and email != (user.email or "") and await users.email_owner(db, email, call.aud, user.id):
        raise errors.email_exists()
    phone = addresses.format_phone(params.phone)
    owner = await users.user_by_phone(db, phone, call.aud) if phone and phone != user.phone else None
    if owner is not None and owner.id != user.id:
        raise errors.phone_exists()


async def _allow_password(call: Call, db: Db, caller: Caller, params: UserUpdateParams, password: Examined) -> None:
    security, user, session = call.settings.security, caller.user, caller.session
    if security.update_password_reauthentication and session and call.now - session.created_at > FRESH_SESSION:
        _check_nonce(call, user, params.nonce)
    if security.update_password_current and user.has_password:
        amr = await amr_claims.amr_of(db, session.id) if session else []
        recovering = any(claim.authentication_method == "recovery" for claim in amr)
        if not recovering and not password.knows_current:
            raise errors.current_password_required(params.current_password is not None)
    if password.is_same:
        raise errors.same_password()


def _check_nonce(call: Call, user: User, nonce: str) -> None:
    if not nonce:
        raise errors.reauthentication_needed()
    by_mail = bool(user.email)
    exp_s = call.settings.mailer.otp_exp_s if by_mail else call.settings.sms.otp_exp_s
    sent = user.reauthentication_sent_at
    fresh = sent is not None and (call.now - sent).total_seconds() < exp_s
    if not fresh or not matches(user.reauthentication_token, user.email or user.phone or "", nonce):
        raise errors.reauthentication_not_valid()


async def _apply(call: Call, db: Db, caller: Caller, params: UserUpdateParams, password_hash: str, pkce: Pkce) -> User:
    user, now = caller.user, call.now
    if params.data:
        user = await users.update_user(
            db, user, now, raw_user_meta_data=merge_metadata(user.raw_user_meta_data, params.data)
        )
    if params.app_metadata:
        metadata = merge_metadata(user.raw_app_meta_data, params.app_metadata)
        user = await users.update_user(db, user, now, raw_app_meta_data=metadata)
    if password_hash:
        user = await set_password(call, db, user, password_hash, keep=caller.session.id if caller.session else None)
        await audit.record(call, db, user, "user_updated_password")
    email = params.email.lower()
    if email and email != (user.email or ""):
        user = await _change_email(call, db, user, email, pkce)
    phone = addresses.format_phone(params.phone)
    if phone and phone != (user.phone or ""):
        user = await _change_phone(call, db, user, phone)
    return user


async def set_password(call: Call, db: Db, user: User, password_hash: str, *, keep: Any = None) -> User:
    """The new password ends every other session and every token that mails carry."""
    user = await users.update_user(
        db, user, call.now, encrypted_password=password_hash, confirmation_token="", confirmation_sent_at=None,
        recovery_token="", recovery_sent_at=None, email_change_token_current="", email_change_token_new="",
        phone_change_token="", reauthentication_token="", reauthentication_sent_at=None,
    )  # fmt: skip
    await one_time_tokens.drop_tokens(db, user.id)
    await sessions.delete_sessions(db, user.id, besides=keep)
    if user.email and await find_identity(db, user, "email") is None and user.email_confirmed_at:
        await set_identity_address(call, db, user, "email", user.email, True)
        user = await update_app_metadata_providers(call, db, user)
    return user


async def _change_email(call: Call, db: Db, user: User, email: str, pkce: Pkce) -> User:
    if not (user.is_anonymous and call.settings.mailer.autoconfirm):
        return await send_email_change(call, db, user, email, pkce)
    return await apply_email(call, db, user, email)


async def apply_email(call: Call, db: Db, user: User, email: str) -> User:
    """The address is proven (or need not be): it becomes the user's."""
    metadata = {**(user.raw_user_meta_data or {}), "email": email, "email_verified": True}
    try:
        user = await users.update_user(
            db, user, call.now, email=email, email_change="", email_change_token_new="",
            email_change_token_current="", email_change_confirm_status=0, email_confirmed_at=call.now,
            is_anonymous=False, raw_user_meta_data=metadata,
        )  # fmt: skip
    except psycopg.errors.UniqueViolation as error:
        raise errors.email_exists() from error
    await one_time_tokens.drop_tokens(db, user.id, "email_change_token_new", "email_change_token_current")
    await set_identity_address(call, db, user, "email", email, True)
    return await update_app_metadata_providers(call, db, user)


async def _change_phone(call: Call, db: Db, user: User, phone: str) -> User:
    if not call.settings.sms.autoconfirm:
        return (await send_phone_token(call, db, user, "phone_change", phone))[0]
    return await apply_phone(call, db, user, phone)


async def apply_phone(call: Call, db: Db, user: User, phone: str) -> User:
    """The number is proven (or need not be): it becomes the user's."""
    try:
        user = await users.update_user(
            db, user, call.now, phone=phone, phone_change="", phone_change_token="", phone_confirmed_at=call.now,
            is_anonymous=False,
        )  # fmt: skip
    except psycopg.errors.UniqueViolation as error:
        raise errors.phone_exists() from error
    await one_time_tokens.drop_tokens(db, user.id, "phone_change_token")
    await set_identity_address(call, db, user, "phone", phone, True)
    return await update_app_metadata_providers(call, db, user)
