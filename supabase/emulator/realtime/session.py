"""One client: its channels, and the loop that runs what the state machine decides. Effects meet the world here."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import psycopg

from emulator.realtime import channel as machine
from emulator.realtime import errors, payloads, tokens
from emulator.realtime.changes import Wish
from emulator.realtime.channel import Channel, Effect, Event
from emulator.realtime.database import DatabaseAway
from emulator.realtime.frames import (
    BadFrame,
    Incoming,
    Push,
    Ref,
    UserBroadcast,
    Version,
    decode_binary,
    decode_text,
    encode,
)
from emulator.realtime.rates import Burst
from emulator.realtime.seats import Seat
from emulator.realtime.tokens import Member

if TYPE_CHECKING:
    from emulator.realtime.app import RealtimeService

log = logging.getLogger(__name__)
MAX_WAITING = 1_000  # frames held back while a channel's question is with the database
TOKEN_CHECK_S = 300.0
SUBSCRIBE_RETRY_S = 1.0
PRESENCE_WINDOW_S = 30.0
GOING_AWAY = 1001


class Transport(Protocol):
    """What a session needs of its socket."""

    def write(self, frame: bytes) -> None: ...

    def close(self, code: int) -> None: ...


@dataclass(eq=False, slots=True)
class Runner:
    """A channel's state with what belongs to it outside of the machine."""

    state: Channel
    seat: Seat
    token: str
    presence_calls: Burst
    join_ref: Ref = None  # null where the client sends none
    replaces: Ref = None
    is_returning: bool = False  # its client was here before this connection
    wish: Wish | None = None
    is_busy: bool = False
    is_entered: bool = False
    waiting: deque[Event] = field(default_factory=deque)
    timer: asyncio.TimerHandle | None = None


class Session:
    """A client's channels. `receive_*` never block; whatever has to wait becomes a task of the service."""

    def __init__(
        self,
        service: "RealtimeService",
        transport: Transport,
        version: Version,
        member: Member,
        token: str,
        headers: Mapping[str, str],
    ) -> None:
        self.version: Version = version
        self._service = service
        self._transport = transport
        self._member = member
        self._token = token
        self._headers = headers
        self.channels: dict[str, Runner] = {}
        self.without_channel_since = time.monotonic()
        self._frames = 0

    # The wire's side of a seat

    def write(self, frame: bytes) -> None:
        self._transport.write(frame)

    def fail_channel(self, topic: str) -> None:
        """The channel's changes may have been missed: it dies, its client joins again."""
        runner = self.channels.get(topic)
        if runner is not None:
            self._feed(runner, machine.Failed(errors.unknown_error(), is_ours=True))

    # Frames

    def receive_text(self, data: bytes) -> None:
        """Handle a text frame; one that can't be read is dropped."""
        try:
            self._receive(decode_text(self.version, data))
        except BadFrame as error:
            log.info("a frame is dropped: %s", error)

    def receive_binary(self, data: bytes) -> None:
        """Handle a binary frame; only protocol 2.0.0 has them."""
        try:
            if self.version == 1:
                raise BadFrame("binary in protocol 1.0.0")
            self._receive(decode_binary(data))
        except BadFrame as error:
            log.info("a frame is dropped: %s", error)

    def _receive(self, frame: Incoming) -> None:
        self._frames += 1
        if isinstance(frame, Push):
            if frame.topic == "phoenix" and frame.event == "heartbeat":
                self._reply(frame, "ok", payloads.EMPTY)
                return
            if frame.event == "phx_join":
                self._join(frame)
                return
        runner = self.channels.get(frame.topic)
        if runner is None:
            self._unmatched(frame)
        elif frame.join_ref is None or runner.join_ref is None or frame.join_ref == runner.join_ref:
            self._accept(runner, frame)

    def _unmatched(self, frame: Incoming) -> None:
        if isinstance(frame, Push) and frame.event == "phx_leave":
            self._reply(frame, "ok", payloads.EMPTY)
        else:
            self._reply(frame, "error", payloads.reason("unmatched topic"))

    def _reply(self, frame: Incoming, status: str, response: str) -> None:
        body = payloads.reply(status, response)
        self.write(encode(self.version, frame.join_ref, frame.ref, frame.topic, "phx_reply", body))

    def _accept(self, runner: Runner, frame: Incoming) -> None:
        """A frame for a joined channel."""
        if isinstance(frame, Push) and frame.event == "access_token":
            event = self._new_token(runner, frame)
            if event is not None:
                self._feed(runner, event)
            return
        is_broadcast = isinstance(frame, UserBroadcast) or frame.event == "broadcast"
        if is_broadcast and not self._service.count_messages(1):
            self._feed(runner, machine.Failed(errors.too_many_messages()))
            return
        if frame.event == "presence" and not is_broadcast and not runner.presence_calls.add(time.monotonic()):
            self._feed(runner, machine.Failed(errors.too_many_presence_calls()))
            return
        self._feed(runner, frame)

    # Joining

    def _join(self, push: Push) -> None:
        if not push.topic.startswith(payloads.TOPIC_PREFIX):
            self._reply(push, "error", payloads.reason("unmatched topic"))
            return
        options = payloads.parse_join(push.payload)
        try:
            if not self._service.count_join():
                raise errors.too_many_joins()
            before = self.channels.get(push.topic)
            if before is None and len(self.channels) >= self._service.settings.limits.channels_per_connection:
                raise errors.too_many_channels()
            member, token = self._join_member(options.token)
        except errors.Refused as refused:
            self._reply(push, "error", payloads.reason(refused.reason))
            if refused.code == errors.too_many_joins().code:
                self._transport.close(GOING_AWAY)
            return
        runner = self._runner(push, options, member, token)
        if before is not None:
            self._close(before)
            runner.replaces = before.join_ref
        self.channels[push.topic] = runner
        self._watch_token(runner)
        self._feed(runner, machine.Start())

    def _join_member(self, token: object) -> tuple[Member, str]:
        if isinstance(token, str) and token and not tokens.is_opaque(token):
            return self._service.member_of(token), token
        tokens.check_expiry(self._member, time.time())
        return self._member, self._token

    def _runner(self, push: Push, options: payloads.JoinOptions, member: Member, token: str) -> Runner:
        service = self._service
        connection = service.hub.next_connection()
        name = payloads.topic_name(push.topic)
        rules = machine.Rules(service.settings.limits.broadcast_bytes, service.settings.private_only)
        state = Channel(rules, push.topic, push.join_ref, push.ref, options, member, options.presence_key)
        seat = Seat(self, connection, push.topic, name, options.is_private, member)
        burst = Burst(service.settings.limits.presence_calls, PRESENCE_WINDOW_S)
        # Both official clients number their frames from 1 for as long as they live, connections come and go.
        is_returning = isinstance(push.ref, str) and push.ref.isdigit() and int(push.ref) > self._frames
        return Runner(state, seat, token, burst, push.join_ref, is_returning=is_returning)

    # Tokens

    def _new_token(self, runner: Runner, push: Push) -> Event | None:
        token = push.payload.get("access_token") if isinstance(push.payload, dict) else None
        if token is None or tokens.is_opaque(token) or token == runner.token:
            return None
        try:
            if not isinstance(token, str):
                raise errors.token_malformed()
            member = self._service.member_of(token)
        except errors.Refused as refused:
            return machine.TokenRead(None, refused)
        runner.token = token
        return machine.TokenRead(member)

    def _watch_token(self, runner: Runner) -> None:
        if runner.timer is not None:
            runner.timer.cancel()
        wait = min(TOKEN_CHECK_S, max(0.0, runner.state.member.expires_at - time.time()) + 0.01)
        runner.timer = asyncio.get_running_loop().call_later(wait, self._check_token, runner)

    def _check_token(self, runner: Runner) -> None:
        self._feed(runner, machine.Clock(time.time()))
        if runner.state.phase != "closed":
            self._watch_token(runner)

    # The loop: read, step, run

    def _feed(self, runner: Runner, event: Event) -> None:
        if not runner.is_busy:
            self._step(runner, event)
        elif len(runner.waiting) < MAX_WAITING:
            runner.waiting.append(event)
        else:
            runner.waiting.clear()
            runner.waiting.append(machine.Failed(errors.too_many_messages()))

    def _step(self, runner: Runner, event: Event) -> None:
        runner.state, effects = machine.step(runner.state, event)
        for effect in effects:
            if isinstance(effect, machine.Ask):
                runner.is_busy = True
                origin = event if isinstance(event, Push | UserBroadcast) else None
                self._service.spawn(self._ask(runner, effect, origin))
            else:
                self._run(runner, effect)

    async def _ask(self, runner: Runner, question: machine.Ask, origin: Event | None) -> None:
        try:
            answer = await self._answer(runner, question)
        except errors.Refused as refused:
            answer = machine.Failed(refused, is_ours=True)
        except Exception:
            log.exception("a channel's question failed")
            answer = machine.Failed(errors.unknown_error(), is_ours=True)
        runner.is_busy = False
        if origin is not None:
            runner.waiting.appendleft(origin)
        self._step(runner, answer)
        while runner.waiting and not runner.is_busy:
            self._step(runner, runner.waiting.popleft())

    async def _answer(self, runner: Runner, question: machine.Ask) -> Event:
        state, authorizer = runner.state, self._service.authorizer
        if isinstance(question, machine.AskRead):
            extensions = ["broadcast", "presence"] if question.with_presence else ["broadcast"]
            allowed = await authorizer.may_read(state.member, state.name, self._headers, extensions)
            return machine.ReadChecked("broadcast" in allowed, "presence" in allowed)
        if isinstance(question, machine.AskWrite):
            is_allowed = await authorizer.may_write(state.member, state.name, self._headers, question.extension)
            return machine.WriteChecked(question.extension, is_allowed)
        if isinstance(question, machine.AskReplay):
            return machine.Replayed(await authorizer.replay(state.name, question.replay))
        return await self._subscribe(runner, question.wait_ms)

    async def _subscribe(self, runner: Runner, wait_ms: int | None) -> machine.Subscribed:
        state = runner.state
        deadline = time.monotonic() + (wait_ms or 0) / 1000
        while True:
            try:
                runner.wish = await self._service.changes.prepare(state.options.bindings, state.member)
                return machine.Subscribed()
            except errors.SubscriptionRefused as refused:
                return machine.Subscribed(refused.text)
            except (DatabaseAway, psycopg.Error) as error:
                log.info("a subscription has to wait: %s", str(error).strip())
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return machine.Subscribed(is_late=True)
            await asyncio.sleep(min(SUBSCRIBE_RETRY_S, remaining))

    async def _subscribe_later(self, runner: Runner) -> None:
        while runner.state.phase == "joined":
            await asyncio.sleep(SUBSCRIBE_RETRY_S)
            outcome = await self._subscribe(runner, None)
            if not outcome.is_late:
                self._feed(runner, outcome)
                return

    def _run(self, runner: Runner, effect: Effect) -> None:
        """Everything an effect can be but a question."""
        service, seat, state = self._service, runner.seat, runner.state
        if isinstance(effect, machine.Send):
            self._send(runner, effect)
        elif isinstance(effect, machine.FanOut):
            count = service.hub.broadcast(effect.message, None if effect.to_self else seat)
            service.count_messages(count)
        elif isinstance(effect, machine.Track):
            self._track(runner, effect.payload)
        elif isinstance(effect, machine.Untrack):
            service.count_presence(service.hub.untrack(seat))
        elif isinstance(effect, machine.Enter):
            self._reseat(runner)
            runner.is_entered = True
            service.hub.enter(seat)
        elif isinstance(effect, machine.Activate):
            self._activate(runner)
        elif isinstance(effect, machine.Retry):
            service.spawn(self._subscribe_later(runner))
        elif isinstance(effect, machine.Deliver):
            self._deliver(runner, effect)
        elif isinstance(effect, machine.PresenceState):
            self._send(runner, machine.Send("presence_state", service.hub.presence_state(seat)))
            service.count_presence(1)
        elif isinstance(effect, machine.Reseat):
            self._reseat(runner)
            self._watch_token(runner)
        elif isinstance(effect, machine.Close):
            self._close(runner)
        else:
            raise AssertionError(f"{state.topic}: {effect}")

    def _activate(self, runner: Runner) -> None:
        changes, wish = self._service.changes, runner.wish
        if wish is None:
            return
        if runner.is_returning and changes.has_backlog():
            self._service.spawn(self._catch_up(runner, wish))
        else:
            changes.activate(runner.seat, wish)

    async def _catch_up(self, runner: Runner, wish: Wish) -> None:
        try:
            await self._service.changes.catch_up(runner.seat, wish)
        except (DatabaseAway, psycopg.Error) as error:
            log.info("a returning client could not be served: %s", str(error).strip())
            self._feed(runner, machine.Failed(errors.unknown_error(), is_ours=True))

    def _send(self, runner: Runner, effect: machine.Send) -> None:
        topic, join_ref = runner.state.topic, runner.state.join_ref
        self.write(encode(self.version, join_ref, effect.ref, topic, effect.event, effect.payload))
        if runner.replaces is not None and effect.event == "phx_reply":
            old, runner.replaces = runner.replaces, None
            self.write(encode(self.version, old, old, topic, "phx_close", payloads.EMPTY))

    def _track(self, runner: Runner, payload: dict[str, object]) -> None:
        if not runner.state.presence_key:
            runner.state = machine.with_presence_key(runner.state, self._service.new_presence_key())
        count = self._service.hub.track(runner.seat, runner.state.presence_key, payload)
        if not self._service.count_presence(1 + count):
            runner.waiting.append(machine.Failed(errors.too_many_presence_messages()))

    def _deliver(self, runner: Runner, effect: machine.Deliver) -> None:
        topic, join_ref = runner.state.topic, runner.state.join_ref
        for message in effect.messages:
            if message.is_json:
                body = payloads.broadcast(message.event, message.payload.decode(), message.metadata)
                self.write(encode(self.version, join_ref, None, topic, "broadcast", body))
            else:
                frame = message.frame(self.version, topic)
                if frame is not None:
                    self.write(frame)
            runner.seat.replayed.add(message.id)

    def _reseat(self, runner: Runner) -> None:
        seat, state = runner.seat, runner.state
        seat.member = state.member
        seat.reads_broadcast = state.grants.reads_broadcast
        seat.reads_presence = state.grants.reads_presence

    def _close(self, runner: Runner) -> None:
        runner.waiting.clear()
        if runner.timer is not None:
            runner.timer.cancel()
        self._service.changes.remove(runner.seat)
        if runner.is_entered:
            self._service.hub.leave(runner.seat)
            runner.is_entered = False
        if self.channels.get(runner.state.topic) is runner:
            del self.channels[runner.state.topic]
            self.without_channel_since = time.monotonic()
        runner.state = machine.closed(runner.state)

    def end(self) -> None:
        """The socket is gone: so are its channels."""
        for runner in tuple(self.channels.values()):
            self._close(runner)

    def announce_shutdown(self) -> None:
        """Tell every channel that it is we who go."""
        for runner in tuple(self.channels.values()):
            body = payloads.system("Server requested disconnect", "ok", "system", runner.state.topic)
            self._send(runner, machine.Send("system", body))
