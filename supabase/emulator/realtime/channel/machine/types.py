"""A joined channel's vocabulary: its state, what can happen to it (events) and what follows (effects). Pure.

An effect that asks (permission, subscription, replay) is answered by an event; step.py has the rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from emulator.realtime import errors
from emulator.realtime.topics.presence import Meta
from emulator.realtime.wire import payloads
from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.frames import Push, Ref, UserBroadcast
from emulator.realtime.wire.payloads import JoinOptions
from emulator.realtime.wire.tokens import Member

Extension = Literal["broadcast", "presence", "persistence"]


@dataclass(frozen=True, slots=True)
class Grants:
    """What policies allow on a private channel; writing is asked at the first write and None until then."""

    reads_broadcast: bool = True
    reads_presence: bool = True
    writes_broadcast: bool | None = None
    writes_presence: bool | None = None
    writes_persistence: bool | None = None

    def forget_writes(self) -> "Grants":
        """Ask again at the next write."""
        return replace(self, writes_broadcast=None, writes_presence=None, writes_persistence=None)


PUBLIC = Grants(True, True, True, True, False)


@dataclass(frozen=True, slots=True)
class Rules:
    """What the service's settings say about channels."""

    broadcast_bytes: int
    private_only: bool = False


@dataclass(frozen=True, slots=True)
class Channel:
    """The state. `must_resubscribe`: another role's token came, its columns and filters are to be checked anew."""

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
    must_resubscribe: bool = False

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
class Stored:
    """The answer to Store: the message's id, None when it could not be kept; `ref` is its frame's."""

    id: str | None
    ref: Ref


@dataclass(frozen=True, slots=True)
class Replicating:
    """The answer to AwaitReplication: live, or not in time."""

    is_live: bool


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
    """Time to look at the token again; `asks_again`: and at what policies allow."""

    now: float
    asks_again: bool = False


Frame = Push | UserBroadcast
Event = (
    Start | ReadChecked | WriteChecked | Subscribed | Replayed | Stored | Replicating | TokenRead | Failed | Clock
    | Push | UserBroadcast
)  # fmt: skip

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
class Deactivate:
    """No row changes any more: what was subscribed is refused to the channel's new role."""


@dataclass(frozen=True, slots=True)
class Retry:
    """Subscribe again until it succeeds."""


@dataclass(frozen=True, slots=True)
class AwaitReplication:
    """Say when the stream of the database's broadcasts is live; the channel goes on meanwhile."""


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
    """`is_again`: a channel that is joined already; when nobody can answer, what was allowed stays."""

    with_presence: bool
    is_again: bool = False


@dataclass(frozen=True, slots=True)
class AskWrite:
    extension: Extension


@dataclass(frozen=True, slots=True)
class Subscribe:
    wait_ms: int | None


@dataclass(frozen=True, slots=True)
class AskReplay:
    replay: payloads.Replay


@dataclass(frozen=True, slots=True)
class Store:
    """Keep a broadcast in realtime.messages, from where the log delivers it. `ref` is its frame's."""

    message: Broadcast
    to_self: bool
    ref: Ref


Ask = AskRead | AskWrite | Subscribe | AskReplay | Store
Effect = (
    Send | Enter | Activate | Deactivate | Retry | AwaitReplication | Deliver | FanOut | Track | Untrack
    | PresenceState | Reseat | Close | AskRead | AskWrite | Subscribe | AskReplay | Store
)  # fmt: skip
Step = tuple[Channel, Sequence[Effect]]
