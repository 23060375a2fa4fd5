"""One joined channel as a state machine: (state, event) to (state, effects). Pure: no clock, no socket, no database.

An effect that asks (permission, subscription, replay) is answered by an event; until then the runner (session.py)
holds further events back, so that each channel handles its frames in order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from emulator.realtime import errors, payloads
from emulator.realtime.frames import Push, Ref, UserBroadcast, dump
from emulator.realtime.hub import Broadcast
from emulator.realtime.payloads import JoinOptions
from emulator.realtime.presence import Meta
from emulator.realtime.tokens import Member, check_expiry

Extension = Literal["broadcast", "presence"]
SUBSCRIBED = "Subscribed to PostgreSQL"
REPLICATING = "Replication connection established"


@dataclass(frozen=True, slots=True)
class Grants:
    """What policies allow on a private channel; writing is asked at the first write and None until then."""

    reads_broadcast: bool = True
    reads_presence: bool = True
    writes_broadcast: bool | None = None
    writes_presence: bool | None = None


PUBLIC = Grants(True, True, True, True)


@dataclass(frozen=True, slots=True)
class Rules:
    """What the service's settings say about channels."""

    broadcast_bytes: int
    private_only: bool = False


@dataclass(frozen=True, slots=True)
class Channel:
    """The state. `reads_presence_unasked`: presence was enabled by a track, its read check is still to come."""

    rules: Rules
    topic: str
    join_ref: Ref
    ref: Ref
    options: JoinOptions
    member: Member
    presence_key: str
    grants: Grants = PUBLIC
    phase: Literal["joining", "joined", "closed"] = "joining"
    presence_enabled: bool = False

    @property
    def name(self) -> str:
        return payloads.topic_name(self.topic)


# Events


@dataclass(frozen=True, slots=True)
class Start:
    """The join itself: its token was read."""


@dataclass(frozen=True, slots=True)
class ReadChecked:
    """The answer to AskRead."""

    reads_broadcast: bool
    reads_presence: bool


@dataclass(frozen=True, slots=True)
class WriteChecked:
    """The answer to AskWrite; the frame that made us ask comes again afterwards."""

    extension: Extension
    is_allowed: bool


@dataclass(frozen=True, slots=True)
class Subscribed:
    """The answer to Subscribe: live, refused with a text, or not yet because the database is away."""

    problem: str | None = None
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class Replayed:
    """The answer to AskReplay: stored broadcasts, oldest first; None when they can't be read."""

    messages: tuple[Broadcast, ...] | None


@dataclass(frozen=True, slots=True)
class TokenRead:
    """An access_token event's token, read; or why it can't be."""

    member: Member | None
    refused: errors.Refused | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """An effect could not be run for a reason on our side, or on the client's."""

    refused: errors.Refused
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """Time to look at the token again."""

    now: float


Event = Start | ReadChecked | WriteChecked | Subscribed | Replayed | TokenRead | Failed | Clock | Push | UserBroadcast

# Effects


@dataclass(frozen=True, slots=True)
class Send:
    """A frame to this client only. `ref` is the frame's, `with_join_ref` whether it carries the channel's."""

    event: str
    payload: str
    ref: Ref = None


@dataclass(frozen=True, slots=True)
class Enter:
    """Take the seat in the hub; from here on messages flow."""


@dataclass(frozen=True, slots=True)
class Activate:
    """Let row changes flow to what was subscribed."""


@dataclass(frozen=True, slots=True)
class Retry:
    """Subscribe again until it succeeds."""


@dataclass(frozen=True, slots=True)
class Deliver:
    """Send stored broadcasts to this client only."""

    messages: tuple[Broadcast, ...]


@dataclass(frozen=True, slots=True)
class FanOut:
    """Send a broadcast to the members, the sender included or not."""

    message: Broadcast
    to_self: bool


@dataclass(frozen=True, slots=True)
class Track:
    payload: Meta


@dataclass(frozen=True, slots=True)
class Untrack:
    pass


@dataclass(frozen=True, slots=True)
class PresenceState:
    """Send the topic's presence to this client."""


@dataclass(frozen=True, slots=True)
class Reseat:
    """Member or grants changed: the hub and the subscriptions must know."""


@dataclass(frozen=True, slots=True)
class Close:
    """Give up the seat and everything that belongs to it."""


@dataclass(frozen=True, slots=True)
class AskRead:
    with_presence: bool


@dataclass(frozen=True, slots=True)
class AskWrite:
    extension: Extension


@dataclass(frozen=True, slots=True)
class Subscribe:
    wait_ms: int | None


@dataclass(frozen=True, slots=True)
class AskReplay:
    replay: payloads.Replay


Ask = AskRead | AskWrite | Subscribe | AskReplay
Effect = (
    Send | Enter | Activate | Retry | Deliver | FanOut | Track | Untrack | PresenceState | Reseat | Close
    | AskRead | AskWrite | Subscribe | AskReplay
)  # fmt: skip
Step = tuple[Channel, Sequence[Effect]]


def step(state: Channel, event: Event) -> Step:
    """What an event does to a channel."""
    if state.phase == "closed":
        return state, ()
    handler: Callable[[Channel, Any], Step] = _HANDLERS[type(event)]
    return handler(state, event)


# Joining


def _start(state: Channel, _event: Start) -> Step:
    options = state.options
    if not state.name:
        return _refuse(state, errors.topic_name_required())
    if state.rules.private_only and not options.is_private:
        return _refuse(state, errors.private_only())
    if options.replay_is_invalid:
        return _refuse(state, errors.replay_invalid())
    if options.replay is not None and not options.is_private:
        return _refuse(state, errors.replay_public())
    state = replace(state, presence_enabled=options.presence_enabled)
    if options.is_private:
        return replace(state, grants=Grants()), [AskRead(options.presence_enabled)]
    return _subscribe(state)


def _read_checked(state: Channel, event: ReadChecked) -> Step:
    may_read = event.reads_broadcast or event.reads_presence
    grants = replace(state.grants, reads_broadcast=event.reads_broadcast, reads_presence=event.reads_presence)
    if state.phase == "joining":
        if not may_read:
            return _refuse(state, errors.may_not_read(state.name))
        return _subscribe(replace(state, grants=grants))
    if not may_read:
        return _shut(state, errors.no_longer_may_read(state.name))
    return replace(state, grants=grants), [Reseat()]


def _subscribe(state: Channel) -> Step:
    if state.options.bindings:
        return state, [Subscribe(state.options.wait_ms)]
    return _subscribed(state, Subscribed())


def _subscribed(state: Channel, event: Subscribed) -> Step:
    extra: list[Effect] = []
    if event.is_late:
        extra = [Retry()]
    elif event.problem is not None:
        extra = [_system(state, event.problem, "error", "postgres_changes")]
    elif state.options.bindings:
        extra = [Activate(), _system(state, SUBSCRIBED, "ok", "postgres_changes")]
    if state.phase == "joined":
        return state, extra
    if event.is_late and state.options.wait_ms is not None:
        return _refuse(state, errors.subscribe_timeout(state.options.wait_ms))
    if state.options.replication_ready:
        extra.append(_system(state, REPLICATING, "ok", "system"))
    joined = replace(state, phase="joined")
    reply = Send("phx_reply", payloads.reply("ok", payloads.joined(state.options.bindings)), state.ref)
    if state.presence_enabled and state.grants.reads_presence:
        extra.insert(0, PresenceState())
    if state.options.replay is not None:
        return joined, [reply, Enter(), *extra, AskReplay(state.options.replay)]
    return joined, [reply, Enter(), *extra]


def _replayed(state: Channel, event: Replayed) -> Step:
    if event.messages is None:
        return _shut(state, errors.replay_failed())
    return state, [Deliver(event.messages)] if state.grants.reads_broadcast else ()


# Frames


def _push(state: Channel, push: Push) -> Step:
    if push.event == "phx_leave":
        closed = replace(state, phase="closed")
        return closed, [
            Send("phx_reply", payloads.reply("ok", payloads.EMPTY), push.ref),
            Close(),
            Send("phx_close", payloads.EMPTY, state.join_ref),
        ]
    if push.event == "broadcast":
        return _broadcast(state, push)
    if push.event == "presence":
        return _presence(state, push)
    return state, ()


def _broadcast(state: Channel, push: Push) -> Step:
    text = dump(push.payload)
    message = Broadcast(state.name, state.options.is_private, text=text)
    return _send_broadcast(state, push, message, len(text.encode("utf-8", "surrogatepass")))


def _user_broadcast(state: Channel, push: UserBroadcast) -> Step:
    message = Broadcast(state.name, state.options.is_private, push.event, push.payload, push.is_json)
    return _send_broadcast(state, push, message, len(push.payload))


def _send_broadcast(state: Channel, push: Push | UserBroadcast, message: Broadcast, size: int) -> Step:
    wants_ack = state.options.broadcast_ack
    if state.grants.writes_broadcast is None:
        return state, [AskWrite("broadcast")]
    if not state.grants.writes_broadcast:
        return state, ()  # silence, even with ack: an answer would tell
    if size > state.rules.broadcast_bytes:
        return state, [_reply(push.ref, "error", dump({"error": "payload_size_exceeded"}))] if wants_ack else ()
    sent: list[Effect] = [FanOut(message, state.options.broadcast_self)]
    return state, [*sent, _reply(push.ref, "ok", payloads.EMPTY)] if wants_ack else sent


def _presence(state: Channel, push: Push) -> Step:
    body = push.payload if isinstance(push.payload, dict) else {}
    event = str(body.get("event", "")).lower()
    if event == "untrack":
        return state, [Untrack(), _reply(push.ref, "ok", payloads.EMPTY)]
    if event != "track":
        return state, [_reply(push.ref, "error", payloads.EMPTY)]
    payload = body.get("payload", {})
    if not isinstance(payload, dict):
        return state, [_reply(push.ref, "error", payloads.reason("Presence track payload must be a map"))]
    if state.grants.writes_presence is None:
        return state, [AskWrite("presence")]
    if not state.grants.writes_presence:
        return state, [_reply(push.ref, "error", payloads.EMPTY)]
    if len(dump(payload).encode("utf-8", "surrogatepass")) > state.rules.broadcast_bytes:
        return _shut(state, errors.track_too_large())
    if not state.presence_enabled:
        enabled = replace(state, presence_enabled=True)
        if state.options.is_private:
            return enabled, [AskRead(True)]
        state = enabled
    return state, [Track(payload), _reply(push.ref, "ok", payloads.EMPTY)]


def _write_checked(state: Channel, event: WriteChecked) -> Step:
    if event.extension == "broadcast":
        return replace(state, grants=replace(state.grants, writes_broadcast=event.is_allowed)), ()
    return replace(state, grants=replace(state.grants, writes_presence=event.is_allowed)), ()


# Tokens and faults


def _token_read(state: Channel, event: TokenRead) -> Step:
    if event.member is None:
        return _shut(state, event.refused or errors.token_malformed())
    if not state.options.is_private:
        return replace(state, member=event.member), [Reseat()]
    grants = replace(state.grants, writes_broadcast=None, writes_presence=None)
    return replace(state, member=event.member, grants=grants), [AskRead(state.presence_enabled)]


def _clock(state: Channel, event: Clock) -> Step:
    try:
        check_expiry(state.member, event.now)
    except errors.Refused as refused:
        return _shut(state, refused)
    return state, ()


def _failed(state: Channel, event: Failed) -> Step:
    if state.phase == "joining":
        return _refuse(state, event.refused)
    if event.is_ours:
        # The client's library joins again after phx_error, and never after phx_close.
        return replace(state, phase="closed"), [Close(), Send("phx_error", payloads.EMPTY, state.join_ref)]
    return _shut(state, event.refused)


def _refuse(state: Channel, refused: errors.Refused) -> Step:
    return replace(state, phase="closed"), [Close(), _reply(state.ref, "error", payloads.reason(refused.reason))]


def _shut(state: Channel, refused: errors.Refused) -> Step:
    closed = replace(state, phase="closed")
    return closed, [
        _system(state, refused.text, "error", "system"),
        Close(),
        Send("phx_close", payloads.EMPTY, state.join_ref),
    ]


def _reply(ref: Ref, status: str, response: str) -> Send:
    return Send("phx_reply", payloads.reply(status, response), ref)


def _system(state: Channel, message: str, status: str, extension: str) -> Send:
    return Send("system", payloads.system(message, status, extension, state.topic))


_HANDLERS: dict[type, Callable[[Channel, Any], Step]] = {
    Start: _start,
    ReadChecked: _read_checked,
    WriteChecked: _write_checked,
    Subscribed: _subscribed,
    Replayed: _replayed,
    TokenRead: _token_read,
    Failed: _failed,
    Clock: _clock,
    Push: _push,
    UserBroadcast: _user_broadcast,
}


def with_presence_key(state: Channel, key: str) -> Channel:
    """The channel with the key that the server made for it."""
    return replace(state, presence_key=key)


def closed(state: Channel) -> Channel:
    """The channel after its socket went, or another took its place."""
    return replace(state, phase="closed")
