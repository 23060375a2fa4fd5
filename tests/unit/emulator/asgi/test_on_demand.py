"""An application that is started by its first request."""

import asyncio
from typing import Any

import pytest

from emulator.asgi.client import get_status
from emulator.asgi.lifespan import StartupFailed, running
from emulator.asgi.on_demand import OnDemand
from emulator.asgi.response import respond
from emulator.asgi.types import Receive, Scope, Send


class App:
    """Notes what happens; its first starts may fail."""

    def __init__(self, failures: int = 0) -> None:
        self.events: list[str] = []
        self._failures = failures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self.events.append("request")
            await respond(send, 204, [], None)
            return
        await receive()
        self.events.append("start")
        if self._failures:
            self._failures -= 1
            await send({"type": "lifespan.startup.failed", "message": "not now"})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.events.append("stop")
        await send({"type": "lifespan.shutdown.complete"})


def test_it_starts_once_and_ends_with_the_server() -> None:
    app = App()

    async def serve() -> list[Any]:
        on_demand = OnDemand(lambda: app)
        async with running(on_demand):
            assert app.events == []
            return await asyncio.gather(*(get_status(on_demand, "/") for _ in range(3)))

    assert asyncio.run(serve()) == [204, 204, 204]
    assert app.events == ["start", "request", "request", "request", "stop"]


def test_what_was_never_asked_for_is_never_made() -> None:
    async def serve() -> None:
        async with running(OnDemand(lambda: pytest.fail("it was made"))):
            pass

    asyncio.run(serve())


def test_a_start_that_failed_is_tried_again() -> None:
    app = App(failures=1)

    async def serve() -> int:
        on_demand = OnDemand(lambda: app)
        async with running(on_demand):
            with pytest.raises(StartupFailed, match="not now"):
                await on_demand.start()
            return await get_status(on_demand, "/")

    assert asyncio.run(serve()) == 204
    assert app.events == ["start", "start", "request", "stop"]
