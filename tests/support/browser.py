"""Chromium for the journeys: one browser per run, one context per member; page errors fail the test.

A new renderer, which has compiled nothing yet, costs as much as two loads of a page: a page stays open after its test,
with its renderer, for the next test. What a test did to it is taken back, and test_browser.py proves it; a page that
something was done to which stays, or whose test failed, is closed.
"""

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypedDict
from urllib.parse import urlsplit

import pytest

from muster_product.browser import find_chromium, find_headless

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame, Page, ViewportSize

# What a page may need on a busy machine; a wait ends as soon as its condition holds.
PATIENCE_MS = 30_000
POLLING_MS = 50  # Playwright asks in every frame, which then has to be drawn.
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
    # Every frame of a motion is drawn by the processor. Tests marked `moves` have it.
    "--force-prefers-reduced-motion",
    # Every journey opens new documents: what is compiled for speed, on other threads, is thrown away before it pays.
    # So is most of what is collected: a document ends before its young objects fill this.
    "--js-flags=--no-opt --no-maglev --single-threaded-gc --min-semi-space-size=64 --max-semi-space-size=64",
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
        _kept.pop(running, None)
        running.close()


# What the policy for content refused to the page's own scripts; Playwright's have no file.
REPORT_VIOLATIONS = """
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
  const text = `${violatedDirective} refuses ${blockedURI} to ${sourceFile}`
  if (sourceFile?.startsWith('http')) reportError(new Error(text))
})
"""


# What lasts in a page or its context, and is not taken back: who does it has them alone.
LASTING = {
    "page": (
        "add_locator_handler", "close", "expose_binding", "expose_function", "once", "pause", "route_from_har",
        "route_web_socket", "set_default_navigation_timeout", "set_default_timeout", "set_extra_http_headers",
    ),
    "context": (
        "close", "expose_binding", "expose_function", "new_cdp_session", "new_page", "once", "route_from_har",
        "route_web_socket", "set_default_navigation_timeout", "set_default_timeout", "set_extra_http_headers",
        "set_geolocation", "set_storage_state",
    ),
    "clock": ("install", "pause_at", "set_fixed_time", "set_system_time"),
}  # fmt: skip
MOST_KEPT = 3  # pages with their renderers, of each browser


class Media(TypedDict):
    """What Playwright emulates of each page unless told not to."""

    color_scheme: Literal["null"]
    reduced_motion: Literal["null"]
    forced_colors: Literal["null"]
    contrast: Literal["null"]


# A page with any of them emulated is styled and laid out once more when it is left, a tenth of a second for a long one.
AS_IT_IS: Media = {
    "color_scheme": "null", "reduced_motion": "null", "forced_colors": "null", "contrast": "null",
}  # fmt: skip
WIDTH, HEIGHT = 1280, 900


class Tab:
    """A page in a context of its own, and what a test did to them."""

    def __init__(self, browser: "Browser", **options: object) -> None:
        # A service worker answers for the network and hides what the server says: test_offline has one.
        given = {"service_workers": "block", **AS_IT_IS, **options}
        # Not the size of whoever is first: a second page of the context has this one, whatever show makes of the first.
        viewport: ViewportSize = {"width": WIDTH, "height": HEIGHT}
        self.context = browser.new_context(viewport=viewport, **given)  # type: ignore[arg-type]
        self.context.add_init_script(REPORT_VIOLATIONS)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.errors: list[str] = []
        self.said: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text[:500]}"))
        self._origins: set[str] = set()
        self.page.on("framenavigated", self._note_place)
        self._chromium = self.context.new_cdp_session(self.page)
        self._undo: list[Callable[[], object]] = []
        self._is_spoiled = bool(options)
        for thing, names in zip((self.page, self.context, self.page.clock), LASTING.values(), strict=True):
            replaced = {name: self._spoiling(getattr(thing, name)) for name in names}
            vars(thing).update(replaced)
        for thing in (self.page, self.context):
            unroute = partial(thing.unroute_all, behavior="ignoreErrors")
            vars(thing).update(
                add_init_script=self._undone(thing.add_init_script),
                on=self._listening(thing.on, thing.remove_listener),
                route=self._undoing(thing.route, unroute),
            )
        vars(self.page).update(emulate_media=self._undoing(self.page.emulate_media, partial(_show_plainly, self.page)))
        offline, permissions = partial(self.context.set_offline, False), self.context.clear_permissions
        vars(self.context).update(
            set_offline=self._undoing(self.context.set_offline, offline),
            grant_permissions=self._undoing(self.context.grant_permissions, permissions),
        )

    def _note_place(self, frame: "Frame") -> None:
        if frame.parent_frame is None and frame.url != "about:blank":
            self.said.append(f"went to {frame.url}")
            self._origins.add("{0.scheme}://{0.netloc}".format(urlsplit(frame.url)))

    def _spoiling(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def done(*given: Any, **named: Any) -> Any:
            self._is_spoiled = True
            return act(*given, **named)

        return done

    def _undone(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def done(*given: Any, **named: Any) -> Any:
            made = act(*given, **named)
            self._undo.append(made.close)
            return made

        return done

    def _undoing(self, act: Callable[..., Any], undo: Callable[[], object]) -> Callable[..., Any]:
        def done(*given: Any, **named: Any) -> Any:
            if undo not in self._undo:  # once: to be shown plainly again is to be styled and drawn again
                self._undo.append(undo)
            return act(*given, **named)

        return done

    def _listening(self, listen: Callable[..., Any], forget: Callable[..., Any]) -> Callable[..., Any]:
        def done(event: str, listener: Callable[..., object]) -> None:
            listen(event, listener)
            self._undo.append(lambda: forget(event, listener))

        return done

    def clean(self) -> bool:
        """Take back what was done; whether this is a page like a new one, at the first address that it was at."""
        from playwright.sync_api import Error

        if self._is_spoiled or len(self._origins) != 1:
            return False
        (origin,) = self._origins
        try:
            while self._undo:
                with suppress(KeyError):  # it no longer listened
                    self._undo.pop()()
            self.page.goto(f"{origin}/robots.txt")  # same origin, without scripts: nothing writes from here on
            self.page.evaluate("sessionStorage.clear(); localStorage.clear(); window.name = ''")
            self._chromium.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
            self._chromium.send("Page.resetNavigationHistory")
            self.context.clear_cookies()
            self.page.mouse.move(-1, -1)
        except Error:  # its stack is gone, or its renderer
            return False
        self.errors.clear()
        self.said.clear()
        return self.context.pages == [self.page] and self._origins == {origin}  # also what opened meanwhile

    def show(self, width: int, height: int, *, moves: bool) -> None:
        """Be a window of this size, for somebody who wants things to move or not."""
        if self.page.viewport_size != {"width": width, "height": height}:
            self.page.set_viewport_size({"width": width, "height": height})
        if moves:
            self.page.emulate_media(reduced_motion="no-preference")


def _show_plainly(page: "Page") -> None:
    """As a new page is shown; not by the method of this page, which notes that it was used."""
    type(page).emulate_media(page, media="null", **AS_IT_IS)


_kept: "dict[Browser, list[Tab]]" = {}


class Pages:
    """Opens pages in separate contexts (one per member), and knows what they complained of."""

    def __init__(self, browser: "Browser", *, moves: bool = False) -> None:
        self._browser = browser
        self._moves = moves
        self._opened: list[Tab] = []
        self.has_failed = False

    def __call__(self, width: int = WIDTH, height: int = HEIGHT, *, is_new: bool = False, **options: object) -> "Page":
        """A page with nothing in its history and its stores, whose HTTP cache may have the application's files.

        One that has to be new, or has more options, gets a context of its own.
        """
        kept = [] if is_new or options else _kept.setdefault(self._browser, [])
        tab = kept.pop() if kept else Tab(self._browser, **options)
        tab.show(width, height, moves=self._moves)
        self._opened.append(tab)
        return tab.page

    @property
    def errors(self) -> list[str]:
        """What the pages' scripts failed with."""
        return [error for tab in self._opened for error in tab.errors]

    def described(self) -> str:
        """Each page's address, the end of its console, the beginning of its text."""
        return "\n\n".join(
            "\n".join((tab.page.url, *tab.said[-MOST_MESSAGES:], _text(tab.page))) for tab in self._opened
        )

    def close(self) -> None:
        """Keep what was opened for the next test, where nothing stays of this one."""
        kept = _kept.setdefault(self._browser, [])
        for tab in self._opened:
            if self.has_failed or len(kept) == MOST_KEPT or not tab.clean():
                tab.context.close()
            else:
                kept.append(tab)


GO = """(path) => {
  for (const heading of document.querySelectorAll('h1')) heading.dataset.left = ''
  const state = { usr: null, key: String(Math.random()), idx: (history.state?.idx ?? 0) + 1 }
  history.pushState(state, '', path)
  dispatchEvent(new PopStateEvent('popstate', { state }))
}"""


def go(page: "Page", path: str) -> None:
    """Go to another page of the application as by a link, and wait until it is drawn; a load takes three times as long.

    The heading has to be another one: another address of the same page may keep it, and is waited for in vain.
    """
    page.locator("h1").first.wait_for(state="attached")
    page.evaluate(GO, path)
    page.locator("h1:not([data-left])").first.wait_for(state="attached")
    page.locator("h1[data-left]").first.wait_for(state="detached")


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
def new_page(browser: "Browser", request: pytest.FixtureRequest) -> "Iterator[Pages]":
    """Open pages; script errors on any of them fail the test."""
    pages = Pages(browser, moves=request.node.get_closest_marker("moves") is not None)
    yield pages
    errors = pages.errors
    pages.close()
    assert errors == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say of a test that failed where its pages stood."""
    report = yield
    pages = getattr(item, "funcargs", {}).get("new_page")
    if report.when == "call" and report.failed and isinstance(pages, Pages):
        pages.has_failed = True
        report.sections.append(("pages", pages.described()))
    return report
