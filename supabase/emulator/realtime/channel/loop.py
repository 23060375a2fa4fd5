"""The loop of one joined channel: it feeds the state machine and runs what that decides. Effects meet the world here.

`feed` never blocks: while a question is with the database, further events wait in order, up to a bound.
"""

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Mapping
from typing import Protocol

import psycopg

from emulator.realtime import errors
from emulator.realtime.channel.machine import step as machine
from emulator.realtime.channel.machine import types as t
from emulator.realtime.channel.machine.types import Channel, Effect, Event
from emulator.realtime.database.pool import DatabaseAway
from emulator.realtime.postgres_changes.registry import Wish
from emulator.realtime.service import RealtimeService
from emulator.realtime.subscriber import Seat
from emulator.realtime.topics.rates import Burst
from emulator.realtime.wire import payloads
from emulator.realtime.wire.frames import Ref, Version, encode

log = logging.getLogger(__name__)
MAX_WAITING = 1_000  # events held back while a channel's question is with the database
MAX_HELD_BYTES = 16 * 1024 * 1024  # of one client's frames held back, all its channels together
TOKEN_CHECK_S = 300.0
SUBSCRIBE_RETRY_S = 1.0
REPLICATION_WAIT_S = 60.0
PRESENCE_WINDOW_S = 30.0


class Client(Protocol):
    """What a channel needs of the client it belongs to (serve/session.py)."""

    version: Version
    headers: Mapping[str, str]
    held_bytes: int

    def write(self, frame: bytes) -> None: ...

    def fail_channel(self, topic: str) -> None: ...

    def forget(self, runner: "Runner") -> None: ...


class Runner:
    """One channel of one client. `join_ref` is null where the client sends none."""

    def __init__(self, service: RealtimeService, client: Client, state: Channel, token: str) -> None:
        self._service = service
        self._client = client
        self.state = state
        self.token = token
        name, is_private = state.name, state.options.is_private
        self.seat = Seat(client, service.hub.next_connection(), state.topic, name, is_private, state.member)
        self.presence_calls = Burst(service.settings.limits.presence_calls, PRESENCE_WINDOW_S)
        self.replaces: Ref = None  # the join_ref of the channel whose place this one takes
        self.is_returning = False  # its client was here before this connection
        self._wish: Wish | None = None
        self._is_busy = False
        self._is_overrun = False  # it was sent more than may wait, and ends as soon as its question is answered
        self._is_entered = False
        self._waiting: deque[tuple[Event, int]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._asked_at = time.monotonic()

    @property
    def join_ref(self) -> Ref:
        return self.state.join_ref

    # Read, step, run

    def feed(self, event: Event, size: int = 0) -> None:
        """Handle an event, or let it wait; `size` is that of its frame, bytes. Once too much waits all is dropped."""
        if not self._is_busy:
            self._step(event)
        elif self._is_overrun:
            return
        elif len(self._waiting) < MAX_WAITING and self._client.held_bytes + size <= MAX_HELD_BYTES:
            self._hold(event, size)
        else:
            self._is_overrun = True
            self._let_go()
            self._hold(t.Failed(errors.too_many_messages()), 0)

    def _hold(self, event: Event, size: int) -> None:
        self._client.held_bytes += size
        self._waiting.append((event, size))

    def _let_go(self) -> None:
        self._client.held_bytes -= sum(size for _, size in self._waiting)
        self._waiting.clear()

    def _step(self, event: Event) -> None:
        self.state, effects = machine.step(self.state, event)
        for effect in effects:
            if isinstance(effect, t.Ask):
                self._is_busy = True
                origin = event if isinstance(effect, t.AskWrite | t.AskRead) and isinstance(event, t.Frame) else None
                self._service.spawn(self._ask(effect, origin))
            else:
                self._run(effect)

    async def _ask(self, question: t.Ask, origin: Event | None) -> None:
        answer: Event | None
        try:
            answer = await self._answer(question)
        except errors.Refused as refused:
            is_optional = isinstance(question, t.AskRead) and question.is_again
            answer = None if is_optional else t.Failed(refused, is_ours=True)
        except Exception:
            log.exception("a channel's question failed")
            answer = t.Failed(errors.unknown_error(), is_ours=True)
        self._is_busy = False
        if origin is not None:
            self._waiting.appendleft((origin, 0))
        if answer is not None:
            self._step(answer)
        while self._waiting and not self._is_busy:
            event, size = self._waiting.popleft()
            self._client.held_bytes -= size
            self._step(event)

    # Questions

    async def _answer(self, question: t.Ask) -> Event:
        state, authorizer, headers = self.state, self._service.authorizer, self._client.headers
        if isinstance(question, t.AskRead):
            self._asked_at = time.monotonic()
            extensions = ["broadcast", "presence"] if question.with_presence else ["broadcast"]
            allowed = await authorizer.may_read(state.member, state.name, headers, extensions)
            return t.ReadChecked("broadcast" in allowed, "presence" in allowed)
        if isinstance(question, t.AskWrite):
            is_allowed = await authorizer.may_write(state.member, state.name, headers, question.extension)
            return t.WriteChecked(question.extension, is_allowed)
        if isinstance(question, t.AskReplay):
            return t.Replayed(await self._service.messages.replay(state.name, question.replay))
        if isinstance(question, t.Store):
            return await self._store(question)
        return await self._subscribe(question.wait_ms)

    async def _store(self, question: t.Store) -> Event:
        """The log brings it to everybody, this process included; but not to its sender unless asked to."""
        identity = self._service.new_message_id()
        if not question.to_self:
            self.seat.known.add(identity)
        is_stored = await self._service.messages.store(identity, question.message)
        return t.Stored(identity if is_stored else None, question.ref)

    async def _subscribe(self, wait_ms: int | None) -> t.Subscribed:
        deadline = time.monotonic() + (wait_ms or 0) / 1000
        while True:
            try:
                self._wish = await self._service.changes.prepare(self.state.options.bindings, self.state.member)
                return t.Subscribed()
            except errors.SubscriptionRefused as refused:
                return t.Subscribed(refused.text)
            except (DatabaseAway, psycopg.Error) as error:
                log.info("a subscription has to wait: %s", str(error).strip())
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return t.Subscribed(is_late=True)
            await asyncio.sleep(min(SUBSCRIBE_RETRY_S, remaining))

    async def _subscribe_later(self) -> None:
        while self.state.phase == "joined":
            await asyncio.sleep(SUBSCRIBE_RETRY_S)
            outcome = await self._subscribe(None)
            if not outcome.is_late:
                self.feed(outcome)
                return

    async def _await_replication(self) -> None:
        try:
            async with asyncio.timeout(REPLICATION_WAIT_S):
                await self._service.changes.is_streaming.wait()
            self.feed(t.Replicating(True))
        except TimeoutError:
            self.feed(t.Replicating(False))

    # Effects

    def _run(self, effect: Effect) -> None:
        """Everything an effect can be but a question."""
        service = self._service
        match effect:
            case t.Send():
                self.send(effect)
            case t.FanOut():
                count = service.hub.broadcast(effect.message, None if effect.to_self else self.seat)
                service.count_messages(count)
            case t.Track():
                self._track(effect.payload)
            case t.Untrack():
                service.count_presence(service.hub.untrack(self.seat))
            case t.Enter():
                self._enter()
            case t.Activate():
                self._activate()
            case t.Deactivate():
                service.changes.remove(self.seat)
            case t.Retry():
                service.spawn(self._subscribe_later())
            case t.AwaitReplication():
                service.spawn(self._await_replication())
            case t.Deliver():
                self._deliver(effect)
            case t.PresenceState():
                self.send(t.Send("presence_state", service.hub.presence_state(self.seat)))
                service.count_presence(1)
            case t.Reseat():
                self._reseat()
                self.watch()
            case t.Close():
                self.close()
            case _:
                raise AssertionError(f"{self.state.topic}: {effect}")

    def send(self, effect: t.Send) -> None:
        """A frame to this client; after the first reply the channel that was replaced is closed."""
        topic = self.state.topic
        self._write(encode(self._client.version, self.join_ref, effect.ref, topic, effect.event, effect.payload))
        if self.replaces is not None and effect.event == "phx_reply":
            old, self.replaces = self.replaces, None
            self._write(encode(self._client.version, old, old, topic, "phx_close", payloads.EMPTY))

    def _write(self, frame: bytes) -> None:
        self._client.write(frame)

    def _enter(self) -> None:
        self._reseat()
        self._is_entered = True
        if self.state.options.replay is not None:
            self.seat.heard = set()
        self._service.hub.enter(self.seat)

    def _activate(self) -> None:
        changes, wish = self._service.changes, self._wish
        if wish is None:
            return
        if self.is_returning and changes.has_backlog():
            self._service.spawn(self._catch_up(wish))
        else:
            changes.activate(self.seat, wish)

    async def _catch_up(self, wish: Wish) -> None:
        try:
            await self._service.changes.catch_up(self.seat, wish)
        except (DatabaseAway, psycopg.Error) as error:
            log.info("a returning client could not be served: %s", str(error).strip())
            self.feed(t.Failed(errors.unknown_error(), is_ours=True))

    def _track(self, payload: dict[str, object]) -> None:
        if not self.state.presence_key:
            self.state = machine.with_presence_key(self.state, self._service.new_presence_key())
        count = self._service.hub.track(self.seat, self.state.presence_key, payload)
        if not self._service.count_presence(1 + count):
            failed = t.Failed(errors.too_many_presence_messages())
            asyncio.get_running_loop().call_soon(self.feed, failed)  # once this step's reply is out

    def _deliver(self, effect: t.Deliver) -> None:
        """Stored broadcasts; what came live meanwhile does not come again, nor the other way round."""
        topic, version = self.state.topic, self._client.version
        heard, self.seat.heard = self.seat.heard or set(), None
        for message in effect.messages:
            if message.id in heard:
                continue
            if message.is_json:
                body = payloads.broadcast(message.event, message.payload.decode(), message.metadata)
                self._write(encode(version, self.join_ref, None, topic, "broadcast", body))
            else:
                frame = message.frame(version, topic)
                if frame is not None:
                    self._write(frame)
            self.seat.known.add(message.id)

    def _reseat(self) -> None:
        seat, state = self.seat, self.state
        seat.member = state.member
        seat.reads_broadcast = state.grants.reads_broadcast
        seat.reads_presence = state.grants.reads_presence

    # Time

    def watch(self) -> None:
        """Look at the token when it expires, and now and then at what policies allow."""
        if self._timer is not None:
            self._timer.cancel()
        wait = min(TOKEN_CHECK_S, max(0.0, self.state.member.expires_at - time.time()) + 0.01)
        if self.state.options.is_private:
            wait = min(wait, self._service.settings.recheck_s * random.uniform(0.75, 1.0))  # not all at once
        self._timer = asyncio.get_running_loop().call_later(wait, self._look)

    def _look(self) -> None:
        is_due = time.monotonic() - self._asked_at >= self._service.settings.recheck_s / 2
        self.feed(t.Clock(time.time(), asks_again=is_due))
        if self.state.phase != "closed":
            self.watch()

    # The end

    def close(self) -> None:
        """Give up the seat and everything that belongs to it."""
        self._let_go()
        if self._timer is not None:
            self._timer.cancel()
        self._service.changes.remove(self.seat)
        if self._is_entered:
            self._service.hub.leave(self.seat)
            self._is_entered = False
        self._client.forget(self)
        self.state = machine.closed(self.state)

    def announce_shutdown(self) -> None:
        """Tell the client that it is we who go."""
        body = payloads.system("Server requested disconnect", "ok", "system", self.state.topic)
        self.send(t.Send("system", body))
