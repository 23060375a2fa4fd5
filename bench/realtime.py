"""How fast row changes and broadcasts reach sockets, what non-matching subscribers cost, what a socket weighs.

`./muster bench realtime [--sockets N,N,N] [--seconds N] [--rate N]`

The service runs in a process of its own on a throw-away PostgreSQL; all clients are in this one. Every socket speaks
for a member of its own and subscribes to that member's rows (filter and row-level security); a change is for one.
Latency runs from the moment the writer is told that its INSERT is committed until the frame is read; `sent_*` from
before the INSERT is sent, so with PostgreSQL's own work and the disk's. Cost is the service's CPU time per change.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psycopg
import uvloop

from bench.realtime_client import OnFrame, Subscriber, connect, keep_alive, masked
from bench.rest import CHECKOUT, cpu_seconds, free_port, throw_away_cluster, wait_until_served
from emulator.db.bootstrap import apply_bootstrap
from emulator.db.cluster import Cluster
from emulator.jwt import sign
from emulator.schemas import migrate_services

RESULTS = Path(__file__).resolve().parent / "results" / "realtime.json"
SECRET = "bench-secret-of-more-than-32-characters"
SCHEMA = """
create table public.letters (
  id bigint primary key generated always as identity, member_id bigint, sent float8, body text
);
create index on public.letters (member_id);
alter table public.letters enable row level security;
grant select on public.letters to authenticated;
grant all on public.letters to postgres;
create policy "Members read their letters" on public.letters for select to authenticated
  using ((select (auth.jwt() ->> 'sub')::bigint) = member_id);
create table public.bulletins (
  id bigint primary key generated always as identity, member_id bigint, sent float8, body text
);
grant select on public.bulletins to authenticated;
grant all on public.bulletins to postgres;
alter publication supabase_realtime add table public.letters, public.bulletins;
"""
BUDGET_P50_MS, BUDGET_P95_MS, BUDGET_GROWTH, BUDGET_DELIVERIES = 5.0, 25.0, 1.2, 50_000
BODY = "x" * 200
FAN_OUT_SOCKETS, FAN_OUT_MESSAGES = 1_000, 300
JOINING_AT_ONCE = 50
RATE_TO_EVERYONE = 20


@dataclass(frozen=True)
class Latency:
    """Of one number of sockets."""

    sockets: int
    changes: int
    received: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    sent_p50_ms: float
    sent_p95_ms: float
    cpu_us_per_change: float
    join_s: float
    kib_per_socket: float


@dataclass
class Results:
    """What one run found."""

    cores: int
    rate_per_s: float
    latency: list[Latency] = field(default_factory=list)
    cost_growth_10x: float = 0.0
    fan_out_deliveries_per_s: float = 0.0
    fan_out_deliveries_per_cpu_s: float = 0.0
    everyone: Latency | None = None  # every change is for every socket, each with a topic of its own


def run(arguments: Sequence[str]) -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="muster bench realtime", description=__doc__)
    parser.add_argument("--sockets", default="100,1000,5000")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rate", type=float, default=50.0)
    options = parser.parse_args(list(arguments))
    counts = [int(one) for one in options.sockets.split(",")]
    results = Results(os.cpu_count() or 1, options.rate)
    with throw_away_cluster() as cluster:
        with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
            apply_bootstrap(connection, cluster.password)
            migrate_services(connection)
            connection.execute(SCHEMA.encode())
        for count in counts:
            with realtime_server(cluster) as (port, pid):
                results.latency.append(
                    uvloop.run(measure_latency(cluster, port, pid, count, options.seconds, options.rate))
                )
        with realtime_server(cluster) as (port, pid):
            results.cost_growth_10x = uvloop.run(measure_growth(cluster, port, pid))
        with realtime_server(cluster) as (port, pid):
            per_s, per_cpu_s = uvloop.run(measure_fan_out(port, pid))
            results.fan_out_deliveries_per_s, results.fan_out_deliveries_per_cpu_s = per_s, per_cpu_s
        with realtime_server(cluster) as (port, pid):
            results.everyone = uvloop.run(measure_everyone(cluster, port, pid, options.seconds))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(asdict(results), indent=2) + "\n", "utf8")
    print(json.dumps(asdict(results), indent=2))
    _check_budgets(results)


def _check_budgets(results: Results) -> None:
    for one in results.latency:
        if one.sockets == 1_000:
            met = one.p50_ms < BUDGET_P50_MS and one.p95_ms < BUDGET_P95_MS and one.received == one.changes
            _report(f"1,000 sockets under {BUDGET_P50_MS} ms (p50) and {BUDGET_P95_MS} ms (p95)", met)
    _report(f"ten times the subscribers cost under {BUDGET_GROWTH}", results.cost_growth_10x < BUDGET_GROWTH)
    _report(f"at least {BUDGET_DELIVERIES} deliveries/s", results.fan_out_deliveries_per_s >= BUDGET_DELIVERIES)


def _report(budget: str, met: bool) -> None:
    print(f"{budget}: {'met' if met else 'missed'}", file=sys.stderr)


@contextmanager
def realtime_server(cluster: Cluster) -> Iterator[tuple[int, int]]:
    """The service alone: its port and process id."""
    port = free_port()
    env = {
        **os.environ, "DB_HOST": str(cluster.sockets), "DB_PORT": str(cluster.port), "DB_USER": "supabase_admin",
        "DB_PASSWORD": cluster.password, "API_JWT_SECRET": SECRET, "PORT": str(port),
    }  # fmt: skip
    process = subprocess.Popen([sys.executable, "-m", "emulator.realtime"], env=env, cwd=CHECKOUT)
    try:
        wait_until_served(port, "/ready")
        time.sleep(1.0)  # let the slot be made
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(20)


async def subscribe(port: int, members: Iterable[int], on_frame: OnFrame, table: str = "letters") -> list[Subscriber]:
    """Members, each with a socket and a topic, subscribed to its own rows; of bulletins to all."""
    gate = asyncio.Semaphore(JOINING_AT_ONCE)
    expires_at = int(time.time()) + 3600

    async def one(member: int) -> Subscriber:
        token = sign({"role": "authenticated", "sub": str(member), "exp": expires_at}, SECRET)
        async with gate:
            client = await connect(port, token, on_frame)
            binding = {"event": "*", "schema": "public", "table": table}
            if table == "letters":
                binding["filter"] = f"member_id=eq.{member}"
            client.send(["1", "1", f"realtime:{member}", "phx_join", {"config": {"postgres_changes": [binding]}}])
            await client.joined
            await client.live
            return client

    return list(await asyncio.gather(*(one(member) for member in members)))


async def write(
    dsn: str,
    count: int,
    seconds: float,
    rate: float,
    committed: dict[float, float] | None = None,
    table: str = "letters",
) -> int:
    """Insert rows for one member after another at a steady rate; how many. `committed`: when, by when it was sent."""
    begun, written = time.perf_counter(), 0
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
        while (due := begun + written / rate) < begun + seconds:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            member = written * 7919 % count
            statement = f"insert into {table} (member_id, sent, body) values (%s, %s, %s)"
            sent = time.perf_counter()
            await connection.execute(statement.encode(), (member, sent, BODY), prepare=True)
            if committed is not None:
                committed[sent] = time.perf_counter()
            written += 1
    return written


async def measure_latency(cluster: Cluster, port: int, pid: int, count: int, seconds: float, rate: float) -> Latency:
    """Commit to client."""
    came: dict[float, float] = {}  # when a change came, by when it was sent
    committed: dict[float, float] = {}

    def on_frame(payload: bytes, now: float) -> None:
        if b'"postgres_changes"' in payload:
            came[json.loads(payload)[4]["data"]["record"]["sent"]] = now

    memory = _pss_kib(pid)
    begun = time.perf_counter()
    clients = await subscribe(port, range(count), on_frame)
    join_s = time.perf_counter() - begun
    beats = asyncio.ensure_future(keep_alive(clients))
    await write(cluster.dsn("postgres"), count, 1.0, rate)  # plans and statements are made now
    await _until(lambda: len(came) >= rate)
    weight = (_pss_kib(pid) - memory) / count
    came.clear()
    cpu = cpu_seconds(pid)
    written = await write(cluster.dsn("postgres"), count, seconds, rate, committed)
    await _until(lambda: len(came) >= written)
    spent = cpu_seconds(pid) - cpu
    await _close(clients, beats)
    p50, p95, p99 = _quantiles([now - committed[sent] for sent, now in came.items()], 0.5, 0.95, 0.99)
    sent_p50, sent_p95 = _quantiles([now - sent for sent, now in came.items()], 0.5, 0.95)
    return Latency(
        count, written, len(came), p50, p95, p99, sent_p50, sent_p95,
        round(spent / written * 1e6, 1), round(join_s, 2), round(weight, 1),
    )  # fmt: skip


async def measure_everyone(cluster: Cluster, port: int, pid: int, seconds: float, count: int = 1_000) -> Latency:
    """Commit to client where each change is for all of them."""
    came: list[tuple[float, float]] = []  # when a change was sent, and when it came
    committed: dict[float, float] = {}
    mark = b'"sent":'

    def on_frame(payload: bytes, now: float) -> None:
        at = payload.find(mark)
        if at > 0:
            came.append((float(payload[at + len(mark) : payload.index(b",", at)]), now))

    memory = _pss_kib(pid)
    begun = time.perf_counter()
    clients = await subscribe(port, range(count), on_frame, "bulletins")
    join_s = time.perf_counter() - begun
    dsn = cluster.dsn("postgres")
    await write(dsn, count, 1.0, RATE_TO_EVERYONE, table="bulletins")
    await _until(lambda: len(came) >= RATE_TO_EVERYONE * count)
    weight = (_pss_kib(pid) - memory) / count
    came.clear()
    cpu = cpu_seconds(pid)
    written = await write(dsn, count, seconds, RATE_TO_EVERYONE, committed, "bulletins")
    await _until(lambda: len(came) >= written * count)
    spent = cpu_seconds(pid) - cpu
    for client in clients:
        client.transport.close()
    p50, p95, p99 = _quantiles([now - committed[sent] for sent, now in came], 0.5, 0.95, 0.99)
    sent_p50, sent_p95 = _quantiles([now - sent for sent, now in came], 0.5, 0.95)
    return Latency(
        count, written, len(came), p50, p95, p99, sent_p50, sent_p95,
        round(spent / written * 1e6, 1), round(join_s, 2), round(weight, 1),
    )  # fmt: skip


async def measure_growth(cluster: Cluster, port: int, pid: int) -> float:
    """What ten times the subscribers do to the cost of a change; each number measured twice, in turn."""
    received = [0]

    def on_frame(payload: bytes, _now: float) -> None:
        received[0] += b'"postgres_changes"' in payload

    few, many = 400, 4_000
    costs: tuple[list[float], list[float]] = ([], [])
    clients = await subscribe(port, range(few), on_frame)
    for _ in range(2):
        costs[0].append(await _cost(cluster, pid, few, received))
        others = await subscribe(port, range(few, many), on_frame)
        costs[1].append(await _cost(cluster, pid, few, received))
        for client in others:
            client.transport.close()
    for client in clients:
        client.transport.close()
    return round(min(costs[1]) / min(costs[0]), 3)


async def _cost(cluster: Cluster, pid: int, members: int, received: list[int]) -> float:
    await write(cluster.dsn("postgres"), members, 1.0, 200)
    received[0], cpu = 0, cpu_seconds(pid)
    written = await write(cluster.dsn("postgres"), members, 6.0, 200)
    await _until(lambda: received[0] >= written)
    return (cpu_seconds(pid) - cpu) / written


async def measure_fan_out(port: int, pid: int) -> tuple[float, float]:
    """Deliveries a second, of the wall and of the service's CPU."""
    token = sign({"role": "authenticated", "sub": "0", "exp": int(time.time()) + 3600}, SECRET)
    clients = []
    for _ in range(FAN_OUT_SOCKETS):
        client = await connect(port, token, lambda _payload, _now: None)
        client.send(["1", "1", "realtime:room", "phx_join", {"config": {}}])
        await client.joined
        clients.append(client)
    sender = clients.pop()
    body = json.dumps({"body": BODY}).encode()
    head = bytes((3, 1, 1, 13, 2, 0, 1)) + b"12realtime:roomhi"
    frame = masked(0x82, head + body)
    size = 4 + 5 + 15 + len(body)  # WebSocket head, kind 4 head, topic and event, payload
    for client in clients:
        client.counts_bytes, client.bytes = True, 0
    begun, cpu = time.perf_counter(), cpu_seconds(pid)
    for number in range(1, FAN_OUT_MESSAGES + 1):
        sender.transport.write(frame)
        if number % 10 == 0:
            await _until(lambda number=number: clients[-1].bytes >= (number - 10) * size)  # type: ignore[misc]
    await _until(lambda: all(client.bytes >= FAN_OUT_MESSAGES * size for client in clients))
    wall, spent = time.perf_counter() - begun, cpu_seconds(pid) - cpu
    assert all(client.bytes == FAN_OUT_MESSAGES * size for client in clients)
    for client in [*clients, sender]:
        client.transport.close()
    count = FAN_OUT_MESSAGES * len(clients)
    return round(count / wall), round(count / spent)


async def _until(condition: Callable[[], bool], timeout_s: float = 30.0) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition() and time.monotonic() < deadline:  # noqa: ASYNC110 (plain counters have no event)
        await asyncio.sleep(0.002)


async def _close(clients: list[Subscriber], beats: "asyncio.Future[None]") -> None:
    beats.cancel()
    with suppress(asyncio.CancelledError):
        await beats
    for client in clients:
        client.transport.close()


def _quantiles(seconds: list[float], *parts: float) -> list[float]:
    ordered = sorted(seconds)
    return [_ms(ordered[int(len(ordered) * part)]) for part in parts]


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)


def _pss_kib(pid: int) -> int:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    raise RuntimeError("no Pss")


if __name__ == "__main__":
    run(sys.argv[1:])
