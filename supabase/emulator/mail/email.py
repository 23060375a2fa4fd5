"""A rendered mail, and the interface of what sends it. Pure."""

from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True)
class Email:
    """One mail to one person, ready to be sent, as HTML alone where `text` is empty.

    `headers` are extra ones, such as List-Unsubscribe.
    """

    kind: str
    to: str
    subject: str
    text: str
    html: str
    to_name: str = ""
    headers: dict[str, str] = field(default_factory=dict)


class DeliveryFailed(Exception):
    """The mail was not accepted. `permanent`: trying again is of no use. The text is the reason, in one line."""

    def __init__(self, reason: str, *, permanent: bool) -> None:
        super().__init__(reason)
        self.permanent = permanent


class MailSender(Protocol):
    """Sends mails: SMTP in earnest, a list in tests."""

    async def send(self, email: Email, id: UUID | None = None) -> None:
        """Return once a server has accepted the mail. `id` becomes its Message-ID. Raises DeliveryFailed."""
        ...
