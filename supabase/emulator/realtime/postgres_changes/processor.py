"""What was read of the log, in commit order: matched, evaluated in batches, delivered. I/O through the evaluator."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from emulator.realtime.postgres_changes.catch_up import CatchUp
from emulator.realtime.postgres_changes.delivery import deliver
from emulator.realtime.postgres_changes.generated_columns import complete
from emulator.realtime.postgres_changes.matching.checks import VisibilityResult
from emulator.realtime.postgres_changes.matching.match import MatchedChange
from emulator.realtime.postgres_changes.registry import Indexes, SubscriptionRegistry
from emulator.realtime.postgres_changes.visibility import RlsEvaluator
from emulator.realtime.postgres_changes.wal.chunks import CommitChunk
from emulator.realtime.postgres_changes.wal.decoder import Relation, RowChange
from emulator.realtime.postgres_changes.wal.messages_table import is_messages_table, read_broadcast
from emulator.realtime.postgres_changes.wal.progress import CommitInfo, Position, Progress
from emulator.realtime.wire.broadcasts import Broadcast

MAX_CHANGES = 64  # evaluated in one round trip
Found = MatchedChange | Broadcast | None
Evaluated = tuple[MatchedChange, VisibilityResult | None] | None


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A row of the log and what it came to; or, without a commit, how far the log was read."""

    position: Position
    found: Found = None
    change: RowChange | None = None
    commit: CommitInfo | None = None


class ChangeProcessor:
    """Takes the stream's chunks one after another, and notes in `progress` how far that came."""

    def __init__(
        self,
        registry: SubscriptionRegistry,
        progress: Progress,
        catch_up: CatchUp,
        on_broadcast: Callable[[Broadcast], None],
    ) -> None:
        self._registry = registry
        self._progress = progress
        self._catch_up = catch_up
        self._on_broadcast = on_broadcast

    def is_wanted(self, relation: Relation) -> bool:
        """Whether a table's rows need to be decoded."""
        has_readers = self._catch_up.has_backlog() or self._registry.has_subscribers(relation)
        return has_readers or is_messages_table(relation)

    async def process(self, chunks: Sequence[CommitChunk], evaluator: RlsEvaluator) -> None:
        """Deliver chunks; raises DatabaseUnavailable and psycopg.Error, after which they must be read again."""
        batch: list[LogEntry] = []
        matched = 0
        xids = tuple({chunk.commit.xid: None for chunk in chunks if chunk.changes})
        self._registry.take_recent()
        for chunk in chunks:
            for relation in chunk.relations:
                await self._flush(batch, evaluator, xids)
                if not is_messages_table(relation):
                    await self._registry.on_relation(relation, is_wanted=self.is_wanted(relation))
            for change in await complete(chunk.changes, self._registry, evaluator):
                position = (chunk.commit.lsn, change.number)
                if not self._progress.is_new(position):
                    continue
                found = self._match(change, chunk.commit)
                batch.append(LogEntry(position, found, change, chunk.commit))
                matched += found is not None
                if matched >= MAX_CHANGES:
                    await self._flush(batch, evaluator, xids)
                    matched = 0
            if chunk.end_lsn is not None:
                batch.append(LogEntry((chunk.end_lsn, 0)))
        await self._flush(batch, evaluator, xids)

    def _match(self, change: RowChange, commit: CommitInfo) -> Found:
        if is_messages_table(change.relation):
            return read_broadcast(change)
        self._catch_up.keep(change, commit)
        return self._registry.match(change, commit)

    async def _flush(self, batch: list[LogEntry], evaluator: RlsEvaluator, xids: Sequence[int]) -> None:
        """Evaluate a batch and deliver it in order, noting how far that brought us.

        Whoever subscribed meanwhile, and could not see a commit yet when it did, gets it, too: that is what later
        rounds are for. From the first delivery to the last nothing is awaited: a loss comes before all of them or
        after.
        """
        found = [entry.found for entry in batch]
        rounds = [await _evaluate(found, evaluator, xids)]
        while (late := self._registry.take_recent()) and any(entry.commit for entry in batch):
            changes = [entry.change for entry in batch if entry.change is not None]
            completed = iter(await complete(changes, self._registry, evaluator))
            batch[:] = [entry if entry.change is None else replace(entry, change=next(completed)) for entry in batch]
            found = [self._match_late(entry, late) for entry in batch]
            rounds.append(await _evaluate(found, evaluator, xids))
        for number, entry in enumerate(batch):
            if isinstance(entry.found, Broadcast):
                self._on_broadcast(entry.found)
            for evaluated in rounds:
                if (one := evaluated[number]) is not None:
                    deliver(self._registry, *one)
            self._progress.advance(entry.position, ends=entry.commit is None)
        batch.clear()

    def _match_late(self, entry: LogEntry, late: Indexes) -> MatchedChange | None:
        if entry.change is None or entry.commit is None or is_messages_table(entry.change.relation):
            return None
        return self._registry.match(entry.change, entry.commit, late)


async def _evaluate(found: Sequence[Found], evaluator: RlsEvaluator, xids: Sequence[int]) -> list[Evaluated]:
    """Matched changes with their results, each in its place; a broadcast only waits until its commit is visible."""
    if not any(found):
        return [None] * len(found)
    checks = [one.check for one in found if isinstance(one, MatchedChange)]
    results = iter(await evaluator.evaluate_each(checks, xids))
    return [(one, next(results)) if isinstance(one, MatchedChange) else None for one in found]
