"""Locks between processes. The kernel releases one when its process dies, however it dies."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAUSE_S = 0.02


def take(descriptor: int, patience_s: float) -> bool:
    """Take the lock on an open file or folder until it is closed; False when another holds it for longer."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE_S)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Let one process at a time work in a folder: two starts, or two workers of a test run, may want it at once."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
