"""Chromium for the journeys: one browser per run, one context per member; page errors fail the test."""

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from muster_product.browser import find_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# What a page may need on a busy machine; a wait ends as soon as its condition holds.
PATIENCE_MS = 30_000

# Beside Playwright's own list, which this replaces: every window draws its address bar's menus as two web pages, and
# has a process in reserve for each page. Both are more work than the page that is tested.
_WITHOUT = (
    "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter",
    "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    "SpareRendererForSitePerProcess", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxPopup",
)  # fmt: skip
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    f"--disable-features={','.join(_WITHOUT)}",
    "--host-resolver-rules=MAP firehouse.test 127.0.0.1",  # the same machine by a name that is not localhost
)  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Chromium, headless; MUSTER_HEADED=1 shows it in slow motion."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    path = find_chromium()
    assert path is not None, "no Chromium found: ./muster test installs one, or set MUSTER_CHROMIUM"
    with sync_playwright() as playwright:
        headed = os.environ.get("MUSTER_HEADED") == "1"
        running = playwright.chromium.launch(
            executable_path=path, headless=not headed, slow_mo=250 if headed else 0, args=list(FLAGS)
        )
        yield running
        running.close()


@pytest.fixture
def new_page(browser: "Browser") -> "Iterator[Callable[..., Page]]":
    """Open pages in separate contexts (one per member); script errors on any of them fail the test."""
    contexts, errors = [], []

    def open_page(width: int = 1280, height: int = 900, **options: object) -> "Page":
        # A service worker answers for the network and hides what the server says: test_offline has one.
        options = {"service_workers": "block", **options}
        context = browser.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
