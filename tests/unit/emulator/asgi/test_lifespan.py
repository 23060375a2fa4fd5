"""Lifespans of mounted applications: started at once, stopped in reverse, refused when one can't start."""

import asyncio

import pytest

from emulator.asgi.lifespan import StartupFailed, all_running
from emulator.asgi.types import ASGIApp, Receive, Scope, Send


def noting(name: str, notes: list[str]) -> ASGIApp:
    """An application that notes its start and stop."""

    async def app(_scope: Scope, receive: Receive, send: Send) -> None:
        for phase in ("startup", "shutdown"):
            assert (await receive())["type"] == f"lifespan.{phase}"
            notes.append(f"{name} {phase}")
            await send({"type": f"lifespan.{phase}.complete"})

    return app


async def test_applications_start_in_order_and_stop_in_reverse() -> None:
    notes: list[str] = []
    async with all_running({"a": noting("a", notes), "b": noting("b", notes)}):
        assert notes == ["a startup", "b startup"]
    assert notes[2:] == ["b shutdown", "a shutdown"]


async def refusing(_scope: Scope, receive: Receive, send: Send) -> None:
    """Say that it can't start."""
    await receive()
    message = "Traceback (most recent call last):\n  ...\nno database\n"  # as Starlette's
    await send({"type": "lifespan.startup.failed", "message": message})


async def silent(_scope: Scope, receive: Receive, _send: Send) -> None:
    """End without an answer."""
    await receive()


async def broken(_scope: Scope, receive: Receive, _send: Send) -> None:
    """Raise."""
    await receive()
    raise StartupFailed("its own error")


async def wordless(_scope: Scope, receive: Receive, _send: Send) -> None:
    """Raise an error without a text."""
    await receive()
    raise TimeoutError


@pytest.mark.parametrize(
    ("app", "reason"),
    [
        pytest.param(refusing, "b: no database$", id="failed"),
        pytest.param(silent, "b: .*without answering", id="no-answer"),
        pytest.param(broken, "b: its own error$", id="raised"),
        pytest.param(wordless, "b: TimeoutError$", id="without-a-word"),
    ],
)
async def test_the_others_stop_when_one_can_not_start(app: ASGIApp, reason: str) -> None:
    notes: list[str] = []
    with pytest.raises(StartupFailed, match=reason):
        async with all_running({"a": noting("a", notes), "b": app}):
            pytest.fail("it runs")
    assert notes == ["a startup", "a shutdown"]


async def test_what_has_started_stops_when_the_start_is_canceled() -> None:
    notes: list[str] = []
    begun = asyncio.Event()

    async def slow(_scope: Scope, receive: Receive, _send: Send) -> None:
        await receive()
        begun.set()
        await receive()

    async def run() -> None:
        async with all_running({"a": noting("a", notes), "b": slow}):
            pytest.fail("it runs")

    task = asyncio.create_task(run())
    await begun.wait()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert notes == ["a startup", "a shutdown"]
