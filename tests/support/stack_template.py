"""The home of a product stack after its first start, which takes seconds of CPU: the workers of a run copy it."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import bcrypt
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from emulator.db.cluster import SUPERUSER
from muster_cli.stack.home import Home
from tests.support.postgres import free_port
from tests.support.shared import made_once
from tests.support.stack import RunningStack, keep_in_memory, muster, start_stack, stop_stack

FillHome = Callable[[Path], None]
# What belongs to one stack only.
OWN = shutil.ignore_patterns("lock", "logs", "mail", "postgres", "postgres-lies-in", "run", "state.json", "start.json")
IS_ROOT = os.getuid() == 0


@pytest.fixture(scope="session")
def fill_home() -> Iterator[FillHome]:
    """Give a home the secrets and the seeded database of a stack that was started before, by whichever worker.

    A run without workers starts its stack from nothing.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        yield lambda _home: None
        return
    template = made_once("home", _make)

    filled: list[Path] = []

    def fill(home: Path) -> None:
        shutil.copytree(template / "home", home, dirs_exist_ok=True, ignore=OWN)
        filled.append(Home(keep_in_memory(home)).postgres_folder(unprivileged=IS_ROOT))
        _copy(template / "postgres", filled[-1])

    yield fill
    for left in filled:  # `muster destroy` leaves what lies elsewhere than where it is put by itself
        shutil.rmtree(left, ignore_errors=True)


def _make(template: Path) -> None:
    home, partial = template.with_name("first"), template.with_suffix(".partial")
    try:
        _hash_cheaply(start_stack(home, free_port(), "--no-web"))
        assert muster("down", "--home", str(home)).returncode == 0
        shutil.copytree(home, partial / "home", ignore=OWN)
        _copy(Home(home).postgres_folder(unprivileged=IS_ROOT), partial / "postgres")
        _forget_slots(partial / "postgres" / "data")
        with (partial / "postgres" / "data" / "postgresql.auto.conf").open("a") as settings:
            settings.write("fsync = off\n")  # copies end with the run: none has to outlive the machine
    finally:
        stop_stack(home)
    partial.rename(template)


def _hash_cheaply(stack: RunningStack) -> None:
    """Give the demo's accounts hashes of bcrypt's least cost: each sign-in, `up` and `status` compares one.

    And the superuser a password of one iteration: each of its connections takes the 4,096 of initdb's for 3 ms.
    """
    superuser = make_conninfo(stack.env["DB_URL"], user=SUPERUSER)
    password = conninfo_to_dict(superuser)["password"]
    hashed = bcrypt.hashpw(stack.env["DEMO_PASSWORD"].encode(), bcrypt.gensalt(4, b"2a")).decode()
    with psycopg.connect(superuser) as connection:
        connection.execute("set session_replication_role = replica")  # to triggers, nobody changed a password
        connection.execute("update auth.users set encrypted_password = %s", (hashed,))
        connection.execute("set scram_iterations = 1")
        connection.execute(SQL("alter role {} password {}").format(Identifier(SUPERUSER), str(password)))


def _copy(source: Path, target: Path) -> None:
    """The data and the key of its vault, with their owner, who is PostgreSQL's user."""
    target.mkdir(exist_ok=True)
    kept = [str(source / name) for name in ("data", "vault.key")]
    subprocess.run(["cp", "-a", *kept, str(target)], check=True, timeout=60)


def _forget_slots(data: Path) -> None:
    """A copy has readers of its own: to Realtime a slot that is there already means that its clients come back."""
    for slot in (data / "pg_replslot").iterdir():
        shutil.rmtree(slot)
