"""Every public screen, in its states: no axe violations and no horizontal scrolling, anywhere."""

from collections.abc import Callable, Iterator
from itertools import cycle, groupby
from typing import TYPE_CHECKING

import pytest

from muster_product.shots.camera import Studio, act
from muster_product.shots.screens import SCREENS, Screen, State
from muster_product.shots.states import arrange
from tests.support.axe import faults, faults_in_both_themes
from tests.support.browser import resize
from tests.support.public_pages import wait_until_loaded, wait_until_ready
from tests.support.stack import RunningStack

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.e2e
VISITED = [screen for screen in SCREENS if screen.who == "visitor"]
# One browser page visits all screens of an address.
PLACES = [pytest.param(list(screens), id=path) for path, screens in groupby(VISITED, key=lambda screen: screen.path)]
WIDTHS = (1280, 390)
ZOOMED = (640, 320)  # 1280 px at 200 %, and the minimum width of WCAG reflow


@pytest.fixture(scope="module")
def studio(stack: RunningStack) -> Studio:
    """The stack as the screenshot camera needs it."""
    return Studio(stack.url, stack.env["SERVICE_ROLE_KEY"], {}, stack.env["DEMO_PASSWORD"])


@pytest.mark.parametrize("screens", PLACES)
def test_a_public_screen_is_accessible_and_fits(
    new_page: "Callable[..., Page]", studio: Studio, screens: list[Screen]
) -> None:
    """At 390 and 1280 px (320 and 640 when zoomed), light and dark."""
    page = new_page()
    done: tuple[tuple[str, ...], ...] | None = None  # the steps taken since the page was loaded
    orders = cycle((WIDTHS, WIDTHS[::-1]))
    found: list[str] = []
    for screen in screens:
        for state in (state for state in screen.states if state != "zoom"):
            page.set_viewport_size({"width": 1280, "height": 800})
            if done is None or state != "ready" or screen.steps[: len(done)] != done:
                load(page, studio.address(screen), state)
                done = ()
            act(page, screen.steps[len(done) :])
            done = screen.steps if state == "ready" else None
            wait_until_loaded(page, loading=state == "loading")
            found += [f"{screen.name} {state} {fault}" for fault in faults_at_widths(page, next(orders))]
            if state == "ready" and "zoom" in screen.states:
                found += [f"{screen.name} zoomed {fault}" for fault in faults_when_zoomed(page)]
    assert found == []


def leaves_the_phone(page: "Page") -> bool:
    """Whether letters of twice the size make the page wider than a phone of 390 px."""
    page.set_viewport_size({"width": 390, "height": 800})
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    width: int = page.evaluate("document.documentElement.scrollWidth")
    page.evaluate("document.documentElement.style.fontSize = ''")
    return width > 390


def load(page: "Page", address: str, state: State) -> None:
    """Reload an address, with its reads mocked for the state."""
    page.unroute_all(behavior="ignoreErrors")
    arrange(page, state)
    page.goto(address)
    wait_until_ready(page)


def faults_at_widths(page: "Page", widths: tuple[int, ...]) -> Iterator[str]:
    """The faults of the page on a desktop and on a phone; at the first of them in both themes."""
    for is_resized, width in enumerate(widths):
        yield from sideways(page, width)
        yield from (f"{width} {fault}" for fault in faults_in_both_themes(page, is_resized=bool(is_resized)))


def faults_when_zoomed(page: "Page") -> Iterator[str]:
    """What larger letters break; the narrowest is the last."""
    for width in ZOOMED:
        yield from sideways(page, width)
    yield from (f"{width} {fault}" for fault in faults(page, "but color"))
    if leaves_the_phone(page):
        yield "scrolls sideways when letters are large"


def sideways(page: "Page", width: int) -> Iterator[str]:
    """Give the page a width; says whether it does not fit."""
    resize(page, width)
    if page.evaluate("document.documentElement.scrollWidth") > width:
        yield f"{width} scrolls sideways"
