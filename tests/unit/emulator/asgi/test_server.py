"""How a server ends whose application can't start: without a trace, and with the reason."""

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
