"""Sends returning clients what was committed while this service was away, before new changes flow to them."""

import time

from emulator.realtime.database.pool import DatabaseUnavailable
from emulator.realtime.postgres_changes.delivery import deliver
from emulator.realtime.postgres_changes.generated_columns import complete
from emulator.realtime.postgres_changes.registry import SubscriptionRegistry, SubscriptionRequest
from emulator.realtime.postgres_changes.visibility import RlsEvaluator
from emulator.realtime.postgres_changes.wal.backlog import WINDOW_S, Backlog
from emulator.realtime.postgres_changes.wal.decoder import RowChange
from emulator.realtime.postgres_changes.wal.progress import CommitInfo
from emulator.realtime.subscriber import Subscriber

MAX_CHANGES = 64  # evaluated in one round trip


class CatchUp:
    """The backlog and those who are being served from it. `evaluator` is set while the stream is open."""

    def __init__(self, registry: SubscriptionRegistry) -> None:
        self._registry = registry
        self.backlog: Backlog | None = None
        self._in_progress = 0
        self.evaluator: RlsEvaluator | None = None

    def begin(self) -> None:
        """The service started on a slot that was there before: keep what it hands over."""
        self.backlog = Backlog(time.monotonic() + WINDOW_S)

    def has_backlog(self) -> bool:
        """Whether a client that comes back may have missed changes that are still here."""
        return self.backlog is not None and (self.backlog.is_open(time.monotonic()) or self._in_progress > 0)

    def keep(self, change: RowChange, commit: CommitInfo) -> None:
        """Keep a change as long as the backlog is open."""
        if self.backlog is None:
            return
        if self.has_backlog():
            self.backlog.add(change, commit)
        else:
            self.backlog = None
            self._registry.forget_names()

    async def run(self, subscriber: Subscriber, request: SubscriptionRequest) -> None:
        """Send what was missed, then activate the request; raises DatabaseUnavailable when it can't be sent."""
        backlog, done = self.backlog, 0
        index = self._registry.add_returning(subscriber, request)
        self._in_progress += 1  # keeps the backlog open until we are through
        try:
            while backlog is not None and done < len(backlog.kept) and subscriber in self._registry:
                part = backlog.kept[done : done + MAX_CHANGES]
                done += len(part)
                if self.evaluator is None:
                    raise DatabaseUnavailable("the stream of changes is not open")
                changes = await complete([change for change, _ in part], self._registry, self.evaluator)
                commits = [commit for _, commit in part]
                matched = [self._registry.match(*one, index) for one in zip(changes, commits, strict=True)]
                found = [one for one in matched if one is not None]
                if self.evaluator is None:
                    raise DatabaseUnavailable("the stream of changes is not open")
                results = await self.evaluator.evaluate_each([one.check for one in found], ())
                for one, result in zip(found, results, strict=True):
                    deliver(self._registry, one, result)
            if backlog is not None and backlog.was_dropped:
                raise DatabaseUnavailable("too much was changed to be sent again")
            # Nothing may be awaited between the last look at the backlog and this.
            if subscriber in self._registry:
                self._registry.add(subscriber, request, is_recent=False)
        finally:
            self._in_progress -= 1
