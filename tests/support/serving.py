"""An ASGI application on a free port, in a thread."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from emulator.asgi.server import bind, make_server
from emulator.asgi.types import Observer


@contextmanager
def serving(app: Any, observer: Observer | None = None, *, lifespan: Literal["on", "off"] = "on") -> Iterator[int]:
    """Serve an application, with its lifespan if it has one; yields the port."""
    listener = bind("127.0.0.1", 0)
    server = make_server(app, max_body_bytes=None, observer=observer, lifespan=lifespan)
    started = threading.Event()
    failure: list[BaseException] = []

    async def serve() -> None:
        task = asyncio.ensure_future(server.serve(sockets=[listener]))
        while not server.started and not task.done():  # noqa: ASYNC110 (uvicorn offers no event for it)
            await asyncio.sleep(0.002)
        started.set()
        await task

    def run() -> None:
        try:
            with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
                runner.run(serve())
        except BaseException as error:
            failure.append(error)
        finally:
            started.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    started.wait(30)
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
    if failure:
        raise failure[0]
