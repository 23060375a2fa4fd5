"""Start and stop the ASGI applications that are mounted in another one (servers run only the outermost lifespan).

asgi-lifespan does the same, but waits for ever for an application that answers `startup.failed`, or nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
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
async def all_running(apps: Mapping[str, ASGIApp]) -> AsyncIterator[None]:
    """Run the lifespans of several named applications around a block; they start at once, and stop in reverse order.

    Raises StartupFailed with the name of the first that can't start, and why in one line.
    """
    async with AsyncExitStack() as stack:
        lives = [running(app) for app in apps.values()]
        starts = [asyncio.create_task(life.__aenter__()) for life in lives]
        try:
            await asyncio.gather(*starts, return_exceptions=True)
        finally:  # canceled, too: what has started stops
            for life, start in zip(lives, starts, strict=True):
                if not start.cancelled() and start.exception() is None:
                    stack.push_async_exit(life)
        for name, start in zip(apps, starts, strict=True):
            if isinstance(error := start.exception(), Exception):
                raise StartupFailed(f"{name}: {_reason(error)}") from error
        yield


def _reason(error: Exception) -> str:
    """The last line of an error, which says most where the text is a traceback; its kind where it has no text."""
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__


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
