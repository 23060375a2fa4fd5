"""POST /invite and /admin/generate_link: mails that an admin causes, and links that an admin sends by own means."""

from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts import mail
from emulator.auth.accounts.changes import merge_metadata
from emulator.auth.accounts.creation import hash_random_password, signup_invited_user
from emulator.auth.accounts.mail import CONFIRMATION, EMAIL_CHANGE, INVITE, MAGIC_LINK, RECOVERY, Issued, MailKind
from emulator.auth.api.auth import require_admin
from emulator.auth.api.responses import answer
from emulator.auth.context import Call
from emulator.auth.crypto import password
from emulator.auth.models import identities, one_time_tokens, users
from emulator.auth.models.payloads import user_payload
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.utilities import addresses
from emulator.jwt import Claims

KINDS = {
    "signup": CONFIRMATION, "invite": INVITE, "magiclink": MAGIC_LINK, "recovery": RECOVERY,
    "email_change_current": EMAIL_CHANGE, "email_change_new": EMAIL_CHANGE,
}  # fmt: skip


@dataclass(frozen=True)
class InviteParams:
    """The body of /invite."""

    email: str = ""
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class GenerateLinkParams:
    """The body of /admin/generate_link."""

    type: str = ""
    email: str = ""
    new_email: str = ""
    password: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    redirect_to: str = ""


async def invite(call: Call) -> Response:
    """Create the account, mail its owner."""
    claims = require_admin(call)
    params = call.params(InviteParams)
    email = addresses.validate_email(params.email)
    async with call.transaction() as db:
        user = await _invited(call, db, claims, email, params.data)
        user = await mail.send_mail_token(call, db, user, INVITE, hasty=True, invited_at=call.now)
        return answer(user_payload(user, await identities.identities_of(db, user.id)))


async def _invited(call: Call, db: Db, claims: Claims, email: str, data: dict[str, Any]) -> User:
    """The account to invite; raises email_exists when its owner is in already."""
    user = await users.email_owner(db, email, call.aud)
    if user is not None and user.email_confirmed_at is not None:
        raise errors.email_exists()
    if user is None:
        user = await signup_invited_user(call, db, email, data, call.aud)
    await audit.record_admin(call, db, claims, "user_invited", user_id=str(user.id), user_email=email)
    return user


async def generate_link(call: Call) -> Response:
    """Store a token as if it was mailed, mail nothing, and tell the admin."""
    claims = require_admin(call)
    params = call.params(GenerateLinkParams)
    if params.type not in KINDS:
        raise errors.validation_failed(f"Invalid email action link type requested: {params.type}")
    email = addresses.validate_email(params.email)
    hashed = await _password_hash(call, params)
    async with call.transaction() as db:
        user, kind = await _subject(call, db, claims, params, email, hashed)
        user, issued = await _issue(call, db, user, kind, params)
        payload = user_payload(user, await identities.identities_of(db, user.id))
    redirect_to = call.redirect_to(params.redirect_to)
    link_type = params.type if params.type.startswith("email_change") else kind.link_type
    return answer(
        payload
        | {
            "action_link": mail.link(call, kind, issued.token_hash, redirect_to),
            "email_otp": issued.otp,
            "hashed_token": issued.token_hash,
            "verification_type": link_type,
            "redirect_to": redirect_to,
        }
    )


async def _password_hash(call: Call, params: GenerateLinkParams) -> str:
    """Of the given password for a sign-up, of a random one for the rest."""
    if params.type == "signup":
        if not params.password:
            raise errors.validation_failed("Signup requires a valid password")
        password.check_strength(params.password, call.settings.password)
        return await call.service.hasher.hash(params.password)
    return await hash_random_password(call) if params.type == "magiclink" else ""


async def _subject(
    call: Call, db: Db, claims: Claims, params: GenerateLinkParams, email: str, hashed: str
) -> tuple[User, MailKind]:
    """Whom the link is for, and what kind it really is: a magic link for a stranger is a sign-up."""
    kind = KINDS[params.type]
    if params.type == "invite":
        invited = await _invited(call, db, claims, email, params.data)
        return await users.update_user(db, invited, call.now, invited_at=call.now), kind
    user = await users.email_owner(db, email, call.aud)
    if params.type == "signup" or params.type == "magiclink" and user is None:
        return await _signed_up(call, db, user, params, email, hashed), CONFIRMATION
    if user is None:
        raise errors.user_not_found("User with this email not found")
    await audit.record(call, db, user, "user_recovery_requested")
    return user, kind


async def _signed_up(
    call: Call, db: Db, user: User | None, params: GenerateLinkParams, email: str, hashed: str
) -> User:
    if user is None:
        user = await signup_invited_user(call, db, email, params.data, call.aud)
        return await users.update_user(db, user, call.now, encrypted_password=hashed)
    if user.email_confirmed_at is not None:
        raise errors.email_exists()
    merged = merge_metadata(user.raw_user_meta_data, params.data)
    return await users.update_user(db, user, call.now, raw_user_meta_data=merged)


async def _issue(call: Call, db: Db, user: User, kind: MailKind, params: GenerateLinkParams) -> tuple[User, Issued]:
    if kind is not EMAIL_CHANGE:
        return await mail.issue(call, db, user, kind)
    if params.type == "email_change_current" and not call.settings.mailer.secure_email_change:
        raise errors.validation_failed("Enable secure email change to generate link for current email")
    new_email = addresses.validate_email(params.new_email)
    owner = await users.email_owner(db, new_email, call.aud, user.id)
    if owner is not None:
        raise errors.email_exists()
    is_new = params.type == "email_change_new"
    address = new_email if is_new else user.email or ""
    column = "email_change_token_new" if is_new else "email_change_token_current"
    issued = mail.make_token(call, address)
    await one_time_tokens.put_token(db, user.id, column, issued.token_hash, address, call.now)
    changes: dict[str, Any] = {
        column: issued.token_hash, "email_change": new_email, "email_change_sent_at": call.now,
        "email_change_confirm_status": 0,
    }  # fmt: skip
    return await users.update_user(db, user, call.now, **changes), issued
