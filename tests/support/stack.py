"""A separate stack for browser journeys and CLI tests: own home, own ports, the demo seed, no mocks."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from emulator.paths import CHECKOUT
from tests.support.commands import run
from tests.support.patience import PATIENCE_S
from tests.support.postgres import free_port
from tests.support.push_service import PushService
from tests.support.scratch import scratch_folder

# All journeys share one IP address; rate limits per address are not tested here. Applications register themselves.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("MUSTER_")} | {
    "SIGN_IN_LIMIT": "3000",
    "OAUTH_REGISTRATION": "true",
}


def muster(*arguments: str, timeout_s: float = 180) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user would, in this environment; never raises for its exit code."""
    return run(*arguments, env=CLEAN, timeout_s=timeout_s)


@dataclass(frozen=True)
class RunningStack:
    """A detached stack: where it is, and the output of `status --env`."""

    home: Path
    port: int
    env: dict[str, str]

    @property
    def url(self) -> str:
        """The origin of web and API."""
        return self.env["API_URL"]

    @property
    def pid(self) -> int:
        """The process id of the server, where it notes it: tests ask in loops."""
        return int(json.loads((self.home / "state.json").read_text("utf8"))["pid"])

    def connect(self) -> psycopg.Connection:
        """A connection to its database as postgres, who owns the tables and bypasses row security."""
        return psycopg.connect(self.env["DB_URL"], autocommit=True)


def keep_in_memory(home: Path) -> Path:
    """Let the database of a new home lie where throw-away databases do, if it would lie outside of the home anyway.

    That is so for root, whom PostgreSQL's user can't follow everywhere; stop_stack removes it.
    """
    note = home / "postgres-lies-in"
    if os.geteuid() == 0 and not note.exists():
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = scratch_folder("muster-stack-")
        folder.chmod(0o755)
        note.write_text(f"{folder}\n", "utf8")
    return home


def start_stack(home: Path, port: int, *options: str) -> RunningStack:
    """Start a stack in the background; the caller ends it with stop_stack."""
    keep_in_memory(home)
    done = muster("up", "--detach", "--home", str(home), "--port", str(port), *options)
    assert done.returncode == 0, done.stderr
    return RunningStack(home, port, stack_env(home))


def stack_env(home: Path) -> dict[str, str]:
    """The output of `status --env`, parsed as a shell would."""
    printed = muster("status", "--home", str(home), "--env")
    assert printed.returncode == 0, printed.stderr
    assert printed.stderr == ""
    lines = [re.fullmatch(r"([A-Z0-9_]+)=(.*)", line) for line in printed.stdout.splitlines()]
    assert all(lines), printed.stdout
    return {line[1]: shlex.split(line[2])[0] for line in lines if line}


def stop_stack(home: Path) -> None:
    """Stop it and remove its data, including what PostgreSQL's own user keeps outside the home."""
    muster("down", "--home", str(home))
    note = home / "postgres-lies-in"
    if note.exists():
        shutil.rmtree(note.read_text().strip(), ignore_errors=True)
    shutil.rmtree(home, ignore_errors=True)


def wait_until(condition: "object", timeout_s: float = PATIENCE_S) -> None:
    """Wait for a condition (a callable) to hold; fails when it never does."""
    assert callable(condition)
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)


def answers(url: str) -> bool:
    """Whether something answers 200 at a URL."""
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def kill_hard(pid: int) -> None:
    """Kill a process as the out-of-memory killer does."""
    os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def stack(push_process: PushService, fill_home: Callable[[Path], None]) -> Iterator[RunningStack]:
    """The product, built and seeded, running on a free port for the whole test run."""
    home = Path(tempfile.mkdtemp(prefix="muster-stack-", dir="/tmp"))
    try:
        fill_home(home)
        (home / "variables.env").write_text(f"PUSH_STAND_IN_URL={push_process.url}\n")
        yield start_stack(
            home, free_port(), "--test-control", *([] if (CHECKOUT / "web" / "package.json").exists() else ["--no-web"])
        )
    finally:
        stop_stack(home)
