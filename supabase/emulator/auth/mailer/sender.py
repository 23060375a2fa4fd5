"""Where auth's mails go: to the SMTP server of GOTRUE_SMTP_*, or nowhere."""

import logging
from uuid import UUID

from emulator.auth.conf.mailer import SmtpSettings
from emulator.mail.email import Email, MailSender
from emulator.mail.smtp import SmtpSender

log = logging.getLogger(__name__)


def make_sender(smtp: SmtpSettings) -> MailSender:
    """The sender for these settings."""
    return SmtpSender(smtp) if smtp.host else NoopSender()


class NoopSender:
    """Without an SMTP host mails are dropped and requests succeed, as with GoTrue's noopclient."""

    async def send(self, email: Email, id: UUID | None = None) -> None:  # noqa: ARG002 (of the protocol)
        """Say so in the log, without the contents."""
        log.info("no SMTP host: a mail to %s was dropped", email.to.rpartition("@")[2])
