"""muster bench web: Lighthouse on a page of the running stack (--path), on its mobile settings; and its JavaScript.

Median of the runs per category. Lighthouse is installed beside (bench/lighthouse) at the first run and never otherwise.
Exit code 1 when a category is under 95, or the JavaScript that the landing page loads at first is over 120 kB (gzip).
Other pages have no such budget: they are read before their scripts are loaded.
"""

import argparse
import gzip
import json
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

from muster_cli.output import UserError
from muster_cli.stack.home import find_home
from muster_cli.stack.install import ensure_packages
from muster_cli.stack.target import find_target
from muster_product.browser import ensure_chromium

LIGHTHOUSE = Path(__file__).parent / "lighthouse"
RESULTS = Path(__file__).parent / "results" / "web.json"
LEAST_SCORE = 95
MOST_JAVASCRIPT_BYTES = {"/": 120_000}
CHROME_FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage"
METRICS = {
    "first_contentful_paint_ms": "first-contentful-paint",
    "largest_contentful_paint_ms": "largest-contentful-paint",
    "total_blocking_time_ms": "total-blocking-time",
    "cumulative_layout_shift": "cumulative-layout-shift",
}
_SCRIPTS = re.compile(r'\s(?:src|href|data-app|data-beside)="(/[^"]+\.js)"')


def run(arguments: Sequence[str]) -> None:
    """Measure, print, keep; exits with 1 when the page is over its budget."""
    options = _parse(arguments)
    origin, _ = find_target("emulator", find_home(options.home)).api_access()
    ensure_packages(LIGHTHOUSE, "Lighthouse")
    reports = [examine(origin + options.path, ensure_chromium()) for _ in range(options.runs)]
    found = {"path": options.path, **summary(reports), "javascript_bytes": initial_javascript(origin + options.path)}
    RESULTS.parent.mkdir(exist_ok=True)
    kept = json.loads(RESULTS.read_text("utf8")) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps({**kept, options.path: found}, indent=1) + "\n", "utf8")
    print(json.dumps(found, indent=1))
    for report in reports[-1:]:
        for name in failing(report):
            print(f"  {name}", file=sys.stderr)
    if too_much(found):
        raise UserError(f"over the budget: {', '.join(too_much(found))}")


def examine(url: str, chromium: str) -> dict[str, Any]:
    """One Lighthouse report of a page, on the mobile settings that are its default. Raises UserError."""
    command = [str(LIGHTHOUSE / "node_modules" / ".bin" / "lighthouse"), url, "--quiet", "--output=json"]
    command += ["--output-path=stdout", f"--chrome-flags={CHROME_FLAGS}"]
    environment = {**os.environ, "CHROME_PATH": chromium}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)
    if done.returncode != 0:
        raise UserError(f"Lighthouse failed: {(done.stderr.strip().splitlines() or ['it gave no reason'])[-1]}")
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def summary(reports: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Scores (0 to 100) and metrics, each the median of the reports."""
    scores = {
        name: round(100 * statistics.median(report["categories"][name]["score"] or 0 for report in reports))
        for name in reports[0]["categories"]
    }
    metrics = {
        name: round(statistics.median(report["audits"][audit]["numericValue"] for report in reports), 3)
        for name, audit in METRICS.items()
    }
    return {"runs": len(reports), "scores": scores, **metrics}


def failing(report: dict[str, Any]) -> list[str]:
    """The audits that cost points, worst first."""
    audits = [one for one in report["audits"].values() if one.get("score") is not None and one["score"] < 0.9]
    return [f"{one['score']:.2f}  {one['title']}" for one in sorted(audits, key=lambda one: one["score"])]


def initial_javascript(url: str) -> int:
    """Bytes (gzip) of the scripts that the page itself names: as its own, to load at once, or for /boot.js to fetch."""
    with httpx.Client() as client:
        page = client.get(url)
        paths = {path for named in _SCRIPTS.findall(page.text) for path in named.split()}
        files = [client.get(page.url.join(path)).content for path in paths]
    return sum(len(gzip.compress(file, 9)) for file in files)


def too_much(found: dict[str, Any]) -> list[str]:
    """What is over the budget."""
    low = [f"{name} {score}" for name, score in found["scores"].items() if score < LEAST_SCORE]
    most = MOST_JAVASCRIPT_BYTES.get(found["path"])
    heavy = most is not None and found["javascript_bytes"] > most
    return [*low, *([f"JavaScript {found['javascript_bytes']} bytes"] if heavy else [])]


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="muster bench web", description=__doc__)
    parser.add_argument("--home", type=Path, default=os.environ.get("MUSTER_HOME"), help="the stack's state folder")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--path", default="/")
    options = parser.parse_args(arguments)
    options.home = Path(options.home) if options.home else None
    return options
