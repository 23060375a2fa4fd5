"""muster test: every check of the checkout, two at a time, so that no core waits for a check that needs one.

The services' tests take longest and start as soon as what they need is installed; everything else runs beside them,
what fails soonest first. A check's output is shown whole, when it failed.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from tempfile import TemporaryFile
from typing import Annotated, Any

import typer

from emulator.paths import CHECKOUT
from muster_cli.output import UserError, talk
from muster_cli.stack.install import ensure_official_cli, ensure_postgres
from muster_product.web import WEB, ensure_web, ensure_web_packages

app = typer.Typer()
FAST = "fast"
AT_A_TIME = 2
BROWSER = ("tests/e2e", "tests/supabase_js")
# The checks that are written in Go take half of the time with one thread each: there is no core for a second one, and
# what threads would share, each of them finds out again. Their memory is collected less often, and stays below 1.5 GB.
GO = {"GOMAXPROCS": "1", "GOGC": "400"}
HOOK = """#!/bin/sh
# Made by ./muster hook: the quick checks, before each commit.
exec ./muster test fast
"""


@dataclass(frozen=True)
class Step:
    """One check: a name people can ask for, and the command that makes it."""

    name: str
    command: list[str]
    web: bool = False
    # Whether it needs what `_prepare` installs; Python's packages are here already.
    waits: bool = True
    # Variables that the command gets besides those of this process.
    variables: Mapping[str, str] = field(default_factory=dict)
    # What `muster test fast` runs in its place: the same command, or a part of it; None leaves it out.
    fast: list[str] | None = None


def steps() -> list[Step]:
    """Every check of the project: the longest, then those that fail soonest."""
    others = _pytest(*(f"--ignore={path}" for path in BROWSER))
    return [
        Step("pytest", others, fast=_pytest("-m", "not slow", "tests/unit", "tests/sql")),
        _same_when_fast("ruff", _python("ruff", "check", ".")),
        _same_when_fast("format", _python("ruff", "format", "--check", ".")),
        _same_when_fast("types", _python("mypy")),
        _same_when_fast("sql", _python("muster_product.sql_layout")),
        _same_when_fast("spec", _python("muster_product.specification")),
        replace(_same_when_fast("tsc", _npm("typecheck", "--singleThreaded")), web=True, waits=True, variables=GO),
        replace(_same_when_fast("knip", _npm("unused")), web=True, waits=True),
        replace(_same_when_fast("oxlint", _npm("lint")), web=True, waits=True, variables=GO),
        Step("audit", _python("muster_cli", "audit", "--allow-none"), waits=False),
        Step("vitest", _npm("test"), web=True),
        Step("chromium", _pytest(*BROWSER, more=1)),
    ]


def _python(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def _npm(script: str, *arguments: str) -> list[str]:
    return ["npm", "run", "--silent", script, "--", *arguments]


def _pytest(*chosen: str, more: int = 2) -> list[str]:
    """pytest with workers that have their own PostgreSQL, stack and browser.

    They wait for processes and sockets much of the time, those with a browser less: there are `more` than cores.
    """
    workers = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2, 5) + more
    return _python("pytest", "-q", "-n", str(workers), "--dist", "loadfile", "--no-loadscope-reorder", *chosen)


def _same_when_fast(name: str, command: list[str]) -> Step:
    return Step(name, command, waits=False, fast=command)


def chosen_steps(only: list[str]) -> list[Step]:
    """The checks of these names, `fast` meaning all that are quick; every one without names. Raises UserError."""
    known = steps()
    if unknown := set(only) - {step.name for step in known} - {FAST}:
        names = ", ".join([FAST, *(step.name for step in known)])
        raise UserError(f"there is no check called {', '.join(sorted(unknown))}; the checks are {names}", 2)
    quick = [replace(step, command=step.fast) for step in known if step.fast is not None]
    if FAST not in only:
        return [step for step in known if not only or step.name in only]
    asked = {step.name: step for step in known if step.name in only}
    return [*(step for step in quick if step.name not in asked), *asked.values()]


@app.command("test")
def run_tests(
    only: Annotated[
        list[str] | None, typer.Argument(help="Names of checks, or fast for the quick ones; all by default.")
    ] = None,
) -> None:
    """Run every check: lint, types, SQL policies, services, command line, web units, browser journeys.

    It uses throw-away databases and ports and never touches a running stack.
    Example: ./muster test fast
    """
    chosen = chosen_steps(only or [])
    failed = run_beside(chosen, lambda: _prepare(chosen))
    if failed:
        raise UserError(f"failed: {', '.join(failed)}")
    talk.print(f"[green]  All {len(chosen)} checks passed.[/green]")


@app.command("hook")
def install_hook() -> None:
    """Let git run `./muster test fast` before each commit in this checkout.

    Example: ./muster hook
    """
    asked = ["git", "rev-parse", "--git-path", "hooks/pre-commit"]
    path = CHECKOUT / subprocess.run(asked, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout.strip()
    if path.exists() and path.read_text("utf8") != HOOK:
        raise UserError(f"{path} already exists and is a different hook: move it, then run this again")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HOOK, "utf8")
    path.chmod(0o755)
    talk.print(f"  {path} runs ./muster test fast before each commit.", markup=False)


def _prepare(chosen: list[Step]) -> None:
    """Install what the chosen checks need, so that each of them times only itself."""
    names = {step.name for step in chosen}
    if names & {"pytest", "chromium"}:
        ensure_postgres()
        ensure_official_cli()
        ensure_web_packages()
    if any(step.web for step in chosen):
        ensure_web_packages()
    if "chromium" in names:
        ensure_web()
        from muster_product.browser import ensure_headless

        ensure_headless()


def run_beside(steps: list[Step], prepare: Callable[[], None] = lambda: None) -> list[str]:
    """Run `prepare` and the steps, two at a time, saying how each ended as it ends; the names of those that failed.

    A single step has the terminal to itself. Raises what `prepare` raises, after the steps that run by then.
    """
    if len(steps) == 1:
        prepare()
        return [] if _report(steps[0], *_run(steps[0])) else [steps[0].name]
    failed, waiting, is_prepared = [], list(steps), False
    with ExitStack() as shown, ThreadPoolExecutor(max_workers=AT_A_TIME) as pool:
        running: dict[Future[Any], Step | None] = {pool.submit(prepare): None}
        while running or waiting:
            while len(running) < AT_A_TIME and (ready := [step for step in waiting if is_prepared or not step.waits]):
                waiting.remove(ready[0])
                running[pool.submit(_run, ready[0], quiet=True)] = ready[0]
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                step, outcome = running.pop(done), done.result()
                if step is None:
                    is_prepared = True
                    # on a terminal, where _prepare had its bars
                    shown.enter_context(talk.rich.status("the checks run"))
                elif not _report(step, *outcome):
                    failed.append(step.name)
    return failed


def _report(step: Step, code: int, seconds: float, output: str) -> bool:
    """Say how a step ended, with all of its output when it failed; whether it passed."""
    if code != 0 and output:
        talk.rich.rule(step.name, align="left", style="dim")
        sys.stderr.write(output)
    talk.print(f"  {step.name} {'passed' if code == 0 else '[red]FAILED[/red]'} in {seconds:.0f} s")
    return code == 0


def _run(step: Step, *, quiet: bool = False) -> tuple[int, float, str]:
    """Exit code, seconds, and the output; that goes to the terminal at once unless `quiet`."""
    began = time.monotonic()
    # A running stack's settings must not leak into the tests.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_HOME", "MUSTER_PORT"))
    }
    environment.pop("MUSTER_DATABASE_URL", None)
    # Set in many containers. The checks start hundreds of processes, each of which would compile every module again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment.update(step.variables)
    # A file, not a pipe: reading a pipe waits for every process that a check may have left behind.
    with TemporaryFile() as written:
        done = subprocess.run(
            step.command, cwd=WEB if step.web else CHECKOUT, env=environment, check=False,
            stdin=subprocess.DEVNULL if quiet else None, stdout=written if quiet else None,
            stderr=subprocess.STDOUT if quiet else None,
        )  # fmt: skip
        written.seek(0)
        return done.returncode, time.monotonic() - began, written.read().decode("utf8", "replace")
