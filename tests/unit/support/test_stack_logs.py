"""What a stack complained of is in the report of the test that failed."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.stack import RunningStack
from tests.support.stack_logs import LONGEST_LINE, MOST_LINES, complaints, pytest_runtest_makereport

LOG = """\
muster: a line of no record
2026-11-23T12:00:00.000Z INFO muster.requests request status=200
2026-11-23T12:00:01.000Z ERROR uvicorn.error [ab-1] Exception in ASGI application
Traceback (most recent call last):
TypeError: no
2026-11-23T12:00:02.000Z INFO muster.requests [ab-2] request status=200
"""
KEPT = [line for line in LOG.splitlines() if " INFO " not in line]


def reported(home: Path, outcome: str) -> list[tuple[str, str]]:
    """The sections of a test's report, whose fixture is the stack of a home."""
    item: Any = SimpleNamespace(funcargs={"stack": RunningStack(home, 1, {}), "running": RunningStack(home, 1, {})})
    report: Any = SimpleNamespace(failed=outcome == "failed", sections=[])
    hook = pytest_runtest_makereport(item)
    next(hook)
    with pytest.raises(StopIteration) as ended:
        hook.send(report)
    assert ended.value.value is report
    return list(report.sections)


def test_a_failure_shows_what_the_stack_complained_of(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "muster.log").write_text(LOG)
    assert reported(tmp_path, "failed") == [("log of running", "\n".join(KEPT))]
    assert reported(tmp_path, "passed") == []
    assert reported(tmp_path / "gone", "failed") == []


def test_a_long_log_is_cut(tmp_path: Path) -> None:
    log = tmp_path / "muster.log"
    log.write_bytes(b"\xff" + b"x" * 10_000 + b"\n" + b"last\n" * MOST_LINES)
    assert complaints(log) == ["last"] * MOST_LINES
    log.write_bytes(b"\xff" + b"x" * 10_000)
    assert [len(line) for line in complaints(log)] == [LONGEST_LINE]
