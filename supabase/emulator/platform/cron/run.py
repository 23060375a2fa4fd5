"""One run of one job: in a session of its own, as its user, and what it came to."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import psycopg

SESSION_NAME = "pg_cron"


@dataclass(frozen=True)
class Job:
    """A row of cron.job."""

    jobid: int
    schedule: str
    command: str
    database: str
    username: str
    active: bool


@dataclass(frozen=True)
class Ended:
    """How a run ended, in the words of cron.job_run_details."""

    succeeded: bool
    message: str


async def run_job(
    job: Job, conninfo: str, began: Callable[[int], Awaitable[None]], terminate: Callable[[int], Awaitable[None]]
) -> Ended:
    """Run a job's command as a simple query outside of a transaction; `began` is called with the backend's process.

    Canceled, it calls `terminate` with that process: a request to cancel is lost when it comes before the command, and
    a command can catch it. Raises nothing of the command's.
    """
    try:
        connection = await psycopg.AsyncConnection.connect(conninfo, autocommit=True, prepare_threshold=None)
    except psycopg.Error:
        return Ended(False, "connection failed")
    pid = connection.info.backend_pid
    running: asyncio.Task[Ended] | None = None
    try:
        await began(pid)
        running = asyncio.create_task(_execute(connection, job.command))
        return await asyncio.shield(running)  # psycopg would cancel the command, and wait 5 s when that is lost
    except asyncio.CancelledError:
        if running is not None:
            await terminate(pid)
            await asyncio.wait([running])
        raise
    finally:
        if running is not None and not running.done():  # it could not be terminated
            running.cancel()
            await asyncio.wait([running])
        await connection.close()


async def _execute(connection: psycopg.AsyncConnection[Any], command: str) -> Ended:
    try:
        cursor = psycopg.AsyncRawCursor(connection)
        await cursor.execute(command.encode())
        while cursor.nextset():
            pass
    except psycopg.Error as error:
        result = error.pgresult
        text = result.error_message.decode("utf8", "replace") if result is not None else ""
        return Ended(False, text or "connection lost")
    if cursor.description is None:
        return Ended(True, cursor.statusmessage or "")
    return Ended(True, f"{cursor.rowcount} row{'' if cursor.rowcount == 1 else 's'}")
