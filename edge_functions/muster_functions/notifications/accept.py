"""From a request to the mails that may be sent. Reads the database; limits, receipts and the queue come after."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from emulator.errors import ApiError
from emulator.principal import Principal
from muster_functions import errors
from muster_functions.emails.notification_mail import NotificationMail
from muster_functions.notifications.content import write_mail
from muster_functions.notifications.events import find_events, find_kind
from muster_functions.notifications.models import Event, Kind, NotificationRequest
from muster_functions.runtime.database import Connection
from muster_functions.runtime.errors import invalid_body

NO_ADMINS = "No admin users found"  # §7.45
MAILED_BEFORE = "A mail was sent a few minutes ago"
NOT_WANTED = "The recipient does not take e-mail for this"


@dataclass(frozen=True)
class Accepted:
    """Mails that may be sent, all about `subject_id`: once per recipient, or again after `again_after`.

    `tells_repeats`: the caller learns when nothing is sent because every recipient was mailed before.
    """

    kind: str
    subject_id: UUID
    mails: tuple[NotificationMail, ...]
    again_after: timedelta | None
    tells_repeats: bool


@dataclass(frozen=True)
class Declined:
    """Nothing is wrong, and no mail is sent; the reason is one sentence."""

    reason: str


async def accept(connection: Connection, request: NotificationRequest, caller: Principal) -> Accepted | Declined:
    """Decide about a request. Raises the refusals of errors.py."""
    notification, recipient = request.notification, request.recipient
    kind = await find_kind(connection, caller, notification.type)
    if kind is None:
        raise invalid_body("notification.type: no mails of this type are sent")
    if caller.user_id is not None and not kind.caller_is_active:
        raise errors.suspended()
    event_id = _event_id(kind, notification.type, notification.metadata or {})
    if kind.sent_to == "admins" and event_id is None:
        raise invalid_body("notification.metadata.id: the id of the new row is required")
    if kind.sent_to != "admins" and recipient is None:
        raise invalid_body("recipient: required for this type")
    address = recipient.email.strip() if recipient is not None else None
    events = await find_events(connection, notification.type, address, event_id)
    if not events or not _names_the_same_address(events[0], notification.metadata or {}):
        raise _refusal(kind, caller)
    return _decide(request, events, tells_repeats=kind.sent_by == "admin")


def _decide(request: NotificationRequest, events: list[Event], *, tells_repeats: bool) -> Accepted | Declined:
    first = events[0]
    if first.recipient_email is None:
        return Declined(NO_ADMINS)
    if not first.is_wanted:
        return Declined(NOT_WANTED)
    has_own_words = first.subject_id is None
    if has_own_words and not request.notification.title.strip():
        raise invalid_body("notification.title: required for this type")
    mails = tuple(write_mail(request, event) for event in events)
    return Accepted(first.template, first.subject_id or uuid4(), mails, first.again_after, tells_repeats)


def _event_id(kind: Kind, type: str, metadata: dict[str, Any]) -> UUID | None:
    """The event that the body names. An id that is none stands for an event that never was."""
    if kind.sent_to == "admins":
        return _uuid(metadata.get("id") or metadata.get("reference_id"))
    named = metadata.get("comment_id" if type == "others" else f"{type}_id")
    return None if named is None else _uuid(named) or UUID(int=0)


def _names_the_same_address(event: Event, metadata: dict[str, Any]) -> bool:
    """Whether an address in the body, if there is one, is that of the new row."""
    named, known = metadata.get("email"), (event.facts or {}).get("email")
    return not isinstance(named, str) or known is None or named.strip().lower() == known


def _refusal(kind: Kind, caller: Principal) -> ApiError:
    """Why there is nothing to mail, as far as the caller may know."""
    is_member = caller.role == "authenticated" and caller.user_id is not None
    is_operator = kind.caller_is_admin or caller.role == "service_role"
    if is_operator or kind.sent_by == "anyone":
        return errors.nothing_to_notify()
    if not is_member:
        return errors.members_only()
    return errors.admins_only() if kind.sent_by == "admin" else errors.nothing_to_notify()


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None
