"""Who gets a connection of a pool, and when; the connections are fakes, so that order alone is tested."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, cast

import pytest

from emulator.db.pipeline import PipelineConnection
from emulator.db.pool import PipelinePool, PoolLimits
from emulator.db.statement import ConnectionLost, PoolTimeout


class FakeConnection:
    """What the pool asks of a connection."""

    is_settled = True
    is_closed = False
    generation = 0
    idle_since = 0.0
    caller: str | None = None

    def __init__(self) -> None:
        self.created_at = time.monotonic()

    async def close(self) -> None:
        """Close."""
        self.is_closed = True


async def _connect(_: str) -> PipelineConnection:
    return cast(PipelineConnection, FakeConnection())


Scenario = Callable[[PipelinePool], Coroutine[Any, Any, None]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[Scenario], None]:
    """Run a scenario with a pool of five connections, of which one caller may have two."""
    monkeypatch.setattr(PipelineConnection, "connect", staticmethod(_connect))

    async def main(scenario: Scenario) -> None:
        pool = PipelinePool("", PoolLimits(5, acquire_timeout_s=20, per_caller=2))
        await scenario(pool)
        await pool.close()

    return lambda scenario: asyncio.run(main(scenario))


async def asked(pool: PipelinePool, caller: str | None) -> "asyncio.Task[PipelineConnection]":
    """Ask for a connection and let the pool act on it."""
    task = asyncio.create_task(pool.acquire(caller))
    for _ in range(10):
        await asyncio.sleep(0)
    return task


def test_one_caller_leaves_connections_to_others(run: Callable[[Scenario], None]) -> None:
    async def scenario(pool: PipelinePool) -> None:
        first, second, third = [await asked(pool, "ada") for _ in range(3)]
        assert (first.done(), second.done(), third.done()) == (True, True, False)
        assert (await asked(pool, "ben")).done()
        assert (await asked(pool, None)).done()
        pool.put_back(first.result())
        await third
        assert pool.waiting == 0

    run(scenario)


def test_callers_are_served_in_turn(run: Callable[[Scenario], None]) -> None:
    async def scenario(pool: PipelinePool) -> None:
        held = [await pool.acquire(None) for _ in range(5)]
        order: list[str] = []

        async def ask(caller: str) -> None:
            pool.put_back(await _noted(caller))

        async def _noted(caller: str) -> PipelineConnection:
            connection = await pool.acquire(caller)
            order.append(caller)
            return connection

        tasks = [asyncio.create_task(ask(caller)) for caller in ("ada", "ada", "ada", "ben", "cleo")]
        await asyncio.sleep(0)
        pool.put_back(held[0])
        await asyncio.gather(*tasks)
        assert order == ["ada", "ben", "cleo", "ada", "ada"]

    run(scenario)


def test_a_caller_who_leaves_takes_nothing_along(run: Callable[[Scenario], None]) -> None:
    async def scenario(pool: PipelinePool) -> None:
        held = [await pool.acquire("ada") for _ in range(2)]
        waiting = await asked(pool, "ada")
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        for connection in held:
            pool.put_back(connection)
        assert [(await asked(pool, "ada")).done() for _ in range(2)] == [True, True]

    run(scenario)


def test_who_waits_too_long_is_told(run: Callable[[Scenario], None]) -> None:
    async def scenario(pool: PipelinePool) -> None:
        for _ in range(2):
            await pool.acquire("ada")
        waiting = await asked(pool, "ada")
        await pool.close()
        with pytest.raises(PoolTimeout):
            await waiting

    run(scenario)


def test_a_caller_who_is_alone_borrows_more(run: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)

    async def scenario(pool: PipelinePool) -> None:
        nonlocal now
        held = [await pool.acquire("ada") for _ in range(2)]
        waiting = await asked(pool, "ada")
        assert not waiting.done(), "somebody else may have asked a moment ago"
        now += 1.5
        held.append(await pool.acquire("ada"))
        beyond = await asked(pool, "ada")
        assert not beyond.done(), "two connections are for others, always"
        ben = await asked(pool, "ben")
        assert ben.done()
        pool.put_back(ben.result())
        for connection in held[:2]:
            pool.put_back(connection)
        await asyncio.sleep(0)
        assert (waiting.done(), beyond.done()) == (True, False), "its share again, as another has asked"

    run(scenario)


def test_who_waits_is_told_after_the_time_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PipelineConnection, "connect", staticmethod(_connect))

    async def scenario() -> None:
        pool = PipelinePool("", PoolLimits(1, acquire_timeout_s=0.01))
        held = await pool.acquire("ada")
        first, second = await asked(pool, "ada"), await asked(pool, "ben")
        with pytest.raises(PoolTimeout):
            await first
        with pytest.raises(PoolTimeout):
            await second
        assert pool.timeouts == 2
        last = await asked(pool, "cleo")
        pool.put_back(held)
        assert await last is held
        await pool.close()

    asyncio.run(scenario())


def test_who_waits_for_more_than_its_share_gets_it_when_nobody_asks(
    run: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("emulator.db.pool._ALONE_S", 0.01)

    async def scenario(pool: PipelinePool) -> None:
        for _ in range(2):
            await pool.acquire("ada")
        waiting = await asked(pool, "ada")
        assert not waiting.done()
        await waiting  # nothing is given back meanwhile

    run(scenario)


def test_what_is_idle_can_be_taken_at_once(run: Callable[[Scenario], None]) -> None:
    async def scenario(pool: PipelinePool) -> None:
        assert pool.take_idle() is None
        connection = await pool.acquire("ada")
        assert pool.take_idle() is None
        pool.put_back(connection)
        assert pool.take_idle() is connection
        assert (pool.size, pool.available) == (1, 0)
        pool.put_back(connection)
        connection.is_closed = True
        assert pool.take_idle() is None
        assert pool.size == 0

    run(scenario)


def test_a_statement_is_sent_when_the_one_before_ends(run: Callable[[Scenario], None]) -> None:
    async def scenario(pool: PipelinePool) -> None:
        held = [await pool.acquire(None) for _ in range(5)]
        begun: list[PipelineConnection] = []

        def begin(connection: PipelineConnection, _future: "asyncio.Future[Any]") -> None:
            begun.append(connection)

        waiting, left = pool.ask(begin), pool.ask(begin)
        left.future.cancel()
        pool.put_back(held[0])
        assert begun == [held[0]], "before any task is awake"
        assert waiting.connection is held[0]
        pool.put_back(held[1])
        assert begun == [held[0]], "nobody waits for the answer"
        assert pool.available == 1

    run(scenario)


def test_what_cannot_be_sent_is_the_error_of_whose_turn_it_is(run: Callable[[Scenario], None]) -> None:
    async def scenario(pool: PipelinePool) -> None:
        held = [await pool.acquire(None) for _ in range(5)]

        def fail(_connection: PipelineConnection, _future: "asyncio.Future[Any]") -> None:
            raise ConnectionLost("gone")

        turn = pool.ask(fail)
        pool.put_back(held[0])
        with pytest.raises(ConnectionLost):
            await turn.future
        pool.put_back(held[0])
        assert pool.available == 1

    run(scenario)


def test_a_connection_that_nobody_waits_for_any_more_is_kept(run: Callable[[Scenario], None]) -> None:
    async def scenario(pool: PipelinePool) -> None:
        task = asyncio.create_task(pool.acquire("ada"))
        await asyncio.sleep(0)
        task.cancel()
        for _ in range(10):
            await asyncio.sleep(0)
        assert (pool.size, pool.available) == (1, 1)
        assert await pool.acquire("ben")

    run(scenario)
