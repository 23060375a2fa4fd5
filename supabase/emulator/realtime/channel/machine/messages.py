"""Transitions of a joined channel's frames: broadcasts, presence, leaving."""

from dataclasses import replace

from emulator.realtime import errors
from emulator.realtime.channel.machine.effects import (
    CheckRead,
    CheckWrite,
    Close,
    Effect,
    FanOut,
    Send,
    Store,
    Track,
    Untrack,
)
from emulator.realtime.channel.machine.events import Stored, WriteChecked
from emulator.realtime.channel.machine.replies import Step, reply, shut_down
from emulator.realtime.channel.machine.state import Channel
from emulator.realtime.wire import payloads
from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.frames import Push, UserBroadcast, dump


def on_push(state: Channel, push: Push) -> Step:
    if push.event == "phx_leave":
        closed = replace(state, phase="closed")
        return closed, [
            reply(push.ref, "ok", payloads.EMPTY),
            Close(),
            Send("phx_close", payloads.EMPTY, state.join_ref),
        ]
    if push.event == "broadcast":
        return _broadcast(state, push)
    if push.event == "presence":
        return _presence(state, push)
    return state, ()


def _broadcast(state: Channel, push: Push) -> Step:
    if isinstance(push.payload, bytes):
        message = Broadcast(state.name, state.options.is_private, payload=push.payload, is_json=False, is_push=True)
        return _send_broadcast(state, push, message, len(push.payload))
    text = dump(push.payload)
    message = Broadcast(state.name, state.options.is_private, text=text)
    return _send_broadcast(state, push, message, len(text.encode()))


def on_user_broadcast(state: Channel, push: UserBroadcast) -> Step:
    message = Broadcast(state.name, state.options.is_private, push.event, push.payload, push.is_json)
    persists = state.options.is_private and payloads.wants_persistence(push.metadata)
    return _send_broadcast(state, push, message, len(push.payload), persists=persists)


def _send_broadcast(
    state: Channel, push: Push | UserBroadcast, message: Broadcast, size: int, *, persists: bool = False
) -> Step:
    wants_ack, grants = state.options.broadcast_ack, state.grants
    if grants.writes_broadcast is None:
        return state, [CheckWrite("broadcast")]
    if grants.writes_broadcast and persists and grants.writes_persistence is None:
        return state, [CheckWrite("persistence")]
    if not grants.writes_broadcast or (persists and not grants.writes_persistence):
        return state, ()  # no reply, even with ack: it would reveal what policies allow
    if size > state.rules.broadcast_bytes:
        return state, [reply(push.ref, "error", dump({"error": "payload_size_exceeded"}))] if wants_ack else ()
    if persists:
        return state, [Store(message, state.options.broadcast_self, push.ref)]
    sent: list[Effect] = [FanOut(message, state.options.broadcast_self)]
    return state, [*sent, reply(push.ref, "ok", payloads.EMPTY)] if wants_ack else sent


def on_stored(state: Channel, event: Stored) -> Step:
    if not state.options.broadcast_ack:
        return state, ()
    if event.id is None:
        return state, [reply(event.ref, "error", dump({"error": "unable_to_persist"}))]
    return state, [reply(event.ref, "ok", dump({"id": event.id}))]


def _presence(state: Channel, push: Push) -> Step:
    body = push.payload
    if not isinstance(body, dict) or "event" not in body:
        return state, [reply(push.ref, "ok", payloads.EMPTY)]
    event = str(body["event"]).lower()
    if event == "untrack":
        return state, [reply(push.ref, "ok", payloads.EMPTY), Untrack()]
    if event != "track":
        return state, [reply(push.ref, "error", payloads.EMPTY)]
    payload = body.get("payload", {})
    if not isinstance(payload, dict):
        return state, [reply(push.ref, "error", payloads.reason("Presence track payload must be a map"))]
    if state.grants.writes_presence is None:
        return state, [CheckWrite("presence")]
    if not state.grants.writes_presence:
        return state, [reply(push.ref, "error", payloads.EMPTY)]
    if len(dump(payload).encode()) > state.rules.broadcast_bytes:
        return shut_down(state, errors.track_too_large())
    if not state.presence_enabled:
        enabled = replace(state, presence_enabled=True)
        if state.options.is_private:
            return enabled, [CheckRead(True)]
        state = enabled
    return state, [reply(push.ref, "ok", payloads.EMPTY), Track(payload)]


def on_write_checked(state: Channel, event: WriteChecked) -> Step:
    grants, may = state.grants, event.is_allowed
    if event.extension == "broadcast":
        grants = replace(grants, writes_broadcast=may)
    elif event.extension == "presence":
        grants = replace(grants, writes_presence=may)
    else:
        grants = replace(grants, writes_persistence=may)
    return replace(state, grants=grants), ()
