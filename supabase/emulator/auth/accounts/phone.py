"""One-time codes for phone numbers: texted by the send_sms hook or a provider, or fixed for test numbers."""

from dataclasses import replace

from emulator.auth import errors
from emulator.auth.context import RequestContext
from emulator.auth.crypto.otp import hash_otp, make_otp
from emulator.auth.hooks import v0hooks
from emulator.auth.models import identities, one_time_tokens, users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.ratelimit.frequency import SMS_LIMIT, check_frequency
from emulator.auth.sms.providers import SmsError
from emulator.auth.sms.send import send_code

_COLUMNS = {
    "confirmation": ("confirmation_token", "confirmation_sent_at"),
    "phone_change": ("phone_change_token", "phone_change_sent_at"),
    "reauthentication": ("reauthentication_token", "reauthentication_sent_at"),
}


async def send_phone_token(
    ctx: RequestContext, db: Db, user: User, kind: str, phone: str, channel: str = "sms"
) -> tuple[User, str]:
    """Store a code and send it; also returns the message id: "test-otp" for a test number, else "", as GoTrue says.

    Raises too_soon, over_sms_send_rate_limit, sms_send_failed.
    """
    column, sent_at = _COLUMNS[kind]
    sms = ctx.settings.sms
    check_frequency(getattr(user, sent_at), ctx.now, sms.max_frequency_s, SMS_LIMIT)
    fixed = fixed_otp(ctx, phone)
    if fixed is None and not sms.autoconfirm and ctx.rate_limits.sms_sent.take("", ctx.service.clock()) > 0:
        raise errors.over_sms_send_rate_limit()
    otp = make_otp(sms.otp_length) if fixed is None else fixed
    token_hash = hash_otp(phone, otp)
    await one_time_tokens.put_token(db, user.id, column, token_hash, phone, ctx.now)
    changes = {column: token_hash, sent_at: ctx.now}
    if kind == "phone_change":
        changes["phone_change"] = phone
    if fixed is None and v0hooks.is_enabled(ctx, "send_sms"):  # the hook sees the account as it was
        shown = replace(user, phone_change=phone) if kind == "phone_change" else user
        await v0hooks.send_sms(ctx, db, shown, await identities.identities_of(db, user.id), phone, otp)
    elif fixed is None:
        try:
            await send_code(ctx, phone, otp, channel, sms.template)
        except SmsError as error:
            raise errors.sms_send_failed(kind, str(error)) from error
    return await users.update_user(db, user, ctx.now, **changes), "test-otp" if fixed is not None else ""


def fixed_otp(ctx: RequestContext, phone: str) -> str | None:
    """The code of a test number (SMS_TEST_OTP), until SMS_TEST_OTP_VALID_UNTIL."""
    sms = ctx.settings.sms
    if sms.test_otps_until is not None and ctx.now >= sms.test_otps_until:
        return None
    return sms.test_otps.get(phone)
