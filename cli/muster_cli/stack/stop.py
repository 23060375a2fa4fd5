"""End the embedded stack of a home: its processes, what a killed one left behind, and all of its data if asked."""

import os
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from emulator.db.cluster import find_server
from emulator.processes import is_alive
from muster_cli.output import UserError
from muster_cli.stack.home import ROOT_HOMES, Home

LONGEST_S = 30.0
# What a home holds. A folder without any of it is somebody else's, and is never deleted.
MARKS = ("secrets.json", "lock", "postgres", "postgres-lies-in")


def stop(home: Home) -> bool:
    """Stop what runs in a home, a PostgreSQL that was left behind included; False when nothing did.

    Raises UserError when a process does not end.
    """
    was_running = _stop_stack(home)
    return _stop_orphan(home) or was_running


def _stop_stack(home: Home) -> bool:
    state = home.running()
    pid = state.pid if state is not None else home.holder()
    if not home.is_held():
        return False
    if pid is None:
        raise UserError(
            f"a process has the stack in {home.path}, and its lock does not say which: "
            "find it (fuser on the file lock) and end it yourself"
        )
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
    _wait(home.is_held, f"process {pid} does not stop; its logs are in {home.logs}")
    return True


def _stop_orphan(home: Home) -> bool:
    """A PostgreSQL whose stack was killed."""
    data = home.data_folder()
    pid = find_server(data) if data is not None else None
    if pid is None:
        return False
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGINT)  # a fast shutdown
    _wait(lambda: is_alive(pid), f"PostgreSQL (process {pid}) does not stop; its log is in {home.logs}")
    return True


def folders(home: Home) -> list[Path]:
    """Everything that `destroy` deletes. Raises UserError for a folder that is no stack's home."""
    if not any((home.path / mark).exists() for mark in MARKS):
        raise UserError(f"{home.path} is not a stack's state folder: nothing was deleted")
    data = home.data_folder()
    outside = data is not None and data.parent.parent == ROOT_HOMES
    return [home.path, *([data.parent] if data is not None and outside else [])]


def destroy(home: Home) -> None:
    """Stop the stack and delete its folders. Raises UserError, OSError."""
    doomed = folders(home)
    stop(home)
    for folder in reversed(doomed):  # the note in the home names the other one: it goes last
        shutil.rmtree(folder)


def _wait(goes_on: Callable[[], bool], failure: str) -> None:
    deadline = time.monotonic() + LONGEST_S
    while goes_on():
        if time.monotonic() > deadline:
            raise UserError(failure)
        time.sleep(0.05)
