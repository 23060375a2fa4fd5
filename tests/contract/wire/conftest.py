"""The backends that the contract is asked of: each test runs on every one that this machine can provide."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.support.wire import Backend, NotHere, compose, emulator, named, small

Start = Callable[[ExitStack], Backend]


@pytest.fixture(scope="session")
def start_once() -> Iterator[Callable[[Start], Backend]]:
    """Start a backend unless that was done before; each stays to the end of the run. Raises NotHere."""
    started: dict[Start, Backend] = {}
    with ExitStack() as stack:

        def once(start: Start) -> Backend:
            if start not in started:
                started[start] = start(stack)
            return started[start]

        yield once


@pytest.fixture(
    scope="session", params=[emulator, compose, small, named], ids=["emulator", "compose", "small", "named"]
)
def backend(request: pytest.FixtureRequest, start_once: Callable[[Start], Backend]) -> Backend:
    """One backend, the same in every file: pytest ends a fixture whose parameter changes, so they are kept above."""
    try:
        return start_once(request.param)
    except NotHere as reason:
        pytest.skip(str(reason))
