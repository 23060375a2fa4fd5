"""muster bench branch: how long a branch takes, 8 at once, beside `db reset` and truncate; what 100 idle ones weigh.

A stack of its own is started; `stack`: how long its second start takes, and its memory when it was idle for a while.
A branch is `ready` when its first request for rows is answered.
In rounds there is a pause after every 8, in which copies are made in advance; sustained, there is none.
"""

import argparse
import json
import os
import shutil
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg

from bench.chaos import Stack
from muster_cli.stack.control import ask
from muster_cli.stack.home import Home

RESULTS = Path(__file__).parent / "results" / "branch.json"
AT_ONCE = 8
IDLE_S = 2.0
STACK_IDLE_S = 45.0  # then connections that nobody uses are closed
READY_S = 60.0
_TABLES = """
select string_agg(format('%I.%I', schemaname, tablename), ', ') from pg_tables where schemaname in ('public', 'private')
"""


def pss_mib(stack: Stack) -> float:
    """What the process and PostgreSQL take, shared memory divided among those that share it."""
    total = 0
    wanted = {stack.status()["pid"], stack.postmaster()}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if int(folder.name) in wanted or parent in wanted:
                line = next(row for row in (folder / "smaps_rollup").read_text().splitlines() if row.startswith("Pss:"))
                total += int(line.split()[1])
        except (OSError, StopIteration, ValueError):
            continue
    return total / 1024


def timed(work: Callable[[], object]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


class Bench:
    """A running stack, and what is asked of it."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.home = Home(stack.home)
        self.key = self.home.secrets().service_role_key

    def create(self, name: str) -> tuple[float, float]:
        """Milliseconds of the call, and until the first rows are there."""
        began = time.perf_counter()
        made = ask(self.home, "POST", "/branches", {"name": name})
        created = time.perf_counter()
        self.rows(made["url"])
        return (created - began) * 1000, (time.perf_counter() - began) * 1000

    def rows(self, url: str) -> None:
        """One request for rows."""
        request = urllib.request.Request(f"{url}/rest/v1/profiles?select=id&limit=1", headers={"apikey": self.key})
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()

    def delete(self, names: Sequence[str]) -> None:
        """Drop branches."""
        for name in names:
            ask(self.home, "DELETE", f"/branches/{name}")

    def wait_until_ready(self, owner: str) -> None:
        """Until copies are made in advance and what was dropped is gone, or for READY_S."""
        query = "select count(*) filter (where datname like 'muster\\_ready%'), "
        query += "count(*) filter (where datname like 'muster\\_dropped%') from pg_database"
        deadline = time.monotonic() + READY_S
        with psycopg.connect(owner, autocommit=True) as connection:
            while time.monotonic() < deadline:
                ready, dropped = connection.execute(query.encode()).fetchone() or (0, 0)
                if ready >= AT_ONCE and not dropped:
                    return
                time.sleep(0.2)


def shares(values: Sequence[float]) -> dict[str, float]:
    """p50, p95 and the worst, in milliseconds."""
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return {"p50_ms": round(ordered[len(ordered) // 2]), "p95_ms": round(p95), "max_ms": round(ordered[-1])}


def creations(bench: Bench, owner: str, rounds: int, *, pauses: bool) -> dict[str, Any]:
    """Rounds of 8 at once."""
    found: list[tuple[float, float]] = []
    for number in range(rounds):
        names = [f"r{number}-{place}" for place in range(AT_ONCE)]
        if pauses:
            bench.wait_until_ready(owner)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            found += pool.map(bench.create, names)
        bench.delete(names)
    created, ready = zip(*found, strict=True)
    return {"create": shares(created), "ready": shares(ready)}


def weight(bench: Bench, owner: str, count: int) -> dict[str, Any]:
    """What `count` branches take that were used once and are idle."""
    bench.wait_until_ready(owner)
    time.sleep(3 * IDLE_S)
    before = pss_mib(bench.stack)
    names = [f"w-{number}" for number in range(count)]
    for name in names:
        bench.create(name)
    bench.wait_until_ready(owner)
    time.sleep(6 * IDLE_S)
    after = pss_mib(bench.stack)
    with psycopg.connect(owner, autocommit=True) as connection:
        held = connection.execute(
            "select count(*) from pg_stat_activity where datname like 'muster\\_branch%'"
        ).fetchone()
    bench.delete(names)
    return {
        "branches": count, "before_mib": round(before), "after_mib": round(after),
        "per_branch_mib": round((after - before) / count, 2), "connections": held[0] if held else None,
    }  # fmt: skip


def alone(stack: Stack) -> dict[str, float]:
    """The stack without a branch, started a second time. `mib`: sum of PSS, PostgreSQL included."""
    stack.muster("down")
    up_ms = timed(stack.start)
    time.sleep(STACK_IDLE_S)
    return {"up_ms": round(up_ms), "mib": round(pss_mib(stack), 1)}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Everything, on a stack of its own."""
    home = Path(tempfile.mkdtemp(prefix="muster-bench-branch-"))
    (home / "variables.env").write_text(f"MUSTER_BRANCHES_IDLE_S={IDLE_S}\n", "utf8")
    stack = Stack(home, options.port)
    try:
        stack.start()
        bench, owner = Bench(stack), stack.status()["env"]["DB_URL"]
        found: dict[str, Any] = {"load_before": os.getloadavg()[0], "cores": os.cpu_count()}
        found["stack"] = alone(stack)
        found["first_branch_ms"] = round(timed(lambda: bench.create("first")))
        found["in_rounds"] = creations(bench, owner, options.rounds, pauses=True)
        found["sustained"] = creations(bench, owner, options.rounds, pauses=False)
        bench.wait_until_ready(owner)
        found["reset"] = shares([timed(lambda: ask(bench.home, "POST", "/branches/first/reset")) for _ in range(8)])
        with psycopg.connect(owner, autocommit=True) as connection:
            tables = connection.execute(_TABLES).fetchone()
            statement = f"truncate {tables[0] if tables else ''} cascade"
            found["truncate_ms"] = round(timed(lambda: connection.execute(statement.encode())))
        found["db_reset_ms"] = round(timed(lambda: stack.muster("db", "reset", "--yes")))
        bench.wait_until_ready(owner)
        found["idle"] = weight(bench, owner, options.idle)
        return found
    finally:
        stack.muster("destroy", "--yes")
        shutil.rmtree(home, ignore_errors=True)


def run(arguments: Sequence[str] = ()) -> None:
    """Measure, print and keep the result."""
    parser = argparse.ArgumentParser(prog="muster bench branch", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--idle", type=int, default=100)
    parser.add_argument("--port", type=int, default=54_640)
    found = measure(parser.parse_args(arguments))
    print(json.dumps(found, indent=2))
    RESULTS.write_text(f"{json.dumps(found, indent=2)}\n", "utf8")
