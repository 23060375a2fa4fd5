"""Known vulnerabilities among the locked packages: npm audit and pip-audit asked, their answers read.

Where a registry offers no such answers (a mirror, no network), that is said in one line: nothing was found to be wrong,
and nothing was found to be right.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from emulator.paths import CHECKOUT

NPM_FOLDERS = ("web", "supabase/tools/postgres", "supabase/tools/cli")
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock")
TIMEOUT_S = 180
SEVERE = ("high", "critical")


@dataclass(frozen=True)
class Audit:
    """What one registry said. `why_not`: it was not asked in earnest; `findings` then says nothing."""

    what: str
    packages: int = 0
    findings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    why_not: str | None = None


Run = Callable[[list[str], Path], str]


def run_quietly(command: list[str], folder: Path) -> str:
    """What a program prints to stdout; "" when it can't be run or takes too long."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def audit_all(run: Run = run_quietly) -> list[Audit]:
    """Ask about every lock of the project, at once: the answers take their time."""
    with ThreadPoolExecutor() as pool:
        npm = [(name, pool.submit(run, npm_command(), CHECKOUT / name)) for name in NPM_FOLDERS]
        pip = [(name, pool.submit(run, pip_command(CHECKOUT / name), CHECKOUT)) for name in LOCKS]
        return [
            *(read_npm(f"npm, {name}", printed.result()) for name, printed in npm),
            *(read_pip(f"Python, {name}", printed.result()) for name, printed in pip),
        ]


def npm_command() -> list[str]:
    """npm's own audit of a lock file; what it says is JSON."""
    return ["npm", "audit", "--package-lock-only", "--json"]


def pip_command(lock: Path) -> list[str]:
    """pip-audit of a lock with hashes: nothing is resolved or installed."""
    options = ["--disable-pip", "--no-deps", "--progress-spinner", "off", "--format", "json", "--timeout", "15"]
    return [sys.executable, "-m", "pip_audit", *options, "--requirement", str(lock)]


def read_npm(what: str, printed: str) -> Audit:
    """npm's report. Below `high` it is a note: most are denial of service in tools that only build."""
    report = _json(printed)
    if not isinstance(report, dict) or "vulnerabilities" not in report:
        said = report.get("message") or (report.get("error") or {}).get("summary") if isinstance(report, dict) else None
        return Audit(what, why_not=_first_line(said or "npm audit gave no answer"))
    total = ((report.get("metadata") or {}).get("dependencies") or {}).get("total", 0)
    said = [(one.get("severity", ""), name) for name, one in report["vulnerabilities"].items()]
    named = {f"{name} ({severity})": severity in SEVERE for severity, name in said}
    findings, notes = ([one for one, is_severe in named.items() if is_severe is wanted] for wanted in (True, False))
    return Audit(what, total, tuple(findings), tuple(notes))


def read_pip(what: str, printed: str) -> Audit:
    """pip-audit's report. When it could look up none of the packages, nothing was audited."""
    report = _json(printed)
    if not isinstance(report, dict) or "dependencies" not in report:
        return Audit(what, why_not="pip-audit gave no answer")
    known = [one for one in report["dependencies"] if "skip_reason" not in one]
    if not known:
        return Audit(what, why_not="the package index offers no advisories")
    found = [f"{one['name']} {one['version']}: {vuln['id']}" for one in known for vuln in one.get("vulns", ())]
    unknown = len(report["dependencies"]) - len(known)
    notes = (f"{unknown} packages are unknown to the index",) if unknown else ()
    return Audit(what, len(known), tuple(found), notes)


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0][:200]
