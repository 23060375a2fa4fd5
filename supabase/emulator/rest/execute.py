"""Runs a planned transaction on a pooled connection: one round trip, two where the result decides the end. I/O."""

import asyncio
from collections.abc import Callable

from emulator.db.pipeline import PipelineConnection
from emulator.db.pool import PipelinePool
from emulator.db.statement import Statement
from emulator.rest.query.result import QueryResult
from emulator.rest.query.transaction import COMMIT, ROLLBACK, TransactionPlan

# How long a statement may run before its client is watched. Watching costs a task, and most statements are quicker.
WATCH_AFTER_S = 0.1

# Starts a task that ends when the client disconnects.
DisconnectWatcher = Callable[[], "asyncio.Task[None]"]


async def execute(
    pool: PipelinePool,
    transaction: TransactionPlan,
    main: Statement,
    planned_count: Statement | None,
    watch_disconnect: DisconnectWatcher,
    caller: str | None = None,
) -> QueryResult:
    """Run a transaction for a caller; when the client disconnects, its statement is canceled and CancelledError raised.

    Raises StatementError, ConnectionLost, ConnectionFailed, PoolTimeout, and what the transaction's check raises.
    """
    connection = await pool.acquire(caller)
    watch = _Watch(watch_disconnect)
    try:
        return await _run(connection, transaction, main, planned_count)
    finally:
        watch.end()
        if connection.is_settled:
            pool.put_back(connection)
        else:
            # Shielded: the statement has to be canceled on the server even though this task is canceled itself.
            await asyncio.shield(pool.release(connection))


class _Watch:
    """Cancels the task that made it when the client disconnects, once its statement has run for a while."""

    __slots__ = ("_start_task", "_task", "_timer", "_watcher")

    def __init__(self, start_task: DisconnectWatcher) -> None:
        self._start_task = start_task
        self._task = asyncio.current_task()
        self._watcher: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(WATCH_AFTER_S, self._start)

    def _start(self) -> None:
        self._watcher = self._start_task()
        self._watcher.add_done_callback(self._on_disconnect)

    def _on_disconnect(self, done: "asyncio.Task[None]") -> None:
        if not done.cancelled() and self._task is not None:
            self._task.cancel()

    def end(self) -> None:
        """Watch no longer."""
        self._timer.cancel()
        if self._watcher is not None:
            self._watcher.remove_done_callback(self._on_disconnect)
            self._watcher.cancel()


async def _run(
    connection: PipelineConnection, transaction: TransactionPlan, main: Statement, planned_count: Statement | None
) -> QueryResult:
    place = len(transaction.before)
    own = (main,) if planned_count is None else (main, planned_count)
    rows = await connection.execute((*transaction.before, *own, *transaction.after))
    result = QueryResult(rows[place], rows[place + 1] if planned_count else ())
    if transaction.check is not None:
        await _check_and_end(connection, transaction, result)
    return result


async def _check_and_end(connection: PipelineConnection, transaction: TransactionPlan, result: QueryResult) -> None:
    assert transaction.check is not None
    try:
        transaction.check(result.rows[0])
    except Exception:
        await connection.execute([ROLLBACK])
        raise
    await connection.execute([ROLLBACK if transaction.rolls_back else COMMIT])
