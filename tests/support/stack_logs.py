"""The last warnings and errors of a stack, in the report of a test that failed on it."""

import re
from collections.abc import Generator
from dataclasses import is_dataclass
from pathlib import Path

import pytest

MOST_LINES = 60
LONGEST_LINE = 500
_RECORD = re.compile(r"\d{4}-\d\d-\d\dT\S+ (?P<level>[A-Z]+) ")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add a section for each stack among the fixtures: a dataclass with a `home`."""
    report = yield
    if report.failed:
        fixtures: dict[str, object] = getattr(item, "funcargs", {})
        homes = {getattr(one, "home", None): name for name, one in fixtures.items() if is_dataclass(one)}
        for home, name in homes.items():
            if not isinstance(home, Path):
                continue
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
