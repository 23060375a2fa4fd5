"""A seat is one joined channel as the hub and the row changes see it: who sits there, and a way to write to it."""

from dataclasses import dataclass, field
from typing import Protocol

from emulator.realtime.wire.frames import Version
from emulator.realtime.wire.tokens import Member


class Wire(Protocol):
    """The socket under a seat."""

    version: Version

    def write(self, frame: bytes) -> None:
        """Send a whole frame; never blocks, never raises."""

    def fail_channel(self, topic: str) -> None:
        """Tell the client that the channel died, so that it joins again."""


@dataclass(eq=False, slots=True)
class Seat:
    """One member of one topic. `connection` is unique across processes; presence goes by it."""

    wire: Wire
    connection: str
    topic: str
    name: str
    is_private: bool
    member: Member
    reads_broadcast: bool = True
    reads_presence: bool = True
    known: set[str] = field(default_factory=set)  # stored broadcasts that it has already, or sent itself
    heard: set[str] | None = None  # those that came live while a replay is being read


class _Nobody:
    """The wire of a seat that nobody has taken yet."""

    version: Version = 2

    def write(self, frame: bytes) -> None:
        raise AssertionError(f"{len(frame)} bytes for nobody")

    def fail_channel(self, topic: str) -> None:
        raise AssertionError(topic)


NOBODY = Seat(_Nobody(), "", "", "", False, Member("", "", "", 0))
