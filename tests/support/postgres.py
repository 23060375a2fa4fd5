"""A throw-away PostgreSQL for a test run, a migrated template in it, and clones of that for tests."""

import atexit
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from emulator.db.account import Account, unprivileged_account
from emulator.db.binaries import Binaries, copy_for_others, embedded_binaries, reachable_for_others
from emulator.db.bootstrap import apply_bootstrap
from emulator.db.cluster import SUPERUSER, Cluster, ClusterError
from emulator.db.extensions import with_extensions
from emulator.db.migrations import apply_migrations
from emulator.schemas import migrate_services
from tests.support.scratch import scratch_folder
from tests.support.shared import made_once

PLATFORM, TEMPLATE = "muster_platform", "muster_template"
_numbers = count(1)
_ports = count()
PORTS = (12_000, 32_000)
PORTS_EACH = 400
PASSWORD = "throw-away"
_administrators: dict[int, psycopg.Connection] = {}  # of the run's cluster, by its port


@dataclass(frozen=True)
class Database:
    """One database of the throw-away cluster."""

    cluster: Cluster
    name: str

    def dsn(self, user: str = "postgres", *, socket: bool = True) -> str:
        """How `user` connects to it."""
        return self.cluster.dsn(user, self.name, socket=socket)

    def url(self, user: str = "postgres") -> str:
        """The same as a URL over TCP."""
        return self.cluster.url(user, self.name)


def free_port() -> int:
    """A free TCP port, outside the range used for outgoing connections.

    Those get theirs from 32768 up (Linux), so a port of there may be gone by the time a service starts. Each process
    has a block of its own, so that none is handed out twice before its service listens.
    """
    first = _leased_block()
    while True:
        port = first + 1 + next(_ports) % (PORTS_EACH - 1)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("", port))
            return port


@cache
def _leased_block() -> int:
    """The first port of this process's block: who has bound it has the block, until the process ends."""
    for first in range(*PORTS, PORTS_EACH):
        lease = socket.socket()
        try:
            lease.bind(("", first))
        except OSError:
            lease.close()
        else:
            atexit.register(lease.close)
            return first
    raise RuntimeError("every block of ports is taken by another test process")


def make_cluster(folder: Path, binaries: Binaries | None = None, data: Path | None = None, **settings: str) -> Cluster:
    """A started throw-away cluster in `folder`, of the embedded PostgreSQL or another; the caller stops it.

    It begins with a copy of `data`, or of what initdb makes.
    """
    account = unprivileged_account()
    is_embedded = binaries is None
    binaries = binaries or embedded_binaries()
    if account is not None and not reachable_for_others(binaries.bin):
        binaries = copy_for_others(binaries, Path("/var/lib/muster") / f"postgresql-{binaries.version}")
    if is_embedded:
        binaries = with_extensions(binaries, folder)
    folder.chmod(0o755)
    cluster = Cluster(
        binaries, data=folder / "data", sockets=folder / "s", port=free_port(), password=PASSWORD,
        log=folder / "postgres.log", account=account,
        settings={
            "fsync": "off", "full_page_writes": "off", "max_connections": "200",
            "autovacuum": "off",  # it would look at each of the databases, which go within minutes
            **({"scram_iterations": "1"} if binaries.major >= 16 else {}), **settings,
        },
    )  # fmt: skip
    data = data or _initialized(binaries, account)
    subprocess.run(["cp", "-a", str(data), str(cluster.data)], check=True, timeout=60)
    for attempt in range(5):
        try:
            cluster.start()
            break
        except ClusterError:  # the port was taken in the meantime
            if attempt == 4:
                raise
            cluster.port = free_port()
    return cluster


def _initialized(binaries: Binaries, account: Account | None) -> Path:
    """A data folder as initdb makes it: a copy takes a fifth of its time."""

    def make(data: Path) -> None:
        made = Cluster(
            binaries, data=data, sockets=data, port=0, password=PASSWORD, log=data.with_suffix(".log"), account=account,
        )  # fmt: skip
        made.initialize(sync=False)

    return made_once(f"initdb-{binaries.version}", make)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """The run's PostgreSQL (one a worker), real and empty but for the bootstrap's roles."""
    folder = scratch_folder("muster-test-")
    made = make_cluster(folder, data=prepared_data("cluster", _make_templates))
    try:
        with psycopg.connect(made.dsn(), autocommit=True) as connection:
            _administrators[made.port] = connection
            yield made
            del _administrators[made.port]
    finally:
        made.stop()
        shutil.rmtree(folder)


def prepared_data(name: str, prepare: Callable[[Cluster], None]) -> Path:
    """The data folder, for make_cluster, of a cluster that `prepare` was run with, by one worker for all."""

    def make(data: Path) -> None:
        folder = scratch_folder("muster-first-")
        cluster = make_cluster(folder)
        try:
            prepare(cluster)
            cluster.stop()
            subprocess.run(["mv", str(cluster.data), str(data)], check=True, timeout=60)  # with its owner
        finally:
            cluster.stop()
            shutil.rmtree(folder)

    return made_once(name, make)


def _make_templates(cluster: Cluster) -> None:
    """The databases of `platform` and `template`."""
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        # Anew, with the iterations of make_cluster: a connection takes 4,096 of them at initdb's.
        connection.execute(sql.SQL("alter role {} password {}").format(sql.Identifier(SUPERUSER), PASSWORD))
        connection.execute(sql.SQL("create database {}").format(sql.Identifier(PLATFORM)))
    with psycopg.connect(cluster.dsn(database=PLATFORM), autocommit=True) as connection:
        apply_bootstrap(connection, cluster.password)
        migrate_services(connection)
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        names = (sql.Identifier(TEMPLATE), sql.Identifier(PLATFORM))
        connection.execute(sql.SQL("create database {} template {} owner postgres").format(*names))
    with psycopg.connect(cluster.dsn("postgres", TEMPLATE), autocommit=True) as connection:
        apply_migrations(connection)


@pytest.fixture(scope="session")
def platform(cluster: Cluster) -> Database:
    """A database as every project begins with it: bootstrap and services' schemas. Tests leave nothing in it."""
    return Database(cluster, PLATFORM)


@pytest.fixture(scope="session")
def template(cluster: Cluster) -> str:  # noqa: ARG001 (which has it)
    """The name of a database with the product's migrations, too."""
    return TEMPLATE


def create_database(cluster: Cluster, template: str) -> Database:
    """A database of the run's cluster, a clone of `template`; the caller drops it or leaves it to the cluster's end."""
    name = f"test_{next(_numbers)}"
    # Half the CPU of writing every page to the log, which nothing reads before the database is used.
    statement = sql.SQL("create database {} template {} owner {} strategy file_copy")
    owner = SUPERUSER if template == "template0" else "postgres"  # a clone has its creator's owner, not its template's
    _administrators[cluster.port].execute(statement.format(*map(sql.Identifier, (name, template, owner))))
    return Database(cluster, name)


def drop_database(database: Database) -> None:
    """Drop it, whoever is connected."""
    statement = sql.SQL("drop database {} with (force)").format(sql.Identifier(database.name))
    _administrators[database.cluster.port].execute(statement)


@pytest.fixture
def bare_database(cluster: Cluster) -> Iterator[Database]:
    """A fresh database without anything in it (the cluster's roles may or may not be there)."""
    made = create_database(cluster, "template0")
    yield made
    drop_database(made)


@pytest.fixture
def database(cluster: Cluster, template: str) -> Iterator[Database]:
    """A clone of the migrated template, for one test."""
    made = create_database(cluster, template)
    yield made
    drop_database(made)


@pytest.fixture(scope="module")
def module_database(cluster: Cluster, template: str) -> Iterator[Database]:
    """A clone of the migrated template, shared by the tests of one module."""
    made = create_database(cluster, template)
    yield made
    drop_database(made)


@pytest.fixture(scope="session")
def new_database(cluster: Cluster, template: str) -> Callable[[], Database]:
    """Make more clones of the migrated template (they go with the cluster)."""
    return lambda: create_database(cluster, template)
