"""One joined channel as broadcasts, presence and row changes see it: whom it speaks for, and a way to write to it."""

from dataclasses import dataclass, field
from typing import Protocol

from emulator.principal import Principal
from emulator.realtime.wire.frames import Ref, Version


class Outbound(Protocol):
    """The way to a subscriber's client."""

    version: Version

    def write(self, frame: bytes) -> None:
        """Send a whole frame; never blocks, never raises."""

    def fail_channel(self, topic: str) -> None:
        """Tell the client that the channel died, so that it joins again."""


@dataclass(eq=False, slots=True)
class Subscriber:
    """A channel of one client. `connection` is unique across processes; presence is kept by it."""

    outbound: Outbound
    connection: str
    topic: str
    name: str
    is_private: bool
    principal: Principal
    is_legacy: bool = False  # gets each row change as an event of its kind
    reads_broadcast: bool = True
    reads_presence: bool = True
    diff_ref: Ref = None  # the join_ref that its presence_diff bears; most bear none
    received: set[str] = field(default_factory=set)  # ids of stored broadcasts that it has already, or sent itself
    received_live: set[str] | None = None  # ids of those that came live while a replay is being read


class _Unassigned:
    """Takes the place of a client until a subscription is activated."""

    version: Version = 2

    def write(self, frame: bytes) -> None:
        raise AssertionError(f"{len(frame)} bytes for a subscription that is not active")

    def fail_channel(self, topic: str) -> None:
        raise AssertionError(topic)


UNASSIGNED = Subscriber(_Unassigned(), "", "", "", False, Principal("", {}))
