"""What this project's functions share: settings, the database, the mail queue, the limits, the application's documents.

Made once per application. What is rarely needed (pool, mail sender, templates) is made when it is first asked for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from emulator.rate_limit import Rate, RateLimiter
from muster_functions.blog.shell import ShellSource, WebShell, no_shell
from muster_functions.files.cleaner import Cleaner
from muster_functions.files.remover import Remover
from muster_functions.files.store import Store
from muster_functions.push.sender import Sender
from muster_functions.push.vapid import VapidKeys
from muster_functions.records.typesetter import Typesetter
from muster_functions.runtime.database import Connection, Database
from muster_functions.settings import FunctionsSettings

if TYPE_CHECKING:
    from emulator.mail.email import Email, MailSender
    from muster_functions.mailer.worker import Worker
    from muster_functions.push.worker import Worker as PushWorker


class Services:
    """One per application; `shared.Shared` in a function's parameters."""

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
        self.push_sender = _push_sender(settings)
        self._worker: Worker | None = None
        self._push_worker: PushWorker | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open the database (without waiting for PostgreSQL) and run the workers around a block."""
        from muster_functions.mailer.worker import Worker

        self._worker = Worker(
            self.database.transaction, self._make_sender, self._collect, capacity=self.settings.limits.queue_length,
            send_timeout_s=self.settings.smtp.timeout_s * 3, backoff=self.settings.backoff,
        )  # fmt: skip
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.database.running())
            await stack.enter_async_context(self._worker.running())
            await stack.enter_async_context(self.remover.running())
            if self.push_sender is not None:
                from muster_functions.push.worker import Worker as PushWorker

                self._push_worker = PushWorker(
                    self.database.transaction, self.settings.database_url, self.push_sender, self.settings.backoff
                )
                await stack.enter_async_context(self._push_worker.running())
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

    def device_added(self) -> None:
        """Wake the worker of pushes: the first device makes it listen."""
        if self._push_worker is not None:
            self._push_worker.wake()


def _push_sender(settings: FunctionsSettings) -> Sender | None:
    keys = settings.push
    if not keys.private_key:
        return None
    subject = keys.subject or f"mailto:{settings.smtp.sender}"
    return Sender(VapidKeys(keys.public_key, keys.private_key), subject, keys.stand_in_url)
