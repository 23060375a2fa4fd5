"""The backends that the contract is asked of: each test runs on every one that this machine can provide."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.support.wire import Backend, NotHere, compose, emulator, named, small


@pytest.fixture(
    scope="session", params=[emulator, compose, small, named], ids=["emulator", "compose", "small", "named"]
)
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """One backend; started once for a run."""
    with ExitStack() as stack:
        try:
            made = request.param(stack)
        except NotHere as reason:
            pytest.skip(str(reason))
        yield made
