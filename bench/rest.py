"""The rate of the REST service compared with pgbench running the same statements, and with PostgREST itself.

`./muster bench rest [--seconds N] [--connections 1,8,32,128] [--only TEXT] [--workers N] [--beside PATH]`

`--beside` names a `postgrest` program: it gets the same variables, database and requests, in turns with ours. At the
end a schema of 300 relations is read.
"""

import argparse
import asyncio
import base64
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import psycopg

from bench.rest_scenarios import LARGE_SCHEMA, PASSWORD, ROWS, SCENARIOS, SCHEMA, SECRET, Scenario
from emulator.db.account import unprivileged_account
from emulator.db.binaries import copy_for_others, embedded_binaries, reachable_for_others
from emulator.db.cluster import Cluster
from emulator.db.statement import Statement
from emulator.jwt import sign
from emulator.rest.api_request.http_request import HttpRequest, read_headers
from emulator.rest.handler import plan_statements
from emulator.rest.introspect import load_schema_cache
from emulator.rest.service import RestService
from emulator.rest.settings import RestSettings

CHECKOUT = Path(__file__).resolve().parent.parent
TOKEN = sign({"role": "bench_member", "sub": "8a2c4d7e-0000-4000-8000-000000000001", "exp": 9999999999}, SECRET)


@contextmanager
def throw_away_cluster() -> Iterator[Cluster]:
    """Start PostgreSQL with fsync on, as in production, and the benchmark's tables."""
    folder = Path(tempfile.mkdtemp(prefix="muster-bench-"))
    folder.chmod(0o755)
    account = unprivileged_account()
    binaries = embedded_binaries()
    if account is not None and not reachable_for_others(binaries.bin):
        binaries = copy_for_others(binaries, Path("/var/lib/muster") / f"postgresql-{binaries.version}")
    cluster = Cluster(
        binaries, data=folder / "data", sockets=folder / "s", port=free_port(), password="bench",
        log=folder / "postgres.log", account=account, settings={"max_connections": "300"},
    )  # fmt: skip
    try:
        cluster.initialize()
        cluster.start()
        with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
            connection.execute(SCHEMA.encode())
            connection.execute("vacuum analyze")
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder)


def free_port() -> int:
    """Return a free TCP port."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def rest_environment(cluster: Cluster, port: int) -> dict[str, str]:
    """Return the variables of the service under test."""
    return {
        "PGRST_DB_URI": f"{cluster.dsn('bench_authenticator')} password={PASSWORD}",
        "PGRST_DB_SCHEMAS": "public",
        "PGRST_DB_ANON_ROLE": "bench_anon",
        "PGRST_JWT_SECRET": SECRET,
        "PGRST_JWT_CACHE_MAX_LIFETIME": "3600",  # of PostgREST 12, which keeps no tokens unless asked to; 13 does
        "PGRST_SERVER_HOST": "127.0.0.1",
        "PGRST_SERVER_PORT": str(port),
    }


@dataclass(frozen=True)
class Server:
    """A running service. `pid`: of the first process; `started_s`: from its start to its first answer with 200."""

    port: int
    pid: int
    workers: int
    started_s: float


def own_command(workers: int) -> list[str]:
    """The command that serves REST in worker processes."""
    return [sys.executable, "-m", "emulator.rest", "--workers", str(workers)]


@contextmanager
def rest_server(cluster: Cluster, command: Sequence[str], path: str, workers: int = 1) -> Iterator[Server]:
    """Run a service by its command, and stop it; `path` answers 200 once it has read the schema."""
    port = free_port()
    paths = os.pathsep.join([str(CHECKOUT / "supabase"), str(CHECKOUT)])
    env = {**os.environ, **rest_environment(cluster, port), "PYTHONPATH": paths}
    started = time.monotonic()
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
    try:
        wait_until_served(port, path)
        yield Server(port, process.pid, workers, time.monotonic() - started)
    finally:
        process.terminate()
        process.wait(20)


def wait_until_served(port: int, path: str) -> None:
    """Wait until a path answers 200."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        finally:
            connection.close()
        time.sleep(0.005)
    raise SystemExit("the service did not start")


async def statements_of(cluster: Cluster, scenario: Scenario) -> list[Statement]:
    """Return the statements that the service sends for a scenario."""
    service = RestService(RestSettings.from_env(rest_environment(cluster, 0)))
    await service.reload()
    snapshot = service.snapshot
    assert snapshot is not None
    raw = scenario.request(TOKEN, 1)
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    target = lines[0].split(b" ")[1]
    path, _, query = target.partition(b"?")
    pairs = tuple((name.lower(), value.strip()) for name, _, value in (line.partition(b":") for line in lines[1:]))
    request = HttpRequest(scenario.method, path, query, read_headers(pairs), body)
    principal = service.authenticator.authenticate(request.headers.by_name["authorization"], time.time())
    prepared = snapshot.compiler.prepare(request)
    assert prepared.compiled.plan is not None
    transaction, parameters, _ = plan_statements(snapshot, prepared, prepared.compiled.plan, request, principal)
    await service.pool.close()
    return list(transaction.batch.filled(parameters))


def pgbench_rate(
    cluster: Cluster, pgbench: str, statements: Sequence[Statement], connections: int, seconds: int
) -> float:
    """Return pgbench's rate for the statements, prepared and pipelined."""
    lines, variables = [r"\startpipeline"], []
    for number, statement in enumerate(statements):
        text = " ".join(statement.text.split())
        for place in range(len(statement.parameters), 0, -1):
            text = text.replace(f"${place}", f":v{number}_{place}")
        for place, value in enumerate(statement.parameters, 1):
            variables += ["-D", f"v{number}_{place}={(value or b'').decode()}"]
        lines.append(text + ";")
    lines.append(r"\endpipeline")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write("\n".join(lines) + "\n")
        script.flush()
        command = [pgbench, "-n", "-M", "prepared", "-f", script.name, "-c", str(connections), "-j", "2",
                   "-T", str(seconds), *variables, "-h", str(cluster.sockets), "-p", str(cluster.port),
                   "-U", "bench_authenticator", "postgres"]  # fmt: skip
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, "PGPASSWORD": PASSWORD}
        )
    for line in done.stdout.splitlines():
        if line.startswith("tps = "):
            return float(line.split()[2])
    raise SystemExit(f"pgbench failed ({done.returncode}): {done.stderr or done.stdout}")


def http_rate(port: int, requests: list[bytes], connections: int, seconds: float) -> dict[str, float]:
    """Measure the service from another process, so that the client does not slow it down."""
    encoded = json.dumps([base64.b64encode(request).decode() for request in requests])
    command = [sys.executable, "-m", "bench.rest_load", str(port), str(connections), str(seconds)]
    done = subprocess.run(command, input=encoded, capture_output=True, text=True, cwd=CHECKOUT, check=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def cpu_seconds(pid: int) -> float:
    """Return the processor time a process has used, or 0 without /proc."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def find_pgbench() -> str | None:
    """Return pgbench from PATH or a system PostgreSQL."""
    found = shutil.which("pgbench")
    candidates = sorted(Path("/usr/lib/postgresql").glob("*/bin/pgbench"), reverse=True)
    return str(candidates[0]) if candidates else found


def measure(server: Server, requests: list[bytes], connections: int, seconds: float) -> dict[str, Any]:
    """Measure one service at one number of connections."""
    before = cpu_seconds(server.pid)
    found = http_rate(server.port, requests, connections, seconds)
    # The share of one worker. The requests of the warm-up are counted like those of the measurement.
    used = (cpu_seconds(server.pid) - before) * 1e6 * server.workers / max(found["requests"], 1)
    return {**found, "cpu_us": round(used)}


def measure_in_turns(
    servers: Sequence[Server], requests: list[bytes], connections: int, seconds: float
) -> list[dict[str, Any]]:
    """Measure services one after another; several twice, the second time backwards, of which the better turn counts."""
    found = [measure(server, requests, connections, seconds) for server in servers]
    if len(servers) > 1:
        again = [measure(server, requests, connections, seconds) for server in reversed(servers)]
        found = [max(turns, key=lambda turn: turn["rate"]) for turns in zip(found, reversed(again), strict=True)]
    return found


# `per conn`: the answers that the connection with the fewest got, and the one with the most.
COLUMNS = ("req/s", "p50 ms", "p95 ms", "p99 ms", "max ms", "CPU us", "pgbench", "ratio", "per conn")


def beside_row(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """The other program's result under COLUMNS, and ours as a multiple of it."""
    keys = {"req/s": "rate", "p99": "p99_ms", "max": "max_ms", "CPU": "cpu_us"}
    times = ", ".join(f"{name} {ours[key] / max(theirs[key], 1e-9):.2f}" for name, key in keys.items())
    row = {**theirs, "scenario": "  beside", "connections": ours["connections"], "pgbench": 0.0}
    return f"{table_row(row)}  ours: {times}"


def print_schema_times(cluster: Cluster, commands: Sequence[Sequence[str]]) -> None:
    """Start each service on a schema of 300 relations, and print how long it took until a row of one was read."""
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        connection.execute(LARGE_SCHEMA.encode())
    started = []
    for command in commands:
        with rest_server(cluster, command, "/table_1?limit=1") as server:
            started.append(f"{server.started_s:.2f} s")
    print(f"300 relations, from start to the first row: {', '.join(started)}")
    print(f"300 relations, read by ours: {asyncio.run(reading_s(cluster)):.2f} s")


async def reading_s(cluster: Cluster) -> float:
    """How long the schema takes to be read, seconds."""
    settings = RestSettings.from_env(rest_environment(cluster, 0))
    async with await psycopg.AsyncConnection.connect(settings.db_uri, autocommit=True) as connection:
        started = time.perf_counter()
        await load_schema_cache(connection, settings.db_schemas, settings.db_extra_search_path, ())
        return time.perf_counter() - started


def table_row(result: dict[str, Any]) -> str:
    """Format one result under COLUMNS."""
    ratio = result["rate"] / result["pgbench"] if result["pgbench"] else 0.0
    return (
        f"{result['scenario']:36}{result['connections']:>5}{result['rate']:>9.0f}{result['p50_ms']:>9.2f}"
        f"{result['p95_ms']:>9.2f}{result['p99_ms']:>9.2f}{result['max_ms']:>9.1f}{result['cpu_us']:>9}"
        f"{result['pgbench']:>9.0f}{ratio:>9.2f}  {result['least_answers']:.0f}-{result['most_answers']:.0f}"
        + (f"  {result['failures']:.0f} FAILED" if result["failures"] else "")
    )


def run(arguments: Sequence[str] = ()) -> None:
    """Measure every scenario and print a table; results go to bench/results/rest.json."""
    parser = argparse.ArgumentParser(prog="muster bench rest")
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--connections", default="1,8,32,128")
    parser.add_argument("--only", default="")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--beside", help="a `postgrest` program")
    options = parser.parse_args(list(arguments))
    # SIGTERM, too, must stop the cluster and the service.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    commands = [own_command(options.workers), *([[options.beside]] if options.beside else [])]
    results, ratios = [], []
    with ExitStack() as stack:
        cluster = stack.enter_context(throw_away_cluster())
        servers = [
            stack.enter_context(rest_server(cluster, command, "/items?limit=1", workers))
            for command, workers in zip(commands, (options.workers, 1), strict=False)
        ]
        pgbench = find_pgbench()
        print(f"{'':36}{'conn':>5}" + "".join(f"{name:>9}" for name in COLUMNS))
        for scenario in SCENARIOS:
            if options.only not in scenario.name:
                continue
            statements = asyncio.run(statements_of(cluster, scenario))
            span = 999 if "category" in scenario.path else ROWS
            requests = [scenario.request(TOKEN, 1 + number * 37 % span) for number in range(2000)]
            for connections in map(int, options.connections.split(",")):
                ours, *beside = measure_in_turns(servers, requests, connections, options.seconds)
                rate = pgbench_rate(cluster, pgbench, statements, connections, options.seconds) if pgbench else 0.0
                result = {"scenario": scenario.name, "connections": connections, **ours, "pgbench": rate}
                results.append(result)
                print(table_row(result))
                for theirs in beside:
                    result["beside"] = theirs
                    ratios.append(ours["rate"] / theirs["rate"])
                    print(beside_row(result, theirs))
        if ratios:
            print(f"ours: {geometric_mean(ratios):.2f} times as many requests (geometric mean)")
        print_schema_times(cluster, commands)
    target = CHECKOUT / "bench" / "results" / "rest.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run(sys.argv[1:])
