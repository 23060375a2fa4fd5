"""A loop that goes on after errors ends when it is canceled, even if the cancellation comes as an error."""

import asyncio

import pytest

from emulator.platform.tasks import raise_if_canceled


async def loop(failed: list[str]) -> None:
    """Ten thousand tries; one that is canceled fails with an error of its own, like a driver's."""
    for _ in range(10_000):
        try:
            try:
                await asyncio.sleep(0.001)
                raise ConnectionError("lost")
            except asyncio.CancelledError as error:
                raise ConnectionError("canceled") from error
        except ConnectionError as error:
            failed.append(str(error))
            raise_if_canceled()


async def test_a_cancellation_that_came_as_an_error_ends_the_loop() -> None:
    failed: list[str] = []
    task = asyncio.create_task(loop(failed))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert failed[-1] == "canceled"


async def test_errors_alone_end_nothing() -> None:
    raise_if_canceled()
