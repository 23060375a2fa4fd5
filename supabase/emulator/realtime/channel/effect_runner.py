"""Runs what a channel's state machine decides: frames to the client, topics, row changes. Nothing here blocks."""

import asyncio
import logging
from typing import Protocol

import psycopg

from emulator.realtime import errors
from emulator.realtime.channel.machine import effects, events
from emulator.realtime.channel.machine.effects import Effect
from emulator.realtime.channel.machine.events import Event
from emulator.realtime.channel.machine.state import Channel
from emulator.realtime.channel.queries import SUBSCRIBE_RETRY_S, ChannelQueries
from emulator.realtime.context import Context
from emulator.realtime.database.pool import DatabaseUnavailable
from emulator.realtime.postgres_changes.registry import SubscriptionRequest
from emulator.realtime.subscriber import Subscriber
from emulator.realtime.wire import payloads
from emulator.realtime.wire.frames import Ref, encode

log = logging.getLogger(__name__)
REPLICATION_WAIT_S = 60.0


class Loop(Protocol):
    """What effects need of the channel's loop."""

    state: Channel

    def handle(self, event: Event) -> None: ...

    def schedule_check(self) -> None: ...

    def close(self) -> None: ...


class EffectRunner:
    """Of one channel; for `replaces` and `is_returning` see ChannelLoop."""

    __slots__ = ("_context", "_has_entered", "_is_returning", "_loop", "_queries", "_replaces", "_subscriber")

    def __init__(
        self,
        context: Context,
        loop: Loop,
        subscriber: Subscriber,
        queries: ChannelQueries,
        *,
        replaces: Ref,
        is_returning: bool,
    ) -> None:
        self._context = context
        self._loop = loop
        self._subscriber = subscriber
        self._queries = queries
        self._replaces = replaces
        self._is_returning = is_returning
        self._has_entered = False

    def run(self, effect: Effect) -> None:
        """Run any effect that is no AsyncEffect."""
        context, subscriber = self._context, self._subscriber
        match effect:
            case effects.Send():
                self._send(effect)
            case effects.FanOut():
                context.count_messages(context.hub.broadcast(effect.message, None if effect.to_self else subscriber))
            case effects.Track():
                self._track(effect)
            case effects.Untrack():
                context.count_presence(context.hub.untrack(subscriber))
            case effects.EnterTopic():
                self._enter_topic()
            case effects.ActivateChanges():
                self._activate_changes()
            case effects.DeactivateChanges():
                context.changes.remove(subscriber)
            case effects.RetrySubscribe():
                context.tasks.spawn(self._retry_subscribe())
            case effects.AwaitReplication():
                context.tasks.spawn(self._await_replication())
            case effects.SendReplay():
                self._send_replay(effect)
            case effects.SendPresenceState():
                self._send(effects.Send("presence_state", context.hub.presence_state(subscriber)))
                context.count_presence(1)
            case effects.UpdateSubscriber():
                self._update_subscriber()
                self._loop.schedule_check()
            case effects.Close():
                self._loop.close()
            case _:
                raise AssertionError(f"{subscriber.topic}: {effect}")

    def leave(self) -> None:
        """Undo what effects did: no row changes, no messages any more."""
        self._context.changes.remove(self._subscriber)
        if self._has_entered:
            self._context.hub.leave(self._subscriber)
            self._has_entered = False

    def announce_shutdown(self) -> None:
        body = payloads.system("Server requested disconnect", "ok", "system", self._subscriber.topic)
        self._send(effects.Send("system", body))

    # Frames

    def _send(self, effect: effects.Send) -> None:
        """A frame to this client; after the first reply the channel that was replaced is closed."""
        outbound, topic = self._subscriber.outbound, self._subscriber.topic
        join_ref = self._loop.state.join_ref
        outbound.write(encode(outbound.version, join_ref, effect.ref, topic, effect.event, effect.payload))
        if self._replaces is not None and effect.event == "phx_reply":
            old, self._replaces = self._replaces, None
            outbound.write(encode(outbound.version, old, old, topic, "phx_close", payloads.EMPTY))

    def _send_replay(self, effect: effects.SendReplay) -> None:
        """Stored broadcasts; what came live meanwhile does not come again, nor the other way round."""
        subscriber, join_ref = self._subscriber, self._loop.state.join_ref
        outbound, topic = subscriber.outbound, subscriber.topic
        received_live, subscriber.received_live = subscriber.received_live or set(), None
        for message in effect.messages:
            if message.id in received_live:
                continue
            if message.is_json:
                body = payloads.broadcast(message.event, message.payload.decode(), message.metadata)
                outbound.write(encode(outbound.version, join_ref, None, topic, "broadcast", body))
            else:
                frame = message.frame(outbound.version, topic)
                if frame is not None:
                    outbound.write(frame)
            subscriber.received.add(message.id)

    # Topics

    def _enter_topic(self) -> None:
        self._update_subscriber()
        self._has_entered = True
        if self._loop.state.options.replay is not None:
            self._subscriber.received_live = set()
        self._context.hub.enter(self._subscriber)

    def _update_subscriber(self) -> None:
        subscriber, state = self._subscriber, self._loop.state
        subscriber.principal = state.principal
        subscriber.reads_broadcast = state.grants.reads_broadcast
        subscriber.reads_presence = state.grants.reads_presence
        subscriber.diff_ref = state.join_ref if state.pushes_diffs else None

    def _track(self, effect: effects.Track) -> None:
        count = self._context.hub.track(self._subscriber, self._loop.state.presence_key, effect.payload)
        if not self._context.count_presence(1 + count):
            failed = events.Failed(errors.too_many_presence_messages())
            asyncio.get_running_loop().call_soon(self._loop.handle, failed)  # once this step's reply is sent

    # Row changes

    def _activate_changes(self) -> None:
        changes, request = self._context.changes, self._queries.request
        if request is None:
            return
        if self._is_returning and changes.has_backlog():
            self._context.tasks.spawn(self._catch_up(request))
        else:
            changes.activate(self._subscriber, request)

    async def _catch_up(self, request: SubscriptionRequest) -> None:
        try:
            await self._context.changes.catch_up(self._subscriber, request)
        except (DatabaseUnavailable, psycopg.Error) as error:
            log.info("a returning client can't be sent what it missed: %s", str(error).strip())
            self._loop.handle(events.Failed(errors.unknown_error(), is_server_fault=True))

    async def _retry_subscribe(self) -> None:
        while self._loop.state.phase == "joined":
            await asyncio.sleep(SUBSCRIBE_RETRY_S)
            answer = await self._queries.subscribe(self._loop.state, None)
            if not answer.is_late:
                self._loop.handle(answer)
                return

    async def _await_replication(self) -> None:
        try:
            async with asyncio.timeout(REPLICATION_WAIT_S):
                await self._context.changes.is_streaming.wait()
            self._loop.handle(events.Replicating(True))
        except TimeoutError:
            self._loop.handle(events.Replicating(False))
