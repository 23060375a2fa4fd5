"""A mail as bytes: headers safe from injection, text first, HTML as the preferred alternative. Pure."""

import unicodedata
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime
from uuid import UUID

from emulator.mail.email import Email

SUBJECT_LENGTH = 200
_REORDERING = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c")


class _UnfoldedHeader(str):
    """A header that stays on its line: the library would write a link longer than that as an encoded word.

    Stands in for the library's header objects, which have a name and know how to fold themselves.
    """

    name: str

    @classmethod
    def named(cls, name: str, value: str) -> "_UnfoldedHeader":
        """`value` is ASCII and one line."""
        made = cls(value)
        made.name = name
        return made

    def fold(self, *, policy: Policy) -> str:
        """The header as it is sent."""
        return f"{self.name}: {self}{policy.linesep}"


class InvalidMail(ValueError):
    """The mail can't be written, for example because its recipient is no address."""


def one_line(text: str, length: int = SUBJECT_LENGTH) -> str:
    """Text fit for a header: no controls, line ends or reordering marks, single spaces, at most `length` characters."""
    kept = (" " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text)
    words = "".join(char for char in kept if char not in _REORDERING and unicodedata.category(char) != "Cs").split()
    line = " ".join(words)
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def write_message(email: Email, id: UUID | None, sender: Address, now: datetime) -> EmailMessage:
    """The MIME message. Its Message-ID follows from `id`: a mail sent twice can be recognized. Raises InvalidMail.

    Without `id` it says no more than GoTrue's mails: no Message-ID, which servers add, and no Auto-Submitted.
    """
    message = EmailMessage(policy=SMTP)
    try:
        recipient = Address(display_name=one_line(email.to_name, 100), addr_spec=email.to)
        message["From"] = sender
        message["To"] = recipient
    except Exception as error:  # the parser of addresses raises whatever it stumbles over
        raise InvalidMail(f"unusable address: {one_line(str(error))}") from error
    message["Subject"] = one_line(email.subject)
    message["Date"] = format_datetime(now)
    if id is not None:
        message["Message-ID"] = f"<{id}@{sender.domain}>"
        message["Auto-Submitted"] = "auto-generated"
    for name, value in email.headers.items():
        line = one_line(value, 900)
        message[name] = _UnfoldedHeader.named(name, line) if line.isascii() else line
    if email.text:
        message.set_content(email.text, cte="quoted-printable")
        message.add_alternative(email.html, subtype="html", cte="quoted-printable")
    else:
        message.set_content(email.html, subtype="html", cte="quoted-printable")
    return message
