"""One client: its frames to its channels, joins, new tokens. What a channel then does is channel/loop.py's matter."""

import logging
import re
import time
from collections.abc import Mapping
from typing import Protocol

from emulator.realtime import errors
from emulator.realtime.channel.loop import Runner
from emulator.realtime.channel.machine import types as t
from emulator.realtime.service import RealtimeService
from emulator.realtime.wire import payloads, tokens
from emulator.realtime.wire.frames import (
    BadFrame,
    Incoming,
    Push,
    UserBroadcast,
    Version,
    decode_binary,
    decode_text,
    encode,
)
from emulator.realtime.wire.tokens import Member

log = logging.getLogger(__name__)
GOING_AWAY = 1001


class Transport(Protocol):
    """What a session needs of its socket."""

    def write(self, frame: bytes) -> None: ...

    def close(self, code: int) -> None: ...


class Session:
    """A client's channels. `receive_*` never block; whatever has to wait becomes a task of the service."""

    def __init__(
        self,
        service: RealtimeService,
        transport: Transport,
        version: Version,
        member: Member,
        token: str,
        headers: Mapping[str, str],
    ) -> None:
        self.version: Version = version
        self.headers = headers
        self.held_bytes = 0
        self.channels: dict[str, Runner] = {}
        self.without_channel_since = time.monotonic()
        self._service = service
        self._transport = transport
        self._member = member
        self._token = token
        self._frames = 0

    # What channels ask of their client

    def write(self, frame: bytes) -> None:
        self._transport.write(frame)

    def fail_channel(self, topic: str) -> None:
        """The channel's changes may have been missed: it dies, its client joins again."""
        runner = self.channels.get(topic)
        if runner is not None:
            runner.feed(t.Failed(errors.unknown_error(), is_ours=True))

    def forget(self, runner: Runner) -> None:
        """A channel is closed."""
        if self.channels.get(runner.state.topic) is runner:
            del self.channels[runner.state.topic]
            self.without_channel_since = time.monotonic()

    # Frames

    def receive_text(self, data: bytes) -> None:
        """Handle a text frame; one that can't be read is dropped."""
        try:
            self._receive(decode_text(self.version, data), len(data))
        except BadFrame as error:
            log.info("a frame is dropped: %s", error)

    def receive_binary(self, data: bytes) -> None:
        """Handle a binary frame; only protocol 2.0.0 has them."""
        try:
            if self.version == 1:
                raise BadFrame("binary in protocol 1.0.0")
            self._receive(decode_binary(data), len(data))
        except BadFrame as error:
            log.info("a frame is dropped: %s", error)

    def _receive(self, frame: Incoming, size: int) -> None:
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
            self._accept(runner, frame, size)

    def _unmatched(self, frame: Incoming) -> None:
        if isinstance(frame, Push) and frame.event == "phx_leave":
            self._reply(frame, "ok", payloads.EMPTY)
        else:
            self._reply(frame, "error", payloads.reason("unmatched topic"))

    def _reply(self, frame: Incoming, status: str, response: str) -> None:
        body = payloads.reply(status, response)
        self.write(encode(self.version, frame.join_ref, frame.ref, frame.topic, "phx_reply", body))

    def _accept(self, runner: Runner, frame: Incoming, size: int) -> None:
        """A frame for a joined channel."""
        if isinstance(frame, Push) and frame.event == "access_token":
            event = self._new_token(runner, frame)
            if event is not None:
                runner.feed(event)
            return
        is_broadcast = isinstance(frame, UserBroadcast) or frame.event == "broadcast"
        if is_broadcast and not self._service.count_messages(1):
            runner.feed(t.Failed(errors.too_many_messages()))
        elif frame.event == "presence" and not is_broadcast and not runner.presence_calls.add(time.monotonic()):
            runner.feed(t.Failed(errors.too_many_presence_calls()))
        else:
            runner.feed(frame, size)

    # Joining

    def _join(self, push: Push) -> None:
        if not push.topic.startswith(payloads.TOPIC_PREFIX):
            self._reply(push, "error", payloads.reason("unmatched topic"))
            return
        options = payloads.parse_join(push.payload)
        before = self.channels.get(push.topic)
        try:
            if not self._service.count_join():
                raise errors.too_many_joins()
            if before is None and len(self.channels) >= self._service.settings.limits.channels_per_connection:
                raise errors.too_many_channels()
            member, token = self._join_member(options.token)
        except errors.Refused as refused:
            self._reply(push, "error", payloads.reason(refused.reason))
            if refused.code == errors.too_many_joins().code:
                self._transport.close(GOING_AWAY)
            return
        settings = self._service.settings
        rules = t.Rules(settings.limits.broadcast_bytes, settings.private_only)
        state = t.Channel(rules, push.topic, push.join_ref, push.ref, options, member, options.presence_key)
        runner = Runner(self._service, self, state, token)
        # Both official clients number their frames from 1 for as long as they live, connections come and go.
        runner.is_returning = _number(push.ref) > self._frames
        if before is not None:
            before.close()
            runner.replaces = before.join_ref
        self.channels[push.topic] = runner
        runner.watch()
        runner.feed(t.Start())

    def _join_member(self, token: object) -> tuple[Member, str]:
        if isinstance(token, str) and token and not tokens.is_opaque(token):
            return self._service.member_of(token), token
        tokens.check_expiry(self._member, time.time())
        return self._member, self._token

    def _new_token(self, runner: Runner, push: Push) -> t.Event | None:
        token = push.payload.get("access_token") if isinstance(push.payload, dict) else None
        if token is None or tokens.is_opaque(token) or token == runner.token:
            return None
        try:
            if not isinstance(token, str):
                raise errors.token_malformed()
            member = self._service.member_of(token)
        except errors.Refused as refused:
            return t.TokenRead(None, refused)
        runner.token = token
        return t.TokenRead(member)

    # The end

    def end(self) -> None:
        """The socket is gone: so are its channels."""
        for runner in tuple(self.channels.values()):
            runner.close()

    def announce_shutdown(self) -> None:
        """Tell every channel that it is we who go."""
        for runner in tuple(self.channels.values()):
            runner.announce_shutdown()


def _number(ref: object) -> int:
    """What number a frame bears; 0 where it bears none."""
    is_number = isinstance(ref, str) and re.fullmatch("[0-9]{1,15}", ref) is not None
    return int(str(ref)) if is_number else 0
