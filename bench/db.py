"""What each request of the application costs in the database, for a median member and for the busiest.

`./muster bench db [--members N --posts N --messages N] [--url URL] [--runs N] [--only TEXT] [--plans]`

The requests of db_requests.py become SQL by the REST service's own compiler, and are run as it runs them: prepared,
with the caller's role and claims, in a transaction that is rolled back here. Timed is the statement, not the settings
before it. Without --url a throw-away PostgreSQL is filled by the scale seed; --url is a superuser's, of a database
that has been.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import psycopg
from psycopg import pq, sql

from bench.db_requests import REQUESTS, Request
from bench.db_subjects import Subject, find_subjects
from bench.rest import throw_away_cluster
from emulator.db.bootstrap import apply_bootstrap
from emulator.db.migrations import apply_migrations
from emulator.db.statement import Statement
from emulator.rest.api_request.http_request import HttpRequest, read_headers
from emulator.rest.service import RestService
from emulator.rest.settings import RestSettings
from emulator.schemas import migrate_services
from muster_product.database.scale import Scale, seed_scale

RESULTS = Path(__file__).resolve().parent / "results" / "db.json"
LARGE = 20_000  # rows: a sequential scan of a table with more is a finding
BUDGET_P95_MS = 20.0
SETTLING = 6  # runs that are not counted: after five, PostgreSQL may settle on a generic plan


@dataclass(frozen=True)
class Result:
    """One request for one subject. `plan` is a line per node; `scans` names large tables read from end to end."""

    request: str
    subject: str
    p50_ms: float
    p95_ms: float
    cpu_p95_ms: float
    scans: tuple[str, ...]
    plan: tuple[str, ...]

    @property
    def is_in_budget(self) -> bool:
        """Quick enough and without reading a large table."""
        return self.p95_ms < BUDGET_P95_MS and not self.scans


async def compiled(url: str, asked: Sequence[tuple[Request, Subject]]) -> list[tuple[Statement, Statement]]:
    """Settings and main statement of each request, as the REST service would send them."""
    env = {"PGRST_DB_URI": url, "PGRST_DB_ANON_ROLE": "anon", "PGRST_DB_MAX_ROWS": "1000"}
    service = RestService(RestSettings.from_env(env))
    await service.reload()
    try:
        return [_compile(service, request, subject) for request, subject in asked]
    finally:
        await service.pool.close()


def _compile(service: RestService, request: Request, subject: Subject) -> tuple[Statement, Statement]:
    assert service.snapshot is not None
    path, _, query = subject.fill(request.target).partition("?")
    named = {name.lower(): subject.fill(value) for name, value in request.headers}
    pairs = {"content-type": "application/json", "accept": "application/json", **named}
    headers = read_headers(tuple((name.encode(), value.encode()) for name, value in pairs.items()))
    body = subject.fill(request.body).encode()
    prepared = service.snapshot.compiler.prepare(
        HttpRequest(request.method, path.encode(), query.encode(), headers, body)
    )
    assert prepared.compiled.statements is not None, request.name
    main = prepared.compiled.statements.main
    settings = {
        "search_path": '"public", "extensions"',
        "role": subject.claims.get("role", "anon"),
        "request.jwt.claims": json.dumps(dict(subject.claims)),
        "request.headers": json.dumps(named),
    }
    calls = ", ".join(f"set_config('{name}', ${place}, true)" for place, name in enumerate(settings, 1))
    return (
        Statement(f"select {calls}", [value.encode() for value in settings.values()]),
        Statement(main.text, prepared.parameters(main)),
    )


def on_cpu_ms(pid: int) -> float:
    """How long a backend of this machine has been on a processor so far; 0 where that can't be read."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[0]) / 1e6
    except OSError:
        return 0.0


def measure(
    connection: psycopg.Connection, settings: Statement, main: Statement, runs: int
) -> tuple[list[float], list[float]]:
    """Milliseconds of each run of a prepared statement, by the clock and on the processor; both sorted.

    Each run is a transaction that is rolled back. Where the machine is busy with other work the clock says little.
    """
    pgconn, name = connection.pgconn, b"measured"
    parameters = cast("Sequence[bytes]", main.parameters)  # None is null; psycopg's stub leaves that out
    _check(pgconn.exec_(b"deallocate all"))
    _check(pgconn.prepare(name, main.text.encode()))
    times, processor = [], []
    for number in range(SETTLING + runs):
        _check(pgconn.exec_(b"begin"))
        _check(pgconn.exec_params(settings.text.encode(), settings.parameters))
        worked, before = on_cpu_ms(pgconn.backend_pid), time.perf_counter()
        _check(pgconn.exec_prepared(name, parameters))
        if number >= SETTLING:
            times.append((time.perf_counter() - before) * 1000)
            processor.append(on_cpu_ms(pgconn.backend_pid) - worked)
        _check(pgconn.exec_(b"rollback"))
    return sorted(times), sorted(processor)


def explain(connection: psycopg.Connection, settings: Statement, main: Statement) -> dict[str, Any]:
    """The plan that the prepared statement has come to."""
    values = sql.SQL(", ").join(sql.Literal(None if p is None else p.decode()) for p in main.parameters)
    call = sql.SQL("explain (format json) execute measured({})") if main.parameters else sql.SQL(
        "explain (format json) execute measured")  # fmt: skip
    pgconn = connection.pgconn
    _check(pgconn.exec_(b"begin"))
    _check(pgconn.exec_params(settings.text.encode(), settings.parameters))
    found = _check(pgconn.exec_(call.format(values).as_bytes(connection)))
    text = found.get_value(0, 0)
    assert text is not None
    _check(pgconn.exec_(b"rollback"))
    plan: dict[str, Any] = json.loads(text)[0]["Plan"]
    return plan


def _check(result: pq.abc.PGresult) -> pq.abc.PGresult:
    if result.status not in (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK):
        raise RuntimeError(result.error_message.decode())
    return result


def nodes(plan: dict[str, Any], depth: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every node of a plan with its depth, outermost first."""
    yield depth, plan
    for child in plan.get("Plans", ()):
        yield from nodes(child, depth + 1)


def read_whole(node: dict[str, Any], is_bounded: bool = False) -> Iterator[str]:
    """The tables that a plan reads from end to end. Under a limit, with nothing that gathers rows between, it stops."""
    kind = node["Node Type"]
    if kind == "Seq Scan" and not is_bounded:
        yield node["Relation Name"]
    gathers = kind in ("Sort", "Aggregate", "Hash", "Materialize", "Incremental Sort", "Unique")
    for child in node.get("Plans", ()):
        yield from read_whole(child, kind == "Limit" or (is_bounded and not gathers))


def described(node: dict[str, Any]) -> str:
    """A node in one line."""
    parts = [node["Node Type"], node.get("Index Name") or node.get("Relation Name") or node.get("Function Name") or ""]
    return " ".join(part for part in parts if part)


def judge(
    connection: psycopg.Connection, request: Request, subject: Subject, statements: tuple[Statement, Statement],
    runs: int, large: frozenset[str],
) -> Result:  # fmt: skip
    """Measure one request for one subject and look at its plan."""
    times, processor = measure(connection, *statements, runs)
    plan = explain(connection, *statements)
    scans = tuple(name for name in read_whole(plan) if name in large)
    lines = tuple("  " * depth + described(node) for depth, node in nodes(plan))
    high = int(len(times) * 0.95)
    return Result(
        request.name, subject.name, times[len(times) // 2], times[high], processor[high], scans, lines
    )  # fmt: skip


def bench(url: str, runs: int, only: str = "") -> Iterator[Result]:
    """Measure every request whose name has `only` in it. `url` is a superuser's."""
    with psycopg.connect(url, autocommit=True) as connection:
        large = frozenset(
            name for (name,) in connection.execute(
                "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
                " and reltuples > %s", (LARGE,),
            )
        )  # fmt: skip
        subjects = find_subjects(connection)
        asked = [(request, subject) for request in REQUESTS if only in request.name
                 for subject in subjects if subject.actor == request.actor]  # fmt: skip
        for (request, subject), statements in zip(asked, asyncio.run(compiled(url, asked)), strict=True):
            yield judge(connection, request, subject, statements, runs, large)


@contextmanager
def seeded(scale: Scale) -> Iterator[str]:
    """A throw-away PostgreSQL with bootstrap, migrations and the scale seed; a superuser's URL."""
    with throw_away_cluster() as cluster:
        with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
            connection.execute("create database scale template template0")
        url = cluster.dsn(database="scale")
        with psycopg.connect(url, autocommit=True) as connection:
            apply_bootstrap(connection, cluster.password)
            migrate_services(connection)
        with psycopg.connect(cluster.dsn("postgres", "scale"), autocommit=True) as connection:
            apply_migrations(connection)
        seed_scale(url, scale, lambda what, done, total: print(f"\r{what} {done}/{total}   ", end="", file=sys.stderr))
        print("\r", end="", file=sys.stderr)
        yield url


def run(arguments: Sequence[str] = ()) -> None:
    """Measure and print a table; results go to bench/results/db.json. Exit code 1 when a request misses the budget."""
    parser = argparse.ArgumentParser(prog="muster bench db", description=__doc__)
    parser.add_argument("--members", type=int, default=10_000)
    parser.add_argument("--posts", type=int, default=100_000)
    parser.add_argument("--messages", type=int, default=500_000)
    parser.add_argument("--url", default="", help="a superuser's, of a database that the scale seed has filled")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--only", default="", help="requests whose name has this in it")
    parser.add_argument("--plans", action="store_true", help="print the plan of each request")
    options = parser.parse_args(list(arguments))
    if options.url:
        results = _print_all(bench(options.url, options.runs, options.only), options.plans)
    else:
        with seeded(Scale(options.members, options.posts, options.messages)) as url:
            results = _print_all(bench(url, options.runs, options.only), options.plans)
    if not options.only:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps([asdict(result) for result in results], indent=1) + "\n", encoding="utf-8")
    missed = [result for result in results if not result.is_in_budget]
    print(
        f"{len(results)} measured, {len(missed)} outside the budget (p95 {BUDGET_P95_MS:.0f} ms, no large table read)"
    )
    if missed:
        raise SystemExit(1)


def _print_all(results: Iterator[Result], with_plans: bool) -> list[Result]:
    print(f"{'':44}{'who':10}{'p50 ms':>9}{'p95 ms':>9}{'cpu p95':>9}")
    kept = []
    for result in results:
        kept.append(result)
        verdict = "" if result.is_in_budget else "  MISSED " + ", ".join(f"reads all {name}" for name in result.scans)
        print(
            f"{result.request:44}{result.subject:10}{result.p50_ms:>9.2f}{result.p95_ms:>9.2f}"
            f"{result.cpu_p95_ms:>9.2f}{verdict}",
            flush=True,
        )
        if with_plans:
            print("\n".join("    " + line for line in result.plan))
    return kept


if __name__ == "__main__":
    run(sys.argv[1:])
