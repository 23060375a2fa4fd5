"""The PostgreSQL of the embedded stack: which programs, where its data lies, and its restart when it dies."""

import asyncio
import os
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from emulator.db.account import AccountError, unprivileged_account
from emulator.db.binaries import (
    Binaries,
    PostgresNotFound,
    copy_for_others,
    embedded_binaries,
    reachable_for_others,
    system_binaries,
)
from emulator.db.cluster import Cluster, ClusterError
from emulator.db.extensions import with_extensions
from muster_cli.output import UserError, talk
from muster_cli.project.derive import database_settings
from muster_cli.stack.home import ROOT_HOMES
from muster_cli.stack.options import Options
from muster_cli.stack.port_owners import stack_at
from muster_cli.stack.ports import reserved_port
from muster_cli.stack.secrets import Secrets

FIRST_FREE_PORT = 1024
# Ten connections for each of eight branches that are open (MUSTER_BRANCHES_MAX_OPEN) and eight that give way to them,
# beside the stack's own.
ROOM_FOR_BRANCHES = {"max_connections": "180"}
# For many at once: every stack would pay 8 MiB for it.
ROOM_FOR_TESTS = {"max_connections": "400", "max_wal_senders": "40", "max_replication_slots": "80"}
MOST_OPEN = 24
RESTARTS = 5
RESTART_WINDOW_S = 60.0
PAUSE_S = 1.0
SPACE_PAUSE_S = 5.0


def find_cluster(options: Options, secrets: Secrets) -> Cluster:
    """The stack's own PostgreSQL, not started yet. Raises UserError without programs or a user to run them."""
    try:
        account = unprivileged_account(os.environ.get("MUSTER_POSTGRES_USER"))
        binaries = embedded_binaries() if options.postgres == "embedded" else system_binaries()
        if account is not None:
            binaries = _usable_by_others(binaries)
    except (PostgresNotFound, AccountError) as error:
        raise UserError(str(error)) from error
    folder = options.home.postgres_folder(unprivileged=account is not None)
    if options.postgres == "embedded":
        binaries = with_extensions(binaries, folder)
    cluster = Cluster(
        binaries,
        data=folder / "data",
        sockets=options.home.socket_folder(folder),
        port=options.port + 1,
        password=secrets.postgres_password,
        log=options.home.logs / "postgres.log",
        account=account,
        settings={
            **(ROOM_FOR_BRANCHES if options.has_branches else {}),
            **(ROOM_FOR_TESTS if options.test_control else {}),
            **(database_settings(options.loaded.config) if options.loaded is not None else {}),
        },
    )
    cluster.stop_stray()  # before the port is chosen: one that a killed stack left behind still listens
    return cluster


@contextmanager
def reserved_database_port(options: Options) -> Iterator[int]:
    """The port that is asked for, else the one after the API's, or any: kept for PostgreSQL during the block.

    Raises UserError when the one that is asked for is taken.
    """
    wanted = options.database_port
    if wanted is None:
        # The ports below 1024 are root's, which PostgreSQL is not.
        wanted = options.port + 1 if options.port + 1 >= FIRST_FREE_PORT else 0
    with reserved_port(wanted) as port:
        if options.database_port not in (None, port):
            user = stack_at(wanted) or "another program"
            raise UserError(
                f"port {wanted}, for the database, is in use by {user}: stop it, or choose another with "
                "--database-port or --port"
            )
        yield port


def _usable_by_others(binaries: Binaries) -> Binaries:
    if reachable_for_others(binaries.bin):
        return binaries
    return copy_for_others(binaries, ROOT_HOMES / f"postgresql-{binaries.version}")


async def keep_running(cluster: Cluster) -> None:
    """Start PostgreSQL again when it dies; give up when it keeps dying. Raises ClusterError.

    A death for want of space does not count: the services answer 503 until somebody makes room.
    """
    deaths: deque[float] = deque(maxlen=RESTARTS)
    while (process := cluster.process) is not None:
        # Polled: a thread waiting for the child would outlive the event loop.
        while process.poll() is None:  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        if cluster.process is not process:
            return  # stopped on purpose
        talk.print(f"[yellow]PostgreSQL crashed (exit {process.returncode}); restarting it[/yellow]")
        await _start_again(cluster, deaths)


async def _start_again(cluster: Cluster, deaths: deque[float]) -> None:
    is_waiting = False
    while True:
        if cluster.ended_for_space():
            if not is_waiting:
                talk.print("[yellow]The disk is full: PostgreSQL starts again when there is room[/yellow]")
            is_waiting = True
            await asyncio.sleep(SPACE_PAUSE_S)
        else:
            deaths.append(time.monotonic())
        if len(deaths) == RESTARTS and deaths[-1] - deaths[0] < RESTART_WINDOW_S:
            raise ClusterError(f"PostgreSQL died {RESTARTS} times within a minute; its log says why: {cluster.log}")
        try:
            await asyncio.to_thread(cluster.start)
            return
        except ClusterError as error:
            if not is_waiting:
                talk.print(f"[yellow]{error}; trying again[/yellow]")
            await asyncio.sleep(PAUSE_S)
