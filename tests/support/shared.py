"""What the workers of a run need alike is made once, by whichever is first, in a folder that goes with the run."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from tests.support.scratch import scratch_folder

_INPUT = "muster_shared_folder"
_FIFO = "until-the-end"
_folders: list[Path] = []
# The process that started the workers holds the end that is written to, until the run is over or it is gone.
_held: list[int] = []


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder, or take the one of the process that started this worker."""
    given = getattr(config, "workerinput", {}).get(_INPUT)
    folder = Path(given) if given else scratch_folder("muster-run-")
    folder.chmod(0o755)  # PostgreSQL's own user works in it, too
    _folders.append(folder)
    if not given:
        os.mkfifo(folder / _FIFO)
        _held.append(os.open(folder / _FIFO, os.O_RDWR))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of the folder."""
    node.workerinput[_INPUT] = str(_folders[-1])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove it, after the workers have ended."""
    folder = _folders.pop()
    if not hasattr(config, "workerinput"):
        os.close(_held.pop())
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def first_alone(name: str) -> Iterator[None]:
    """Around what one worker does for all as well as for itself: the others wait for it, then do it at once."""
    done = _folders[-1] / name
    with done.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if done.exists():
            fcntl.flock(lock, fcntl.LOCK_UN)
        yield
        done.touch()


def open_until_the_end() -> IO[bytes]:
    """What has its end when the run is over: the standard input of processes that all workers use."""
    return (_folders[-1] / _FIFO).open("rb", buffering=0)


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name, which `make` makes unless another worker has."""
    made = _folders[-1] / name
    with made.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make(made)
    return made
