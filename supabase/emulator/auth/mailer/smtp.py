"""Sending mails by SMTP. What they say is `emails.py`'s business."""

import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import Protocol

import aiosmtplib

from emulator.auth.conf.settings import SmtpSettings
from emulator.auth.mailer.emails import Email

log = logging.getLogger("emulator.auth")
TIMEOUT_S = 8.0


class MailError(Exception):
    """The mail was not accepted."""


class Mailer(Protocol):
    """Where mails go."""

    async def send(self, email: Email) -> None:
        """Hand over one mail; raises MailError."""


@dataclass(frozen=True)
class NoMailer:
    """Without an SMTP host mails are dropped, and requests succeed."""

    async def send(self, email: Email) -> None:
        """Say so in the log, without the contents."""
        log.info("no SMTP host: a mail to %s was dropped", email.to.rpartition("@")[2])


@dataclass(frozen=True)
class SmtpMailer:
    """One connection a mail: TLS on port 465, STARTTLS where it is offered."""

    settings: SmtpSettings

    async def send(self, email: Email) -> None:
        """Deliver to the SMTP server; raises MailError. As Go's mailer, sign in only where that is offered."""
        smtp = self.settings
        client = aiosmtplib.SMTP(hostname=smtp.host, port=smtp.port, use_tls=smtp.port == 465, timeout=TIMEOUT_S)
        try:
            async with client:
                if smtp.user and client.supports_extension("auth"):
                    await client.login(smtp.user, smtp.password)
                await client.send_message(compose(email, smtp))
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise MailError(str(error)) from error


def compose(email: Email, smtp: SmtpSettings) -> EmailMessage:
    """The MIME message: text first, HTML as the better alternative."""
    message = EmailMessage()
    message["Subject"] = email.subject
    message["From"] = Address(display_name=smtp.sender_name, addr_spec=smtp.admin_email)
    message["To"] = Address(addr_spec=email.to)
    message["Date"] = format_datetime(datetime.now(UTC))
    message["Message-ID"] = make_msgid(domain=smtp.admin_email.rpartition("@")[2] or "localhost")
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(email.text)
    message.add_alternative(email.html, subtype="html")
    return message
