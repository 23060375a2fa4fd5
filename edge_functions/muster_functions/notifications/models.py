"""Request and response of send-notification-email (§7.43, §7.44), and the rows of functions.accept_mail. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field


def _storable(text: str) -> str:
    if "\x00" in text:
        raise ValueError("must not contain NUL")
    return text


Text = Annotated[str, AfterValidator(_storable)]


class Notification(BaseModel):
    """What happened: `type` is a row of private.notification_kinds.

    Of an event, title and content are taken from the database, not from here.
    """

    type: Annotated[str, Field(pattern="^[a-z][a-z_]{0,39}$")]
    title: Text = Field("", max_length=300)
    content: Text = Field("", max_length=10_000)
    metadata: dict[str, Any] | None = None


class Recipient(BaseModel):
    """Who gets the mail; a member (or, for an invitation, an invited address)."""

    email: Text = Field(min_length=1, max_length=320)
    full_name: Annotated[str | None, Field(max_length=300)] = None


class NotificationRequest(BaseModel):
    """The body. Mails to admins come without a recipient: the service finds the admins."""

    notification: Notification
    recipient: Recipient | None = None


class NotificationAnswer(BaseModel):
    """The answer: `error` is null on success, else one sentence."""

    success: bool
    error: str | None


@dataclass(frozen=True)
class Kind:
    """A kind of notification that is mailed, and what the caller may do at all."""

    sent_by: str
    sent_to: str
    caller_is_active: bool
    caller_is_admin: bool


@dataclass(frozen=True)
class Event:
    """A row of functions.accept_mail, whose comment explains the columns: one mail that may be sent if `is_wanted`."""

    is_wanted: bool
    template: str
    subject_id: UUID | None
    again_after: timedelta | None
    preference: str | None
    recipient_id: UUID | None
    recipient_email: str | None
    recipient_name: str | None
    actor_id: UUID | None
    actor_name: str | None
    content: str
    variant: str
    post_title: str | None
    post_author: str | None
    is_own_post: bool
    link: str | None
    facts: Mapping[str, str | None] | None


@dataclass(frozen=True)
class JobMail:
    """A row of functions.mail_requests with its recipient: a mail that a job of the database asks for.

    Without a preference it is about the account, and nobody can turn it off.
    """

    template: str
    preference: str | None
    facts: Mapping[str, Any]
    recipient_id: UUID
    email: str
    name: str | None
    is_wanted: bool
