"""One PostgreSQL cluster with the settings that the emulator needs: initialize, start, stop.

Listens on 127.0.0.1 and on a socket in a folder of mode 0700, with SCRAM everywhere and never trust. As root, the
server runs as an unprivileged user (account.py). Roles, schemas and tables are the matter of bootstrap.py and
migrations.py.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from emulator.db.account import Account
from emulator.db.binaries import Binaries
from emulator.processes import is_alive

NO_SPACE = "No space left on device"
LEAST_SPACE_BYTES = 32 * 1024 * 1024  # two segments of the write-ahead log
SUPERUSER = "supabase_admin"
# wal_level and the slots: Realtime streams changes. max_slot_wal_keep_size: a dead reader can't fill the disk.
SETTINGS: dict[str, str] = {
    "listen_addresses": "127.0.0.1",
    "password_encryption": "scram-sha-256",
    "unix_socket_permissions": "0700",
    "wal_level": "logical",
    "max_wal_senders": "10",
    "max_replication_slots": "20",
    "max_slot_wal_keep_size": "1GB",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "shared_preload_libraries": "pg_stat_statements",
    # Of both PostgreSQL touches all of the memory at its start: 256 KiB of log that is not written yet instead of 4 MiB
    # and room for the figures of 1,000 statements instead of 5,000, which is 6 MiB less.
    "wal_buffers": "256kB",
    "pg_stat_statements.max": "1000",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_min_messages": "warning",
    # Not the statement of each refused request, which a client may make as long as it likes.
    "log_min_error_statement": "fatal",
    "log_line_prefix": "%m [%p] %q%a ",  # %a: whose statement, and for a traced request its id
}
if sys.platform == "linux":
    SETTINGS |= {"recovery_init_sync_method": "syncfs"}  # after a crash one call, not one for each of 1,500 files
HBA = "local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n"


class ClusterError(Exception):
    """PostgreSQL could not be initialized or started; the text is one line for a person."""


@dataclass
class Cluster:
    """A cluster: where it lies, how it is reached. `process` is set while it runs as our child."""

    binaries: Binaries
    data: Path
    sockets: Path
    port: int
    password: str
    log: Path
    account: Account | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    log_offset: int = 0  # where the last start begins in the log

    def dsn(self, user: str = SUPERUSER, database: str = "postgres", *, socket: bool = True) -> str:
        """A libpq connection string; over the socket, or over TCP."""
        host = str(self.sockets) if socket else "127.0.0.1"
        return psycopg.conninfo.make_conninfo(
            host=host, port=self.port, user=user, password=self.password, dbname=database
        )

    def url(self, user: str = "postgres", database: str = "postgres") -> str:
        """The TCP address as a URL, for people and for tools that take only URLs."""
        return f"postgresql://{user}:{self.password}@127.0.0.1:{self.port}/{database}"

    def initialize(self, *, sync: bool = True) -> bool:
        """Make the data folder unless it is there; True when it was made. Raises ClusterError."""
        version_file = self.data / "PG_VERSION"
        if version_file.exists():
            major = version_file.read_text("ascii").strip()
            if major != str(self.binaries.major):
                raise ClusterError(
                    f"the data in {self.data} belongs to PostgreSQL {major}, this is {self.binaries.version}: "
                    f"move it with a dump from PostgreSQL {major} (docs/operating.md), or choose another --home"
                )
            return False
        partial = self.data.with_name(f"{self.data.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        self._own_folder(partial)
        self._initdb(partial, sync=sync)
        (partial / "pg_hba.conf").write_text(HBA, "ascii")
        partial.rename(self.data)
        return True

    def start(self, timeout_s: float = 60.0) -> None:
        """Start the server as a child and wait until it answers. Raises ClusterError."""
        self.stop_stray()
        self._own_folder(self.sockets)
        self._make_vault_key()
        self.log.parent.mkdir(parents=True, exist_ok=True)
        deadline = time.monotonic() + timeout_s
        while not self._start_once(deadline):
            time.sleep(0.1)
            self.stop_stray()

    def _start_once(self, deadline: float) -> bool:
        """Launch the server; True when it answers, False when what a killed supervisor left still holds its data.

        That is its memory, or the folder: a server that was being started then has written its number only now.
        """
        options = {
            **SETTINGS, **self.settings, "port": str(self.port), "unix_socket_directories": _quoted_list(self.sockets),
        }  # fmt: skip
        command = [str(self.binaries.bin / "postgres"), "-D", str(self.data)]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        self.log_offset = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", start_new_session=True,
                **self._identity(),
            )  # fmt: skip
        failure = self._wait_until_ready(deadline, self.log_offset)
        if failure is None:
            return True
        self.process = None
        is_held = "shared memory block" in failure or '"postmaster.pid" already exists' in failure
        if is_held and time.monotonic() < deadline:
            return False
        raise ClusterError(f"PostgreSQL did not start: {failure} (all of it: {self.log})")

    def stop(self, timeout_s: float = 20.0) -> None:
        """Stop our child: a fast shutdown, and only after `timeout_s` an immediate one."""
        process, self.process = self.process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGQUIT)
            process.wait(timeout_s)

    def ended_for_space(self) -> bool:
        """Whether it died, or did not start, for want of space: its log says so, or has no room to."""
        words = _read_from(self.log, self.log_offset) if self.log.exists() else ""
        folder = self.data if self.data.exists() else self.data.parent
        return NO_SPACE in words or shutil.disk_usage(folder)[2] < LEAST_SPACE_BYTES

    def stop_stray(self, timeout_s: float = 20.0) -> None:
        """Stop a server of this very data folder that a killed supervisor left behind."""
        pid = self.stray_pid()
        if pid is None:
            return
        os.kill(pid, signal.SIGINT)
        deadline = time.monotonic() + timeout_s
        while is_alive(pid):
            if time.monotonic() > deadline:
                raise ClusterError(
                    f"PostgreSQL (process {pid}) of an earlier start does not stop; end it and try again"
                )
            time.sleep(0.02)

    def stray_pid(self) -> int | None:
        """The process that holds the data folder, when it is not our child."""
        pid = find_server(self.data)
        return None if self.process is not None and pid == self.process.pid else pid

    def _make_vault_key(self) -> None:
        """The key that Vault encrypts with: beside the data folder, so that no copy of the data or dump has it.

        Whoever wants a certain key writes the file before the start.
        """
        key = self.data.with_name("vault.key")
        if not key.exists():
            key.touch(mode=0o600)
            key.write_text(secrets.token_hex(32), "ascii")
        if self.account is not None:
            os.chown(key, self.account.uid, self.account.gid)

    def _initdb(self, folder: Path, *, sync: bool) -> None:
        password_file = folder.with_name(f"{folder.name}.password")
        password_file.touch(mode=0o600)
        password_file.write_text(self.password, "ascii")
        if self.account is not None:
            os.chown(password_file, self.account.uid, self.account.gid)
        locale = "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"
        command: list[str | Path] = [
            self.binaries.bin / "initdb", "-D", folder, "-U", SUPERUSER, "--auth=scram-sha-256",
            f"--pwfile={password_file}", "--encoding=UTF8", f"--locale={locale}",
            "--locale-provider=icu", "--icu-locale=en-US", *([] if sync else ["--no-sync"]),
        ]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", **self._identity())
        finally:
            password_file.unlink()
        if done.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            raise ClusterError(f"PostgreSQL could not make its data folder: {_error_line(done.stderr or done.stdout)}")

    def _wait_until_ready(self, deadline: float, log_offset: int) -> str | None:
        """None when the server answers; what its log says when it ended. Raises ClusterError when it does neither."""
        assert self.process is not None
        while self.process.poll() is None:
            try:
                psycopg.connect(self.dsn(), connect_timeout=5).close()
                return None
            except psycopg.OperationalError as error:
                if "password authentication failed" in str(error):
                    self.stop()
                    raise ClusterError(
                        f"PostgreSQL refuses the password in secrets.json: the data in {self.data} have other "
                        "secrets; put the right file back, or remove the data to start over"
                    ) from error
                if time.monotonic() > deadline:
                    self.stop()
                    raise ClusterError(f"PostgreSQL did not answer in time: {_error_line(str(error))}") from error
            time.sleep(0.005)
        return _error_line(_read_from(self.log, log_offset))

    def _own_folder(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)
        if self.account is not None:
            os.chown(folder, self.account.uid, self.account.gid)

    def _identity(self) -> dict[str, Any]:
        if self.account is None:
            return {}
        return {"user": self.account.uid, "group": self.account.gid, "extra_groups": []}


def find_server(data: Path) -> int | None:
    """The process that serves a data folder, as its pid file says; None when none does."""
    with suppress(OSError, ValueError, IndexError):
        lines = (data / "postmaster.pid").read_text("utf8").splitlines()
        pid = int(lines[0])
        return pid if is_alive(pid) and Path(lines[1]) == data and _is_postgres(pid) else None
    return None


def _is_postgres(pid: int) -> bool:
    """Guards against a recycled process number; where /proc is missing the pid file is believed."""
    try:
        return b"postgres" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return not Path("/proc").exists()


def _quoted_list(path: Path) -> str:
    """A path as the one element of a list setting (names with blanks or commas need quotes)."""
    doubled = str(path).replace('"', '""')
    return f'"{doubled}"'


def _error_line(text: str) -> str:
    """The line of a program's output that explains best why it failed."""
    if NO_SPACE in text:
        return "the disk is full"
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "FATAL" in line or "PANIC" in line or "error" in line or "could not" in line]
    return (errors or lines or ["no reason given"])[-1]


def _read_from(log: Path, offset: int) -> str:
    with log.open("rb") as handle:
        handle.seek(offset if offset <= log.stat().st_size else 0)  # it was rotated meanwhile
        return handle.read().decode("utf8", "replace")
