"""Runs the vitest files beside this one: the real supabase-js against the running product."""

import os
import subprocess

import pytest

from emulator.paths import CHECKOUT
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
VITEST = CHECKOUT / "web" / "node_modules" / "vitest" / "vitest.mjs"


def test_supabase_js(stack: RunningStack) -> None:
    """Every file passes but those that other tests give a stack of their own; the output is shown when one does not."""
    folder = CHECKOUT / "tests" / "supabase_js"
    files = [f"{area}.test.ts" for area in ("rest", "auth", "realtime", "functions", "storage", "client")]
    command = ["node", str(VITEST), "run", "--config", str(folder / "vitest.config.mjs"), *files]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **stack.env}, capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
