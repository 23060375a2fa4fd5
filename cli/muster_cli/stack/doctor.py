"""Examine the machine and the stack: one finding a question, each with what to do about it."""

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg

from emulator.db.binaries import PostgresNotFound, embedded_binaries
from emulator.db.cluster import find_server
from emulator.db.migrations import applied_versions, list_migrations
from emulator.packages import packages_folder
from emulator.paths import POSTGRES
from muster_cli.extension import load_extension
from muster_cli.findings import Finding
from muster_cli.output import UserError
from muster_cli.stack import compose
from muster_cli.stack.control import ask
from muster_cli.stack.doctor_files import examine_files
from muster_cli.stack.home import Home, RunState
from muster_cli.stack.install import check_node
from muster_cli.stack.variables import DEFAULT_FILE, parse_env

LEAST_DISK_BYTES = 2 * 1024**3
LARGEST_SKEW_S = 30


def examine(home: Home, port: int) -> list[Finding]:
    """Every finding about the machine and the stack. A problem is a finding, never an exception."""
    state = home.running()
    holder = home.holder() if state is None else None
    found = [*_machine(home), *_home(home)]
    if state is not None:
        found += _running(home, state)
    elif holder is not None:
        said = f"process {holder} has it, but {home.state_file} says nothing: it is starting, or the file is damaged"
        found.append(Finding("Stack", "warning", said, "wait a moment, or ./muster down ends it"))
    else:
        found.append(_not_running(home, port))
    return [*found, *_containers()]


def _machine(home: Home) -> Iterator[Finding]:
    yield Finding("Python", "ok", sys.version.split()[0])
    try:
        check_node()
        yield Finding("Node.js", "ok", _output("node", "--version"))
    except UserError as error:
        if load_extension().build_site is not None:
            yield Finding("Node.js", "problem", "missing or too old", str(error))
        else:
            yield Finding("Node.js", "ok", "missing or too old, and not needed")
    try:
        yield Finding("PostgreSQL", "ok", f"{embedded_binaries().version} (embedded)")
    except PostgresNotFound:
        yield Finding(
            "PostgreSQL", "warning", f"not installed in {packages_folder(POSTGRES)} yet", "./muster up installs it"
        )
    yield _disk(home.path)
    yield from load_extension().examine_machine()


def _disk(path: Path) -> Finding:
    existing = next(folder for folder in (path, *path.parents) if folder.exists())
    free = shutil.disk_usage(existing).free
    said = f"{free / 1024**3:.1f} GiB free at {existing}"
    if free < LEAST_DISK_BYTES:
        return Finding("Disk", "problem", said, "free some space: PostgreSQL stops when it can't write")
    return Finding("Disk", "ok", said)


def _home(home: Home) -> Iterator[Finding]:
    if not home.path.exists():
        nearest = next(folder for folder in home.path.parents if folder.exists())
        if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
            yield Finding("State folder", "ok", f"{home.path} will be created at the first start")
        else:
            yield Finding("State folder", "problem", f"{home.path} can't be created: {nearest} is not writable",
                          "choose another with --home")  # fmt: skip
        return
    yield Finding("State folder", "ok" if os.access(home.path, os.W_OK) else "problem", str(home.path),
                  "" if os.access(home.path, os.W_OK) else "make it writable for your user")  # fmt: skip
    file = home.path / "secrets.json"
    if file.exists():
        try:
            home.secrets()
        except (UserError, OSError) as error:
            yield Finding("Secrets", "problem", str(error), "put the file back from a backup")
            return
        open_to_others = stat.S_IMODE(file.stat().st_mode) & 0o077
        yield Finding("Secrets", "problem" if open_to_others else "ok", "other users can read them" if open_to_others
                      else "readable only by you", f"chmod 600 {file}" if open_to_others else "")  # fmt: skip
    yield from _data(home)


def _data(home: Home) -> Iterator[Finding]:
    """The data folder: of this PostgreSQL's version, and served by nobody but this stack."""
    data = home.data_folder()
    if data is None or not (data / "PG_VERSION").exists():
        return
    with suppress(PostgresNotFound, OSError):
        major, ours = (data / "PG_VERSION").read_text("ascii").strip(), str(embedded_binaries().major)
        if major != ours:
            yield Finding("Data", "problem", f"{data} belongs to PostgreSQL {major}, the embedded one is {ours}",
                          "dump with the old version, restore with the new one: docs/operating.md")  # fmt: skip
    pid = find_server(data)
    if pid is not None and not home.is_held():
        yield Finding("Data", "warning", f"a PostgreSQL that was left behind (process {pid}) serves {data}",
                      "./muster down stops it; ./muster up takes over")  # fmt: skip


def _not_running(home: Home, port: int) -> Finding:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return Finding(
                "Port", "problem", f"{port} is in use by another program", "choose another: ./muster up --port"
            )
    return Finding("Stack", "ok", f"none runs in {home.path}; port {port} is free")


def _running(home: Home, state: RunState) -> list[Finding]:
    checks: list[Callable[[], list[Finding]]] = [
        lambda: _services(home, state), lambda: _database(home, state), lambda: _branches(home),
    ]  # fmt: skip
    return [finding for check in checks for finding in check()]


def _services(home: Home, state: RunState) -> list[Finding]:
    try:
        with urllib.request.urlopen(f"{state.api}/healthz", timeout=10) as answer:
            said = json.loads(answer.read())
    except urllib.error.HTTPError as error:
        said = json.loads(error.read())
    except OSError as error:
        return [Finding("Gateway", "problem", f"{state.url} does not answer: {error}", f"see the logs in {home.logs}")]
    services = said.get("services") or {"gateway": said.get("status") == "ok"}
    return [
        Finding(f"Service {name}", "ok" if healthy else "problem", "healthy" if healthy else "unhealthy",
                "" if healthy else "./muster logs") for name, healthy in services.items()
    ]  # fmt: skip


def _database(home: Home, state: RunState) -> list[Finding]:
    password = home.secrets().postgres_password
    url = f"postgresql://postgres:{password}@127.0.0.1:{state.database_port}/postgres"
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
            found = list(_examine_database(connection))
            return [*found, *examine_files(home.files, connection, _variables(home))]
    except psycopg.Error as error:
        return [Finding("Database", "problem", str(error).strip().splitlines()[-1], "./muster logs postgres")]


def _branches(home: Home) -> list[Finding]:
    """What a process that was killed left of branches."""
    try:
        left = ask(home, "GET", "/leftovers")
    except UserError:
        return []  # it has none
    names = [*left["databases"], *left["folders"]]
    if not names:
        return []
    return [Finding("Branches", "warning", f"left behind and used by nobody: {', '.join(names)}",
                    "./muster doctor --fix removes them")]  # fmt: skip


def remove_leftovers(home: Home) -> list[str]:
    """Remove what a process that was killed left of branches; its names. Raises UserError."""
    left = ask(home, "DELETE", "/leftovers")
    return [*left["databases"], *left["folders"]]


def _variables(home: Home) -> dict[str, str]:
    """What a person set for the services, as far as that is in the home and the environment."""
    with suppress(OSError, ValueError):
        return {**parse_env((home.path / DEFAULT_FILE).read_text("utf8")), **os.environ}
    return dict(os.environ)


def _examine_database(connection: psycopg.Connection) -> Iterator[Finding]:
    server = connection.execute(
        "select current_setting('server_version'), extract(epoch from now())::float8"
    ).fetchone()
    assert server is not None
    yield Finding("Database", "ok", f"PostgreSQL {server[0]} answers")
    skew = abs(server[1] - time.time())
    if skew > LARGEST_SKEW_S:
        yield Finding(
            "Clock",
            "problem",
            f"differs from the database's by {skew:.0f} s",
            "set both clocks: the expiry of tokens depends on them",
        )
    applied = applied_versions(connection)
    known = {item.version for item in list_migrations()}
    unknown = sorted(applied - known)
    if unknown:
        yield Finding("Migrations", "warning", f"the database has {len(unknown)} that this version has no file for: "
                      f"{', '.join(unknown[:3])}{' ...' if len(unknown) > 3 else ''}",
                      "a newer version made it, or a file was removed")  # fmt: skip
    pending = len(known - applied)
    yield Finding("Migrations", "warning" if pending else "ok", f"{pending} to apply" if pending else "all applied",
                  "./muster migrate" if pending else "")  # fmt: skip
    if not pending:
        yield from load_extension().examine_database(connection)
    yield from _unused_slots(connection)


def _unused_slots(connection: psycopg.Connection) -> Iterator[Finding]:
    slots = connection.execute(
        "select slot_name, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) from pg_replication_slots"
        # The slots of branches that are made in advance are for later.
        " where not active and coalesce(database, '') not like 'muster\\_ready\\_%'"
    ).fetchall()
    for name, behind in slots:
        yield Finding("Replication", "warning", f"slot {name} is unused and holds back {behind} of the log",
                      f"if nothing uses it any more: select pg_drop_replication_slot('{name}')")  # fmt: skip


def _containers() -> Iterator[Finding]:
    if not compose.env_file().exists():
        return
    try:
        compose.read_env()
        yield Finding("Containers", "ok", f"{compose.env_file()} is fine")
    except UserError as error:
        yield Finding("Containers", "problem", str(error), "./muster config init --stack containers")
    try:
        compose.compose_command()
    except UserError as error:
        yield Finding("Docker", "problem", "no compose command", str(error))


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
