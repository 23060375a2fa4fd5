"""What the tests of logs and requests share."""

import io
import logging
from collections.abc import Iterator

import pytest

from emulator.observe.logs import JsonLines


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Everything that is logged, as JSON."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel("INFO")
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)
