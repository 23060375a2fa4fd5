"""The embedded stack: our own PostgreSQL and the emulator in this process, from start to stop."""

import ctypes
import importlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from emulator.asgi.server import AddressInUse, bind
from emulator.branches.base import Source
from emulator.db.cluster import Cluster, ClusterError
from emulator.db.failure import Step
from emulator.functions.app import SERVE_SOCKET
from emulator.functions.discovery import list_functions
from emulator.functions.settings import FunctionsSettings
from muster_cli.extension import load_extension
from muster_cli.output import UserError
from muster_cli.project.config import ProjectConfig
from muster_cli.project.find import claim
from muster_cli.stack.database import Prepared, adopt_server, prepare_database, seed_with
from muster_cli.stack.environment import Addresses, service_environment
from muster_cli.stack.home import RunState
from muster_cli.stack.install import ensure_deno, ensure_postgres, progress
from muster_cli.stack.options import Options
from muster_cli.stack.origin import local_origin
from muster_cli.stack.port_owners import note_port, stack_at
from muster_cli.stack.ports import reserved_port
from muster_cli.stack.postgres import MOST_OPEN, find_cluster, reserved_database_port
from muster_cli.stack.project_database import note_buckets, prepare_project
from muster_cli.stack.project_environment import project_service_environment, project_stack_secrets
from muster_cli.stack.secrets import Secrets
from muster_cli.stack.serve import serve
from muster_cli.stack.start_report import StartReport, clear_report, write_report
from muster_cli.stack.third_party import third_party_keys
from muster_cli.stack.variables import read_variables_of_person

M_ARENA_MAX = -8  # malloc.h
IMPORT_SWITCH_S = 0.0005  # what waits for PostgreSQL's answers does not wait for a thread that computes, too


@dataclass(frozen=True)
class Started:
    """A stack that is about to serve: for the table that people see."""

    state: RunState
    secrets: Secrets
    report: StartReport


# Of a stack's options, its superuser's DSN and its secrets: how the database that branches start from is made.
MakeSource = Callable[[Options, str, Secrets], Source]


def run(options: Options, on_ready: Callable[[Started], None], make_source: MakeSource | None = None) -> None:
    """Bring the stack up and serve until a signal comes. Raises UserError with one line, RestartRequested.

    Without `make_source` the stack has no branches.
    """
    outside = read_variables_of_person(options)
    options.refuse_open_mailbox(outside)
    options.home.prepare()
    claim(options.home.path, options.project)
    with options.home.locked():
        clear_report(options.home.path)
        try:
            listener = bind(options.host, options.port)
        except AddressInUse as error:
            user = stack_at(options.port) or "another program"
            raise UserError(
                f"port {options.port} is in use by {user}: stop it, or choose another port with --port"
            ) from error
        with listener:
            site = install(options)
            secrets = _secrets(options)
            cluster = None if options.database_url else find_cluster(options, secrets)
            try:
                with ExitStack() as ports:
                    smtp_port = ports.enter_context(reserved_port(_wanted_smtp_port(options)))
                    if cluster is not None:
                        cluster.port = ports.enter_context(reserved_database_port(options))
                    _bring_up(options, outside, listener, secrets, cluster, site, smtp_port, on_ready, make_source)
            except ClusterError as error:
                raise UserError(str(error)) from error
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # the impatient would leave PostgreSQL behind
                if cluster is not None:
                    cluster.stop()
                options.home.clear_state()


def install(options: Options) -> Path | None:
    """Install and build what the start needs; the folder of the project's pages. Raises UserError."""
    if options.database_url is None and options.postgres == "embedded":
        ensure_postgres()
    if options.loaded is not None and _has_typescript(options.loaded.config):
        ensure_deno()
    build_site = load_extension().build_site
    return build_site() if options.web and build_site is not None else None


def _has_typescript(config: ProjectConfig) -> bool:
    """Whether a function of the project needs Deno."""
    found = any(config.root.glob("functions/[!._]*/index.ts"))
    named = (str(rules.entrypoint) for rules in config.functions.values() if rules.entrypoint)
    return config.edge_runtime.enabled and (found or any(not entrypoint.endswith(".py") for entrypoint in named))


def _wanted_smtp_port(options: Options) -> int:
    wanted = None if options.loaded is None else options.loaded.config.mailbox.smtp_port
    return wanted or options.port + 4


def _bring_up(
    options: Options,
    outside: Mapping[str, str],
    listener: socket.socket,
    secrets: Secrets,
    cluster: Cluster | None,
    site: Path | None,
    smtp_port: int,
    on_ready: Callable[[Started], None],
    make_source: MakeSource | None,
) -> None:
    _import_services()
    if cluster is not None:
        with progress("PostgreSQL"):
            cluster.initialize()
            cluster.start()
        superuser, owner = cluster.dsn(), cluster.dsn("postgres")
    else:
        superuser, owner = adopt_server(options.database_url or "", secrets.postgres_password)
    with progress("Database"):
        prepared, report, needs_buckets = _prepare(options, superuser, owner, secrets)
    addresses = Addresses.of_database(
        superuser, host=options.host, port=options.port, smtp_port=smtp_port, public_url=options.public_url
    )
    if options.loaded is None:
        env = service_environment(addresses, secrets, site, options.home.mail, options.home.files, outside)
    else:
        others, words = third_party_keys(options.loaded.config, options.home.path)
        report = replace(report, warnings=(*report.warnings, *words))
        env = project_service_environment(options.loaded, addresses, secrets, options.home, outside, others)
    env |= {"FUNCTIONS_SERVE_SOCKET": str(options.home.run_folder() / SERVE_SOCKET)}
    env |= load_extension().environment
    slugs = tuple(function.slug for function in list_functions(FunctionsSettings.from_env(env)))
    buckets = () if options.loaded is None else tuple(options.loaded.config.storage.buckets)
    report = replace(report, functions=slugs, buckets=buckets)
    env |= {"MUSTER_LOG_FORMAT": options.log_format, "MUSTER_LOG_REQUESTS": options.log_requests}
    env |= {"MUSTER_LOG_LEVEL": os.environ.get("MUSTER_LOG_LEVEL", "")}
    env |= {"MUSTER_TRUSTED_PROXY": options.trusted_proxies}
    env |= {"MUSTER_DASHBOARD": str(options.has_dashboard).lower()}
    source = None
    if make_source is not None and options.has_branches and env.get("STORAGE_BACKEND", "file") == "file":
        env |= {"MUSTER_BRANCHES_FOLDER": str(options.home.branches)}
        env |= {"MUSTER_TEST_CONTROL": str(options.test_control).lower()}
        if options.test_control and cluster is not None:
            env.setdefault("MUSTER_BRANCHES_MAX_OPEN", str(MOST_OPEN))
        source = make_source(options, superuser, secrets)
    kind = "url" if cluster is None else options.postgres
    started_at = datetime.now(UTC).isoformat(timespec="seconds")
    state = RunState(
        os.getpid(), options.port, addresses.database_port, smtp_port, addresses.url, kind, started_at,
        prepared.has_seed, has_mailbox="MAILBOX_DIR" in env, local_url=local_origin(options.host, options.port),
        has_dashboard=options.has_dashboard,
    )  # fmt: skip

    def announce(done: StartReport) -> None:
        write_report(options.home.path, done)
        options.home.write_state(state)
        for port in (state.port, state.database_port):
            note_port(port, options.home)
        on_ready(Started(state, secrets, done))

    def announce_with_buckets(done: StartReport) -> None:
        announce(_with_buckets(options, done, state, secrets, superuser))

    def ready(unwell: Sequence[str]) -> None:
        done = _with_health(report, unwell)
        if needs_buckets:  # over the API, which this thread serves
            threading.Thread(target=announce_with_buckets, args=(done,), daemon=True).start()
        else:
            announce(done)

    serve(env, listener, cluster, ready, options, source)


def _import_services() -> None:
    """Import what serves while PostgreSQL starts: the former computes for as long as the latter is waited for."""
    _share_malloc_arena()
    interval = sys.getswitchinterval()

    def run() -> None:
        sys.setswitchinterval(IMPORT_SWITCH_S)
        try:
            with suppress(ImportError):  # raised again where it is needed
                importlib.import_module("emulator.app")
        finally:
            sys.setswitchinterval(interval)

    threading.Thread(target=run, name="imports").start()


def _share_malloc_arena() -> None:
    """Have threads allocate where this one does: glibc gives each an arena of its own, which costs a MiB here."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def _secrets(options: Options) -> Secrets:
    if options.loaded is None:
        return options.home.secrets()
    return project_stack_secrets(options.loaded, options.home)


def _prepare(options: Options, superuser: str, owner: str, secrets: Secrets) -> tuple[Prepared, StartReport, bool]:
    """Bring the database to where the services can start; whether its buckets are still to be made.

    Raises UserError, with the report written, when a new database can't be made. One that was there before serves with
    what it had.
    """
    if options.loaded is not None:
        made = prepare_project(options.loaded, superuser, owner, secrets)
        report = made.report
        if made.is_new and report.failure is not None:
            write_report(options.home.path, report)
            raise UserError(str(report.failure))
        prepared = Prepared(report.migrations.applied, report.seeds.applied > 0, has_seed=False)
        return prepared, report, made.needs_buckets and report.failure is None
    seed = seed_with(secrets.demo_password if options.is_seeded else None)
    prepared = prepare_database(superuser, owner, secrets.postgres_password, seed)
    return prepared, StartReport(Step(prepared.migrations), Step(int(prepared.seeded))), False


def _with_health(report: StartReport, unwell: Sequence[str]) -> StartReport:
    """Warn of services that are not healthy yet; the others serve."""
    words = (f"not healthy yet: {', '.join(unwell)}; ./muster status and ./muster logs say more",) if unwell else ()
    return replace(report, warnings=(*report.warnings, *words))


def _with_buckets(
    options: Options, report: StartReport, state: RunState, secrets: Secrets, superuser: str
) -> StartReport:
    """Make the buckets of the configuration; what goes wrong is a warning, and the next start tries again."""
    from muster_cli.stack.buckets import seed_buckets

    assert options.loaded is not None
    try:
        seed_buckets(options.loaded.config, state.api, secrets.service_role_key)
        note_buckets(superuser)
    except (UserError, psycopg.Error) as error:
        return replace(report, warnings=(*report.warnings, str(error)))
    return report
