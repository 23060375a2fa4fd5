"""The time limit for waiting in tests. Nothing is measured by it: shared machines stall for seconds."""

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE_S = 60.0
T = TypeVar("T")


def eventually(ask: Callable[[], T | None]) -> T:
    """What `ask` answers when it first answers something true; fails when that takes too long."""
    deadline = time.monotonic() + PATIENCE_S
    while not (answer := ask()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)
    return answer
