"""The signed link that switches one kind of mail off: made when a mail is rendered, read when it is followed. Pure.

RFC 8058 wants a link that works without signing in and can't be forged. It is valid as long as the stack's secret:
a mail may be years old.
"""

from dataclasses import dataclass
from uuid import UUID

from muster_functions.emails import signed_tokens

PATH = "/functions/v1/unsubscribe"
_PURPOSE = b"muster: unsubscribe from one kind of mail, version 1"
# A token holds a place of this tuple: new preferences go to its end.
PREFERENCES = ("messages", "connections", "mentions", "system", "certifications", "digest", "trainings", "growth")


@dataclass(frozen=True)
class Subscription:
    """The mails to one member that one entry of notification_settings.preferences governs."""

    member_id: UUID
    preference: str


def write_token(subscription: Subscription, secret: str) -> str:
    """The subscription, signed; letters that stand in a URL as they are."""
    payload = bytes([PREFERENCES.index(subscription.preference)]) + subscription.member_id.bytes
    return signed_tokens.write(payload, _PURPOSE, secret)


def read_token(token: str, secret: str) -> Subscription | None:
    """Verify and decode a token; None unless it was signed with this secret."""
    payload = signed_tokens.read(token, 17, _PURPOSE, secret)
    if payload is None or payload[0] >= len(PREFERENCES):
        return None
    return Subscription(UUID(bytes=payload[1:]), PREFERENCES[payload[0]])


def link(subscription: Subscription, *, site_url: str, secret: str) -> str:
    """The address that goes into the mail."""
    return f"{site_url.rstrip('/')}{PATH}?token={write_token(subscription, secret)}"
