"""Loops that go on after an error, and end when they are canceled."""

import asyncio


def raise_if_canceled() -> None:
    """Raise CancelledError if the task was canceled: where an error was caught, and before a loop waits again.

    A driver may answer a cancellation with an error of its connection, psycopg's pool drops one that meets the reset of
    a connection, and a TaskGroup raises the errors of its tasks in its place; the loop would wait for ever.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling() > 0:
        raise asyncio.CancelledError
