"""What can happen to a joined channel: frames of its client, and answers to its effects."""

from dataclasses import dataclass

from emulator.principal import Principal
from emulator.realtime import errors
from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.frames import Push, Ref, UserBroadcast
from emulator.realtime.wire.payloads import Extension


@dataclass(frozen=True, slots=True)
class Start:
    """The join, after its token was read."""


@dataclass(frozen=True, slots=True)
class ReadChecked:
    """The answer to CheckRead."""

    reads_broadcast: bool
    reads_presence: bool


@dataclass(frozen=True, slots=True)
class WriteChecked:
    """The answer to CheckWrite; the frame that caused it is handled again afterwards."""

    extension: Extension
    is_allowed: bool


@dataclass(frozen=True, slots=True)
class Subscribed:
    """The answer to Subscribe: live, refused with a text, or not yet because the database is away."""

    problem: str | None = None
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class Replayed:
    """The answer to ReadReplay: stored broadcasts, oldest first; None when they could not be read."""

    messages: tuple[Broadcast, ...] | None


@dataclass(frozen=True, slots=True)
class Stored:
    """The answer to Store: the message's id, None when it could not be stored; `ref` is its frame's."""

    id: str | None
    ref: Ref


@dataclass(frozen=True, slots=True)
class Replicating:
    """The answer to AwaitReplication: live, or not in time."""

    is_live: bool


@dataclass(frozen=True, slots=True)
class TokenRead:
    """The token of an access_token event; or why it is refused."""

    principal: Principal | None
    refused: errors.Refused | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """The channel can't go on: an effect failed on the server's side, or the client exceeded a limit."""

    refused: errors.Refused
    is_server_fault: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """Time to check the token's expiry, and with `rechecks` what policies allow. `now` is Unix time."""

    now: float
    rechecks: bool = False


Frame = Push | UserBroadcast
Event = (
    Start | ReadChecked | WriteChecked | Subscribed | Replayed | Stored | Replicating | TokenRead | Failed | Tick
    | Push | UserBroadcast
)  # fmt: skip
