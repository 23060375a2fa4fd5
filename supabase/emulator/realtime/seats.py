"""A seat is one joined channel as the hub and the row changes see it: who sits there, and a way to write to it."""

from dataclasses import dataclass, field
from typing import Protocol

from emulator.realtime.frames import Version
from emulator.realtime.tokens import Member


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
    replayed: set[str] = field(default_factory=set)
