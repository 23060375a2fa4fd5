"""muster test: every check of the checkout, in the order that fails soonest.

What needs one core runs beside another such check and is silent unless it fails; what fills the machine runs alone.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from typing import Annotated

import typer

from emulator.paths import CHECKOUT
from muster_cli.output import UserError, talk
from muster_cli.stack.install import ensure_official_cli, ensure_postgres
from muster_product.web import WEB, ensure_web, ensure_web_packages

app = typer.Typer()
FAST = "fast"
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
    alone: bool = False
    # What `muster test fast` runs in its place: the same command, or a part of it; None leaves it out.
    fast: list[str] | None = None


def steps() -> list[Step]:
    """Every check of the project, cheapest first."""
    return [
        _same_when_fast("ruff", _python("ruff", "check", ".")),
        _same_when_fast("format", _python("ruff", "format", "--check", ".")),
        _same_when_fast("types", _python("mypy")),
        _same_when_fast("sql", _python("sqlfluff", "lint", "--disable-progress-bar", "sql", "supabase/migrations")),
        _same_when_fast("spec", _python("muster_product.specification")),
        Step("audit", _python("muster_cli", "audit", "--allow-none")),
        Step("eslint", _npm("lint"), web=True, fast=_npm("lint:fast")),
        replace(_same_when_fast("tsc", _npm("typecheck")), web=True),
        replace(_same_when_fast("knip", _npm("unused")), web=True),
        Step("vitest", _npm("test"), web=True),
        Step("pytest", _pytest("-m", "not e2e"), alone=True, fast=_pytest("-m", "not slow", "tests/unit", "tests/sql")),
        Step("chromium", _pytest("-m", "e2e", "tests/e2e", "tests/supabase_js"), alone=True),
    ]


def _python(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def _npm(script: str) -> list[str]:
    return ["npm", "run", "--silent", script]


def _pytest(*chosen: str) -> list[str]:
    """pytest with workers that have their own PostgreSQL, stack and browser.

    They wait for processes and sockets half of the time, so there is one more than cores.
    """
    workers = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2, 5) + 1
    return _python("pytest", "-q", "-n", str(workers), "--dist", "loadfile", "--no-loadscope-reorder", *chosen)


def _same_when_fast(name: str, command: list[str]) -> Step:
    return Step(name, command, fast=command)


def chosen_steps(only: list[str]) -> list[Step]:
    """The checks of these names, `fast` meaning all that are quick; every one without names. Raises UserError."""
    known = steps()
    if unknown := set(only) - {step.name for step in known} - {FAST}:
        names = ", ".join([FAST, *(step.name for step in known)])
        raise UserError(f"no such check: {', '.join(sorted(unknown))}; there are {names}", 2)
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
    _prepare(chosen)
    failed = run_beside([step for step in chosen if not step.alone])
    failed += [step.name for step in chosen if step.alone and not _passes(step)]
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
        raise UserError(f"{path} exists already and is a different hook")
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
        from muster_product.browser import ensure_chromium

        ensure_chromium()


def run_beside(steps: list[Step]) -> list[str]:
    """Run these two at a time, saying how each ended as it ends; returns the names of those that failed."""
    failed = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        running = {pool.submit(_run, step, quiet=True): step for step in steps}
        for done in as_completed(running):
            step, (code, seconds, output) = running[done], done.result()
            if code != 0:
                talk.rule(step.name, align="left", style="dim")
                sys.stderr.write(output)
                failed.append(step.name)
            _report(step, code, seconds)
    return failed


def _passes(step: Step) -> bool:
    talk.rule(step.name, align="left", style="dim")
    code, seconds, _ = _run(step)
    _report(step, code, seconds)
    return code == 0


def _report(step: Step, code: int, seconds: float) -> None:
    talk.print(f"  {step.name} {'passed' if code == 0 else '[red]FAILED[/red]'} in {seconds:.0f} s")


def _run(step: Step, *, quiet: bool = False) -> tuple[int, float, str]:
    """Exit code, seconds, and the output; that goes to the terminal at once unless `quiet`."""
    began = time.monotonic()
    # A running stack's settings must not leak into the tests.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_HOME", "MUSTER_PORT"))
    }
    environment.pop("MUSTER_DATABASE_URL", None)
    done = subprocess.run(
        step.command, cwd=WEB if step.web else CHECKOUT, env=environment, check=False, text=True, errors="replace",
        stdin=subprocess.DEVNULL if quiet else None, stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
    )  # fmt: skip
    return done.returncode, time.monotonic() - began, done.stdout or ""
