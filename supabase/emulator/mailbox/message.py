"""A received mail as values: who, what, text, HTML, links. Pure: bytes in, dataclass out."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import getaddresses
from html import unescape
from typing import TYPE_CHECKING, Any

from emulator.mail.text import text_of

if TYPE_CHECKING:
    from email.message import EmailMessage

_HREF = re.compile(r"""<a\b[^>]*?\bhref\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s<>\"')\]]+")
SNIPPET_LENGTH = 140


@dataclass(frozen=True)
class Address:
    """A sender or recipient."""

    name: str
    address: str


@dataclass(frozen=True)
class Message:
    """One mail. `id` sorts by time of arrival; `links` are unique, in order; HTML without a text is `text`, too."""

    id: str
    received_at: datetime
    sender: Address
    to: tuple[Address, ...]
    subject: str
    text: str
    html: str
    links: tuple[str, ...]
    headers: tuple[tuple[str, str], ...]
    attachments: tuple[str, ...]
    size: int

    @property
    def snippet(self) -> str:
        """The beginning of the text, on one line."""
        line = " ".join(self.text.split())
        return line if len(line) <= SNIPPET_LENGTH else line[: SNIPPET_LENGTH - 1].rstrip() + "…"

    def matches(self, query: str) -> bool:
        """Whether every word of the query occurs in address, subject or text, in any case."""
        people = " ".join(f"{person.name} {person.address}" for person in (self.sender, *self.to))
        haystack = f"{people} {self.subject} {self.text}".casefold()
        return all(word in haystack for word in query.casefold().split())

    def is_to(self, address: str) -> bool:
        """Whether that address is among the recipients."""
        return any(person.address.lower() == address.lower() for person in self.to)


def parse_message(message_id: str, raw: bytes) -> Message:
    """Read a mail as it came over the wire; broken parts read as empty, never as an error."""
    from email.parser import BytesParser  # with the first mail: a MiB
    from email.policy import default

    mail = BytesParser(policy=default).parsebytes(raw)
    html = _content(mail, "html")
    text = _content(mail, "plain") or text_of(html)
    senders, recipients = _people(mail, "from"), _people(mail, "to", "cc")
    return Message(
        id=message_id,
        received_at=datetime.fromtimestamp(int(message_id.partition("-")[0]) / 1000, UTC),
        sender=senders[0] if senders else Address("", ""),
        to=recipients,
        subject=_header(mail, "subject"),
        text=text,
        html=html,
        links=_links(html, text),
        headers=tuple((name, _header(mail, name)) for name in dict.fromkeys(mail.keys())),
        attachments=tuple(part.get_filename() or "unnamed" for part in mail.iter_attachments()),
        size=len(raw),
    )


def _header(mail: "EmailMessage", name: str) -> str:
    try:
        return str(mail.get(name, "")).strip()  # one that is folded after its name begins with the fold's space
    except (ValueError, IndexError, AttributeError):  # the standard parser gives up on some malformed headers
        return ""


def _people(mail: "EmailMessage", *names: str) -> tuple[Address, ...]:
    pairs = getaddresses([_header(mail, name) for name in names])
    return tuple(Address(name, address) for name, address in pairs if address)


def _content(mail: "EmailMessage", kind: str) -> str:
    part = mail.get_body(preferencelist=(kind,))
    if part is None:
        return ""
    try:
        return str(part.get_content())
    except (LookupError, ValueError, KeyError):  # an unknown charset or transfer encoding
        payload = part.get_payload(decode=True)
        return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def _links(html: str, text: str) -> tuple[str, ...]:
    found = [unescape(url) for url in _HREF.findall(html)] or _URL.findall(text)
    return tuple(dict.fromkeys(url for url in found if url.startswith(("http://", "https://"))))


def summary_payload(message: Message) -> dict[str, Any]:
    """A mail in a list."""
    return {
        "id": message.id,
        "received_at": message.received_at.isoformat().replace("+00:00", "Z"),
        "from": {"name": message.sender.name, "address": message.sender.address},
        "to": [{"name": person.name, "address": person.address} for person in message.to],
        "subject": message.subject,
        "snippet": message.snippet,
        "size": message.size,
    }


def message_payload(message: Message) -> dict[str, Any]:
    """All of a mail."""
    return {
        **summary_payload(message),
        "text": message.text,
        "html": message.html,
        "links": list(message.links),
        "headers": [{"name": name, "value": value} for name, value in message.headers],
        "attachments": list(message.attachments),
    }
