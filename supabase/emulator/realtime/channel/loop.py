"""The loop of one joined channel: feeds the state machine with events, and runs what that decides.

`handle` never blocks: while an AsyncEffect waits for the database, further events wait in order, up to a bound.
"""

import asyncio
import logging
import random
import time
from collections.abc import Mapping
from typing import Protocol

from emulator.realtime import errors
from emulator.realtime.channel.effect_runner import EffectRunner
from emulator.realtime.channel.machine import events
from emulator.realtime.channel.machine.effects import AsyncEffect, CheckRead, CheckWrite
from emulator.realtime.channel.machine.events import Event
from emulator.realtime.channel.machine.state import Channel
from emulator.realtime.channel.machine.step import closed, step
from emulator.realtime.channel.queries import ChannelQueries
from emulator.realtime.context import Context
from emulator.realtime.subscriber import Subscriber
from emulator.realtime.topics.rates import SlidingWindow
from emulator.realtime.wire.frames import Ref, Version
from emulator.realtime.wire.tokens import remaining_s

log = logging.getLogger(__name__)
MAX_WAITING = 1_000  # events held back while an AsyncEffect waits for the database
MAX_HELD_BYTES = 16 * 1024 * 1024  # of one client's frames held back, all its channels together
TOKEN_CHECK_S = 300.0


class Client(Protocol):
    """What a channel needs of the client it belongs to (serve/session.py)."""

    version: Version
    headers: Mapping[str, str]
    held_bytes: int

    def write(self, frame: bytes) -> None: ...

    def fail_channel(self, topic: str) -> None: ...

    def forget(self, channel: "ChannelLoop") -> None: ...


class ChannelLoop:
    """One channel of one client.

    `replaces`: the join_ref of the channel whose place this one takes. `is_returning`: its client was here before this
    connection.
    """

    # A process has thousands.
    __slots__ = (
        "_checked_at", "_client", "_context", "_effects", "_is_busy", "_is_overrun", "_queries", "_timer", "_waiting",
        "presence_calls", "state", "token",
    )  # fmt: skip

    def __init__(
        self,
        context: Context,
        client: Client,
        state: Channel,
        token: str,
        *,
        replaces: Ref = None,
        is_returning: bool = False,
    ) -> None:
        self.state = state
        self.token = token
        limits = context.settings.limits
        self.presence_calls = SlidingWindow(limits.presence_calls, limits.presence_window_ms / 1000)
        self._context = context
        self._client = client
        connection, is_private = context.hub.next_connection(), state.options.is_private
        subscriber = Subscriber(
            client, connection, state.topic, state.name, is_private, state.principal, state.options.is_legacy
        )
        self._queries = ChannelQueries(context, client.headers, subscriber)
        self._effects = EffectRunner(
            context, self, subscriber, self._queries, replaces=replaces, is_returning=is_returning
        )
        self._is_busy = False
        self._is_overrun = False  # it was sent more than may wait, and ends as soon as its AsyncEffect is answered
        self._waiting: list[tuple[Event, int]] = []  # short; an empty deque would weigh 760 bytes
        self._timer: asyncio.TimerHandle | None = None
        self._checked_at = time.monotonic()

    @property
    def join_ref(self) -> Ref:
        """Null where the client sends none."""
        return self.state.join_ref

    def start(self) -> None:
        """Begin to join."""
        self.schedule_check()
        self.handle(events.Start())

    # Events

    def handle(self, event: Event, size: int = 0) -> None:
        """Handle an event, or let it wait; `size` is that of its frame, bytes. When too much waits, all is dropped."""
        if not self._is_busy:
            self._step(event)
        elif self._is_overrun:
            return
        elif len(self._waiting) < MAX_WAITING and self._client.held_bytes + size <= MAX_HELD_BYTES:
            self._hold(event, size)
        else:
            self._is_overrun = True
            self._drop_waiting()
            self._hold(events.Failed(errors.too_many_messages()), 0)

    def _hold(self, event: Event, size: int) -> None:
        self._client.held_bytes += size
        self._waiting.append((event, size))

    def _drop_waiting(self) -> None:
        self._client.held_bytes -= sum(size for _, size in self._waiting)
        self._waiting.clear()

    def _step(self, event: Event) -> None:
        self.state, effects = step(self.state, event)
        for effect in effects:
            if isinstance(effect, AsyncEffect):
                self._is_busy = True
                is_repeated = isinstance(effect, CheckWrite | CheckRead) and isinstance(event, events.Frame)
                self._context.tasks.spawn(self._run_async(effect, event if is_repeated else None))
            else:
                self._effects.run(effect)

    async def _run_async(self, effect: AsyncEffect, cause: Event | None) -> None:
        """Wait for an effect's answer and handle it; then `cause`, and what came meanwhile."""
        answer = await self._answer(effect)
        self._is_busy = False
        if cause is not None:
            self._waiting.insert(0, (cause, 0))
        if answer is not None:
            self._step(answer)
        while self._waiting and not self._is_busy:
            event, size = self._waiting.pop(0)
            self._client.held_bytes -= size
            self._step(event)

    async def _answer(self, effect: AsyncEffect) -> Event | None:
        if isinstance(effect, CheckRead):
            self._checked_at = time.monotonic()
        try:
            return await self._queries.answer(self.state, effect)
        except errors.Refused as refused:
            is_optional = isinstance(effect, CheckRead) and effect.is_recheck
            return None if is_optional else events.Failed(refused, is_server_fault=True)
        except Exception:
            log.exception("an effect of a channel failed")
            return events.Failed(errors.unknown_error(), is_server_fault=True)

    # Time

    def schedule_check(self) -> None:
        """Check the token when it expires, and now and then what policies allow."""
        if self._timer is not None:
            self._timer.cancel()
        wait = min(TOKEN_CHECK_S, max(0.0, remaining_s(self.state.principal, self._context.clock.time())) + 0.01)
        if self.state.options.is_private:
            wait = min(wait, self._context.settings.recheck_s * random.uniform(0.75, 1.0))  # not all at once
        self._timer = asyncio.get_running_loop().call_later(wait, self._check)

    def _check(self) -> None:
        is_due = time.monotonic() - self._checked_at >= self._context.settings.recheck_s / 2
        self.handle(events.Tick(self._context.clock.time(), rechecks=is_due))
        if self.state.phase != "closed":
            self.schedule_check()

    # The end

    def close(self) -> None:
        """Leave the topic, and release everything that belongs to the channel."""
        self._drop_waiting()
        if self._timer is not None:
            self._timer.cancel()
        self._effects.leave()
        self._client.forget(self)
        self.state = closed(self.state)

    def announce_shutdown(self) -> None:
        """Tell the client that the server closes the connection."""
        self._effects.announce_shutdown()
