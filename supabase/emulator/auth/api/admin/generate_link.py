"""POST /admin/generate_link: the link of a mail, for an admin who sends it by other means."""

from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.changes import merge_metadata
from emulator.auth.accounts.creation import find_or_invite_user, hash_random_password, signup_invited_user
from emulator.auth.accounts.mail import confirmation_url
from emulator.auth.accounts.mail_tokens import (
    CONFIRMATION,
    EMAIL_CHANGE,
    INVITE,
    MAGIC_LINK,
    RECOVERY,
    MailKind,
    OneTimeToken,
    issue_token,
    make_token,
)
from emulator.auth.api.auth import require_admin
from emulator.auth.api.password import check_password_strength
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import identities, one_time_tokens, users
from emulator.auth.models.payloads import user_payload
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.utilities import addresses
from emulator.principal import Principal

KINDS = {
    "signup": CONFIRMATION, "invite": INVITE, "magiclink": MAGIC_LINK, "recovery": RECOVERY,
    "email_change_current": EMAIL_CHANGE, "email_change_new": EMAIL_CHANGE,
}  # fmt: skip


@dataclass(frozen=True)
class GenerateLinkParams:
    """The body of /admin/generate_link."""

    type: str = ""
    email: str = ""
    new_email: str = ""
    password: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    redirect_to: str = ""


async def generate_link(ctx: RequestContext) -> Response:
    """Store a token as for a mail, and respond with its link and code instead of sending them."""
    admin = await require_admin(ctx)
    params = ctx.params(GenerateLinkParams)
    email = addresses.validate_email(params.email)
    if params.type not in KINDS:
        raise errors.validation_failed(f"Invalid email action link type requested: {params.type}")
    hashed = await _password_hash(ctx, params, email)
    async with ctx.transaction() as db:
        user, kind = await _find_user(ctx, db, admin, params, email, hashed)
        user, token = await _issue(ctx, db, user, kind, params)
        payload = user_payload(user, await identities.identities_of(db, user.id))
    redirect_to = ctx.redirect_to(params.redirect_to)
    link_type = params.type if params.type.startswith("email_change") else kind.link_type
    return json_response(
        payload
        | {
            "action_link": confirmation_url(ctx, kind, token.token_hash, redirect_to),
            "email_otp": token.otp,
            "hashed_token": token.token_hash,
            "verification_type": link_type,
            "redirect_to": redirect_to,
        }
    )


async def _password_hash(ctx: RequestContext, params: GenerateLinkParams, email: str) -> str:
    """The hash to sign up with; "" where no account is created. An account that exists keeps its password."""
    if params.type == "signup":
        async with ctx.service.pool.connection() as db:
            if await users.email_owner(db, email, ctx.aud) is not None:
                return ""
        if not params.password:
            raise errors.validation_failed("Signup requires a valid password")
        await check_password_strength(ctx, params.password)
        return await ctx.service.hasher.hash(params.password)
    return await hash_random_password(ctx) if params.type == "magiclink" else ""


async def _find_user(
    ctx: RequestContext, db: Db, admin: Principal, params: GenerateLinkParams, email: str, hashed: str
) -> tuple[User, MailKind]:
    """Whom the link is for, and its kind: a magic link for an unknown address is a sign-up."""
    kind = KINDS[params.type]
    if params.type == "invite":
        invited = await find_or_invite_user(ctx, db, admin, email, params.data)
        return await users.update_user(db, invited, ctx.now, invited_at=ctx.now), kind
    user = await users.email_owner(db, email, ctx.aud)
    if params.type == "signup" or params.type == "magiclink" and user is None:
        return await _sign_up(ctx, db, user, params, email, hashed), CONFIRMATION
    if user is None:
        raise errors.user_not_found("User with this email not found")
    await audit.record(ctx, db, user, "user_recovery_requested")
    return user, kind


async def _sign_up(
    ctx: RequestContext, db: Db, user: User | None, params: GenerateLinkParams, email: str, hashed: str
) -> User:
    if user is None:
        user = await signup_invited_user(ctx, db, email, params.data, ctx.aud)
        return await users.update_user(db, user, ctx.now, encrypted_password=hashed)
    if user.email_confirmed_at is not None:
        raise errors.email_exists()
    merged = merge_metadata(user.raw_user_meta_data, params.data)
    return await users.update_user(db, user, ctx.now, raw_user_meta_data=merged)


async def _issue(
    ctx: RequestContext, db: Db, user: User, kind: MailKind, params: GenerateLinkParams
) -> tuple[User, OneTimeToken]:
    if kind is not EMAIL_CHANGE:
        return await issue_token(ctx, db, user, kind)
    if params.type == "email_change_current" and not ctx.settings.mailer.secure_email_change:
        raise errors.validation_failed("Enable secure email change to generate link for current email")
    new_email = addresses.validate_email(params.new_email)
    owner = await users.email_owner(db, new_email, ctx.aud, user.id)
    if owner is not None:
        raise errors.email_exists()
    is_new = params.type == "email_change_new"
    address = new_email if is_new else user.email or ""
    column = "email_change_token_new" if is_new else "email_change_token_current"
    token = make_token(ctx, address)
    await one_time_tokens.put_token(db, user.id, column, token.token_hash, address, ctx.now)
    changes: dict[str, Any] = {
        column: token.token_hash, "email_change": new_email, "email_change_sent_at": ctx.now,
        "email_change_confirm_status": 0,
    }  # fmt: skip
    return await users.update_user(db, user, ctx.now, **changes), token
