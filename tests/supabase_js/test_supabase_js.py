"""Runs the files beside this one: the real supabase-js against the running product, and pages of its branches."""

import json
import os
import subprocess

import pytest

from emulator.paths import CHECKOUT
from muster_product.browser import find_headless
from tests.support.browser import FLAGS
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
FOLDER = CHECKOUT / "tests" / "supabase_js"
MODULES = CHECKOUT / "web" / "node_modules"


def test_supabase_js(stack: RunningStack) -> None:
    """Every file passes but those that other tests give a stack of their own; the output is shown when one does not."""
    files = [f"{area}.test.ts" for area in ("rest", "auth", "realtime", "functions", "storage", "client")]
    run(stack, "vitest/vitest.mjs", "run", "--config", str(FOLDER / "vitest.config.mjs"), *files)


def test_each_playwright_test_sees_the_site_of_its_branch(stack: RunningStack) -> None:
    chromium = find_headless()
    assert chromium is not None
    config = str(FOLDER / "playwright.config.mjs")
    browser = {"CHROMIUM": str(chromium), "CHROMIUM_FLAGS": json.dumps(FLAGS)}
    run(stack, "@playwright/test/cli.js", "test", "--config", config, **browser)


def run(stack: RunningStack, program: str, *arguments: str, **more: str) -> None:
    """Run a test runner with the stack's variables; it must pass."""
    done = subprocess.run(
        ["node", str(MODULES / program), *arguments], cwd=FOLDER, env={**os.environ, **stack.env, **more},
        capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
