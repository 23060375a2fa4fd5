"""Storage beside the limits of this machine: large objects beside `dd`, small ones beside the gateway's files.

`./muster bench storage [--megabytes N] [--at-once N] [--seconds N] [--kills N]`

The service is a process of its own, on a PostgreSQL with fsync. With `--kills` it is killed that often while it takes
uploads; afterwards every row is held against its file, and the collector against what is left.
"""

import argparse
import concurrent.futures
import hashlib
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg

from bench.rest import CHECKOUT, free_port, throw_away_cluster
from bench.storage_kills import BUCKET, KEY_ID, KEY_SECRET, Client, Outcome, compare, upload_until
from emulator.db.bootstrap import apply_bootstrap
from emulator.db.cluster import Cluster
from emulator.jwt import sign
from emulator.schemas import migrate_services

RESULTS = Path(__file__).resolve().parent / "results" / "storage.json"
SECRET = "bench-secret-of-more-than-32-characters"
TOKEN = f"Bearer {sign({'role': 'service_role'}, SECRET)}"
PIECE = b"\xa5" * (1 << 20)
WAIT_S = 30.0
CONNECTIONS = 8
BUDGET = 0.5
EXPIRY_MS = "10000"
# Small objects and the gateway's files one after the other, each first in every other turn, so that what else the
# machine does falls on both; the turn with the median ratio is told.
TURNS = 15
Turn = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True)
class Results:
    """The results of one run. Ratios are ours over the machine's, so that 1 is as fast; memory is resident, in MiB.

    `md5_s`: the digest alone, by one core; the ETag is the MD5, so no upload can be faster. `upload_limit_ratio`: over
    the slower of disk and digest.
    """

    megabytes: int
    dd_s: float
    md5_s: float
    upload_s: float
    upload_ratio: float
    upload_limit_ratio: float
    download_s: float
    read_s: float
    download_ratio: float
    at_once: int
    at_once_s: float
    idle_mib: float
    peak_mib: float
    small_per_s: float
    small_p50_ms: float
    file_per_s: float
    small_ratio: float
    kills: int
    answered: int
    lost: int
    left: int


def run(arguments: Sequence[str]) -> None:
    """Measure, print, and write the results."""
    parser = argparse.ArgumentParser(prog="muster bench storage")
    parser.add_argument("--megabytes", type=int, default=100, help="of a large object")
    parser.add_argument("--at-once", type=int, default=64, help="uploads in parallel")
    parser.add_argument("--seconds", type=float, default=0.6, help="of small reads, of each kind in each turn")
    parser.add_argument("--kills", type=int, default=0)
    options = parser.parse_args(arguments)
    with throw_away_cluster() as cluster, tempfile.TemporaryDirectory(prefix="muster-bench-") as name:
        with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
            apply_bootstrap(connection, cluster.password)
            migrate_services(connection)
        results = measure(cluster, Path(name), options)
    RESULTS.write_text(json.dumps(asdict(results), indent=2) + "\n")
    sys.stdout.write(json.dumps(asdict(results), indent=2) + "\n")
    for what, ratio in (
        ("a large upload, of dd", results.upload_ratio),
        ("a large upload, of dd or MD5", results.upload_limit_ratio),
        ("a large download", results.download_ratio),
        ("small public files", results.small_ratio),
    ):
        sys.stdout.write(f"{what} at {BUDGET} of the machine: {'met' if ratio >= BUDGET else 'missed'}\n")


def measure(cluster: Cluster, folder: Path, options: argparse.Namespace) -> Results:
    """Every measurement, one after the other."""
    megabytes, root = options.megabytes, folder / "files"
    dd_s, md5_s = _dd(folder, megabytes), _digest(megabytes)
    with _service(cluster, root) as (process, port):
        _post(port, "/bucket", json.dumps({"name": "bench", "public": True}).encode())
        _upload(port, "warm", 1)
        idle = _resident_mib(process.pid)
        upload_s = min(_timed_upload(port, f"large-{number}", megabytes) for number in range(3))
        download_s = min(_timed_download(port, "large-0") for _ in range(3))
        began = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool, _peak(process.pid) as peaks:
            list(pool.map(lambda number: _upload(port, f"many-{number}", megabytes), range(options.at_once)))
        at_once_s = time.perf_counter() - began
        _post(port, "/object/bench/small", b"x" * 4096, "image/png")
        with _gateway(folder) as other:
            turns = [_turn(port, other, options.seconds, is_ours_first=number % 2 == 0) for number in range(TURNS)]
    small, file = min(turns, key=_distance(statistics.median(map(_ratio, turns))))
    read_s = _read(root, megabytes)
    killed = _kill(cluster, folder / "killed", options.kills) if options.kills else Outcome()
    return Results(
        megabytes, round(dd_s, 3), round(md5_s, 3), round(upload_s, 3), round(dd_s / upload_s, 2),
        round(max(dd_s, md5_s) / upload_s, 2), round(download_s, 3),
        round(read_s, 3), round(read_s / download_s, 2), options.at_once, round(at_once_s, 2), round(idle, 1),
        round(max(peaks), 1), round(small[0]), round(small[1], 2), round(file[0]), round(small[0] / file[0], 2),
        options.kills, killed.answered, killed.lost, killed.left,
    )  # fmt: skip


def _dd(folder: Path, megabytes: int) -> float:
    """Seconds that the disk takes for as many bytes, written and synchronized."""
    best = float("inf")
    for _ in range(3):
        target = folder / "dd"
        command = ["dd", "if=/dev/zero", f"of={target}", "bs=1M", f"count={megabytes}", "conv=fsync", "status=none"]
        began = time.perf_counter()
        subprocess.run(command, check=True)
        best = min(best, time.perf_counter() - began)
        target.unlink()
    return best


def _digest(megabytes: int) -> float:
    """Seconds that one core takes for the MD5 of as many bytes."""
    best = float("inf")
    for _ in range(3):
        began, digest = time.perf_counter(), hashlib.md5(usedforsecurity=False)
        for _ in range(megabytes):
            digest.update(PIECE)
        best = min(best, time.perf_counter() - began)
    return best


def _read(root: Path, megabytes: int) -> float:
    """Seconds that `dd` takes to send a large object's file through a pipe, cached as it was for the downloads."""
    large = next(path for path in (root / "objects").glob("*/*") if path.stat().st_size == megabytes << 20)
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        with subprocess.Popen(["dd", f"if={large}", "bs=1M", "status=none"], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            while process.stdout.read(1 << 18):
                pass
        best = min(best, time.perf_counter() - began)
    return best


@contextmanager
def _service(cluster: Cluster, root: Path, **more: str) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    port = free_port()
    env = {
        **os.environ, "DATABASE_URL": cluster.dsn("supabase_storage_admin"), "AUTH_JWT_SECRET": SECRET,
        "STORAGE_FILE_BACKEND_PATH": str(root), "FILE_SIZE_LIMIT": str(10 << 30), "SERVER_HOST": "127.0.0.1",
        "SERVER_PORT": str(port), "STORAGE_MIGRATE": "false", "MUSTER_LOG_LEVEL": "error",
        "S3_PROTOCOL_ACCESS_KEY_ID": KEY_ID, "S3_PROTOCOL_ACCESS_KEY_SECRET": KEY_SECRET, **more,
    }  # fmt: skip
    with _process([sys.executable, "-m", "emulator.storage"], env, port) as process:
        yield process, port


@contextmanager
def _gateway(folder: Path) -> Iterator[int]:
    """The gateway alone, with one file of the size of the small object."""
    port, site = free_port(), folder / "site"
    site.mkdir()
    (site / "index.html").write_text("<p>")
    (site / "small.png").write_bytes(b"x" * 4096)
    script = (
        "import sys; from pathlib import Path; from emulator.asgi.server import serve;"
        "from emulator.gateway.app import Gateway; from emulator.gateway.apikey import ApiKeys;"
        "from emulator.gateway.static import Site; from emulator.observe.app import Observer;"
        "from emulator.observe.logs import LogSettings;"
        "app = Gateway({}, ApiKeys('a', 'b', 'c', 'd'), Site(Path(sys.argv[2])), {});"
        "serve(app, host='127.0.0.1', port=int(sys.argv[1]), observer=Observer('gateway', LogSettings.from_env({})))"
    )
    with _process([sys.executable, "-c", script, str(port), str(site)], dict(os.environ), port):
        yield port


@contextmanager
def _process(command: list[str], env: dict[str, str], port: int) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(command, env=env, cwd=CHECKOUT)
    try:
        deadline = time.monotonic() + WAIT_S
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            try:
                connection.connect()
                break
            except OSError:
                assert process.poll() is None, "the server ended"
                assert time.monotonic() < deadline, "the server did not start in time"
                time.sleep(0.02)
            finally:
                connection.close()
        yield process
    finally:
        process.terminate()
        process.wait()


def _post(port: int, path: str, body: bytes, media_type: str = "application/json") -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
    connection.request("POST", path, body, {"authorization": TOKEN, "content-type": media_type})
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    connection.close()


def _upload(port: int, key: str, megabytes: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    headers = {"authorization": TOKEN, "content-type": "application/octet-stream"}
    headers["content-length"] = str(megabytes << 20)
    connection.request("PUT", f"/object/bench/{key}", (PIECE for _ in range(megabytes)), headers)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    connection.close()


def _timed_upload(port: int, key: str, megabytes: int) -> float:
    began = time.perf_counter()
    _upload(port, key, megabytes)
    return time.perf_counter() - began


def _timed_download(port: int, key: str) -> float:
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    connection.request("GET", f"/object/public/bench/{key}")
    answer = connection.getresponse()
    while answer.read(1 << 18):
        pass
    connection.close()
    return time.perf_counter() - began


def _rate(port: int, path: str, seconds: float) -> tuple[float, float]:
    """Answers a second, and the median in milliseconds, at CONNECTIONS connections."""
    request = f"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n"
    import base64

    lines = json.dumps([base64.b64encode(request.encode()).decode()])
    command = [sys.executable, "-m", "bench.rest_load", str(port), str(CONNECTIONS), str(seconds)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, cwd=CHECKOUT)
    found = json.loads(done.stdout)
    return found["rate"], found["p50_ms"]


def _turn(port: int, other: int, seconds: float, *, is_ours_first: bool) -> Turn:
    """The rates of the small object and of the gateway's file."""
    if is_ours_first:
        small = _rate(port, "/object/public/bench/small", seconds)
        return small, _rate(other, "/small.png", seconds)
    file = _rate(other, "/small.png", seconds)
    return _rate(port, "/object/public/bench/small", seconds), file


def _ratio(turn: Turn) -> float:
    """Our answers a second over the gateway's."""
    return turn[0][0] / turn[1][0]


def _distance(ratio: float) -> Callable[[Turn], float]:
    return lambda turn: abs(_ratio(turn) - ratio)


def _resident_mib(pid: int) -> float:
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0]) / 1024


@contextmanager
def _peak(pid: int) -> Iterator[list[float]]:
    """Resident memory, looked at while the block runs."""
    seen = [_resident_mib(pid)]
    over = False

    def watch() -> None:
        while not over:
            seen.append(_resident_mib(pid))
            time.sleep(0.02)

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        watching = pool.submit(watch)
        try:
            yield seen
        finally:
            over = True
            watching.result()


def _kill(cluster: Cluster, root: Path, kills: int) -> Outcome:
    """Kill the service that often; the last one lives, and cleans up."""
    clients: list[Client] = []
    for number in range(kills):
        with _service(cluster, root, TUS_URL_EXPIRY_MS=EXPIRY_MS) as (process, port):
            if number == 0:
                _post(port, "/bucket", json.dumps({"name": BUCKET}).encode())
            clients += upload_until(port, TOKEN, number, process.kill)
            process.wait()
    time.sleep(int(EXPIRY_MS) / 1000)  # then resumable uploads that nobody goes on with are the collector's, too
    with _service(cluster, root):
        return compare(cluster.dsn(), root, clients)
