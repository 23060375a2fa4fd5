"""pg_cron's scheduler: which jobs are due, and their runs. One process of a stack has it (session.py).

As in the original, a job's runs follow each other and never overlap: one that is due meanwhile waits. Runs that were
missed while the scheduler was down are not made up for.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import psycopg
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from emulator.clock import Clock
from emulator.platform.cron.run import SESSION_NAME, Ended, Job, run_job
from emulator.platform.cron.schedule import MINUTE, AtStart, Calendar, Interval, Schedule, due_count, parse_schedule
from emulator.platform.settings import PlatformSettings
from emulator.platform.tasks import raise_if_canceled

log = logging.getLogger(__name__)

MAX_RUNNING = 32  # cron.max_running_jobs
RETRY_PAUSE_S = 1.0
STACK_DATABASE = "postgres"  # what cron.schedule writes, whatever this database is called

_READY = "select pg_catalog.to_regclass('cron.job') is not null"
_JOBS = "select jobid, schedule, command, database, username, active from cron.job"
_END_STRAYS = """
select pg_catalog.pg_terminate_backend(session.pid)
from cron.job_run_details as run
join pg_catalog.pg_stat_activity as session on session.pid = run.job_pid
where run.status in ('starting', 'connecting', 'sending', 'running') and session.application_name = %s
"""
_TERMINATE = """
select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity where pid = %s and application_name = %s
"""
_FAIL_STRAYS = """
update cron.job_run_details
set status = 'failed', return_message = 'server restarted'
where status in ('starting', 'connecting', 'sending', 'running')
"""
_STARTING = """
insert into cron.job_run_details (jobid, database, username, command, status)
values (%s, %s, %s, %s, 'starting') returning runid
"""
_RUNNING = "update cron.job_run_details set job_pid = %s, status = 'running', start_time = %s where runid = %s"
_ENDED = """
update cron.job_run_details
set status = %s, return_message = %s, start_time = coalesce(start_time, %s), end_time = %s
where runid = %s
"""


@dataclass
class Task:
    """A job and its runs: `due` are waiting, `running` is the present one."""

    job: Job
    schedule: Schedule | None
    last_start: datetime
    due: int = 0
    running: asyncio.Task[None] | None = field(default=None, repr=False)


class Scheduler:
    """One process's scheduler. `run` is started when the session with the database begins, and canceled at its end."""

    def __init__(self, pool: "AsyncConnectionPool[Any]", settings: PlatformSettings, clock: Clock) -> None:
        """Jobs are due by `clock`."""
        self._pool = pool
        self._clock = clock
        self._settings = settings
        self._changed = asyncio.Event()
        self._woken = asyncio.Event()
        self._tasks: dict[int, Task] = {}

    def wake(self) -> None:
        """The jobs changed."""
        self._changed.set()
        self._woken.set()

    async def run(self) -> None:
        """Run jobs until canceled, and cancel those that run then."""
        self._changed.set()
        is_recovered = False
        unwatch = self._clock.watch(self._woken.set)
        last_minute = _minute(self._clock.now())
        try:
            while True:
                if self._changed.is_set():
                    self._changed.clear()
                    try:
                        is_recovered = await self._load(is_first=not is_recovered)
                    except (psycopg.Error, PoolTimeout) as error:  # the jobs that are known go on
                        raise_if_canceled()
                        log.error("cron.job can't be read: %s", error)
                        self._changed.set()
                        await asyncio.sleep(RETRY_PAUSE_S)
                now = self._clock.now()
                self._collect_due(last_minute, now)
                last_minute = _minute(now)
                self._start_due(now)
                raise_if_canceled()
                await self._sleep(now)
        finally:
            unwatch()
            running = [task.running for task in self._tasks.values() if task.running is not None]
            for run in running:
                run.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            self._tasks.clear()

    async def _load(self, *, is_first: bool) -> bool:
        """Read the jobs; the first time also end what a killed scheduler left running. False without the extension."""
        async with self._pool.connection() as connection:
            if await (await connection.execute(_READY)).fetchone() != (True,):
                self._forget({})
                return False
            if is_first:
                await connection.execute(_END_STRAYS, (SESSION_NAME,))
                await connection.execute(_FAIL_STRAYS)
            rows = await (await connection.execute(_JOBS)).fetchall()
        jobs = {row[0]: Job(*row) for row in rows}
        self._forget(jobs)
        now = self._clock.now()
        for jobid, job in jobs.items():
            known = self._tasks.get(jobid)
            if known is None:
                task = self._tasks[jobid] = Task(job, parse_schedule(job.schedule), now)
                task.due = int(is_first and job.active and isinstance(task.schedule, AtStart))
            elif known.job != job:
                known.job, known.schedule = job, parse_schedule(job.schedule)
                if not job.active:
                    known.due = 0
                    if known.running is not None:
                        known.running.cancel()
        return True

    def _forget(self, jobs: Mapping[int, Job]) -> None:
        for jobid in self._tasks.keys() - jobs.keys():
            task = self._tasks.pop(jobid)
            if task.running is not None:
                task.running.cancel()

    def _collect_due(self, last_minute: datetime, now: datetime) -> None:
        minute = _minute(now)
        for task in self._tasks.values():
            if not task.job.active:
                continue
            match task.schedule:
                case Calendar() as calendar:
                    task.due += due_count(calendar, last_minute, minute)
                case Interval(seconds):
                    if task.due == 0 and (now - task.last_start).total_seconds() >= seconds:
                        task.due = 1
                case _:
                    pass

    def _start_due(self, now: datetime) -> None:
        running = sum(task.running is not None for task in self._tasks.values())
        for task in self._tasks.values():
            if running >= MAX_RUNNING:
                return
            if task.due > 0 and task.running is None:
                running += 1
                task.due -= 1
                task.last_start = now
                task.running = asyncio.create_task(self._run(task))

    async def _sleep(self, now: datetime) -> None:
        """Until the next moment at which a job may be due; for ever when there is none."""
        waits = [self._wait_of(task, now) for task in self._tasks.values() if task.job.active]
        soonest = min((wait for wait in waits if wait is not None), default=None)
        try:
            async with asyncio.timeout(soonest):
                await self._woken.wait()
        except TimeoutError:
            pass
        self._woken.clear()

    def _wait_of(self, task: Task, now: datetime) -> float | None:
        match task.schedule:
            case Calendar():
                return (_minute(now) + MINUTE - now).total_seconds() + 0.001
            case Interval(seconds):
                if task.running is not None and task.due:
                    return None  # its end wakes
                return max(0.001, seconds - (now - task.last_start).total_seconds())
            case _:
                return None

    async def _run(self, task: Task) -> None:
        job = task.job
        try:
            runid = await self._execute(_STARTING, (job.jobid, job.database, job.username, job.command))
            start = self._clock.now()

            async def began(pid: int) -> None:
                nonlocal start
                start = self._clock.now()
                await self._execute(_RUNNING, (pid, start, runid))

            async def terminate(pid: int) -> None:
                await self._execute(_TERMINATE, (pid, SESSION_NAME))

            database = "" if job.database == STACK_DATABASE else job.database
            try:
                conninfo = self._settings.conninfo(SESSION_NAME, job.username, database)
                ended = await run_job(job, conninfo, began, terminate)
            except asyncio.CancelledError:
                ended = Ended(False, "job canceled")
                await self._execute(_ENDED, ("failed", ended.message, start, self._clock.now(), runid))
                raise
            status = "succeeded" if ended.succeeded else "failed"
            await self._execute(_ENDED, (status, ended.message, start, self._clock.now(), runid))
        except asyncio.CancelledError:
            raise
        except Exception as error:  # the details could not be written: the database is gone, or the extension
            log.error("a run of cron job %d is not recorded: %s", job.jobid, error)
        finally:
            task.running = None
            self._woken.set()

    async def _execute(self, statement: str, values: tuple[object, ...]) -> int:
        """Execute a statement; the number of the run that it makes, or 0."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(statement, values)
            row = await cursor.fetchone() if cursor.description else None
        return int(row[0]) if row else 0


def _minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)
