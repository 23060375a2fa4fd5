"""muster test: two checks at a time, which are silent; what fails is shown whole."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from muster_cli.output import UserError
from muster_product.commands.check import Step, chosen_steps, run_beside, steps
from tests.support.patience import PATIENCE_S


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


def test_no_setting_of_a_running_stack_or_against_compiled_modules_gets_into_a_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unwanted = ("MUSTER_HOME", "MUSTER_PORT", "MUSTER_DATABASE_URL", "PYTHONDONTWRITEBYTECODE")
    for name in unwanted:
        monkeypatch.setenv(name, "1")
    code = f"import os, sys; sys.exit(any(name in os.environ for name in {unwanted!r}) or sys.dont_write_bytecode)"
    assert run_beside([step("only", code)]) == []


def test_a_check_gets_its_own_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOGC", "100")
    code = "import os, sys; sys.exit(os.environ['GOGC'] != '400')"
    assert run_beside([Step("only", [sys.executable, "-c", code], variables={"GOGC": "400"})]) == []


def test_two_checks_run_at_a_time(tmp_path: Path) -> None:
    """Each waits for what another one says that it runs; a third one would never come to that."""
    meet = "import pathlib, sys, time\nhere, there = map(pathlib.Path, sys.argv[1:])\nhere.touch()\n"
    meet += "for _ in range(3000):\n  if there.exists(): sys.exit(0)\n  time.sleep(0.01)\nsys.exit(1)"
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    first = Step("first", [sys.executable, "-c", meet, one, two])
    second = Step("second", [sys.executable, "-c", meet, two, one])
    assert run_beside([first, second]) == []


def test_what_waits_for_an_installation_starts_after_it_and_the_rest_before(capfd: pytest.CaptureFixture[str]) -> None:
    order: list[str] = []
    started = threading.Event()

    def install() -> None:
        assert started.wait(PATIENCE_S)
        order.append("installed")

    class Noted(list[str]):
        """A command that notes when it is read."""

        def __iter__(self) -> Iterator[str]:
            order.append(self[-1])
            started.set()
            return super().__iter__()

    tests = Step("tests", Noted([sys.executable, "-c", "", "tests"]))
    lint = Step("lint", Noted([sys.executable, "-c", "", "lint"]), waits=False)
    assert run_beside([tests, lint], install) == []
    assert list(dict.fromkeys(order)) == ["lint", "installed", "tests"]
    assert "tests passed" in capfd.readouterr().err


def test_an_installation_that_fails_is_the_answer() -> None:
    def install() -> None:
        raise UserError("the disk is full")

    with pytest.raises(UserError, match="the disk is full"):
        run_beside([step("first", ""), step("second", "")], install)


def test_one_check_has_the_terminal_to_itself(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_beside([step("first", "print('as it comes')")]) == []
    said = capfd.readouterr()
    assert said.out == "as it comes\n"
    assert "first passed" in said.err


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
    with pytest.raises(UserError, match="there is no check called lint; the checks are fast, pytest, ruff"):
        chosen_steps(["lint"])
