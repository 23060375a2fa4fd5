"""Transitions that end a channel, and the frames that several transitions send."""

from collections.abc import Sequence
from dataclasses import replace

from emulator.realtime import errors
from emulator.realtime.channel.machine.effects import Close, Effect, Send
from emulator.realtime.channel.machine.state import Channel
from emulator.realtime.wire import payloads
from emulator.realtime.wire.frames import Ref

Step = tuple[Channel, Sequence[Effect]]


def refuse(state: Channel, refused: errors.Refused) -> Step:
    """Answer the join with an error."""
    return replace(state, phase="closed"), [Close(), reply(state.ref, "error", payloads.reason(refused.reason))]


def shut_down(state: Channel, refused: errors.Refused) -> Step:
    """Close a joined channel, telling the client why."""
    closed = replace(state, phase="closed")
    return closed, [
        system(state, refused.text, "error", "system"),
        Close(),
        Send("phx_close", payloads.EMPTY, state.join_ref),
    ]


def reply(ref: Ref, status: str, response: str) -> Send:
    return Send("phx_reply", payloads.reply(status, response), ref)


def system(state: Channel, message: str, status: str, extension: str) -> Send:
    return Send("system", payloads.system(message, status, extension, state.topic))
