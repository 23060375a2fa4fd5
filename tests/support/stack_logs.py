"""The last warnings and errors of a stack, in the report of a test that failed on it."""

import re
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.stack import RunningStack

MOST_LINES = 60
LONGEST_LINE = 500
_RECORD = re.compile(r"\d{4}-\d\d-\d\dT\S+ (?P<level>[A-Z]+) ")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add a section for each stack among the fixtures."""
    report = yield
    if report.failed:
        fixtures: dict[str, object] = getattr(item, "funcargs", {})
        stacks = {one.home: name for name, one in fixtures.items() if isinstance(one, RunningStack)}
        for home, name in stacks.items():
            if found := complaints(home / "logs" / "muster.log"):
                report.sections.append((f"log of {name}", "\n".join(found)))
    return report


def complaints(log: Path) -> list[str]:
    """The last lines of warnings and errors with their traces, and of what was said outside of the log's form."""
    try:
        lines = log.read_text("utf8", "replace").splitlines()
    except OSError:  # the stack is gone with its home
        return []
    found, is_kept = [], True
    for line in lines:
        if (record := _RECORD.match(line)) is not None:
            is_kept = record["level"] not in ("DEBUG", "INFO")
        if is_kept:
            found.append(line[:LONGEST_LINE])
    return found[-MOST_LINES:]
