"""What was committed around a restart of this service, for clients that come back. In memory, bounded.

A durable slot hands over what was committed while no process read it, but the clients who want it are only then
joining again. For a while every published change is kept, and a returning client's subscriptions are run through it
before they join the stream.
"""

from dataclasses import dataclass, field

from emulator.realtime.postgres_changes.wal.decoder import RowChange
from emulator.realtime.postgres_changes.wal.progress import CommitInfo

WINDOW_S = 60.0
MAX_BYTES = 16 * 1024 * 1024


@dataclass(slots=True)
class Backlog:
    """The changes since the start; open until the window closes or too much was committed."""

    closes_at: float
    kept: list[tuple[RowChange, CommitInfo]] = field(default_factory=list)
    bytes: int = 0
    was_dropped: bool = False

    def is_open(self, now: float) -> bool:
        """Whether changes are still kept, and clients may still ask for them."""
        return now < self.closes_at

    def add(self, change: RowChange, commit: CommitInfo) -> None:
        """Keep a change; when there are too many the window closes early, since a part of them would hide a gap."""
        self.kept.append((change, commit))
        self.bytes += sum(len(value) for row in (change.new, change.old) for value in (row or {}).values()
                          if isinstance(value, str)) + 200  # fmt: skip
        if self.bytes > MAX_BYTES:
            self.closes_at, self.was_dropped = 0.0, True
            self.kept = []
