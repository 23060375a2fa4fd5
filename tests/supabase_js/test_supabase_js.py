"""Runs the vitest files beside this one: the real supabase-js against the running product."""

import os
import subprocess

import pytest

from emulator.paths import CHECKOUT
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
VITEST = CHECKOUT / "web" / "node_modules" / "vitest" / "vitest.mjs"


@pytest.mark.parametrize("area", ["rest", "auth", "realtime", "functions", "storage", "client"])
def test_supabase_js(stack: RunningStack, area: str) -> None:
    """The file <area>.test.ts passes; its own output is shown when it does not."""
    folder = CHECKOUT / "tests" / "supabase_js"
    command = ["node", str(VITEST), "run", "--config", str(folder / "vitest.config.mjs"), f"{area}.test.ts"]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **stack.env}, capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
