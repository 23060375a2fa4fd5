"""E-mail addresses and phone numbers: what is accepted, and how it is stored."""

import re

from emulator.auth.errors import validation_failed

# The pattern of HTML's <input type=email>: https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
_EMAIL = re.compile(
    r"[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*"
)
_PHONE = re.compile(r"[1-9][0-9]{1,14}")
MAX_EMAIL_LENGTH = 255


def validate_email(email: str) -> str:
    """The address in lower case; raises validation_failed."""
    if not email:
        raise validation_failed("An email address is required")
    if len(email) > MAX_EMAIL_LENGTH:
        raise validation_failed("An email address is too long")
    if _EMAIL.fullmatch(email) is None:
        raise validation_failed("Unable to validate email address: invalid format")
    return email.lower()


def format_phone(phone: str) -> str:
    """Digits only, as stored: no plus sign, no spaces."""
    return phone.replace("+", "", 1).replace(" ", "") if phone.startswith("+") else phone.replace(" ", "")


def validate_phone(phone: str) -> str:
    """The number as stored; raises validation_failed."""
    formatted = format_phone(phone)
    if _PHONE.fullmatch(formatted) is None:
        raise validation_failed("Invalid phone number format (E.164 required)")
    return formatted


def validate_channel(channel: str, sms_provider: str) -> str:
    """sms by default; raises validation_failed. Twilio alone sends by WhatsApp, too."""
    if channel in ("", "sms") or (channel == "whatsapp" and sms_provider in ("twilio", "twilio_verify")):
        return channel or "sms"
    raise validation_failed(
        "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or "
        "Twilio Verify is used as the provider."
    )
