"""Loops that go on after an error, and end when they are canceled."""

import asyncio


def raise_if_canceled() -> None:
    """Where an error was caught: raise CancelledError if the task was canceled meanwhile.

    A driver may answer a cancellation with an error of its connection, and a TaskGroup raises the errors of its tasks
    in its place; a loop that only looked at the error would never end.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling() > 0:
        raise asyncio.CancelledError
