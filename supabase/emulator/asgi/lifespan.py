"""Start and stop the ASGI applications that are mounted in another one (servers run only the outermost lifespan).

asgi-lifespan does the same, but waits for ever for an application that answers `startup.failed`, or nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from emulator.asgi.types import ASGIApp, Message


class StartupFailed(Exception):
    """A mounted application could not start; the text is its own."""


@asynccontextmanager
async def running(app: ASGIApp) -> AsyncIterator[None]:
    """Run the lifespan of one ASGI application around a block. Raises StartupFailed."""
    inbox: asyncio.Queue[Message] = asyncio.Queue()
    outbox: asyncio.Queue[Message] = asyncio.Queue()

    async def live() -> None:
        await app({"type": "lifespan", "asgi": {"version": "3.0"}}, inbox.get, outbox.put)

    task = asyncio.create_task(live())
    await _exchange(task, inbox, outbox, "startup")
    try:
        yield
    finally:
        await _exchange(task, inbox, outbox, "shutdown")
        await task


@asynccontextmanager
async def all_running(apps: Sequence[ASGIApp]) -> AsyncIterator[None]:
    """Run the lifespans of several applications around a block; they stop in reverse order."""
    async with AsyncExitStack() as stack:
        for app in apps:
            await stack.enter_async_context(running(app))
        yield


async def _exchange(
    task: "asyncio.Task[None]", inbox: "asyncio.Queue[Message]", outbox: "asyncio.Queue[Message]", phase: str
) -> None:
    await inbox.put({"type": f"lifespan.{phase}"})
    answer = asyncio.ensure_future(outbox.get())
    await asyncio.wait([answer, task], return_when=asyncio.FIRST_COMPLETED)
    if not answer.done():
        answer.cancel()
        task.result()  # raises what the application raised
        raise StartupFailed(f"an application ended without answering lifespan.{phase}")
    message = answer.result()
    if message["type"] == f"lifespan.{phase}.failed":
        raise StartupFailed(message.get("message") or f"{phase} failed")
