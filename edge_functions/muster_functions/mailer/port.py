"""What the mailer deals in: a rendered mail, and whoever can hand one over. Pure."""

from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True)
class Email:
    """One mail to one person, ready to be sent. `headers` are extra ones, such as List-Unsubscribe."""

    kind: str
    to: str
    to_name: str
    subject: str
    text: str
    html: str
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class QueuedMail:
    """A mail that a worker has taken from the queue, for the `attempts`-th time (from 1)."""

    id: UUID
    email: Email
    attempts: int


class DeliveryFailed(Exception):
    """The mail was not taken. `permanent`: trying again is of no use. The text is the reason, in one line."""

    def __init__(self, reason: str, *, permanent: bool) -> None:
        super().__init__(reason)
        self.permanent = permanent


class Mailer(Protocol):
    """Hands mails over: SMTP in earnest, a list in tests."""

    async def send(self, mail: QueuedMail) -> None:
        """Return once the mail is somebody else's to keep. Raises DeliveryFailed."""
        ...
