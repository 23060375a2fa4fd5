"""What a file of tests printed, judged as pg_prove does."""

import pytest

from muster_cli.db.tap import read_tap


@pytest.mark.parametrize(("lines", "passed", "failed", "problem"), [
    pytest.param(["1..2", "ok 1 - a", "ok 2"], 2, (), "", id="pass"),
    pytest.param(["ok 1", "1..1"], 1, (), "", id="plan-at-the-end"),
    pytest.param(["1..2", "ok 1", "not ok 2 - b", "# Failed test 2"], 1, (2,), "Failed 1/2 subtests", id="fail"),
    pytest.param(["1..1", "not ok 1 - c # TODO later"], 1, (), "", id="todo"),
    pytest.param(["1..1", "ok 1 # SKIP no such role"], 1, (), "", id="skip"),
    pytest.param(["1..3", "ok 1"], 1, (), "Bad plan. You planned 3 tests but ran 1", id="plan"),
    pytest.param(["ok 1"], 1, (), "No plan found in TAP output", id="no-plan"),
    pytest.param(["1..0 # SKIP nothing here"], 0, (), "", id="skip-all"),
    pytest.param(["1..1", "Bail out! no database"], 0, (), "Bail out! no database", id="bail-out"),
    pytest.param(["okay then", "not okay"], 0, (), "No plan found in TAP output", id="other-lines"),
])  # fmt: skip
def test_a_file_is_judged_by_its_lines(lines: list[str], passed: int, failed: tuple[int, ...], problem: str) -> None:
    got = read_tap(lines)
    assert (got.passed, got.failed, got.problem) == (passed, failed, problem)


def test_what_ended_a_file_is_its_problem() -> None:
    assert read_tap(["1..1", "ok 1"], "a.sql:3: no such table").problem == "a.sql:3: no such table"
