"""muster test: quick checks share the machine and are silent; what fails is shown whole."""

import sys

import pytest

from muster_cli.output import UserError
from muster_product.commands.check import Step, chosen_steps, run_beside, steps


def step(name: str, code: str) -> Step:
    return Step(name, [sys.executable, "-c", code])


def test_a_check_that_passes_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_beside([step("first", "print('a' * 50)"), step("second", "print('b' * 50)")]) == []
    said = capfd.readouterr().err.splitlines()
    assert sorted(line.strip().rsplit(" in ")[0] for line in said) == ["first passed", "second passed"]


def test_what_a_failed_check_said_is_shown_whole(capfd: pytest.CaptureFixture[str]) -> None:
    noise = "import sys; print('[red]out[/red]\\n' * 2000); print('\\udcff err', file=sys.stderr); sys.exit(3)"
    assert run_beside([step("good", ""), step("bad", noise)]) == ["bad"]
    said = capfd.readouterr().err
    assert said.count("[red]out[/red]\n") == 2000
    assert "err" in said
    assert "bad FAILED" in said


def test_what_fills_the_machine_comes_last_and_alone() -> None:
    alone = [step.alone for step in steps()]
    assert alone == sorted(alone)
    assert sum(alone) == 2


def test_fast_is_what_takes_little_time() -> None:
    chosen = {step.name: step.command for step in chosen_steps(["fast"])}
    assert "chromium" not in chosen
    assert "vitest" not in chosen
    assert "audit" not in chosen
    assert "tests/unit" in chosen["pytest"]
    assert "-m" in {step.name: step.command for step in steps()}["pytest"]


def test_fast_with_another_check_runs_that_one_whole() -> None:
    chosen = {step.name: step.command for step in chosen_steps(["fast", "vitest", "pytest"])}
    assert "vitest" in chosen
    assert "tests/unit" not in chosen["pytest"]


def test_an_unknown_check_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UserError, match="no such check: lint; there are fast, ruff"):
        chosen_steps(["lint"])
