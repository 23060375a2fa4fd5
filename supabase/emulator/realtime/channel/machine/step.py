"""One joined channel as a state machine: (state, event) to (state, effects). Pure: no clock, no socket, no database.

Until an effect that asks is answered the loop (channel/loop.py) holds further events back, so that each channel handles
its frames in order.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from emulator.realtime import errors
from emulator.realtime.channel.machine.types import (
    Activate,
    AskRead,
    AskReplay,
    AskWrite,
    AwaitReplication,
    Channel,
    Clock,
    Close,
    Deactivate,
    Deliver,
    Effect,
    Enter,
    Event,
    Failed,
    FanOut,
    Grants,
    PresenceState,
    ReadChecked,
    Replayed,
    Replicating,
    Reseat,
    Retry,
    Send,
    Start,
    Step,
    Store,
    Stored,
    Subscribe,
    Subscribed,
    TokenRead,
    Track,
    Untrack,
    WriteChecked,
)
from emulator.realtime.wire import payloads
from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.frames import Push, Ref, UserBroadcast, dump
from emulator.realtime.wire.tokens import check_expiry

SUBSCRIBED = "Subscribed to PostgreSQL"
REPLICATING = "Replication connection established"


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
    return _reseated(replace(state, grants=grants))


def _reseated(state: Channel) -> Step:
    if state.must_resubscribe:
        return replace(state, must_resubscribe=False), [Reseat(), Subscribe(None)]
    return state, [Reseat()]


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
        return state, extra if event.problem is None else [Deactivate(), *extra]
    if event.is_late and state.options.wait_ms is not None:
        return _refuse(state, errors.subscribe_timeout(state.options.wait_ms))
    if state.options.replication_ready:
        extra.append(AwaitReplication())
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


def _replicating(state: Channel, event: Replicating) -> Step:
    if not event.is_live:
        return _shut(state, errors.replication_late())
    return state, [_system(state, REPLICATING, "ok", "system")]


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
    return _send_broadcast(state, push, message, len(text.encode()))


def _user_broadcast(state: Channel, push: UserBroadcast) -> Step:
    message = Broadcast(state.name, state.options.is_private, push.event, push.payload, push.is_json)
    persists = state.options.is_private and payloads.wants_persistence(push.metadata)
    return _send_broadcast(state, push, message, len(push.payload), persists=persists)


def _send_broadcast(
    state: Channel, push: Push | UserBroadcast, message: Broadcast, size: int, *, persists: bool = False
) -> Step:
    wants_ack, grants = state.options.broadcast_ack, state.grants
    if grants.writes_broadcast is None:
        return state, [AskWrite("broadcast")]
    if grants.writes_broadcast and persists and grants.writes_persistence is None:
        return state, [AskWrite("persistence")]
    if not grants.writes_broadcast or (persists and not grants.writes_persistence):
        return state, ()  # silence, even with ack: an answer would tell
    if size > state.rules.broadcast_bytes:
        return state, [_reply(push.ref, "error", dump({"error": "payload_size_exceeded"}))] if wants_ack else ()
    if persists:
        return state, [Store(message, state.options.broadcast_self, push.ref)]
    sent: list[Effect] = [FanOut(message, state.options.broadcast_self)]
    return state, [*sent, _reply(push.ref, "ok", payloads.EMPTY)] if wants_ack else sent


def _stored(state: Channel, event: Stored) -> Step:
    if not state.options.broadcast_ack:
        return state, ()
    if event.id is None:
        return state, [_reply(event.ref, "error", dump({"error": "unable_to_persist"}))]
    return state, [_reply(event.ref, "ok", dump({"id": event.id}))]


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
    if len(dump(payload).encode()) > state.rules.broadcast_bytes:
        return _shut(state, errors.track_too_large())
    if not state.presence_enabled:
        enabled = replace(state, presence_enabled=True)
        if state.options.is_private:
            return enabled, [AskRead(True)]
        state = enabled
    return state, [Track(payload), _reply(push.ref, "ok", payloads.EMPTY)]


def _write_checked(state: Channel, event: WriteChecked) -> Step:
    grants, may = state.grants, event.is_allowed
    if event.extension == "broadcast":
        grants = replace(grants, writes_broadcast=may)
    elif event.extension == "presence":
        grants = replace(grants, writes_presence=may)
    else:
        grants = replace(grants, writes_persistence=may)
    return replace(state, grants=grants), ()


# Tokens and faults


def _token_read(state: Channel, event: TokenRead) -> Step:
    if event.member is None:
        return _shut(state, event.refused or errors.token_malformed())
    is_other_role = bool(state.options.bindings) and event.member.role != state.member.role
    state = replace(state, member=event.member, must_resubscribe=is_other_role)
    if not state.options.is_private:
        return _reseated(state)
    return replace(state, grants=state.grants.forget_writes()), [AskRead(state.presence_enabled)]


def _clock(state: Channel, event: Clock) -> Step:
    try:
        check_expiry(state.member, event.now)
    except errors.Refused as refused:
        return _shut(state, refused)
    if event.asks_again and state.phase == "joined" and state.options.is_private:
        # Policies may have changed, and so may what they ask about: a member may have been suspended.
        again = replace(state, grants=state.grants.forget_writes())
        return again, [AskRead(state.presence_enabled, is_again=True)]
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
    Stored: _stored,
    Replicating: _replicating,
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
