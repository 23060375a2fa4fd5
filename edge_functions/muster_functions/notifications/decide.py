"""From a request to the notices it deserves: who asks, whether it really happened, who is told. Reads the database.

Three ways: a member tells another of a deed, anyone tells the admins of a new row, an admin tells or invites somebody.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

from emulator.principal import Principal
from muster_functions.emails.render import Notice
from muster_functions.notifications import events as deeds
from muster_functions.notifications import operators as notices
from muster_functions.notifications.events import Connection, Deed
from muster_functions.notifications.models import Notification, NotificationRequest, Recipient
from muster_functions.notifications.preferences import PREFERENCE_OF, wants_email
from muster_functions.notifications.receipts import NEVER_S
from muster_functions.notifications.unsubscribe_links import Subscription
from muster_functions.runtime import errors

INVITE_AGAIN_S = 600.0
NO_ADMINS = "No admin users found"
NOT_WANTED = "The recipient does not take e-mail for this"

_DEED_ID = {
    "message": "message_id", "mention": "mention_id", "reaction": "reaction_id", "connection": "connection_id",
    "others": "comment_id",
}  # fmt: skip


@dataclass(frozen=True)
class Granted:
    """Notices that may go out, all about `subject_id`: once per recipient, or again after `again_s`."""

    kind: str
    subject_id: UUID
    notices: tuple[Notice, ...]
    again_s: float = NEVER_S


@dataclass(frozen=True)
class Declined:
    """Nothing is wrong, and no mail goes out: why, in one sentence."""

    reason: str


Decision = Granted | Declined


async def decide(connection: Connection, request: NotificationRequest, caller: Principal) -> Decision:
    """Judge a request. Raises the refusals of the catalogue."""
    if caller.user_id is not None and not await notices.is_active(connection, caller.user_id):
        raise errors.suspended()
    notification, recipient = request.notification, request.recipient
    if notification.type in ("admin_waitlist", "admin_feedback"):
        return await _admin_notice(connection, notification, recipient)
    if recipient is None:
        raise errors.invalid_body("recipient: required for this type")
    if notification.type == "invitation":
        await _demand_admin(connection, caller)
        return await _invitation(connection, recipient)
    if notification.type == "system":
        await _demand_admin(connection, caller)
        return await _operator_notice(connection, notification, recipient)
    if _is_member(caller) and caller.user_id is not None:
        deed = await _find_deed(connection, notification, recipient, caller.user_id)
        if deed is not None:
            return _deed_notice(deed_kind(notification.type), deed)
    if await _is_operator(connection, caller):
        return await _operator_notice(connection, notification, recipient)
    if not _is_member(caller):
        raise errors.members_only()
    raise errors.nothing_to_notify()


async def _find_deed(
    connection: Connection, notification: Notification, recipient: Recipient, actor: UUID
) -> Deed | None:
    kind = deed_kind(notification.type)
    named = (notification.metadata or {}).get(_DEED_ID[kind])
    id = _uuid(named)
    if named is not None and id is None:
        return None
    return await deeds.find_deed(connection, kind, actor, recipient.email.strip(), id)


def deed_kind(type: str) -> str:
    """A comment is one of the `others` of §3.16: mails know no word of its own for it."""
    return "others" if type == "comment" else type


def _deed_notice(kind: str, deed: Deed) -> Decision:
    if not wants_email(deed.recipient_settings, PREFERENCE_OF[kind]):
        return Declined(NOT_WANTED)
    notice = Notice(
        kind=kind, to=deed.recipient_email, to_name=deed.recipient_name or "", actor=deed.actor_name or "",
        text=deed.text, title=deed.post_title or "", author=deed.post_author or "", variant=deed.variant,
        is_own_post=deed.is_own_post, path=_path(kind, deed),
        subscription=Subscription(deed.recipient_id, PREFERENCE_OF[kind]),
    )  # fmt: skip
    return Granted(kind, deed.id, (notice,))


def _path(kind: str, deed: Deed) -> str:
    if deed.post_id is not None:
        return f"/post/{deed.post_id}"
    if kind == "connection":
        return f"/profile/{deed.actor_id}" if deed.variant == "accepted" else "/network"
    return f"/messages?with={deed.actor_id}"


async def _admin_notice(connection: Connection, notification: Notification, recipient: Recipient | None) -> Decision:
    """Tell the admins, or the one that is named. Anyone may ask, for a row made just now."""
    metadata = notification.metadata or {}
    id = _uuid(metadata.get("id") or metadata.get("reference_id"))
    if id is None:
        raise errors.invalid_body("notification.metadata.id: the id of the new row is required")
    found = await _describe(connection, notification.type, id, metadata)
    if found is None:
        raise errors.nothing_to_notify()
    admins = await notices.find_admins(connection)
    if recipient is not None:
        admins = [admin for admin in admins if admin.email == recipient.email.strip().lower()]
        if not admins:
            raise errors.nothing_to_notify()
    if not admins:
        return Declined(NO_ADMINS)
    rows, text, path = found
    return Granted(
        notification.type, id,
        tuple(
            Notice(
                kind=notification.type, to=admin.email, to_name=admin.full_name or "", rows=rows, text=text, path=path,
            )
            for admin in admins
        ),
    )  # fmt: skip


async def _describe(
    connection: Connection, kind: str, id: UUID, metadata: dict[str, Any]
) -> tuple[tuple[tuple[str, str], ...], str, str] | None:
    """Rows, text and path of an admin notice, from the database (§3.41); None when there is no such row."""
    if kind == "admin_feedback":
        feedback = await notices.find_feedback(connection, id)
        if feedback is None:
            return None
        about = (("Category", feedback.category), ("Name", feedback.name or ""), ("E-mail", feedback.email or ""))
        return about, feedback.content, "/admin/feedback"
    entry = await notices.find_waitlist_entry(connection, id)
    email = metadata.get("email")
    if entry is None or (isinstance(email, str) and email.strip().lower() != entry.email):
        return None
    named = {name: value for name, value in metadata.items() if isinstance(value, str) and "\x00" not in value}
    name = f"{named.get('first_name', '')} {named.get('last_name', '')}"
    rows = (
        ("E-mail", entry.email), ("Name", name.strip()),
        ("Rank or role", entry.department or named.get("department", "")),
        ("Service", entry.firefighter_type or ""), ("Years", entry.years_of_service or ""),
        ("Status", entry.status), ("Entry", str(entry.id)),
    )  # fmt: skip
    return rows, "", "/admin/waitlist"


async def _invitation(connection: Connection, recipient: Recipient) -> Decision:
    invited = await notices.find_invited(connection, recipient.email.strip())
    if invited is None:
        raise errors.nothing_to_notify()
    name = recipient.full_name or ""
    path = f"/invitation?email={quote(invited.email, safe='@')}"
    notice = Notice(kind="invitation", to=invited.email, to_name=name, path=path)
    return Granted("invitation", invited.id, (notice,), INVITE_AGAIN_S)


async def _operator_notice(connection: Connection, notification: Notification, recipient: Recipient) -> Decision:
    """An admin's own words to a member. Types that tell of a deed are written as `others`: nobody did it."""
    found = await notices.find_member(connection, recipient.email.strip())
    if found is None:
        raise errors.nothing_to_notify()
    member, settings = found
    preference = "system" if notification.type == "others" else PREFERENCE_OF[deed_kind(notification.type)]
    if not wants_email(settings, preference):
        return Declined(NOT_WANTED)
    if not notification.title.strip():
        raise errors.invalid_body("notification.title: required for this type")
    url = (notification.metadata or {}).get("url")
    notice = Notice(
        kind="system" if notification.type == "system" else "others", to=member.email, to_name=member.full_name or "",
        title=notification.title, text=notification.content, path=url if isinstance(url, str) else "/",
        subscription=Subscription(member.id, preference),
    )  # fmt: skip
    return Granted(notification.type, uuid4(), (notice,))


async def _is_operator(connection: Connection, caller: Principal) -> bool:
    if caller.role == "service_role":
        return True
    return _is_member(caller) and caller.user_id is not None and await notices.is_admin(connection, caller.user_id)


async def _demand_admin(connection: Connection, caller: Principal) -> None:
    if not await _is_operator(connection, caller):
        raise errors.admins_only() if _is_member(caller) else errors.members_only()


def _is_member(caller: Principal) -> bool:
    return caller.role == "authenticated" and caller.user_id is not None


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None
