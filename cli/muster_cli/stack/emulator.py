"""The embedded stack: our own PostgreSQL and the emulator in this process, from start to stop."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from emulator.asgi.server import AddressInUse, bind, make_server, run_server
from emulator.db.binaries import (
    Binaries,
    PostgresNotFound,
    copy_for_others,
    embedded_binaries,
    reachable_for_others,
    system_binaries,
)
from emulator.db.cluster import Cluster, ClusterError, unprivileged_account
from muster_cli.output import UserError, talk
from muster_cli.stack.database import Prepared, adopt_server, prepare_database
from muster_cli.stack.environment import Addresses, service_environment, with_mail_server
from muster_cli.stack.home import ROOT_HOMES, Home, RunState
from muster_cli.stack.install import ensure_postgres, ensure_web, progress
from muster_cli.stack.secrets import Secrets
from muster_cli.stack.workers import Workers, shared_environment

PostgresChoice = Literal["embedded", "system"]
LOOPBACK = ("127.0.0.1", "localhost", "::1")
RESTARTS = 5
RESTART_WINDOW_S = 60.0
RESTART_SIGNAL = signal.SIGUSR1  # not SIGHUP: a terminal that is closed sends that


@dataclass(frozen=True)
class Options:
    """What a person chose on the command line."""

    home: Home
    host: str = "127.0.0.1"
    port: int = 54321
    postgres: PostgresChoice = "embedded"
    database_url: str | None = None
    seed: bool = True
    web: bool = True
    workers: int = 1
    public_url: str | None = None
    log_format: str = "text"
    log_requests: str = "failed"


@dataclass(frozen=True)
class Started:
    """A stack that is about to serve: for the table that people see."""

    state: RunState
    secrets: Secrets
    prepared: Prepared


class Again(Exception):
    """The stack was asked to stop and start anew, by RESTART_SIGNAL."""


def run(options: Options, on_ready: Callable[[Started], None]) -> None:
    """Bring the stack up and serve until a signal comes. Raises UserError with one line, Again."""
    if options.host not in LOOPBACK and not os.environ.get("SMTP_HOST"):
        raise UserError(
            f"--host {options.host} would show the mailbox to others: set SMTP_HOST, a mail server of yours"
        )
    options.home.prepare()
    with options.home.locked():
        try:
            listener = bind(options.host, options.port)
        except AddressInUse as error:
            raise UserError(
                f"port {options.port} is in use: choose another with --port, or stop what listens"
            ) from error
        with listener:
            web_root = _install(options)
            secrets = options.home.secrets()
            cluster = None if options.database_url else _cluster(options, secrets)
            try:
                _bring_up(options, listener, secrets, cluster, web_root, on_ready)
            except ClusterError as error:
                raise UserError(str(error)) from error
            finally:
                if cluster is not None:
                    cluster.stop()
                options.home.clear_state()


def _install(options: Options) -> Path | None:
    if options.database_url is None and options.postgres == "embedded":
        ensure_postgres()
    return ensure_web() if options.web else None


def _cluster(options: Options, secrets: Secrets) -> Cluster:
    try:
        account = unprivileged_account(os.environ.get("MUSTER_POSTGRES_USER"))
        binaries = embedded_binaries() if options.postgres == "embedded" else system_binaries()
        if account is not None:
            binaries = _usable_by_others(binaries)
    except (PostgresNotFound, ClusterError) as error:
        raise UserError(str(error)) from error
    folder = options.home.postgres_folder(unprivileged=account is not None)
    cluster = Cluster(
        binaries,
        data=folder / "data",
        sockets=options.home.socket_folder(folder),
        port=options.port + 1,
        password=secrets.postgres_password,
        log=options.home.logs / "postgres.log",
        account=account,
    )
    cluster.stop_stray()  # before the port is chosen: one that a killed stack left behind still listens
    cluster.port = _free_port(options.port + 1)
    return cluster


def _usable_by_others(binaries: Binaries) -> Binaries:
    if reachable_for_others(binaries.bin):
        return binaries
    return copy_for_others(binaries, ROOT_HOMES / f"postgresql-{binaries.version}")


def _bring_up(
    options: Options,
    listener: socket.socket,
    secrets: Secrets,
    cluster: Cluster | None,
    web_root: Path | None,
    on_ready: Callable[[Started], None],
) -> None:
    smtp_port = _free_port(options.port + 4)
    if cluster is not None:
        with progress("PostgreSQL"):
            cluster.initialise()
            cluster.start()
        superuser, owner = cluster.dsn(), cluster.dsn("postgres")
        database = (str(cluster.sockets), cluster.port, "postgres")
    else:
        superuser, owner = adopt_server(options.database_url or "", secrets.postgres_password)
        database = _where(superuser)
    with progress("Database"):
        seed = (lambda: secrets.demo_password) if options.seed else None
        prepared = prepare_database(superuser, owner, secrets.postgres_password, seed)
    addresses = Addresses(options.host, options.port, smtp_port, *database, public_url=options.public_url)
    env = service_environment(addresses, secrets, web_root, options.home.mail)
    env |= {"MUSTER_LOG_FORMAT": options.log_format, "MUSTER_LOG_REQUESTS": options.log_requests}
    env |= {"MUSTER_LOG_LEVEL": os.environ.get("MUSTER_LOG_LEVEL", "")}
    if os.environ.get("SMTP_HOST"):
        env = with_mail_server(env, os.environ)
    kind = "url" if cluster is None else options.postgres
    started_at = datetime.now(UTC).isoformat(timespec="seconds")
    state = RunState(
        os.getpid(), options.port, addresses.database_port, smtp_port, addresses.url, kind, started_at,
        prepared.has_demo,
    )  # fmt: skip

    def ready(_: int) -> None:
        options.home.write_state(state)
        on_ready(Started(state, secrets, prepared))

    _serve(env, listener, cluster, ready, options)


def _serve(
    env: dict[str, str],
    listener: socket.socket,
    cluster: Cluster | None,
    ready: Callable[[int], None],
    options: Options,
) -> None:
    from emulator.app import build  # imported late: a refused port or a missing Node.js answers at once
    from emulator.observe.logs import LogSettings, configure

    configure(LogSettings.from_env(env))

    run = options.home.run_folder()
    shutil.rmtree(run / "metrics", ignore_errors=True)  # of processes that a former start had
    emulator = build(shared_environment(env, run) if options.workers > 1 else env)
    server = make_server(emulator.app, ws_protocol=emulator.ws_protocol)
    again = False

    others: list[asyncio.Task[None]] = []

    def end_others() -> None:
        """The other processes stop taking requests when this one does, not when it has answered its last."""
        for task in others:
            task.cancel()

    def begin_again() -> None:
        nonlocal again
        again = server.should_exit = True
        end_others()

    async def main() -> None:
        asyncio.get_running_loop().add_signal_handler(RESTART_SIGNAL, begin_again)
        serving = asyncio.ensure_future(run_server(server, listener, ready, end_others))
        beside = [asyncio.ensure_future(_watch(cluster))] if cluster is not None else []
        if options.workers > 1:
            workers = Workers(options.workers - 1, shared_environment(env, run), listener, run)
            inner, inner_listener = workers.mailbox_server(emulator.app)
            others.append(asyncio.ensure_future(workers.run()))
            beside += [*others, asyncio.ensure_future(inner.serve(sockets=[inner_listener]))]
        await asyncio.wait([serving, *beside], return_when=asyncio.FIRST_COMPLETED)
        failed = [task for task in beside if task.done() and not task.cancelled()]
        server.should_exit = True
        for task in beside:
            task.cancel()
        await asyncio.gather(serving, *beside, return_exceptions=True)
        for task in [serving, *failed]:
            task.result()

    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(main())
    if not server.started:
        raise UserError("the services did not start; the lines above say why")
    if again:
        raise Again


async def _watch(cluster: Cluster) -> None:
    """Start PostgreSQL again when it dies; give up when it keeps dying. Raises ClusterError."""
    deaths: deque[float] = deque(maxlen=RESTARTS)
    while (process := cluster.process) is not None:
        # Polled: a thread waiting for the child would outlive the event loop.
        while process.poll() is None:  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        if cluster.process is not process:
            return  # stopped on purpose
        talk.print(f"[yellow]PostgreSQL died (exit {process.returncode}); starting it again[/yellow]")
        await _start_again(cluster, deaths)


async def _start_again(cluster: Cluster, deaths: deque[float]) -> None:
    while True:
        deaths.append(time.monotonic())
        if len(deaths) == RESTARTS and deaths[-1] - deaths[0] < RESTART_WINDOW_S:
            raise ClusterError(f"PostgreSQL died {RESTARTS} times within a minute; its log says why: {cluster.log}")
        try:
            await asyncio.to_thread(cluster.start)
            return
        except ClusterError as error:
            talk.print(f"[yellow]{error}; trying again[/yellow]")
            await asyncio.sleep(1.0)


def _free_port(wanted: int) -> int:
    """`wanted` if nobody listens there, else any free port of 127.0.0.1."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except (OSError, OverflowError):
                continue
            return int(probe.getsockname()[1])
    raise UserError("no free port is left on 127.0.0.1")


def _where(dsn: str) -> tuple[str, int, str]:
    from psycopg.conninfo import conninfo_to_dict

    parts = conninfo_to_dict(dsn)
    return str(parts.get("host") or "127.0.0.1"), int(parts.get("port") or 5432), str(parts.get("dbname") or "postgres")


def start_detached(options: Options, arguments: list[str], timeout_s: float = 600.0) -> RunState:
    """Start the stack as a process of its own and wait until it serves. Raises UserError with its last words."""
    home = options.home
    home.prepare()
    if home.running() is not None:
        raise UserError(f"a stack of {home.path} is running already: ./muster status, ./muster down")
    home.clear_state()  # of a stack that was killed
    _install(options)  # here, where its progress is seen
    log = home.logs / "muster.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "muster_cli", "up", *arguments],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
    deadline = time.monotonic() + timeout_s
    with progress("Starting"):
        while time.monotonic() < deadline:
            state = home.running()
            if state is not None and state.pid == process.pid:
                return state
            if process.poll() is not None:
                words = [line for line in log.read_text("utf8", "replace").splitlines() if line.strip()]
                raise UserError(words[-1].removeprefix("muster: ") if words else f"it ended at once; see {log}")
            time.sleep(0.05)
    raise UserError(f"the stack did not get ready in {timeout_s:.0f} s; its log: {log}")
