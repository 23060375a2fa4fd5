"""What a channel asks of the database: permissions, subscriptions, stored broadcasts. Each is answered by an event."""

import asyncio
import logging
import time
import uuid
from collections.abc import Mapping

import psycopg

from emulator.realtime import errors
from emulator.realtime.channel.machine import effects, events
from emulator.realtime.channel.machine.effects import AsyncEffect
from emulator.realtime.channel.machine.events import Event
from emulator.realtime.channel.machine.state import Channel
from emulator.realtime.context import Context
from emulator.realtime.database.pool import DatabaseUnavailable
from emulator.realtime.postgres_changes.registry import SubscriptionRequest
from emulator.realtime.subscriber import Subscriber

log = logging.getLogger(__name__)
SUBSCRIBE_RETRY_S = 1.0


class ChannelQueries:
    """Of one channel. `request`: the subscription to row changes that was prepared last."""

    __slots__ = ("_context", "_headers", "_subscriber", "request")

    def __init__(self, context: Context, headers: Mapping[str, str], subscriber: Subscriber) -> None:
        self._context = context
        self._headers = headers
        self._subscriber = subscriber
        self.request: SubscriptionRequest | None = None

    async def answer(self, state: Channel, effect: AsyncEffect) -> Event:
        """Run an effect; raises errors.Refused."""
        authorizer, principal = self._context.authorizer, state.principal
        if isinstance(effect, effects.CheckRead):
            extensions = ["broadcast", "presence"] if effect.with_presence else ["broadcast"]
            allowed = await authorizer.may_read(principal, state.name, self._headers, extensions)
            return events.ReadChecked("broadcast" in allowed, "presence" in allowed)
        if isinstance(effect, effects.CheckWrite):
            is_allowed = await authorizer.may_write(principal, state.name, self._headers, effect.extension)
            return events.WriteChecked(effect.extension, is_allowed)
        if isinstance(effect, effects.ReadReplay):
            return events.Replayed(await self._context.messages.replay(state.name, effect.replay))
        if isinstance(effect, effects.Store):
            return await self._store(effect)
        return await self.subscribe(state, effect.wait_ms)

    async def _store(self, effect: effects.Store) -> Event:
        """The log delivers it to all subscribers, this process's included; but not to its sender unless asked to."""
        identity = str(uuid.uuid4())
        if not effect.to_self:
            self._subscriber.received.add(identity)
        is_stored = await self._context.messages.store(identity, effect.message)
        return events.Stored(identity if is_stored else None, effect.ref)

    async def subscribe(self, state: Channel, wait_ms: int | None) -> events.Subscribed:
        """Prepare the channel's bindings, waiting for the database as long as the client allows."""
        deadline = time.monotonic() + (wait_ms or 0) / 1000
        while True:
            try:
                self.request = await self._context.changes.prepare(state.options.bindings, state.principal)
                return events.Subscribed()
            except errors.SubscriptionRefused as refused:
                return events.Subscribed(refused.text)
            except (DatabaseUnavailable, psycopg.Error) as error:
                log.info("a subscription has to wait: %s", str(error).strip())
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return events.Subscribed(is_late=True)
            await asyncio.sleep(min(SUBSCRIBE_RETRY_S, remaining))
