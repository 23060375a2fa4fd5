"""A call of a function in TypeScript beside the bare Deno server with the same handler.

`./muster bench functions [--calls N] [--rounds N]`

Rounds of warm calls on one kept connection take turns, so that other load on the machine hits both alike. The start is
the first call of a function whose modules are in the cache: spawn, load, serve, answer.
"""

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.rest import CHECKOUT, free_port
from emulator.functions.binaries import find_deno
from muster_cli.stack.install import ensure_deno

RESULTS = Path(__file__).resolve().parent / "results" / "functions.json"
SOURCE = "Deno.serve(async (request) => Response.json({ size: (await request.text()).length }))\n"
BODY = json.dumps({"name": "x" * 200})
STARTS = 8
BUDGET_MS = 5.0
WAIT_S = 30.0


@dataclass(frozen=True)
class Results:
    """The results of one run, in milliseconds."""

    calls: int
    bare_p50_ms: float
    p50_ms: float
    p95_ms: float
    added_p50_ms: float
    start_p50_ms: float


def run(arguments: Sequence[str]) -> None:
    """Measure, print, and write the results."""
    parser = argparse.ArgumentParser(prog="muster bench functions")
    parser.add_argument("--calls", type=int, default=500, help="of a round")
    parser.add_argument("--rounds", type=int, default=4)
    options = parser.parse_args(arguments)
    ensure_deno()
    results = measure(options.calls, options.rounds)
    RESULTS.write_text(json.dumps(asdict(results), indent=2) + "\n")
    sys.stdout.write(json.dumps(asdict(results), indent=2) + "\n")
    met = "met" if results.added_p50_ms < BUDGET_MS else "missed"
    sys.stdout.write(f"a warm call under {BUDGET_MS} ms over the bare server (p50): {met}\n")


def measure(calls: int, rounds: int) -> Results:
    """Take turns between the two servers."""
    with tempfile.TemporaryDirectory(prefix="muster-bench-") as name:
        folder = Path(name)
        slugs = ["warm", *(f"cold{number}" for number in range(STARTS))]
        for slug in slugs:
            (folder / "functions" / slug).mkdir(parents=True)
            (folder / "functions" / slug / "index.ts").write_text(SOURCE)
        with _bare(folder / "functions" / "warm" / "index.ts") as bare, _service(folder) as service:
            starts = [_timed(service, f"/functions/v1/{slug}") for slug in slugs[1:]]
            times: dict[str, list[float]] = {"bare": [], "ours": []}
            for _ in range(rounds):
                times["bare"] += [_timed(bare, "/warm") for _ in range(calls)]
                times["ours"] += [_timed(service, "/functions/v1/warm") for _ in range(calls)]
    bare_p50, ours_p50 = statistics.median(times["bare"]), statistics.median(times["ours"])
    p95 = sorted(times["ours"])[int(len(times["ours"]) * 0.95)]
    return Results(
        calls * rounds, round(bare_p50, 3), round(ours_p50, 3), round(p95, 3), round(ours_p50 - bare_p50, 3),
        round(statistics.median(starts), 1),
    )  # fmt: skip


def _timed(connection: http.client.HTTPConnection, path: str) -> float:
    """One call, in milliseconds."""
    began = time.perf_counter()
    connection.request("POST", path, body=BODY, headers={"content-type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, answer.status
    return (time.perf_counter() - began) * 1000


@contextmanager
def _bare(source: Path) -> Iterator[http.client.HTTPConnection]:
    port = free_port()
    env = {"DENO_SERVE_ADDRESS": f"tcp:127.0.0.1:{port}", "HOME": os.environ.get("HOME", "/")}
    command = [str(find_deno()), "run", "--quiet", "--no-config", "--allow-net", "--allow-env", str(source)]
    with _process(command, env, port) as connection:
        yield connection


@contextmanager
def _service(folder: Path) -> Iterator[http.client.HTTPConnection]:
    port = free_port()
    functions = folder / "functions"
    rules = {entry.name: {"verifyJWT": False} for entry in functions.iterdir()}
    env = {
        **os.environ, "FUNCTIONS_DIR": str(functions), "FUNCTIONS_CACHE_DIR": str(folder / "cache"),
        "JWT_SECRET": "bench-secret-of-more-than-32-characters", "PORT": str(port),
        "SUPABASE_INTERNAL_FUNCTIONS_CONFIG": json.dumps(rules), "MUSTER_LOG_LEVEL": "warning",
    }  # fmt: skip
    with _process([sys.executable, "-m", "emulator.functions"], env, port) as connection:
        deadline = time.monotonic() + WAIT_S
        while len(list((folder / "cache" / "functions").glob("*/stamp"))) < len(rules):
            assert time.monotonic() < deadline, "the functions' modules were not prepared in time"
            time.sleep(0.05)
        yield connection


@contextmanager
def _process(command: list[str], env: dict[str, str], port: int) -> Iterator[http.client.HTTPConnection]:
    process = subprocess.Popen(command, env=env, cwd=CHECKOUT)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
    try:
        deadline = time.monotonic() + WAIT_S
        while True:
            try:
                connection.connect()
                break
            except OSError:
                assert process.poll() is None, "the server ended"
                assert time.monotonic() < deadline, "the server did not start in time"
                time.sleep(0.05)
        yield connection
    finally:
        connection.close()
        process.terminate()
        process.wait()
