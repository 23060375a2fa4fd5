"""What one commit changed, assembled from the messages of the log, in chunks of bounded size."""

from collections.abc import Callable
from dataclasses import dataclass

from emulator.realtime.postgres_changes.wal.decoder import Begin, Commit, Decoder, Relation, RowChange
from emulator.realtime.postgres_changes.wal.progress import CommitInfo

MAX_CHUNK_CHANGES = 500
XLOG_HEADER_BYTES = 25  # of an XLogData message, before pgoutput's own
_ROW_TAGS = frozenset(b"IUD")


@dataclass(frozen=True, slots=True)
class CommitChunk:
    """A part of what one commit changed, in order; or, with nothing in it, how far the log was read.

    `end_lsn` is set on a commit's last chunk: when that is delivered, PostgreSQL may drop the log up to there.
    """

    commit: CommitInfo
    changes: tuple[RowChange, ...]
    relations: tuple[Relation, ...] = ()
    end_lsn: int | None = None


class ChunkAssembler:
    """Of one connection. Decodes the rows of tables that are wanted, in commits that are not delivered yet."""

    def __init__(self, is_wanted: Callable[[Relation], bool], is_delivered: Callable[[int], bool]) -> None:
        self._is_wanted = is_wanted
        self._is_delivered = is_delivered
        self._decoder = Decoder()
        self._begin: Begin | None = None
        self._changes: list[RowChange] = []
        self._relations: list[Relation] = []
        self._skips = False  # the current commit was delivered, a resumed slot repeats it

    @property
    def is_in_commit(self) -> bool:
        """Whether a commit has begun and not ended."""
        return self._begin is not None

    def take(self, data: bytes) -> CommitChunk | None:
        """An XLogData message; the chunk that it completes, if any."""
        tag, oid = data[XLOG_HEADER_BYTES], data[XLOG_HEADER_BYTES + 1 : XLOG_HEADER_BYTES + 5]
        if tag in _ROW_TAGS and (self._skips or not self._is_wanted(self._decoder.relation_of(oid))):
            self._decoder.rows += 1
            return None
        message = self._decoder.decode(data[XLOG_HEADER_BYTES:])
        if isinstance(message, RowChange):
            self._changes.append(message)
            return self._cut() if len(self._changes) >= MAX_CHUNK_CHANGES else None
        if isinstance(message, Begin):
            self._begin = message
            self._skips = self._is_delivered(message.final_lsn)
        elif isinstance(message, Relation):
            self._relations.append(message)
        elif isinstance(message, Commit):
            chunk = self._cut(message.end_lsn)
            self._begin = None
            return chunk
        return None

    def _cut(self, end_lsn: int | None = None) -> CommitChunk:
        """What has been read, as a chunk: a commit of a million rows is never in memory as a whole."""
        assert self._begin is not None
        changes, relations, begin = tuple(self._changes), tuple(self._relations), self._begin
        commit = CommitInfo(begin.final_lsn, begin.committed_us, begin.xid)
        self._changes, self._relations = [], []
        return CommitChunk(commit, changes, relations, end_lsn)
