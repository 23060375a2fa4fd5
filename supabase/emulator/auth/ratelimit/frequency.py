"""The least time between two mails or text messages to one account."""

from datetime import datetime

from emulator.auth import errors

EMAIL_LIMIT, SMS_LIMIT = "over_email_send_rate_limit", "over_sms_send_rate_limit"


def check_frequency(sent_at: datetime | None, now: datetime, interval_s: float, code: str) -> None:
    """Raise too_soon when the last one is younger than the interval."""
    if sent_at is not None and (now - sent_at).total_seconds() < interval_s:
        raise errors.too_soon(code, interval_s - (now - sent_at).total_seconds())
