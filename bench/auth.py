"""How fast the auth service is: sign-ins relative to bare bcrypt, refreshes, and the latency of other requests.

`./muster bench auth [--seconds N] [--connections N]`

The service runs in a process of its own on a throw-away PostgreSQL. Bare bcrypt, with as many threads as there are
cores and at the priority the service hashes at, takes turns with the sign-ins, so that other load on the machine hits
both alike. `…_cores` is how much of the machine each really got: where they differ, other processes were busy. The
processor time of a sign-in (less that of the reads meanwhile) is given for the service, PostgreSQL and the client
apart.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import bcrypt
import psycopg

from bench.auth_client import Connection
from bench.rest import CHECKOUT, free_port, throw_away_cluster, wait_until_served
from emulator.auth.crypto.password import lower_priority
from emulator.db.bootstrap import apply_bootstrap
from emulator.db.cluster import Cluster
from emulator.schemas import migrate_services

RESULTS = Path(__file__).resolve().parent / "results" / "auth.json"
SECRET = "bench-secret-of-more-than-32-characters"
PASSWORD = "correct horse battery"
ACCOUNTS = 64
PROBE_INTERVAL_S = 0.1
ROUNDS = 5
BUDGET_RATIO, BUDGET_MEANWHILE_P95_MS = 0.85, 20.0


@dataclass(frozen=True)
class Latency:
    """Percentiles in milliseconds, over `count` requests."""

    count: int
    p50_ms: float
    p95_ms: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Latency":
        """Of measured times."""
        ordered = sorted(seconds)
        at = min(len(ordered) - 1, int(len(ordered) * 0.95))
        return cls(len(ordered), round(statistics.median(ordered) * 1000, 2), round(ordered[at] * 1000, 2))


@dataclass(frozen=True)
class Results:
    """The results of one run."""

    cores: int
    bcrypt_per_s: float
    sign_ins_per_s: float
    sign_ins_of_bcrypt: float
    bcrypt_cores: float
    sign_in_cores: float
    bcrypt_cpu_ms: float
    sign_in_cpu_ms: float
    bcrypt_share_of_sign_in_cpu: float
    sign_in_postgres_cpu_ms: float
    sign_in_client_cpu_ms: float
    read_cpu_ms: float
    meanwhile_get_user: Latency
    refreshes_per_s: float
    refresh: Latency
    one_client_get_user: Latency
    idle_get_user: Latency


def run(arguments: Sequence[str]) -> None:
    """Measure, print, and store the results."""
    parser = argparse.ArgumentParser(prog="muster bench auth", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--connections", type=int, default=16)
    options = parser.parse_args(list(arguments))
    with throw_away_cluster() as cluster:
        with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
            apply_bootstrap(connection, cluster.password)
            migrate_services(connection)
        with auth_server(cluster) as (port, pid):
            meter = Meter(pid, postmaster_pid(cluster))
            results = asyncio.run(measure(port, meter, options.seconds, options.connections))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(asdict(results), indent=2) + "\n", "utf8")
    print(json.dumps(asdict(results), indent=2))
    verdict = "met" if results.sign_ins_of_bcrypt >= BUDGET_RATIO else "missed"
    print(f"sign-ins at least {BUDGET_RATIO} of bare bcrypt: {verdict}", file=sys.stderr)
    verdict = "met" if results.meanwhile_get_user.p95_ms < BUDGET_MEANWHILE_P95_MS else "missed"
    print(f"other requests meanwhile under {BUDGET_MEANWHILE_P95_MS} ms (p95): {verdict}", file=sys.stderr)


@dataclass(frozen=True)
class Spent:
    """Processor seconds: of the service, of PostgreSQL with its children, of this process."""

    service: float
    postgres: float
    client: float

    def __sub__(self, other: "Spent") -> "Spent":
        return Spent(self.service - other.service, self.postgres - other.postgres, self.client - other.client)

    def __mul__(self, times: float) -> "Spent":
        return Spent(self.service * times, self.postgres * times, self.client * times)

    def __add__(self, other: "Spent") -> "Spent":
        return self - other * -1

    @property
    def total(self) -> float:
        """The sum."""
        return self.service + self.postgres + self.client

    def __truediv__(self, by: float) -> "Spent":
        return self * (1 / by)


@dataclass(frozen=True)
class Meter:
    """Reads processor times (Linux)."""

    service_pid: int
    postgres_pid: int

    def read(self) -> Spent:
        """Processor seconds until now."""
        children = Path(f"/proc/{self.postgres_pid}/task/{self.postgres_pid}/children").read_text("ascii").split()
        postgres = sum(cpu_s(pid) for pid in (self.postgres_pid, *map(int, children)))
        return Spent(cpu_s(self.service_pid), postgres, time.process_time())


def postmaster_pid(cluster: Cluster) -> int:
    """The parent of all PostgreSQL processes: the first line of postmaster.pid."""
    return int((cluster.data / "postmaster.pid").read_text("ascii").split()[0])


def cpu_s(pid: int) -> float:
    """Processor seconds of a process so far, with those of its children that ended."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text("ascii").rpartition(")")[2].split()
    return sum(int(ticks) for ticks in fields[11:15]) / os.sysconf("SC_CLK_TCK")


@contextmanager
def auth_server(cluster: Cluster) -> Iterator[tuple[int, int]]:
    """The service in a process of its own: port and process id."""
    port = free_port()
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(CHECKOUT / "supabase"), str(CHECKOUT)]),
        "GOTRUE_DB_DRIVER": "postgres",
        "GOTRUE_DB_DATABASE_URL": cluster.url("supabase_auth_admin"),
        "API_EXTERNAL_URL": f"http://127.0.0.1:{port}",
        "GOTRUE_SITE_URL": "http://127.0.0.1:3000",
        "GOTRUE_JWT_SECRET": SECRET,
        "GOTRUE_JWT_AUD": "authenticated",
        "GOTRUE_JWT_DEFAULT_GROUP_NAME": "authenticated",
        "GOTRUE_MAILER_AUTOCONFIRM": "true",
        "GOTRUE_API_HOST": "127.0.0.1",
        "GOTRUE_API_PORT": str(port),
    }
    process = subprocess.Popen([sys.executable, "-m", "emulator.auth"], env=env, stderr=subprocess.DEVNULL)
    try:
        wait_until_served(port, "/health")
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(20)


async def measure(port: int, meter: Meter, seconds: float, connections: int) -> Results:
    """The whole run against one service."""
    emails = [f"member{number}@bench.example" for number in range(ACCOUNTS)]
    sessions = [await sign_up(port, email) for email in emails]
    bearer = str(sessions[0]["access_token"])
    began = meter.read()
    idle, _ = await during(port, bearer, asyncio.sleep(min(seconds, 3)))
    read = (meter.read() - began) / len(idle)
    one_client = await one_after_another(port, bearer, min(seconds, 3))
    meanwhile: list[float] = []
    bare, signed, spent = Rate(0, 0.0), Rate(0, 0.0), Spent(0.0, 0.0, 0.0)
    for _ in range(ROUNDS):
        bare += await asyncio.to_thread(bcrypt_rate, seconds / ROUNDS)
        began = meter.read()
        reads, more = await during(port, bearer, sign_in_rate(port, emails, seconds / ROUNDS, connections))
        assert more is not None
        signed, meanwhile = signed + more, meanwhile + reads
        spent += meter.read() - began
    sign_in = (spent - read * len(meanwhile)) / signed.count
    tokens = [str(session["refresh_token"]) for session in sessions[:connections]]
    refreshes, times = await refresh_rate(port, tokens, seconds)
    bare_cpu_s = bare.cpu_s / bare.count
    return Results(
        os.cpu_count() or 1, round(bare.per_s, 1), round(signed.per_s, 1), round(signed.per_s / bare.per_s, 3),
        round(bare.cpu_s / bare.wall_s, 2), round(spent.total / signed.wall_s, 2),
        round(bare_cpu_s * 1000, 1), round(sign_in.service * 1000, 1), round(bare_cpu_s / sign_in.service, 3),
        round(sign_in.postgres * 1000, 1), round(sign_in.client * 1000, 1), round(read.total * 1000, 1),
        Latency.of(meanwhile), round(refreshes, 1), Latency.of(times), Latency.of(one_client), Latency.of(idle),
    )  # fmt: skip


async def sign_up(port: int, email: str) -> dict[str, object]:
    """An account with its first session."""
    async with Connection(port) as connection:
        return await connection.post("/signup", {"email": email, "password": PASSWORD})


@dataclass(frozen=True)
class Rate:
    """A count, the time it took, and the processor time."""

    count: int
    wall_s: float
    cpu_s: float = 0.0

    @property
    def per_s(self) -> float:
        """Per second."""
        return self.count / self.wall_s

    def __add__(self, other: "Rate") -> "Rate":
        return Rate(self.count + other.count, self.wall_s + other.wall_s, self.cpu_s + other.cpu_s)


def bcrypt_rate(seconds: float) -> Rate:
    """Hash comparisons per second, with a thread per core."""
    hashed = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(10, b"2a"))
    threads = os.cpu_count() or 1
    begun, began = time.perf_counter(), time.process_time()
    until = begun + seconds

    def compare(_number: int) -> int:
        count = 0
        while time.perf_counter() < until:
            bcrypt.checkpw(PASSWORD.encode(), hashed)
            count += 1
        return count

    with ThreadPoolExecutor(threads, initializer=lower_priority) as pool:
        total = sum(pool.map(compare, range(threads)))
    return Rate(total, time.perf_counter() - begun, time.process_time() - began)


async def sign_in_rate(port: int, emails: Sequence[str], seconds: float, connections: int) -> Rate:
    """Sign-ins per second; each connection takes one account after another."""
    begun = time.perf_counter()
    until = begun + seconds

    async def sign_in(number: int) -> int:
        count = 0
        async with Connection(port) as connection:
            while time.perf_counter() < until:
                email = emails[(number + count * connections) % len(emails)]
                await connection.post("/token?grant_type=password", {"email": email, "password": PASSWORD})
                count += 1
        return count

    total = sum(await asyncio.gather(*(sign_in(number) for number in range(connections))))
    return Rate(total, time.perf_counter() - begun)


async def refresh_rate(port: int, tokens: Sequence[str], seconds: float) -> tuple[float, list[float]]:
    """Refreshes per second, with a session per connection and always its newest token; and the time of each."""
    begun = time.perf_counter()
    times: list[float] = []

    async def refresh(token: str) -> None:
        async with Connection(port) as connection:
            while time.perf_counter() < begun + seconds:
                start = time.perf_counter()
                response = await connection.post("/token?grant_type=refresh_token", {"refresh_token": token})
                times.append(time.perf_counter() - start)
                token = str(response["refresh_token"])

    await asyncio.gather(*(refresh(token) for token in tokens))
    return len(times) / (time.perf_counter() - begun), times


async def one_after_another(port: int, bearer: str, seconds: float) -> list[float]:
    """The times of GET /user of one client that pauses for nothing.

    After a pause, as in `during`, a request also waits for three processes to wake, their caches cold.
    """
    until = time.perf_counter() + seconds
    times = []
    async with Connection(port) as connection:
        while (begun := time.perf_counter()) < until:
            await connection.get("/user", bearer)
            times.append(time.perf_counter() - begun)
    return times


async def during(port: int, bearer: str, work: Awaitable[Rate | None]) -> tuple[list[float], Rate | None]:
    """The times of GET /user, one at a time, while `work` runs; and the result of that.

    Requests are far enough apart to take no noticeable share of the machine.
    """
    task = asyncio.ensure_future(work)
    times = []
    async with Connection(port) as connection:
        while not task.done():
            begun = time.perf_counter()
            await connection.get("/user", bearer)
            times.append(time.perf_counter() - begun)
            await asyncio.sleep(PROBE_INTERVAL_S)
    return times, await task
