"""Start and stop the ASGI applications that are mounted in another one (servers run only the outermost lifespan)."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any


class StartupFailed(Exception):
    """A mounted application could not start; the text is its own."""


@asynccontextmanager
async def running(app: Any) -> Any:
    """Run the lifespan of one ASGI application around a block. Raises StartupFailed."""
    inbox: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    task = asyncio.ensure_future(app({"type": "lifespan", "asgi": {"version": "3.0"}}, inbox.get, outbox.put))
    await _exchange(task, inbox, outbox, "startup")
    try:
        yield
    finally:
        await _exchange(task, inbox, outbox, "shutdown")
        await task


@asynccontextmanager
async def all_running(apps: Sequence[Any]) -> Any:
    """Run the lifespans of several applications around a block; they stop in reverse order."""
    async with AsyncExitStack() as stack:
        for app in apps:
            await stack.enter_async_context(running(app))
        yield


async def _exchange(
    task: "asyncio.Future[None]", inbox: "asyncio.Queue[dict[str, str]]", outbox: "asyncio.Queue[Any]", phase: str
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
