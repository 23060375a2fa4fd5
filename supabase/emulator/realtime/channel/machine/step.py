"""The state machine: what an event does to a joined channel.

Until an AsyncEffect is answered the loop (channel/loop.py) holds further events back, so that each channel handles its
frames in order.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from emulator.realtime.channel.machine import events, joining, messages
from emulator.realtime.channel.machine.events import Event
from emulator.realtime.channel.machine.replies import Step
from emulator.realtime.channel.machine.state import Channel
from emulator.realtime.wire.frames import Push, UserBroadcast


def step(state: Channel, event: Event) -> Step:
    """The channel after an event, and what is to be done."""
    if state.phase == "closed":
        return state, ()
    handler: Callable[[Channel, Any], Step] = _HANDLERS[type(event)]
    return handler(state, event)


_HANDLERS: dict[type, Callable[[Channel, Any], Step]] = {
    events.Start: joining.on_start,
    events.ReadChecked: joining.on_read_checked,
    events.WriteChecked: messages.on_write_checked,
    events.Subscribed: joining.on_subscribed,
    events.Replayed: joining.on_replayed,
    events.Stored: messages.on_stored,
    events.Replicating: joining.on_replicating,
    events.TokenRead: joining.on_token_read,
    events.Failed: joining.on_failed,
    events.Tick: joining.on_tick,
    Push: messages.on_push,
    UserBroadcast: messages.on_user_broadcast,
}


def closed(state: Channel) -> Channel:
    """The channel after its socket went, or another took its place."""
    return replace(state, phase="closed")
