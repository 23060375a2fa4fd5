"""How far the log was read and delivered, and which commits a subscriber could see when it subscribed.

Positions are those of commits in the log, so that a slot that is resumed may repeat what was not confirmed (after a
crash of PostgreSQL: everything since a checkpoint) without any subscriber receiving it twice.
"""

from dataclasses import dataclass, field
from typing import Self

Position = tuple[int, int]  # where a commit record begins, and the number of a row of it; or where it ends, and 0
LSN_ZERO: Position = (0, 0)
_XIDS = 1 << 32
_MAX_ROWS = 1 << 62


@dataclass(slots=True)
class Progress:
    """Of one process, across connections. `system` identifies the log: positions in another one mean nothing here."""

    system: tuple[str, ...] = ()
    delivered: Position = LSN_ZERO
    ended_lsn: int = 0

    def begin(self, system: tuple[str, ...], *, resumed: bool) -> bool:
        """A connection opens on `system`, its slot was there before or not; False when something may be missing."""
        is_same = not self.system or system == self.system
        is_first = not self.system
        self.system = system
        if not (resumed and is_same):
            self.delivered, self.ended_lsn = LSN_ZERO, 0
        return is_first or (resumed and is_same)

    def is_new(self, position: Position) -> bool:
        """Whether a row was not delivered yet."""
        return position > self.delivered

    def is_delivered(self, commit_lsn: int) -> bool:
        """Whether a commit was delivered as a whole: its rows need not be read again."""
        return self.delivered > (commit_lsn, _MAX_ROWS)

    def advance(self, position: Position, *, ends: bool) -> None:
        """A row was delivered; or (`ends`) everything before a place in the log was."""
        self.delivered = max(self.delivered, position)
        if ends:
            self.ended_lsn = max(self.ended_lsn, position[0])


@dataclass(frozen=True, slots=True)
class CommitInfo:
    """A commit: where its record begins, when it was (microseconds since 2000-01-01), its transaction (32 bits)."""

    lsn: int
    at_us: int
    xid: int


@dataclass(frozen=True, slots=True)
class StartPoint:
    """The moment of a subscription: what was committed and visible then is not delivered.

    Both tests are needed. A commit is in the log a moment before any session can see it: a client that subscribes in
    that moment and then reads would find nothing, so visibility decides. And after a crash PostgreSQL may use the
    number of a transaction again that had left nothing behind: so only what is in the log before `lsn` can have been
    seen.
    """

    lsn: int
    xmax: int
    in_progress: frozenset[int] = field(default_factory=frozenset)

    @classmethod
    def parse(cls, lsn: int, snapshot: str) -> Self:
        """From a place in the log and a snapshot as pg_current_snapshot() prints it, taken before."""
        _, xmax, running = snapshot.split(":")
        return cls(lsn, int(xmax), frozenset(int(xid) for xid in running.split(",") if xid))

    def already_visible(self, commit: CommitInfo) -> bool:
        """Whether a commit could be seen when the subscription was made."""
        if commit.lsn >= self.lsn:
            return False
        xid = self.xmax - ((self.xmax - commit.xid + _XIDS // 2) % _XIDS - _XIDS // 2)  # the nearest with those bits
        return xid < self.xmax and xid not in self.in_progress


EVERYTHING = StartPoint(0, 0)
