"""Fixtures of the whole suite come from plugins in tests/support."""

import gc
import os

import pytest
from hypothesis import settings

# What runs here speaks HTTP with itself. An HTTP client reads all of the certificates there are when it is made, which
# takes ten times as long as a request: there are none, for the suite and for what it starts.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = os.devnull

pytest_plugins = [
    "tests.support.hangs", "tests.support.shared", "tests.support.postgres", "tests.support.push_service",
    "tests.support.stack", "tests.support.browser", "tests.support.schedule", "tests.support.stack_logs",
    "tests.support.stack_template",
]  # fmt: skip

# How long an example takes says more about what else runs on the machine than about the code.
settings.register_profile("muster", deadline=None)
settings.load_profile("muster")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """pytest collects garbage five times at the end. What is none at the first is not looked at again."""
    gc.collect()
    gc.freeze()
