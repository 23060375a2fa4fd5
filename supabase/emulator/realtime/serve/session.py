"""One client: its frames to its channels, joins, new tokens. What a channel does then is in channel/."""

import logging
import re
import time
import uuid
from typing import Protocol

from emulator.principal import Principal
from emulator.realtime import errors
from emulator.realtime.channel.loop import ChannelLoop
from emulator.realtime.channel.machine import events
from emulator.realtime.channel.machine.state import Channel, Rules
from emulator.realtime.context import Context
from emulator.realtime.serve.handshake import Handshake
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

log = logging.getLogger(__name__)
GOING_AWAY = 1001


class Transport(Protocol):
    """What a session needs of its socket."""

    rate_key: str

    def write(self, frame: bytes) -> None: ...

    def close(self, code: int) -> None: ...


class Session:
    """A client's channels. `receive_*` never block; what has to wait becomes a background task."""

    def __init__(
        self,
        context: Context,
        transport: Transport,
        principal: Principal,
        handshake: Handshake,
    ) -> None:
        self.version: Version = handshake.version
        self.headers = handshake.headers
        self.held_bytes = 0
        self.channels: dict[str, ChannelLoop] = {}
        self.without_channel_since = time.monotonic()
        self._context = context
        self._transport = transport
        self._principal = principal
        self._token = handshake.token
        self._frames = 0

    def check_tokens(self) -> None:
        """The clock was turned: what was to be checked at a time is to be checked at another."""
        for channel in list(self.channels.values()):
            channel.schedule_check()

    # What channels ask of their client

    def write(self, frame: bytes) -> None:
        self._transport.write(frame)

    def fail_channel(self, topic: str) -> None:
        """The channel's changes may have been missed: it dies, its client joins again."""
        channel = self.channels.get(topic)
        if channel is not None:
            channel.handle(events.Failed(errors.unknown_error(), is_server_fault=True))

    def forget(self, channel: ChannelLoop) -> None:
        """A channel is closed."""
        if self.channels.get(channel.state.topic) is channel:
            del self.channels[channel.state.topic]
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
        channel = self.channels.get(frame.topic)
        if channel is None:
            self._unmatched(frame)
        elif _is_for(channel, frame):
            self._accept(channel, frame, size)

    def _unmatched(self, frame: Incoming) -> None:
        if isinstance(frame, Push) and frame.event == "phx_leave":
            self._reply(frame, "ok", payloads.EMPTY)
        else:
            body = payloads.reply("error", payloads.reason("unmatched topic"))
            self.write(encode(self.version, None, frame.ref, frame.topic, "phx_reply", body))

    def _reply(self, frame: Incoming, status: str, response: str) -> None:
        body = payloads.reply(status, response)
        self.write(encode(self.version, frame.join_ref, frame.ref, frame.topic, "phx_reply", body))

    def _accept(self, channel: ChannelLoop, frame: Incoming, size: int) -> None:
        """A frame for a joined channel."""
        if isinstance(frame, Push) and frame.event == "access_token":
            event = self._new_token(channel, frame)
            if event is not None:
                channel.handle(event)
            return
        is_broadcast = isinstance(frame, UserBroadcast) or frame.event == "broadcast"
        if is_broadcast and not self._context.count_messages(1):
            channel.handle(events.Failed(errors.too_many_messages()))
        elif frame.event == "presence" and not is_broadcast and not self._may_be_present(channel):
            channel.handle(events.Failed(errors.too_many_presence_calls()))
        else:
            channel.handle(frame, size)

    def _may_be_present(self, channel: ChannelLoop) -> bool:
        now = time.monotonic()
        return channel.presence_calls.add(now) and not self._context.client_rates.presence.take(
            self._transport.rate_key, now
        )

    # Joining

    def _join(self, push: Push) -> None:
        if not push.topic.startswith(payloads.TOPIC_PREFIX):
            self._unmatched(push)
            return
        if self._context.client_rates.joins.take(self._transport.rate_key, time.monotonic()):
            # Of this client alone: the others' joins are not counted with it, and its connection stays.
            self._reply(push, "error", payloads.reason(errors.too_many_joins().reason))
            return
        options = payloads.parse_join(push.payload, push.topic)
        before = self.channels.get(push.topic)
        try:
            if not self._context.count_join():
                raise errors.too_many_joins()
            if before is None and len(self.channels) >= self._context.settings.limits.channels_per_connection:
                raise errors.too_many_channels()
            principal, token = self._join_principal(payloads.join_token(push.payload))
        except errors.Refused as refused:
            self._reply(push, "error", payloads.reason(refused.reason))
            if refused.code == errors.too_many_joins().code:
                self._transport.close(GOING_AWAY)
            return
        settings = self._context.settings
        rules = Rules(settings.limits.broadcast_bytes, settings.private_only)
        presence_key = options.presence_key or str(uuid.uuid4())
        state = Channel(rules, push.topic, push.join_ref, push.ref, options, principal, presence_key)
        if before is not None:
            before.close()
        channel = ChannelLoop(
            self._context,
            self,
            state,
            token,
            replaces=before.join_ref if before is not None else None,
            # Both official clients number their frames for as long as they live, across connections. supabase-js leaves
            # some numbers out before its first frame, so that a new one counts, too: it hears again what it has read.
            is_returning=_number(push.ref) > self._frames,
        )
        self.channels[push.topic] = channel
        channel.start()

    def _join_principal(self, token: str | None) -> tuple[Principal, str]:
        if token is not None:
            return self._context.tokens.verify(token), token
        tokens.check_expiry(self._principal, self._context.clock.time())
        return self._principal, self._token

    def _new_token(self, channel: ChannelLoop, push: Push) -> events.TokenRead | None:
        token = push.payload.get("access_token") if isinstance(push.payload, dict) else None
        if not isinstance(token, str) or tokens.is_opaque(token) or token == channel.token:
            return None
        try:
            principal = self._context.tokens.verify(token)
        except errors.Refused as refused:
            return events.TokenRead(None, errors.of_a_new_token(refused))
        channel.token = token
        return events.TokenRead(principal)

    # The end

    def end(self) -> None:
        """The socket is gone: so are its channels."""
        for channel in tuple(self.channels.values()):
            channel.close()

    def announce_shutdown(self) -> None:
        """Tell every channel that the server closes the connection."""
        for channel in tuple(self.channels.values()):
            channel.announce_shutdown()


def _is_for(channel: ChannelLoop, frame: Incoming) -> bool:
    """Whether a frame is meant for the channel. As in the original only leaving looks at which join it belongs to."""
    if isinstance(frame, UserBroadcast) or frame.event != "phx_leave":
        return True
    return frame.join_ref is None or channel.join_ref is None or frame.join_ref == channel.join_ref


def _number(ref: object) -> int:
    """The number of a frame; 0 where it has none."""
    is_number = isinstance(ref, str) and re.fullmatch("[0-9]{1,15}", ref) is not None
    return int(str(ref)) if is_number else 0
