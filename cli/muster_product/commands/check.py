"""muster test: everything there is, in the order that fails soonest.

What needs one core runs beside another such check and is silent unless it fails; what fills the machine runs alone.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Annotated

import typer

from emulator.paths import CHECKOUT
from muster_cli.output import UserError, talk
from muster_cli.stack.install import ensure_official_cli, ensure_postgres
from muster_product.web import WEB, ensure_web, ensure_web_packages

app = typer.Typer()


@dataclass(frozen=True)
class Step:
    """One check: a name people can ask for, and the command that makes it."""

    name: str
    command: list[str]
    web: bool = False
    alone: bool = False


def steps() -> list[Step]:
    """Every check of the project, cheapest first."""
    python = sys.executable
    # Real servers under a real clock: a machine that stands still for seconds may cost a test its first try, but not
    # unseen: what needed a second one is listed as RERUN at the end.
    # Two workers, each with its own PostgreSQL, stack and browser.
    tests = [python, "-m", "pytest", "-q", "-raR", "--reruns", "1"]
    tests += ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    return [
        Step("ruff", [python, "-m", "ruff", "check", "."]),
        Step("format", [python, "-m", "ruff", "format", "--check", "."]),
        Step("types", [python, "-m", "mypy"]),
        Step("sql", [python, "-m", "sqlfluff", "lint", "--disable-progress-bar", "sql", "supabase/migrations"]),
        Step("audit", [python, "-m", "muster_cli", "audit"]),
        Step("eslint", ["npm", "run", "--silent", "lint"], web=True),
        Step("tsc", ["npm", "run", "--silent", "typecheck"], web=True),
        Step("vitest", ["npm", "run", "--silent", "test", "--", "--retry=1"], web=True),
        Step("pytest", [*tests, "-m", "not e2e"], alone=True),
        Step("chromium", [*tests, "-m", "e2e", "tests/e2e", "tests/supabase_js"], alone=True),
    ]


@app.command("test")
def run_tests(
    only: Annotated[list[str] | None, typer.Argument(help="Names of checks; all when none is given.")] = None,
) -> None:
    """Run every check: lint, types, SQL policies, services, command line, web units, browser journeys.

    It uses throw-away databases and ports and never touches a running stack.
    Example: ./muster test pytest chromium
    """
    known = steps()
    unknown = set(only or []) - {step.name for step in known}
    if unknown:
        raise UserError(f"no such check: {', '.join(sorted(unknown))}; there are {', '.join(s.name for s in known)}", 2)
    chosen = [step for step in known if not only or step.name in only]
    _prepare(chosen)
    failed = run_beside([step for step in chosen if not step.alone])
    failed += [step.name for step in chosen if step.alone and not _passes(step)]
    if failed:
        raise UserError(f"failed: {', '.join(failed)}")
    talk.print(f"[green]  All {len(chosen)} checks passed.[/green]")


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
            step, (code, seconds, said) = running[done], done.result()
            if code != 0:
                talk.rule(step.name, align="left", style="dim")
                sys.stderr.write(said)
                failed.append(step.name)
            _tell(step, code, seconds)
    return failed


def _passes(step: Step) -> bool:
    talk.rule(step.name, align="left", style="dim")
    code, seconds, _ = _run(step)
    _tell(step, code, seconds)
    return code == 0


def _tell(step: Step, code: int, seconds: float) -> None:
    talk.print(f"  {step.name} {'passed' if code == 0 else '[red]FAILED[/red]'} in {seconds:.0f} s")


def _run(step: Step, *, quiet: bool = False) -> tuple[int, float, str]:
    """Exit code, seconds, and what it said; that is said at once unless `quiet`."""
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
