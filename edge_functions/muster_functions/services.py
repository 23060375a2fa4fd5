"""What this project's functions share: settings, the database, the mail queue, the limits, the application's documents.

Made once per application. What is rarely needed (pool, mail sender, templates) is made when it is first asked for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from emulator.rate_limit import Rate, RateLimiter
from muster_functions.blog.shell import ShellSource, WebShell, no_shell
from muster_functions.files.cleaner import Cleaner
from muster_functions.files.remover import Remover
from muster_functions.files.store import Store
from muster_functions.records.typesetter import Typesetter
from muster_functions.runtime.database import Connection, Database
from muster_functions.settings import FunctionsSettings

if TYPE_CHECKING:
    from emulator.mail.email import Email, MailSender
    from muster_functions.mailer.worker import Worker


class Services:
    """One per application; `Shared` in a function's parameters."""

    def __init__(self, settings: FunctionsSettings, shell: ShellSource | None = None) -> None:
        self.settings = settings
        self.shell = shell or (WebShell(settings.web_url) if settings.web_url else no_shell)
        per_minute = settings.limits.requests_per_minute
        self.requests = RateLimiter(Rate(per_minute, 60.0, burst=per_minute), max_keys=10_000)
        self.database = Database(settings.database_url)
        self.store = Store(settings.supabase_url, settings.service_role_key)
        self.cleaner = Cleaner()
        self.typesetter = Typesetter()
        self.remover = Remover(self.database.transaction, self.store)
        self._worker: Worker | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open the database (without waiting for PostgreSQL) and run mail worker and file remover around a block."""
        from muster_functions.mailer.worker import Worker

        self._worker = Worker(
            self.database.transaction, self._make_sender, self._collect, capacity=self.settings.limits.queue_length,
            send_timeout_s=self.settings.smtp.timeout_s * 3, backoff=self.settings.backoff,
        )  # fmt: skip
        async with self.database.running(), self._worker.running(), self.remover.running():
            yield

    def _make_sender(self) -> MailSender:
        """Called for the first mail: a service that sends none never loads the SMTP client."""
        from emulator.mail.smtp import SmtpSender

        return SmtpSender(self.settings.smtp)

    async def _collect(self, connection: Connection, most: int) -> list[Email]:
        """The mails that jobs of the database ask for; templates are loaded when there are any."""
        from muster_functions.notifications.job_mails import take_mails

        return await take_mails(connection, most, site_url=self.settings.site_url, secret=self.settings.jwt_secret)

    def mails_accepted(self) -> None:
        """Wake the worker: mails were queued."""
        if self._worker is not None:
            self._worker.wake()


def _services(request: Request) -> Services:
    found: Services = request.app.state.services
    return found


Shared = Annotated[Services, Depends(_services)]
