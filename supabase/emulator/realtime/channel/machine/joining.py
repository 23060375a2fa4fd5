"""Transitions of a join: permission to read, subscription, replay; and those of a new token, which repeat them."""

from dataclasses import replace

from emulator.realtime import errors
from emulator.realtime.channel.machine.effects import (
    ActivateChanges,
    AwaitReplication,
    CheckRead,
    Close,
    DeactivateChanges,
    Effect,
    EnterTopic,
    ReadReplay,
    RetrySubscribe,
    Send,
    SendPresenceState,
    SendReplay,
    Subscribe,
    UpdateSubscriber,
)
from emulator.realtime.channel.machine.events import (
    Failed,
    ReadChecked,
    Replayed,
    Replicating,
    Start,
    Subscribed,
    Tick,
    TokenRead,
)
from emulator.realtime.channel.machine.replies import Step, refuse, reply, shut_down, system
from emulator.realtime.channel.machine.state import Channel, Grants
from emulator.realtime.wire import payloads
from emulator.realtime.wire.tokens import check_expiry

SUBSCRIBED = "Subscribed to PostgreSQL"
REPLICATING = "Replication connection established"


def on_start(state: Channel, _event: Start) -> Step:
    options = state.options
    if not state.name:
        return refuse(state, errors.topic_name_required())
    if state.rules.private_only and not options.is_private:
        return refuse(state, errors.private_only())
    if options.asks_replay and not options.is_private:
        return refuse(state, errors.replay_public())
    if options.replay_is_invalid:
        return refuse(state, errors.replay_invalid())
    state = replace(state, presence_enabled=options.presence_enabled)
    if options.is_private:
        private = replace(state, grants=Grants(), pushes_diffs=not options.presence_enabled)
        return private, [CheckRead(options.presence_enabled)]
    return _subscribe(state)


def on_read_checked(state: Channel, event: ReadChecked) -> Step:
    may_read = event.reads_broadcast or event.reads_presence
    grants = replace(state.grants, reads_broadcast=event.reads_broadcast, reads_presence=event.reads_presence)
    if state.phase == "joining":
        if not may_read or (state.options.asks_replay and not event.reads_broadcast):
            return refuse(state, errors.may_not_read(state.name))
        return _subscribe(replace(state, grants=grants))
    if not may_read:
        reason = errors.may_not_read if state.has_new_token else errors.no_longer_may_read
        return shut_down(state, reason(state.name))
    if state.has_new_token and _lost(state.grants, grants):
        return shut_down(state, errors.no_longer_may_read(state.name))
    return _updated(replace(state, grants=grants))


def _lost(before: Grants, after: Grants) -> bool:
    """Whether one of two permissions to read went."""
    lost_broadcast = before.reads_broadcast and not after.reads_broadcast
    return lost_broadcast or (before.reads_presence and not after.reads_presence)


def _updated(state: Channel) -> Step:
    if state.has_new_token and state.options.is_private:
        state = replace(state, pushes_diffs=not state.presence_enabled)
    if state.has_new_token and state.options.bindings:
        return replace(state, has_new_token=False), [UpdateSubscriber(), Subscribe(None)]
    return replace(state, has_new_token=False), [UpdateSubscriber()]


def _subscribe(state: Channel) -> Step:
    if state.options.bindings:
        return state, [Subscribe(state.options.wait_ms)]
    return on_subscribed(state, Subscribed())


def on_subscribed(state: Channel, event: Subscribed) -> Step:
    extra: list[Effect] = []
    if event.is_late:
        extra = [RetrySubscribe()]
    elif event.problem is not None:
        extra = [system(state, event.problem, "error", "postgres_changes")]
    elif state.options.bindings:
        extra = [ActivateChanges(), system(state, SUBSCRIBED, "ok", "postgres_changes")]
    if state.phase == "joined":
        return state, extra if event.problem is None else [DeactivateChanges(), *extra]
    if event.is_late and state.options.wait_ms is not None:
        return refuse(state, errors.subscribe_timeout(state.options.wait_ms))
    if state.options.replication_ready:
        extra.append(AwaitReplication())
    joined = replace(state, phase="joined")
    answer = reply(state.ref, "ok", payloads.joined(state.options.bindings))
    if state.presence_enabled and state.grants.reads_presence:
        extra.insert(0, SendPresenceState())
    if state.options.replay is not None:
        return joined, [answer, EnterTopic(), *extra, ReadReplay(state.options.replay)]
    return joined, [answer, EnterTopic(), *extra]


def on_replayed(state: Channel, event: Replayed) -> Step:
    if event.messages is None:
        return shut_down(state, errors.replay_failed())
    return state, [SendReplay(event.messages)] if state.grants.reads_broadcast else ()


def on_replicating(state: Channel, event: Replicating) -> Step:
    if not event.is_live:
        return shut_down(state, errors.replication_late())
    return state, [system(state, REPLICATING, "ok", "system")]


def on_token_read(state: Channel, event: TokenRead) -> Step:
    if event.principal is None:
        return shut_down(state, event.refused or errors.token_malformed())
    state = replace(state, principal=event.principal, has_new_token=True)
    if not state.options.is_private:
        return _updated(state)
    return replace(state, grants=state.grants.forget_writes()), [CheckRead(state.presence_enabled)]


def on_tick(state: Channel, event: Tick) -> Step:
    try:
        check_expiry(state.principal, event.now)
    except errors.Refused as refused:
        return shut_down(state, refused)
    if event.rechecks and state.phase == "joined" and state.options.is_private:
        # Policies may have changed, or the rows that they look at: the account may have been suspended.
        again = replace(state, grants=state.grants.forget_writes())
        return again, [CheckRead(state.presence_enabled, is_recheck=True)]
    return state, ()


def on_failed(state: Channel, event: Failed) -> Step:
    if state.phase == "joining":
        return refuse(state, event.refused)
    if event.is_server_fault:
        # The client's library joins again after phx_error, and never after phx_close.
        return replace(state, phase="closed"), [
            Close(),
            Send("phx_error", payloads.reason("channel_crash"), state.join_ref),
        ]
    return shut_down(state, event.refused)
