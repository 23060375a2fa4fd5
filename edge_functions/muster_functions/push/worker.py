"""The loop that empties the queue of pushes: claim what is due for one device, send, settle.

The database says when there is something (LISTEN push), on a connection of its own that is opened once any device is
told; what that misses is found within a minute. A member has one push on its way at a time, so that a slow address
holds up nobody else's.
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from uuid import UUID

import psycopg

from emulator.errors import ApiError
from emulator.platform.tasks import raise_if_canceled
from muster_functions.mailer.backoff import Backoff
from muster_functions.push import queue
from muster_functions.push.message import MOST_AT_ONCE, pushes_of
from muster_functions.push.queue import Batch
from muster_functions.push.sender import TIMEOUT_S, Outcome, Sender
from muster_functions.runtime.database import Connection

MOST_AT_WORK = 16
POLL_S = 60.0
DATABASE_PAUSE_S = 3.0
LEASE_S = MOST_AT_ONCE * TIMEOUT_S + 30.0

log = logging.getLogger(__name__)

Transaction = Callable[[], AbstractAsyncContextManager[Connection]]


class Worker:
    """`database_url` is for the connection that listens."""

    def __init__(self, transaction: Transaction, database_url: str, sender: Sender, backoff: Backoff) -> None:
        self._transaction, self._database_url = transaction, database_url
        self._sender, self._backoff = sender, backoff
        self._wakeup = asyncio.Event()
        self._busy: dict[UUID, asyncio.Task[None]] = {}
        self._listener: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Look at the queue now."""
        self._wakeup.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send while the block runs. What is on its way at its end is sent again by the next process."""
        work = asyncio.create_task(self._work())
        try:
            yield
        finally:
            tasks = [work, *self._busy.values(), *([self._listener] if self._listener else [])]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._sender.close()

    async def _work(self) -> None:
        while True:
            self._wakeup.clear()
            try:
                pause_s = await self._dispatch()
            except (ApiError, psycopg.Error) as error:
                log.warning("the queue of pushes can't be read: %s", error)
                pause_s = DATABASE_PAUSE_S
            raise_if_canceled()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wakeup.wait(), pause_s)

    async def _dispatch(self) -> float:
        """Begin what is due; returns how long to pause afterwards."""
        while len(self._busy) < MOST_AT_WORK:
            async with self._transaction() as connection:
                batch = await queue.claim(connection, lease_s=LEASE_S, busy=list(self._busy))
                if batch is None:
                    outlook = await queue.look_ahead(connection)
                    if outlook.has_devices and self._listener is None:
                        self._listener = asyncio.create_task(self._listen())
                    return POLL_S if outlook.due_in_s is None else min(POLL_S, outlook.due_in_s + 0.01)
            self._busy[batch.user_id] = asyncio.create_task(self._deliver(batch))
        return POLL_S

    async def _listen(self) -> None:
        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(
                    self._database_url, autocommit=True, application_name="functions: push"
                )
                async with connection:
                    await connection.execute("listen push")
                    self.wake()
                    async for _ in connection.notifies():
                        self.wake()
            except (psycopg.Error, OSError) as error:
                log.warning("pushes wait up to a minute: %s", error)
            await asyncio.sleep(DATABASE_PAUSE_S)

    async def _deliver(self, batch: Batch) -> None:
        try:
            outcome = await self._send(batch)
            async with self._transaction() as connection:
                await self._settle(connection, batch, outcome)
        except (ApiError, psycopg.Error) as error:
            log.warning("a push is sent again: %s", error)
        except Exception:
            log.exception("a push to %s failed", batch.subscription_id)
        finally:
            del self._busy[batch.user_id]
            self.wake()

    async def _send(self, batch: Batch) -> Outcome:
        """The first outcome that is not `sent`; a newer push replaces its predecessor, so repeating does no harm."""
        outcome = Outcome("sent")
        for push in pushes_of(batch.news, hides_content=batch.hides_content):
            outcome = await self._sender.send(push, batch.device)
            if outcome.state != "sent":
                break
        return outcome

    async def _settle(self, connection: Connection, batch: Batch, outcome: Outcome) -> None:
        if outcome.state == "sent":
            await queue.settle_sent(connection, batch)
        elif outcome.state == "gone":
            await queue.drop_device(connection, batch.subscription_id)
            log.info("device %s is gone: %s", batch.subscription_id, outcome.detail)
        elif outcome.state == "refused" or (
            delay_s := self._backoff.delay_s(batch.attempts, random.random())
        ) is None:  # fmt: skip
            await queue.settle_given_up(connection, batch)
            log.error("a push to %s was given up: %s", batch.subscription_id, outcome.detail)
        else:
            await queue.settle_later(connection, batch, delay_s=max(delay_s, outcome.retry_after_s))
            log.warning("a push to %s waits: %s", batch.subscription_id, outcome.detail)
