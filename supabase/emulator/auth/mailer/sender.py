"""Where auth's mails go: to the SMTP server of GOTRUE_SMTP_*, or nowhere."""

import logging
from uuid import UUID

from emulator.auth.conf.mailer import SmtpSettings
from emulator.mail.email import Email, MailSender

log = logging.getLogger(__name__)


def make_sender(smtp: SmtpSettings) -> MailSender:
    """The sender for these settings."""
    return SmtpOnDemand(smtp) if smtp.host else NoopSender()


class SmtpOnDemand:
    """The SMTP client, loaded with the first mail."""

    def __init__(self, smtp: SmtpSettings) -> None:
        self._smtp = smtp
        self._sender: MailSender | None = None

    async def send(self, email: Email, id: UUID | None = None) -> None:
        """As SmtpSender does."""
        if self._sender is None:
            from emulator.mail.smtp import SmtpSender

            self._sender = SmtpSender(self._smtp)
        await self._sender.send(email, id)


class NoopSender:
    """Without an SMTP host mails are dropped and requests succeed, as with GoTrue's noopclient."""

    async def send(self, email: Email, id: UUID | None = None) -> None:  # noqa: ARG002 (of the protocol)
        """Say so in the log, without the contents."""
        log.info("no SMTP host: a mail to %s was dropped", email.to.rpartition("@")[2])
