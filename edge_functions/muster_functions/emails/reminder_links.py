"""The signed link "Remind me in a week" of a certification's mail (§10.6). Pure.

It names the mail by certification, expiry and day, so that it does it once, and not after the date was changed.
"""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from muster_functions.emails import signed_tokens

PATH = "/functions/v1/remind-later"
_PURPOSE = b"muster: remind of one certification in a week, version 1"


@dataclass(frozen=True)
class Reminder:
    """A reminder that was mailed."""

    certification_id: UUID
    expires_on: date
    mailed_on: date


def write_token(reminder: Reminder, secret: str) -> str:
    """The reminder, signed."""
    days = [day.toordinal().to_bytes(4) for day in (reminder.expires_on, reminder.mailed_on)]
    return signed_tokens.write(reminder.certification_id.bytes + b"".join(days), _PURPOSE, secret)


def read_token(token: str, secret: str) -> Reminder | None:
    """Verify and decode a token; None unless it was signed with this secret."""
    payload = signed_tokens.read(token, 24, _PURPOSE, secret)
    if payload is None:
        return None
    expires_on, mailed_on = (date.fromordinal(int.from_bytes(part)) for part in (payload[16:20], payload[20:]))
    return Reminder(UUID(bytes=payload[:16]), expires_on, mailed_on)


def link(reminder: Reminder, *, site_url: str, secret: str) -> str:
    """The address that goes into the mail."""
    return f"{site_url.rstrip('/')}{PATH}?token={write_token(reminder, secret)}"
