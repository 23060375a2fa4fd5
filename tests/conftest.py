"""Fixtures of the whole suite come from plugins in tests/support."""

pytest_plugins = ["tests.support.postgres", "tests.support.stack", "tests.support.browser", "tests.support.schedule"]
