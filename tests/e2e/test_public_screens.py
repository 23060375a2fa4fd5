"""Every screen a visitor sees, in its states: axe finds nothing and nothing scrolls sideways, anywhere."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from cli.shots.camera import Studio, posed, width_in
from cli.shots.screens import SCREENS, Screen, State
from tests.support.stack import RunningStack

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.e2e
POSES = [
    pytest.param(screen, state, id=f"{screen.name}-{state}")
    for screen in SCREENS
    if screen.who == "visitor"
    for state in screen.states
]


@pytest.fixture(scope="module")
def studio(stack: RunningStack) -> Iterator[Studio]:
    """The stack as the camera knows it."""
    yield Studio(stack.url, stack.env["SERVICE_ROLE_KEY"], {}, stack.env["DEMO_PASSWORD"])


def faults(page: "Page") -> list[str]:
    """What axe finds, one line each."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]


@pytest.mark.parametrize(("screen", "state"), POSES)
def test_a_public_screen_is_accessible_and_fits(
    browser: "Browser", studio: Studio, screen: Screen, state: State
) -> None:
    """At 390 and 1280 px (320 and 640 in zoom), light and dark."""
    found: list[str] = []
    with posed(browser, studio, screen, state, 1280, "light") as page:
        for width, theme in ((1280, "light"), (1280, "dark"), (390, "dark"), (390, "light")):
            wide = width_in(state, width)
            page.set_viewport_size({"width": wide, "height": 800})
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            found += [f"{width} {theme} {fault}" for fault in faults(page)]
            if page.evaluate("document.documentElement.scrollWidth") > wide:
                found.append(f"{width} {theme} scrolls sideways")
    assert found == []
