"""Every screen a visitor sees, in its states: axe finds nothing and nothing scrolls sideways, anywhere."""

from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from typing import TYPE_CHECKING

import pytest

from muster_product.shots.camera import Studio, act
from muster_product.shots.screens import SCREENS, Screen, State
from muster_product.shots.states import arrange
from tests.support.axe import faults_in_both_themes
from tests.support.browser import PATIENCE_MS
from tests.support.public_pages import complete, stands
from tests.support.stack import RunningStack

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.e2e
VISITED = [screen for screen in SCREENS if screen.who == "visitor"]
# One page walks all screens of an address.
PLACES = [pytest.param(list(screens), id=path) for path, screens in groupby(VISITED, key=lambda screen: screen.path)]
WIDTHS = (1280, 390)
ZOOMED = (640, 320)  # 1280 px at 200 %, and the narrowest that the guidelines for reflow ask for


@pytest.fixture(scope="module")
def studio(stack: RunningStack) -> Studio:
    """The stack as the camera knows it."""
    return Studio(stack.url, stack.env["SERVICE_ROLE_KEY"], {}, stack.env["DEMO_PASSWORD"])


@pytest.mark.parametrize("screens", PLACES)
def test_a_public_screen_is_accessible_and_fits(browser: "Browser", studio: Studio, screens: list[Screen]) -> None:
    """At 390 and 1280 px (320 and 640 where it is zoomed), light and dark."""
    with closing(browser.new_context(reduced_motion="reduce")) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        done: tuple[tuple[str, ...], ...] | None = None  # the steps taken since the page was loaded
        found: list[str] = []
        for screen in screens:
            for state in (state for state in screen.states if state != "zoom"):
                page.set_viewport_size({"width": 1280, "height": 800})
                if done is None or state != "ready" or screen.steps[: len(done)] != done:
                    load(page, studio.address(screen), state)
                    done = ()
                act(page, screen.steps[len(done) :])
                done = screen.steps if state == "ready" else None
                complete(page, loading=state == "loading")
                widths = WIDTHS + (ZOOMED if state == "ready" and "zoom" in screen.states else ())
                found += [f"{screen.name} {state} {fault}" for fault in looked_at(page, widths)]
    assert found == []


def load(page: "Page", address: str, state: State) -> None:
    """Open an address anew, its reads answered for the state."""
    page.unroute_all(behavior="ignoreErrors")
    arrange(page, state)
    page.goto(address)
    stands(page)


def looked_at(page: "Page", widths: tuple[int, ...]) -> Iterator[str]:
    """What is wrong with the page at these widths, in both themes."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        if page.evaluate("document.documentElement.scrollWidth") > width:
            yield f"{width} scrolls sideways"
        yield from (f"{width} {fault}" for fault in faults_in_both_themes(page))
