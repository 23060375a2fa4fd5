"""Chromium for the journeys: one browser per run, one context per member; page errors fail the test."""

import os
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

from muster_product.browser import find_chromium, find_headless

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# What a page may need on a busy machine; a wait ends as soon as its condition holds.
PATIENCE_MS = 30_000
MOST_MESSAGES, LONGEST_TEXT = 20, 1_500  # of a page, in the report of a test that failed

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
    # Every journey opens new documents: what is compiled for speed, on other threads, is thrown away before it pays.
    "--js-flags=--no-opt --no-maglev --single-threaded-gc",
)  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Chromium, headless; MUSTER_HEADED=1 shows it in slow motion."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    headed = os.environ.get("MUSTER_HEADED") == "1"
    path = find_chromium() if headed else find_headless()
    assert path is not None, "no Chromium found: ./muster test installs one, or set MUSTER_CHROMIUM"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=path, headless=not headed, slow_mo=250 if headed else 0, args=list(FLAGS)
        )
        yield running
        running.close()


# What the policy for content refused to the page's own scripts; Playwright's have no file.
REPORT_VIOLATIONS = """
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
  const text = `${violatedDirective} refuses ${blockedURI} to ${sourceFile}`
  if (sourceFile?.startsWith('http')) reportError(new Error(text))
})
"""


class Pages:
    """Opens pages in separate contexts (one per member), and knows what they complained of."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self._opened: list[tuple[Page, list[str]]] = []
        self.errors: list[str] = []

    def __call__(self, width: int = 1280, height: int = 900, **options: object) -> "Page":
        """A page of a new context."""
        # A service worker answers for the network and hides what the server says: test_offline has one.
        options = {"service_workers": "block", **options}
        context = self._browser.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
        context.add_init_script(REPORT_VIOLATIONS)
        page = context.new_page()
        said: list[str] = []
        self._opened.append((page, said))
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: said.append(f"{message.type}: {message.text[:500]}"))
        return page

    def described(self) -> str:
        """Each page's address, the end of its console, the beginning of its text."""
        return "\n\n".join("\n".join((page.url, *said[-MOST_MESSAGES:], _text(page))) for page, said in self._opened)

    def close(self) -> None:
        """Close what was opened."""
        for page, _ in self._opened:
            page.context.close()


def resize(page: "Page", width: int) -> None:
    """Give the page another width in CSS pixels, and wait until it is drawn so."""
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def _text(page: "Page") -> str:
    from playwright.sync_api import Error

    try:
        return page.locator("body").inner_text(timeout=2_000)[:LONGEST_TEXT]
    except Error as error:
        return f"(no text: {error.message})"


@pytest.fixture
def new_page(browser: "Browser") -> "Iterator[Pages]":
    """Open pages; script errors on any of them fail the test."""
    pages = Pages(browser)
    yield pages
    pages.close()
    assert pages.errors == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say of a test that failed where its pages stood."""
    report = yield
    pages = getattr(item, "funcargs", {}).get("new_page")
    if report.when == "call" and report.failed and isinstance(pages, Pages):
        report.sections.append(("pages", pages.described()))
    return report
