"""muster bench attack: what floods of one visitor do to everybody else, on a stack of its own, on loopback only.

`./muster bench attack [--seconds N] [--only TEXT] [--check]`

A small project is started as anybody would start one. An honest client in a process of its own asks all the time: a
read, the auth service's settings, a heartbeat. Beside it one visitor, with the publishable key alone, floods the stack
in one way after another, from another process. Printed is, for each flood, the honest client's 95th percentile as a
multiple of what it is right before and after, its longest wait, and how much the server's memory grew. Where there are
four cores, the stack, the flood and the honest client have cores of their own, so that it is the server that is
measured. `--check` ends with exit code 1 where that passes the (generous) bounds.
"""

import argparse
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from bench import attack_floods, attack_fuzz
from bench.rest import CHECKOUT, free_port

RESULTS = Path(__file__).resolve().parent / "results" / "attack.json"
MUSTER = (sys.executable, "-m", "muster_cli")
MIGRATION = """
create table public.stations (id bigint primary key generated always as identity, name text, city text);
insert into public.stations (name, city) select 'Station ' || n, 'City ' || n % 50 from generate_series(1, 500) n;
alter table public.stations enable row level security;
create policy "Everybody reads" on public.stations for select to anon, authenticated using (true);
create table public.notes (
  id bigint primary key generated always as identity, station_id bigint references stations, body text
);
alter table public.notes enable row level security;
create policy "Everybody reads" on public.notes for select to anon, authenticated using (true);
grant select on public.stations, public.notes to anon, authenticated;
"""
BOUND_MS = 1500.0  # for the honest client's 95th percentile, where it is more than BOUND_RATIO
BOUND_RATIO = 8.0
BOUND_MIB = 384
MEMORY_EVERY_S = 0.25  # reading it holds up whom it measures
Waits = dict[str, list[float]]  # what requests took, ms, by kind
Ask = Callable[[], tuple[Waits, int]]  # waits and failures since the last call


@dataclass(frozen=True)
class Cores:
    """Which ones the stack, the flood and the honest client run on; all on all where there are few."""

    stack: frozenset[int]
    flood: frozenset[int]
    honest: frozenset[int]

    @classmethod
    def of_machine(cls) -> Self:
        """Of those that this process may use."""
        if not hasattr(os, "sched_getaffinity"):
            return cls(frozenset(), frozenset(), frozenset())
        *stack, flood, honest = (frozenset({one}) for one in sorted(os.sched_getaffinity(0)))
        if len(stack) < 2:
            every = frozenset(os.sched_getaffinity(0))
            return cls(every, every, every)
        return cls(frozenset().union(*stack), flood, honest)


@contextmanager
def on_cores(cores: frozenset[int]) -> Iterator[None]:
    """What is started meanwhile runs on these cores."""
    if not cores:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@dataclass(frozen=True)
class Outcome:
    """Of one flood: the worst of the honest client's kinds of requests."""

    flood: str
    sent: int
    p95_ms: float
    ratio: float
    longest_ms: float
    mib: float
    failures: int
    alone_ms: dict[str, float]

    @property
    def is_within_bounds(self) -> bool:
        """Whether others were served, and memory held."""
        return (self.ratio <= BOUND_RATIO or self.p95_ms <= BOUND_MS) and self.mib <= BOUND_MIB and not self.failures


def run(arguments: Sequence[str]) -> None:
    """Flood, print, keep."""
    parser = argparse.ArgumentParser(prog="muster bench attack", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--fuzz", type=int, default=20_000)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(list(arguments))
    cores = Cores.of_machine()
    with ExitStack() as stack:
        with on_cores(cores.stack):
            port, pid, keys = stack.enter_context(own_stack())
        with on_cores(cores.honest):
            ask = stack.enter_context(honest_client(port, keys[0]))
        stack.enter_context(on_cores(cores.flood))
        time.sleep(1.0)  # plans, statements and caches are made now
        outcomes = [
            measure(name, flood, (port, pid, keys[0]), ask, options.seconds)
            for name, flood in attack_floods.FLOODS.items()
            if options.only in name
        ]
        fuzzed = attack_fuzz.run(port, keys, pid, options.fuzz) if options.fuzz and not options.only else None
    results = {"seconds": options.seconds, "floods": [asdict(one) for one in outcomes], "fuzz": fuzzed}
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=2) + "\n", "utf8")
    beyond = [one.flood for one in outcomes if not one.is_within_bounds]
    if fuzzed is not None:
        print(json.dumps(fuzzed))
        beyond += ["fuzz"] if fuzzed["undocumented"] or fuzzed["mib"] > BOUND_MIB else []
    if options.check and beyond:
        raise SystemExit(f"beyond the bounds: {', '.join(beyond)}")


def measure(name: str, flood: attack_floods.Flood, stack: tuple[int, int, str], ask: Ask, seconds: float) -> Outcome:
    """One flood, from a process of its own, while the honest client goes on; before and after, it has no company."""
    port, pid, key = stack
    quiet, _ = alone(ask, seconds)
    before, peak = memory_mib(pid), 0.0
    sent = multiprocessing.Value("l", 0)
    process = multiprocessing.Process(target=attack_floods.run, args=(flood, port, key, seconds, sent))
    process.start()
    while process.is_alive():
        peak = max(peak, memory_mib(pid))
        process.join(MEMORY_EVERY_S)
    waits, failures = ask()
    settle(port, key)
    after, _ = alone(ask, seconds)
    base = p95_by_kind({kind: quiet.get(kind, []) + after.get(kind, []) for kind in quiet | after})
    p95 = p95_by_kind(waits)
    worst = max(p95, key=lambda kind: p95[kind] / base[kind], default="")
    outcome = Outcome(
        name,
        sent.value,
        p95.get(worst, 0),
        round(p95[worst] / base[worst], 1) if worst else float("inf"),
        round(max((max(ms) for ms in waits.values()), default=0.0), 1),
        round(peak - before, 1),
        failures,
        base,
    )
    print(
        f"{name:>34} {describe(p95)} (alone {describe(base)}) ratio {outcome.ratio:5.1f} "
        f"longest {outcome.longest_ms:6.1f} ms memory {outcome.mib:+6.1f} MiB sent {sent.value} failures {failures}",
        flush=True,
    )
    return outcome


def alone(ask: Ask, seconds: float) -> tuple[Waits, int]:
    """What the honest client waits for while nobody else is there."""
    ask()
    time.sleep(max(1.0, seconds / 2))
    return ask()


def p95_by_kind(waits: Waits) -> dict[str, float]:
    """The 95th percentile of each kind of request, ms."""
    return {kind: round(sorted(ms)[int(len(ms) * 0.95)], 2) for kind, ms in waits.items() if ms}


def describe(p95: dict[str, float]) -> str:
    return " ".join(f"{kind} {ms:5.1f}" for kind, ms in sorted(p95.items()))


def settle(port: int, key: str) -> None:
    """Wait until the stack answers at once again."""
    import httpx

    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        begun = time.perf_counter()
        httpx.get(f"http://127.0.0.1:{port}/auth/v1/settings", headers={"apikey": key}, timeout=30)
        if time.perf_counter() - begun < 0.1:
            return


@contextmanager
def own_stack(command: Sequence[str] = MUSTER) -> Iterator[tuple[int, int, list[str]]]:
    """A stack of a small project: its port, the server's process id, its publishable and its secret key."""
    folder = Path(tempfile.mkdtemp(prefix="muster-attack-"))
    migrations = folder / "supabase" / "migrations"
    migrations.mkdir(parents=True)
    (folder / "supabase" / "config.toml").write_text('project_id = "attack"\n')
    (migrations / "20260101000000_stations.sql").write_text(MIGRATION)
    env = {name: value for name, value in os.environ.items() if not name.startswith("MUSTER_")}
    paths = [str(CHECKOUT / part) for part in ("cli", "supabase", "edge_functions")]
    env["PYTHONPATH"] = os.pathsep.join([*paths, str(CHECKOUT)])

    def muster(*arguments: str) -> str:
        own = ["--home", str(folder / "home")]
        done = subprocess.run(
            [*command, *arguments, *own], env=env, cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(done.stderr)
        return done.stdout

    port = free_port()
    try:
        muster("up", "--detach", "--no-web", "--port", str(port), "--database-port", str(free_port()))
        status: dict[str, Any] = json.loads(muster("status", "--json"))
        printed = muster("status", "--env")
        keys = [re.search(rf"^{name}=(\S+)$", printed, re.MULTILINE) for name in ("PUBLISHABLE_KEY", "SECRET_KEY")]
        yield port, int(status["pid"]), [found[1].strip("'") for found in keys if found is not None]
    finally:
        muster("down")
        note = folder / "home" / "postgres-lies-in"
        if note.exists():
            shutil.rmtree(note.read_text().strip(), ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def honest_client(port: int, key: str) -> Iterator[Ask]:
    """The honest client; call it for what came since the last call."""
    command = [sys.executable, "-m", "bench.attack_probe", str(port), key]
    process = subprocess.Popen(command, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask() -> tuple[Waits, int]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n")
        process.stdin.flush()
        found = json.loads(process.stdout.readline())
        return found["waits"], found["failures"]

    try:
        yield ask
    finally:
        process.terminate()
        process.wait(20)


def memory_mib(pid: int) -> float:
    """Of the server and the processes that it started, without PostgreSQL's shared pages: proportional set size."""
    pids, total = [pid], 0
    while pids:
        one = pids.pop()
        try:
            for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
            for task in Path(f"/proc/{one}/task").iterdir():
                pids += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue  # it ended meanwhile
    return total / 1024


if __name__ == "__main__":
    run(sys.argv[1:])
