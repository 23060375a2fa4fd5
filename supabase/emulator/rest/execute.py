"""Runs a planned transaction on a pooled connection: one round trip, two where the result decides the end. I/O."""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial

from emulator.db.pipeline import PipelineConnection
from emulator.db.pool import PipelinePool
from emulator.db.statement import Recurring, Row, Statement, new_tuple
from emulator.rest.query.result import QueryResult
from emulator.rest.query.transaction import COMMIT, ROLLBACK, TransactionPlan

# How long a statement may run before its client is watched. Watching costs a task, and most statements are quicker.
WATCH_AFTER_S = 0.1

# Starts a task that ends when the client disconnects.
DisconnectWatcher = Callable[[], "asyncio.Task[None]"]


class Executor:
    """Runs transactions on the connections of a pool. One timer finds all that have run for a while."""

    def __init__(self, pool: PipelinePool) -> None:
        self._pool = pool
        # In the order in which they began.
        self._running: dict[PipelineConnection, tuple[float, DisconnectWatcher]] = {}
        self._watchers: dict[PipelineConnection, asyncio.Task[None]] = {}
        self._timer: asyncio.TimerHandle | None = None

    async def run(
        self,
        transaction: TransactionPlan,
        parameters: Sequence[bytes | None],
        planned_count: Statement | None,
        watch_disconnect: DisconnectWatcher,
        caller: str | None = None,
    ) -> QueryResult:
        """Run a transaction for a caller; if the client disconnects, cancel its statement and raise CancelledError.

        Raises StatementError, ConnectionLost, ConnectionFailed, PoolTimeout, and what the transaction's check raises.
        """
        batch: Sequence[Statement] | Recurring = transaction.batch
        if planned_count is not None:
            batch = transaction.batch.filled(parameters, planned_count)
        turn = self._pool.ask(partial(self._begin, batch, parameters, watch_disconnect), caller)
        try:
            rows = await turn.future
            place = len(transaction.batch.before)
            result = new_tuple(QueryResult, (rows[place], rows[place + 1] if planned_count else ()))
            if transaction.check is not None:
                assert turn.connection is not None
                await _check_and_end(turn.connection, transaction, result)
            return result
        finally:
            connection = turn.connection
            if connection is None:
                turn.future.cancel()
            else:
                self._running.pop(connection, None)
                watcher = self._watchers.pop(connection, None)
                if watcher is not None:
                    watcher.cancel()
                if connection.is_settled:
                    self._pool.put_back(connection)
                else:
                    # Shielded: the statement has to be canceled on the server even though this task is canceled itself.
                    await asyncio.shield(self._pool.release(connection))

    def _begin(
        self, batch: Sequence[Statement] | Recurring, parameters: Sequence[bytes | None],
        watch_disconnect: DisconnectWatcher, connection: PipelineConnection, future: "asyncio.Future[list[list[Row]]]",
    ) -> None:  # fmt: skip
        connection.begin(batch, future, parameters)
        self._running[connection] = (time.monotonic(), watch_disconnect)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(WATCH_AFTER_S, self._watch)

    def _watch(self) -> None:
        """Watch the clients of all that have run for a while, and come back for those that have begun since."""
        self._timer = None
        for connection, (begun, start) in self._running.items():
            if connection in self._watchers:
                continue
            left_s = begun + WATCH_AFTER_S - time.monotonic()
            if left_s > 0:
                self._timer = asyncio.get_running_loop().call_later(left_s, self._watch)
                return
            watcher = self._watchers[connection] = start()
            watcher.add_done_callback(partial(self._on_disconnect, connection))

    def _on_disconnect(self, connection: PipelineConnection, watcher: "asyncio.Task[None]") -> None:
        if not watcher.cancelled() and self._watchers.get(connection) is watcher:
            connection.abandon()


async def _check_and_end(connection: PipelineConnection, transaction: TransactionPlan, result: QueryResult) -> None:
    assert transaction.check is not None
    try:
        transaction.check(result.rows[0])
    except Exception:
        await connection.execute([ROLLBACK])
        raise
    await connection.execute([ROLLBACK if transaction.rolls_back else COMMIT])
