"""The user of a one-time token that comes back: by its hash, or by a typed code and the address it was sent to."""

from dataclasses import dataclass

from emulator.auth import errors
from emulator.auth.accounts.phone import fixed_otp
from emulator.auth.context import RequestContext
from emulator.auth.crypto.otp import matches
from emulator.auth.hooks import v0hooks
from emulator.auth.models import users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.sms.send import is_approved, provider_checks
from emulator.auth.utilities import addresses
from emulator.errors import ApiError

_COLUMNS_OF_TYPE = {
    "signup": ("confirmation_token",),
    "invite": ("confirmation_token",),
    "recovery": ("recovery_token",),
    "magiclink": ("recovery_token",),
    "email": ("confirmation_token", "recovery_token"),
    "email_change": ("email_change_token_new", "email_change_token_current"),
}


@dataclass(frozen=True)
class ValidToken:
    """Whose token it is, and the column of auth.users that holds it."""

    user: User
    column: str


async def find_by_hash(ctx: RequestContext, db: Db, kind: str, token_hash: str, *, for_link: bool) -> ValidToken:
    """Raises validation_failed, otp_expired, user_banned. `for_link`: a mail's link never has the type "email"."""
    columns = _COLUMNS_OF_TYPE.get(kind)
    if columns is None or (for_link and kind == "email"):
        raise errors.validation_failed("Invalid email verification type")
    found = await users.user_by_token(db, token_hash, columns, ctx.aud)
    if found is None:
        raise errors.otp_expired(by_link=True)
    user, column = found
    if user.is_banned(ctx.now):
        raise errors.user_banned()
    if _is_expired(ctx, user, column, by_phone=False):
        raise errors.otp_expired(by_link=True)
    return ValidToken(user, column)


async def find_by_code(ctx: RequestContext, db: Db, kind: str, code: str, *, email: str, phone: str) -> ValidToken:
    """Raises validation_failed, otp_expired, user_banned. One of `email` and `phone` is empty."""
    user, address = await _find_addressee(ctx, db, kind, email, phone)
    if user is None:
        raise errors.otp_expired()
    user = await users.lock_user(db, user.id) or user
    if user.is_banned(ctx.now):
        raise errors.user_banned()
    columns = _columns(user, kind, address)
    if phone and fixed_otp(ctx, address) == code:
        return ValidToken(user, columns[0])  # a test number's code may be used again and again
    if phone and provider_checks(ctx) and not v0hooks.is_enabled(ctx, "send_sms"):
        if not await _is_approved(ctx, getattr(user, columns[0]), address, code):
            raise errors.otp_expired()
        return ValidToken(user, columns[0])  # whose code it is, and until when it is good, Twilio Verify knows
    column = next((name for name in columns if _matches(ctx, getattr(user, name), address, code)), None)
    if column is None or _is_expired(ctx, user, column, by_phone=bool(phone)):
        raise errors.otp_expired()
    return ValidToken(user, column)


def _matches(ctx: RequestContext, stored: str | None, address: str, code: str) -> bool:
    """Whether a typed code is the stored one. MAX_WRONG_CODES wrong ones void it; the link of its mail still works."""
    limiter, key, now = ctx.rate_limits.wrong_codes, stored or "", ctx.service.clock()
    if not stored or limiter.is_exhausted(key, now):
        return False
    if matches(stored, address, code):
        return True
    limiter.take(key, now)
    return False


async def _is_approved(ctx: RequestContext, stored: str | None, phone: str, code: str) -> bool:
    """The same by Twilio Verify, which is asked only where a code was sent."""
    limiter, key, now = ctx.rate_limits.wrong_codes, stored or "", ctx.service.clock()
    if not stored or limiter.is_exhausted(key, now):
        return False
    if await is_approved(ctx, phone, code):
        return True
    limiter.take(key, now)
    return False


async def _find_addressee(ctx: RequestContext, db: Db, kind: str, email: str, phone: str) -> tuple[User | None, str]:
    if phone:
        phone = addresses.validate_phone(phone)
        if kind == "phone_change":
            return await users.user_by_phone_change(db, phone, ctx.aud), phone
        return await users.user_by_phone(db, phone, ctx.aud) if kind == "sms" else None, phone
    try:
        email = addresses.validate_email(email)
    except ApiError:
        raise errors.validation_failed("Invalid email format", 422) from None
    if kind == "email_change":
        return await users.user_by_email_change(db, email, ctx.aud), email
    if kind not in _COLUMNS_OF_TYPE:  # a kind for phones, or none at all
        return None, email
    return await users.user_by_email(db, email, ctx.aud), email


def _columns(user: User, kind: str, address: str) -> tuple[str, ...]:
    """Where a code of that type may be; a change of address has a column for each address."""
    if kind == "sms":
        return ("confirmation_token",)
    if kind == "phone_change":
        return ("phone_change_token",)
    if kind == "email_change":
        is_new = address == (user.email_change or "").lower()
        return ("email_change_token_new",) if is_new else ("email_change_token_current",)
    return _COLUMNS_OF_TYPE.get(kind, ())


def _is_expired(ctx: RequestContext, user: User, column: str, *, by_phone: bool) -> bool:
    sent_column = "email_change_sent_at" if column.startswith("email_change") else column.replace("_token", "_sent_at")
    sent = getattr(user, sent_column)
    lifetime_s = ctx.settings.sms.otp_exp_s if by_phone else ctx.settings.mailer.otp_exp_s
    return sent is None or (ctx.now - sent).total_seconds() >= lifetime_s
