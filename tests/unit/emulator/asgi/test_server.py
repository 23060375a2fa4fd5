"""How a server begins and ends: ready when it is told to be; without a trace, and with the reason."""

import asyncio

import pytest

from emulator.asgi.lifespan import all_running
from emulator.asgi.server import bind, make_server, run_server
from emulator.asgi.types import Receive, Scope, Send


async def unable(_scope: Scope, receive: Receive, _send: Send) -> None:
    """Raise."""
    await receive()
    raise OSError(98, "error while attempting to bind")


async def application(_scope: Scope, receive: Receive, send: Send) -> None:
    """As the gateway does: start what is mounted, say why that failed."""
    await receive()
    try:
        async with all_running({"mailbox": unable}):
            raise AssertionError("it runs")
    except Exception as error:
        await send({"type": "lifespan.startup.failed", "message": str(error)})
        raise


async def test_the_reason_is_kept() -> None:
    server = make_server(application)
    with bind("127.0.0.1", 0) as listener:
        await run_server(server, listener)
    assert not server.started
    assert server.failure == "mailbox: [Errno 98] error while attempting to bind"


async def test_there_is_no_reason_before_a_start() -> None:
    assert make_server(application).failure == ""


async def plain(_scope: Scope, receive: Receive, send: Send) -> None:
    """Start and stop."""
    for phase in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{phase}.complete"})


@pytest.mark.parametrize("is_stopped", [False, True])
async def test_it_is_ready_when_what_it_waits_for_has_ended(is_stopped: bool) -> None:
    server, said = make_server(plain), list[str]()
    asked, ended = asyncio.Event(), asyncio.Event()

    async def until() -> None:
        said.append("serves" if server.started else "")
        server.should_exit = is_stopped
        asked.set()
        await ended.wait()

    def ready(_port: int) -> None:
        said.append("ready")
        server.should_exit = True

    with bind("127.0.0.1", 0) as listener:
        running = asyncio.ensure_future(run_server(server, listener, ready, until=until))
        await asyncio.wait_for(asked.wait(), 60)
        assert said == ["serves"]
        if not is_stopped:  # who is stopped before stays silent
            ended.set()
        await asyncio.wait_for(running, 60)
    assert said == ["serves", *([] if is_stopped else ["ready"])]
