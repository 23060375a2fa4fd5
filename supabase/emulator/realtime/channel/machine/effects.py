"""What a joined channel's state machine decides. An AsyncEffect waits for the database, and is answered by an event."""

from dataclasses import dataclass

from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.frames import Ref
from emulator.realtime.wire.payloads import Extension, Meta, Replay


@dataclass(frozen=True, slots=True)
class Send:
    """A frame to this client only; with `ref` it replies to the frame that has it."""

    event: str
    payload: str
    ref: Ref = None


@dataclass(frozen=True, slots=True)
class EnterTopic:
    """Subscribe to the topic; from here on messages flow."""


@dataclass(frozen=True, slots=True)
class ActivateChanges:
    """Let row changes flow to what was subscribed."""


@dataclass(frozen=True, slots=True)
class DeactivateChanges:
    """No row changes any more: the channel's new role may not subscribe to them."""


@dataclass(frozen=True, slots=True)
class RetrySubscribe:
    """Subscribe again until it succeeds."""


@dataclass(frozen=True, slots=True)
class AwaitReplication:
    """Report when broadcasts from the database are streamed; the channel goes on meanwhile."""


@dataclass(frozen=True, slots=True)
class SendReplay:
    """Send stored broadcasts to this client only."""

    messages: tuple[Broadcast, ...]


@dataclass(frozen=True, slots=True)
class FanOut:
    """Send a broadcast to the topic's subscribers, this one included or not."""

    message: Broadcast
    to_self: bool


@dataclass(frozen=True, slots=True)
class Track:
    payload: Meta


@dataclass(frozen=True, slots=True)
class Untrack:
    pass


@dataclass(frozen=True, slots=True)
class SendPresenceState:
    """Send the topic's presence to this client."""


@dataclass(frozen=True, slots=True)
class UpdateSubscriber:
    """Principal or grants changed: the hub and the subscriptions must use the new ones."""


@dataclass(frozen=True, slots=True)
class Close:
    """Leave the topic, and release everything that belongs to the channel."""


@dataclass(frozen=True, slots=True)
class CheckRead:
    """`is_recheck`: of a joined channel; when the database is unavailable, what was allowed stays."""

    with_presence: bool
    is_recheck: bool = False


@dataclass(frozen=True, slots=True)
class CheckWrite:
    extension: Extension


@dataclass(frozen=True, slots=True)
class Subscribe:
    wait_ms: int | None


@dataclass(frozen=True, slots=True)
class ReadReplay:
    replay: Replay


@dataclass(frozen=True, slots=True)
class Store:
    """Store a broadcast in realtime.messages, from where the log delivers it. `ref` is its frame's."""

    message: Broadcast
    to_self: bool
    ref: Ref


AsyncEffect = CheckRead | CheckWrite | Subscribe | ReadReplay | Store
Effect = (
    Send | EnterTopic | ActivateChanges | DeactivateChanges | RetrySubscribe | AwaitReplication | SendReplay | FanOut
    | Track | Untrack | SendPresenceState | UpdateSubscriber | Close | AsyncEffect
)  # fmt: skip
