"""muster bench platform: 1,000 cron jobs and 10,000 queued requests, with the process killed three times meanwhile.

A stack of its own is started. The jobs are due every minute; each of their runs and each request that arrives is
counted. In the end every request must have one response, none may have arrived twice, no job may have run twice in one
minute, and none may be missing from a minute in which the process was up throughout. Exit code 1 when that is not so.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg

from bench.chaos import Stack

RESULTS = Path(__file__).parent / "results" / "platform.json"
MINUTE_S = 60
Connection = psycopg.Connection[Any]


class Target:
    """Counts the requests that arrive, by their number."""

    def __init__(self) -> None:
        self.arrived: Counter[str] = Counter()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, one request."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            self.arrived[head.split(b" ", 2)[1].decode()] += 1
            await asyncio.sleep(random.uniform(0, 0.05))
            writer.write(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


def prepare(connection: Connection, jobs: int) -> None:
    """The extensions, and the jobs, each of which leaves a row with its minute."""
    for statement in (
        "create extension if not exists pg_cron",
        "create extension if not exists pg_net",
        "create table public.bench_runs"
        " (job integer, minute timestamptz default date_trunc('minute', clock_timestamp()))",
    ):
        connection.execute(statement)
    connection.execute(
        "select cron.schedule('bench ' || n, '* * * * *', 'insert into public.bench_runs (job) values (' || n || ')')"
        " from generate_series(1, %s) as n",
        (jobs,),
    )


def enqueue(connection: Connection, url: str, first: int, count: int) -> None:
    """Queue requests, each with a number of its own in its path."""
    connection.execute(
        "select net.http_get(%s || n, timeout_milliseconds := 20000) from generate_series(%s::int, %s::int) as n",
        (f"{url}/", first, first + count - 1),
    )


def kill(stack: Stack) -> float:
    """Kill the process, start it again; the seconds in which it was down."""
    began = time.monotonic()
    os.kill(stack.status()["pid"], signal.SIGKILL)
    time.sleep(1)
    stack.start()
    return time.monotonic() - began


def story(stack: Stack, connect: Any, url: str, options: argparse.Namespace) -> dict[str, Any]:
    """Jobs and requests under kills; what came of them."""
    with connect() as connection:
        prepare(connection, options.jobs)
    share = options.requests // (options.kills + 1)
    down: list[tuple[float, float]] = []
    for number in range(options.kills + 1):
        with connect() as connection:
            enqueue(connection, url, number * share, share)
        if number < options.kills:
            time.sleep(random.uniform(0.2, 1.5))
            at = time.time()
            down.append((at, at + kill(stack)))
            time.sleep(MINUTE_S * random.uniform(1.2, 1.8))  # so that whole minutes are between
    deadline = time.monotonic() + 300
    while True:
        with connect() as connection:
            row = connection.execute(
                "select (select count(*) from net.http_request_queue), (select count(*) from net._http_response)"
            ).fetchone()
        if row == (0, share * (options.kills + 1)) or time.monotonic() > deadline:
            break
        time.sleep(0.5)
    time.sleep(MINUTE_S - time.time() % MINUTE_S + 30)  # a whole minute without a kill, and its runs
    with connect() as connection:
        connection.execute("select cron.unschedule(jobid) from cron.job")
        return judge(connection, down, options, share * (options.kills + 1))


def judge(
    connection: Connection, down: Sequence[tuple[float, float]], options: argparse.Namespace, requests: int
) -> dict[str, Any]:
    """Count what was lost and what was doubled."""

    def one(query: str) -> int:
        row = connection.execute(query.encode()).fetchone()
        return int(row[0]) if row else 0

    per_minute = connection.execute(
        "select extract(epoch from minute)::bigint, count(*), count(distinct job)"
        " from public.bench_runs group by 1 order by 1"
    ).fetchall()
    whole = [
        (minute, runs, jobs)
        for minute, runs, jobs in per_minute
        if not any(start < minute + MINUTE_S and end + 5 > minute for start, end in down)
    ]
    return {
        "requests": requests,
        "responses": one("select count(*) from net._http_response"),
        "responses_doubled": one("select count(*) - count(distinct id) from net._http_response"),
        "interrupted": one("select count(*) from net._http_response where error_msg is not null"),
        "left_in_queue": one("select count(*) from net.http_request_queue"),
        "job_runs": one("select count(*) from public.bench_runs"),
        "minutes": len(per_minute),
        "whole_minutes": len(whole),
        "runs_doubled": one("select count(*) - count(distinct (job, minute)) from public.bench_runs"),
        "runs_lost_in_whole_minutes": sum(options.jobs - jobs for _, _, jobs in whole),
        "runs_failed": one("select count(*) from cron.job_run_details where status = 'failed'"),
        "down_s": [round(end - start, 1) for start, end in down],
    }


async def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The whole soak, on a stack of its own."""
    home = Path(tempfile.mkdtemp(prefix="muster-bench-platform-"))
    stack = Stack(home, options.port)
    target = Target()
    server = await asyncio.start_server(target.serve, "127.0.0.1", 0, backlog=1000)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        await asyncio.to_thread(stack.start)
        database = stack.status()["env"]["DB_URL"]
        found = await asyncio.to_thread(story, stack, lambda: psycopg.connect(database, autocommit=True), url, options)
    finally:
        await asyncio.to_thread(stack.muster, "down")
        await asyncio.to_thread(stack.muster, "destroy", "--yes")
        server.close()
    found["arrived"] = len(target.arrived)
    found["arrived_twice"] = sum(count - 1 for count in target.arrived.values())
    return found


def run(arguments: Sequence[str] = ()) -> None:
    """Measure, print and keep the result; exit code 1 when something was lost or doubled."""
    parser = argparse.ArgumentParser(prog="muster bench platform", description=__doc__)
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--port", type=int, default=54_620)
    options = parser.parse_args(arguments)
    found = asyncio.run(measure(options))
    print(json.dumps(found, indent=2))
    RESULTS.write_text(f"{json.dumps(found, indent=2)}\n", "utf8")
    expected = found["arrived"] + found["interrupted"] >= found["requests"]
    zeros = ("responses_doubled", "left_in_queue", "runs_doubled", "runs_lost_in_whole_minutes", "arrived_twice")
    if not expected or found["responses"] != found["requests"] or any(found[name] for name in zeros):
        sys.exit(1)
