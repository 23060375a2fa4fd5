"""Takes the pictures: a browser context per theme, width and member; a file per screen and state. I/O only."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from muster_cli.output import UserError
from muster_product.shots.screens import LOOKUPS, Screen, State, Who
from muster_product.shots.states import arrange

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")
HEIGHTS = {390: 844, 1280: 900}
SESSION_KEY = "sb-muster-auth-token"  # web/src/lib/supabase/session-storage.ts
PATIENCE_MS = 15_000


@dataclass
class Studio:
    """A running stack to take pictures of: its origin, its service key, the accounts by role, their password."""

    url: str
    service_key: str
    accounts: dict[Who, str]
    password: str
    _sessions: dict[Who, str] = field(default_factory=dict)
    _found: dict[str, str] = field(default_factory=dict)

    def address(self, screen: Screen) -> str:
        """The screen's URL, what its path names looked up. Raises UserError when the stack has no such row."""
        names = [name for name in LOOKUPS if f"{{{name}}}" in screen.path]
        return self.url + screen.path.format(**{name: self._look_up(name) for name in names})

    def session(self, who: Who) -> str:
        """The session of an account as the browser stores it."""
        if who not in self._sessions:
            answer = httpx.post(
                f"{self.url}/auth/v1/token?grant_type=password",
                headers={"apikey": self.service_key},
                json={"email": self.accounts[who], "password": self.password},
            )
            if answer.status_code != 200:
                raise UserError(f"{self.accounts[who]} could not sign in: shots need the demo community")
            self._sessions[who] = answer.text
        return self._sessions[who]

    def _look_up(self, name: str) -> str:
        if name not in self._found:
            headers = {"apikey": self.service_key, "authorization": f"Bearer {self.service_key}"}
            rows: list[dict[str, Any]] = httpx.get(f"{self.url}/rest/v1/{LOOKUPS[name]}", headers=headers).json()
            if not rows:
                raise UserError(f"the stack has no {name} to show: shots need the demo community")
            self._found[name] = str(next(iter(rows[0].values())))
        return self._found[name]


@contextmanager
def chromium(path: str) -> "Iterator[Browser]":
    """A headless Chromium for a block."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, headless=True, args=list(FLAGS))
        yield running
        running.close()


@contextmanager
def posed(browser: "Browser", studio: Studio, screen: Screen, state: State, width: int, theme: str) -> "Iterator[Page]":
    """A page that stands at a screen in a state, at a width (CSS pixels) and in a theme ('light', 'dark')."""
    zoom = 2 if state == "zoom" else 1
    context = browser.new_context(
        viewport={"width": width_in(state, width), "height": HEIGHTS.get(width, 900) // zoom},
        device_scale_factor=zoom,
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    waiting: list[Route] = []
    try:
        if screen.who != "visitor":
            entry = json.dumps([SESSION_KEY, studio.session(screen.who)])
            context.add_init_script(f"localStorage.setItem(...{entry})")
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        waiting = arrange(page, state)
        page.goto(studio.address(screen))
        settle(page, state)
        act(page, screen.steps)
        if screen.steps:
            settle(page, state)
        yield page
    finally:
        for route in waiting:
            route.abort()
        context.close()


def act(page: "Page", steps: tuple[tuple[str, ...], ...]) -> None:
    """Take the steps that lead from the page as it was loaded to the one that is meant."""
    for action, selector, *text in steps:
        place = page.locator(selector).last if action == "fill" else page.locator(selector)
        if action == "fill":
            place.fill(text[0])
        elif action == "click":
            place.click()
        else:
            place.wait_for()


def width_in(state: State, width: int) -> int:
    """CSS pixels of a screen this wide: half at 200 %, never under 320, as the guidelines for reflow have it."""
    return max(width // 2, 320) if state == "zoom" else width


def settle(page: "Page", state: State) -> None:
    """Wait until the page stands: a heading or an alert, nothing that still loads, everything below drawn."""
    page.locator("h1, h2, [role=alert], [aria-busy=true]").first.wait_for(state="attached")
    page.locator("html[data-started]").wait_for(state="attached")
    page.evaluate("document.fonts.ready.then(() => scrollTo(0, document.documentElement.scrollHeight))")
    page.locator("[data-slot=later]").first.wait_for(state="detached")
    if state == "loading":
        page.locator("[aria-busy=true], [data-slot=spinner]").first.wait_for(state="attached")
    else:
        page.wait_for_load_state("networkidle")
        page.locator("[aria-busy=true]").first.wait_for(state="detached")
    page.evaluate("scrollTo(0, 0)")


def file_name(screen: Screen, state: State, width: int, theme: str) -> str:
    """`feed-empty-390-dark.png`; the ready state has no word of its own."""
    word = "" if state == "ready" else f"-{state}"
    return f"{screen.name}{word}-{width}-{theme}.png"


def shoot(page: "Page", file: Path, *, fold: bool) -> None:
    """Write the picture: the whole page, or its first screenful."""
    fold = fold or page.get_by_role("dialog").count() > 0  # it floats: a page made taller would push it out of sight
    page.screenshot(path=file, full_page=not fold, animations="disabled")
