"""The loop that empties the queue: claim, send, settle. A few at once, so that one slow server answer holds up little.

A mail is claimed for a limited time: if this process dies meanwhile, the next one (or another replica) takes it again.
When none is due, the mails that jobs of the database ask for are queued; what is old is deleted by a job of its own
(supabase/migrations/*_schedules.sql).
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

import psycopg

from emulator.errors import ApiError
from emulator.mail.email import DeliveryFailed, Email, MailSender
from muster_functions.mailer import queue
from muster_functions.mailer.backoff import Backoff
from muster_functions.mailer.queue import QueuedMail

SENDERS = 3
IDLE_S = 3600.0  # the first sender watches the queue; the others look when they are woken
POLL_S = 60.0  # for mails that another process queued, an operator requeued or a job of the database asks for
COLLECTED_AT_ONCE = 50
DATABASE_PAUSE_S = 3.0
LEASE_MARGIN_S = 30.0
DRAIN_S = 5.0

log = logging.getLogger(__name__)

Transaction = Callable[[], AbstractAsyncContextManager[queue.AsyncConnection]]
# Takes the mails that jobs ask for, up to so many, out of the database.
Collect = Callable[[queue.AsyncConnection, int], Awaitable[list[Email]]]


class Worker:
    """`send_timeout_s` is the longest that the sender takes for one mail; `capacity` mails may wait."""

    def __init__(
        self,
        transaction: Transaction,
        make_sender: Callable[[], MailSender],
        collect: Collect,
        *,
        capacity: int,
        send_timeout_s: float,
        backoff: Backoff,
    ) -> None:
        self._transaction = transaction
        self._make_sender = make_sender
        self._sender: MailSender | None = None
        self._collect = collect
        self._capacity = capacity
        self._lease_s = send_timeout_s + LEASE_MARGIN_S
        self._backoff = backoff
        self._wakeups = [asyncio.Event() for _ in range(SENDERS)]
        self._is_idle = [number > 0 for number in range(SENDERS)]
        self._stopping = False

    def wake(self) -> None:
        """Look at the queue now.

        One sender without work does, and wakes the next when it finds a mail: each look takes a connection. Where all
        have work, each looks afterwards.
        """
        idle = [up for up, is_idle in zip(self._wakeups, self._is_idle, strict=True) if is_idle and not up.is_set()]
        for wakeup in idle[:1] or self._wakeups:
            wakeup.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send while the block runs; mails being sent at its end get DRAIN_S to arrive."""
        tasks = [asyncio.ensure_future(self._work(number)) for number in range(SENDERS)]
        try:
            yield
        finally:
            self._stopping = True
            for wakeup in self._wakeups:
                wakeup.set()
            await asyncio.wait(tasks, timeout=DRAIN_S)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, number: int) -> None:
        wakeup = self._wakeups[number]
        pause_s = 0.0 if number == 0 else IDLE_S
        while not self._stopping:
            if pause_s > 0:
                self._is_idle[number] = True
                with suppress(TimeoutError):
                    await asyncio.wait_for(wakeup.wait(), pause_s)
                self._is_idle[number] = False
                if self._stopping:
                    break
            wakeup.clear()
            try:
                pause_s = await self._step(number)
            except (ApiError, psycopg.Error) as error:
                log.warning("the mail queue can't be read: %s", error)
                pause_s = DATABASE_PAUSE_S

    async def _step(self, number: int) -> float:
        """Send one mail; returns how long to pause afterwards."""
        async with self._transaction() as connection:
            mail = await queue.claim(connection, lease_s=self._lease_s)
            if mail is None:
                if number > 0:
                    return IDLE_S
                if await self._queue_collected(connection):
                    return 0.0
                due_s = await queue.due_in_s(connection)
                return POLL_S if due_s is None else min(POLL_S, due_s + 0.01)
        self.wake()
        await self._deliver(mail)
        return 0.0

    async def _deliver(self, mail: QueuedMail) -> None:
        if self._sender is None:
            self._sender = self._make_sender()
        try:
            await self._sender.send(mail.email, mail.id)
        except DeliveryFailed as failure:
            await self._settle_failure(mail, failure)
        except asyncio.CancelledError:
            async with self._transaction() as connection:
                await queue.settle_later(connection, mail.id, None, delay_s=0)
            raise
        except Exception as error:
            log.exception("mail %s could not be sent", mail.id)
            await self._settle_failure(mail, DeliveryFailed(f"{type(error).__name__}: {error}", permanent=True))
        else:
            async with self._transaction() as connection:
                await queue.settle_sent(connection, mail.id)
            log.info("mail %s (%s) sent", mail.id, mail.email.kind)

    async def _settle_failure(self, mail: QueuedMail, failure: DeliveryFailed) -> None:
        delay_s = None if failure.permanent else self._backoff.delay_s(mail.attempts, random.random())
        async with self._transaction() as connection:
            if delay_s is None:
                await queue.settle_parked(connection, mail.id, str(failure))
                log.error("mail %s (%s) parked: %s", mail.id, mail.email.kind, failure)
            else:
                await queue.settle_later(connection, mail.id, str(failure), delay_s=delay_s)
                log.warning("mail %s waits %.0f s after attempt %d: %s", mail.id, delay_s, mail.attempts, failure)
        # It sleeps until the next mail is due, and this one is due earlier. Not before the commit, which it would miss.
        self._wakeups[0].set()

    async def _queue_collected(self, connection: queue.AsyncConnection) -> bool:
        """Queue what jobs ask for. Half of the queue is kept for members: when it is full, they are refused."""
        room = self._capacity // 2 - await queue.count_waiting(connection)
        emails = await self._collect(connection, min(room, COLLECTED_AT_ONCE)) if room > 0 else []
        if emails:
            await queue.enqueue(connection, emails, capacity=self._capacity)
        return bool(emails)
