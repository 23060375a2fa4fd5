"""The state of a joined channel."""

from dataclasses import dataclass, replace
from typing import Literal

from emulator.principal import Principal
from emulator.realtime.wire import payloads
from emulator.realtime.wire.frames import Ref
from emulator.realtime.wire.payloads import JoinOptions


@dataclass(frozen=True, slots=True)
class Grants:
    """What policies allow on a private channel; writing is checked at the first write and None until then."""

    reads_broadcast: bool = True
    reads_presence: bool = True
    writes_broadcast: bool | None = None
    writes_presence: bool | None = None
    writes_persistence: bool | None = None

    def forget_writes(self) -> "Grants":
        """The next write checks again."""
        return replace(self, writes_broadcast=None, writes_presence=None, writes_persistence=None)


PUBLIC = Grants(True, True, True, True, False)


@dataclass(frozen=True, slots=True)
class Rules:
    """The service's settings for channels."""

    broadcast_bytes: int
    private_only: bool = False


@dataclass(frozen=True, slots=True)
class Channel:
    """The state. `has_new_token`: one came, so permissions, columns and filters are to be checked by it.

    `pushes_diffs`: nobody has asked yet who may read presence, when the topic was entered or since a new token, so that
    the channel pushes its presence_diff itself, with its join_ref.
    """

    rules: Rules
    topic: str
    join_ref: Ref
    ref: Ref
    options: JoinOptions
    principal: Principal
    presence_key: str
    grants: Grants = PUBLIC
    phase: Literal["joining", "joined", "closed"] = "joining"
    presence_enabled: bool = False
    has_new_token: bool = False
    pushes_diffs: bool = False

    @property
    def name(self) -> str:
        return payloads.topic_name(self.topic)
