"""A test that hangs ends its worker, with the stack of every thread.

pytest's own option starts a thread for each test and joins it, a third of what a small test takes. Here it is one for
all the tests of some seconds.
"""

import faulthandler
import os
import time

import pytest

HANGS_S = 300.0  # the longest test takes a minute on a busy machine
EVERY_S = 5.0

_log: list[int] = []
_set_at: list[float] = []


def pytest_configure() -> None:
    """Keep the standard error, which is not that of a test."""
    _log.append(os.dup(2))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Set the timer, unless a test that began just before has."""
    now = time.monotonic()
    if not _set_at or now - _set_at[-1] > EVERY_S:
        faulthandler.dump_traceback_later(HANGS_S, exit=True, file=_log[-1])
        _set_at[:] = [now]


def pytest_unconfigure() -> None:
    """No test is left."""
    faulthandler.cancel_dump_traceback_later()
    os.close(_log.pop())
