"""Hand a mail to an SMTP server: one connection per mail, TLS as configured, every step with a time-out."""

import asyncio
import ssl
from datetime import UTC, datetime
from email.headerregistry import Address
from uuid import UUID

import aiosmtplib

from emulator.mail.email import DeliveryFailed, Email
from emulator.mail.message import InvalidMail, one_line, write_message
from emulator.mail.settings import LOOPBACK, SmtpSettings

REASON_LENGTH = 300
_ABOUT_THIS_MAIL = (aiosmtplib.SMTPSenderRefused, aiosmtplib.SMTPRecipientRefused, aiosmtplib.SMTPDataError)


class SmtpSender:
    """A MailSender over SMTP. A 5xx answer to this mail is permanent; everything else may pass."""

    def __init__(self, settings: SmtpSettings) -> None:
        self._settings = settings
        self._sender = Address(display_name=one_line(settings.sender_name, 100), addr_spec=settings.sender)
        self._tls_context: ssl.SSLContext | None = None

    async def send(self, email: Email, id: UUID | None = None) -> None:
        """Return once the server has accepted the mail. Raises DeliveryFailed."""
        if self._tls_context is None and self._settings.tls != "none":
            self._tls_context = await asyncio.to_thread(_make_tls_context, self._settings)
        try:
            message = write_message(email, id, self._sender, datetime.now(UTC))
        except InvalidMail as error:
            raise DeliveryFailed(str(error), permanent=True) from error
        user, password = self._settings.user, self._settings.password
        try:
            async with asyncio.timeout(self._settings.timeout_s * 3), self._connection() as connection:
                if user:
                    await connection.ehlo()  # what is offered may differ since STARTTLS
                    if connection.supports_extension("auth"):  # as Go's mailer: sign in only where that is offered
                        await connection.login(user, password)
                await connection.send_message(message, sender=self._settings.sender, recipients=[email.to])
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise _failure(error) from error

    def _connection(self) -> aiosmtplib.SMTP:
        tls, user = self._settings.tls, self._settings.user
        implicit = tls == "tls" or (tls == "auto" and self._settings.port == 465)
        needs_starttls = tls == "starttls" or (bool(user) and self._settings.host not in LOOPBACK)
        start = False if implicit or tls == "none" else (True if needs_starttls else None)
        return aiosmtplib.SMTP(
            hostname=self._settings.host, port=self._settings.port,
            local_hostname=self._sender.domain,  # else it asks the DNS, and blocks meanwhile
            timeout=self._settings.timeout_s, use_tls=implicit, start_tls=start, tls_context=self._tls_context,
        )  # fmt: skip


def _make_tls_context(settings: SmtpSettings) -> ssl.SSLContext:
    """Whom to trust. Reading the system's certificates takes tens of milliseconds: not per mail, not in the loop."""
    if settings.tls == "auto" and settings.host in LOOPBACK and not settings.ca_file:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # a local server's own certificate
        return context
    return ssl.create_default_context(cafile=settings.ca_file)


def _failure(error: Exception) -> DeliveryFailed:
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused) and error.recipients:
        error = error.recipients[0]
    permanent = isinstance(error, aiosmtplib.SMTPNotSupported) or (
        isinstance(error, _ABOUT_THIS_MAIL) and 500 <= error.code < 600
    )
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return DeliveryFailed(one_line(f"{error.code} {error.message}", REASON_LENGTH), permanent=permanent)
    reason = str(error) or "timed out"
    return DeliveryFailed(one_line(f"{type(error).__name__}: {reason}", REASON_LENGTH), permanent=permanent)
