"""Runs a laid-out transaction on a pooled connection: one round trip, two where the result decides the end. I/O."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from emulator.db.pipeline import PipelineConnection
from emulator.db.pool import PipelinePool
from emulator.db.statement import Row, Statement
from emulator.rest.query.transaction import COMMIT, ROLLBACK, Layout

# How long a statement may run before somebody looks whether its client is still there.
PATIENCE_S = 0.1

Watch = Callable[[], "asyncio.Task[None]"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The rows of the main statement, and of the planner's estimate."""

    rows: list[Row]
    planned: list[Row] = field(default_factory=list)


async def execute(
    pool: PipelinePool, layout: Layout, main: Statement, planned_count: Statement | None, is_gone: Watch
) -> Outcome:
    """Run a transaction on a connection of the pool.

    `is_gone` starts a task that ends when the client goes away; then the statement is cancelled and CancelledError
    raised. Raises StatementError, ConnectionLost, ConnectionFailed, PoolTimeout, and what the layout's check raises.
    """
    connection = await pool.acquire()
    try:
        return await _watched(_run(connection, layout, main, planned_count), is_gone)
    finally:
        if connection.is_settled:
            pool.put_back(connection)
        else:
            await asyncio.shield(pool.release(connection))


async def _watched(work: Awaitable[Outcome], is_gone: Watch) -> Outcome:
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    watcher: asyncio.Task[None] | None = None

    def give_up(done: "asyncio.Task[None]") -> None:
        if not done.cancelled() and task is not None:
            task.cancel()

    def look() -> None:
        nonlocal watcher
        watcher = is_gone()
        watcher.add_done_callback(give_up)

    timer = loop.call_later(PATIENCE_S, look)
    try:
        return await work
    finally:
        timer.cancel()
        if watcher is not None:
            watcher.remove_done_callback(give_up)
            watcher.cancel()


async def _run(
    connection: PipelineConnection, layout: Layout, main: Statement, planned_count: Statement | None
) -> Outcome:
    place = len(layout.before)
    own = (main,) if planned_count is None else (main, planned_count)
    results = await connection.run((*layout.before, *own, *layout.after))
    outcome = Outcome(results[place], results[place + 1] if planned_count else [])
    if layout.check is not None:
        await _end(connection, layout, outcome)
    return outcome


async def _end(connection: PipelineConnection, layout: Layout, outcome: Outcome) -> None:
    assert layout.check is not None
    try:
        layout.check(outcome.rows[0])
    except Exception:
        await connection.run([ROLLBACK])
        raise
    await connection.run([ROLLBACK if layout.rolls_back else COMMIT])
