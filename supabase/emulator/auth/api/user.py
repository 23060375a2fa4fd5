"""GET and PUT /user: the signed-in user's own account."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.changes import apply_email, apply_phone, merge_metadata, set_password
from emulator.auth.accounts.email_change import send_email_change
from emulator.auth.accounts.mail import notify
from emulator.auth.accounts.phone import send_phone_token
from emulator.auth.accounts.pkce import Pkce
from emulator.auth.api.auth import SignedInUser, refuse_application, require_audience, require_user, require_user_with
from emulator.auth.api.password import check_password_strength
from emulator.auth.api.responses import json_response, load_user_payload
from emulator.auth.context import RequestContext
from emulator.auth.crypto.otp import matches
from emulator.auth.models import amr_claims, factors, identities, users
from emulator.auth.models.factors import Factor
from emulator.auth.models.identities import Identity
from emulator.auth.models.payloads import user_payload
from emulator.auth.models.sql import Db, Query
from emulator.auth.models.users import User
from emulator.auth.sms.send import is_approved, provider_checks
from emulator.auth.utilities import addresses

REAUTHENTICATE_AFTER = timedelta(hours=24)


@dataclass(frozen=True)
class UserUpdateParams:
    """The body of PUT. An absent password differs from an empty one."""

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


async def get_user(ctx: RequestContext) -> Response:
    """The signed-in user. It only reads, so it needs no transaction."""
    async with ctx.service.pool.connection() as db:
        caller, (user_identities, user_factors) = await require_user_with(ctx, db, _queries)
    require_audience(ctx, caller)
    return json_response(user_payload(caller.user, user_identities, user_factors))


def _queries(user_id: UUID) -> tuple[Query[Identity], Query[Factor]]:
    return identities.identities_query(user_id), factors.factors_query(user_id)


async def update_user(ctx: RequestContext) -> Response:
    """Change the metadata, password, address or number of the signed-in user, in GoTrue's order of errors."""
    ctx.check_rate_limit(ctx.rate_limits.user)
    async with ctx.service.pool.connection() as db:
        caller = await require_user(ctx, db)
    require_audience(ctx, caller)
    params, pkce = await _validate(ctx, caller)
    password = await _hash_new_password(ctx, caller, params)
    async with ctx.transaction() as db:
        caller = await require_user(ctx, db, lock=True)
        await _check_allowed(ctx, db, caller, params)
        if password is not None:
            await _check_password_change(ctx, db, caller, params, password)
        user = await _apply(ctx, db, caller, params, password.hash if password else "", pkce)
        await audit.record(ctx, db, user, "user_modified")
        return json_response(await load_user_payload(db, user))


async def _validate(ctx: RequestContext, caller: SignedInUser) -> tuple[UserUpdateParams, Pkce]:
    params = ctx.params(UserUpdateParams)
    if params.email:
        addresses.validate_email(params.email)
    if params.phone:
        addresses.validate_phone(params.phone)
        addresses.validate_channel(params.channel, ctx.settings.sms.provider)
    if params.password is not None:
        await check_password_strength(ctx, params.password)
    pkce = Pkce.parse(params.code_challenge, params.code_challenge_method)
    if params.app_metadata and caller.principal.role not in ctx.settings.jwt.admin_roles:
        raise errors.not_admin("Updating app_metadata requires admin privileges")
    return params, pkce


@dataclass(frozen=True)
class NewPassword:
    """What bcrypt says about a new password. It is slow, so it runs outside of any transaction."""

    hash: str
    is_same: bool
    current_is_valid: bool


async def _hash_new_password(ctx: RequestContext, caller: SignedInUser, params: UserUpdateParams) -> NewPassword | None:
    if params.password is None:
        return None
    hasher, current_hash = ctx.service.hasher, caller.user.encrypted_password
    check_current = ctx.settings.security.update_password_current and params.current_password is not None
    return NewPassword(
        await hasher.hash(params.password),
        caller.user.has_password and await hasher.verify(params.password, current_hash),
        bool(check_current) and await hasher.verify(params.current_password or "", current_hash),
    )


async def _check_allowed(ctx: RequestContext, db: Db, caller: SignedInUser, params: UserUpdateParams) -> None:
    user = caller.user
    sensitive = bool(params.email or params.phone or params.password is not None)
    if sensitive:
        refuse_application(ctx)
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
    if email and email != (user.email or "") and await users.email_owner(db, email, ctx.aud, user.id):
        raise errors.email_exists()
    phone = addresses.format_phone(params.phone)
    owner = await users.user_by_phone(db, phone, ctx.aud) if phone and phone != user.phone else None
    if owner is not None and owner.id != user.id:
        raise errors.phone_exists()


async def _check_password_change(
    ctx: RequestContext, db: Db, caller: SignedInUser, params: UserUpdateParams, password: NewPassword
) -> None:
    security, user, session = ctx.settings.security, caller.user, caller.session
    if security.update_password_reauthentication and session and ctx.now - session.created_at > REAUTHENTICATE_AFTER:
        await _check_nonce(ctx, user, params.nonce)
    if security.update_password_current and user.has_password:
        amr = await amr_claims.amr_of(db, session.id) if session else []
        recovering = any(claim.authentication_method == "recovery" for claim in amr)
        if not recovering and not password.current_is_valid:
            raise errors.current_password_required(params.current_password is not None)
    if password.is_same:
        raise errors.same_password()


async def _check_nonce(ctx: RequestContext, user: User, nonce: str) -> None:
    if not nonce:
        raise errors.reauthentication_needed()
    by_mail = bool(user.email)
    exp_s = ctx.settings.mailer.otp_exp_s if by_mail else ctx.settings.sms.otp_exp_s
    sent = user.reauthentication_sent_at
    fresh = sent is not None and (ctx.now - sent).total_seconds() < exp_s
    limiter, key, clock = ctx.rate_limits.wrong_codes, user.reauthentication_token or "", ctx.service.clock()
    if limiter.is_exhausted(key, clock):
        raise errors.reauthentication_not_valid()
    if provider_checks(ctx) and not by_mail and user.reauthentication_token:
        is_right = await is_approved(ctx, user.phone or "", nonce)
    else:
        is_right = fresh and matches(user.reauthentication_token, user.email or user.phone or "", nonce)
    if not is_right:
        limiter.take(key, clock)
        raise errors.reauthentication_not_valid()


async def _apply(
    ctx: RequestContext, db: Db, caller: SignedInUser, params: UserUpdateParams, password_hash: str, pkce: Pkce
) -> User:
    user, now = caller.user, ctx.now
    if params.data:
        user = await users.update_user(
            db, user, now, raw_user_meta_data=merge_metadata(user.raw_user_meta_data, params.data)
        )
    if params.app_metadata:
        metadata = merge_metadata(user.raw_app_meta_data, params.app_metadata)
        user = await users.update_user(db, user, now, raw_app_meta_data=metadata)
    if password_hash:
        user = await set_password(ctx, db, user, password_hash, keep=caller.session.id if caller.session else None)
        await audit.record(ctx, db, user, "user_updated_password")
        notify(ctx, user, "password_changed")
    email = params.email.lower()
    if email and email != (user.email or ""):
        user = await _change_email(ctx, db, user, email, pkce)
    phone = addresses.format_phone(params.phone)
    if phone and phone != (user.phone or ""):
        user = await _change_phone(ctx, db, user, phone, params.channel or "sms")
    return user


async def _change_email(ctx: RequestContext, db: Db, user: User, email: str, pkce: Pkce) -> User:
    if not (user.is_anonymous and ctx.settings.mailer.autoconfirm):
        return await send_email_change(ctx, db, user, email, pkce)
    return await apply_email(ctx, db, user, email)


async def _change_phone(ctx: RequestContext, db: Db, user: User, phone: str, channel: str) -> User:
    if not ctx.settings.sms.autoconfirm:
        return (await send_phone_token(ctx, db, user, "phone_change", phone, channel))[0]
    return await apply_phone(ctx, db, user, phone)
