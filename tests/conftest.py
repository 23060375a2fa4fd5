"""Fixtures of the whole suite come from plugins in tests/support."""

from hypothesis import settings

pytest_plugins = [
    "tests.support.postgres", "tests.support.push_service", "tests.support.stack", "tests.support.browser",
    "tests.support.schedule", "tests.support.stack_logs", "tests.support.stack_template", "tests.support.certificates",
]  # fmt: skip

# How long an example takes says more about what else runs on the machine than about the code.
settings.register_profile("muster", deadline=None)
settings.load_profile("muster")
