"""What is asked of axe, and made cheaper for it, still finds what is wrong with a page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Error, Page

from tests.support.axe import faults, faults_in_both_themes

pytestmark = pytest.mark.e2e

FAULTY = """<!doctype html><html lang="en"><title>Faulty</title><style>
  body { background: oklch(1 0 0); color: oklch(0.2 0 0) }
  .faint { color: oklch(0.85 0.02 240) }
  @media (prefers-color-scheme: dark) { .at-night { color: oklch(0.9 0.01 240) } }
</style><main><h1>Faulty</h1><p>Fine</p><p class="faint">Faint</p><p class="at-night">At night</p><button></button>"""


def test_faults_are_found_with_their_elements(new_page: Callable[..., Page]) -> None:
    """Colors are told apart by element and theme although each is parsed once; the rest is found as well."""
    page = new_page()
    page.set_content(FAULTY)
    color, name = 'color-contrast: <p class="faint">Faint</p>', "button-name: <button></button>"
    night = f'{color},<p class="at-night">At night</p>'
    assert faults_in_both_themes(page) == [f"light: {name}", f"light: {color}", f"dark: {night}"]
    assert len(faults(page, "but color")) == 1
    page.set_content(FAULTY.replace('class="faint"', "").replace("<button></button>", "").replace("at-night", ""))
    assert faults_in_both_themes(page) == []


def test_what_looks_alike_is_told_from_what_does_not(new_page: Callable[..., Page]) -> None:
    """One row of many is measured; the same letters on another ground, faded, or after a change are others."""
    page = new_page()
    rows = "<li><p>Row</p></li>" * 20
    odd = '<li style="background: oklch(0.3 0 0)"><p>Odd</p></li><li style="opacity: 0.2"><p>Faded</p></li>'
    page.set_content(FAULTY.replace("<p>Fine</p>", f"<ul>{rows}{odd}</ul>").replace("<button></button>", ""))
    expected = ["<p>Odd</p>", "<p>Faded</p>", '<p class="faint">Faint</p>']
    assert faults(page) == [f"color-contrast: {','.join(expected)}"]
    page.add_style_tag(content="li:nth-child(7) p { color: oklch(0.8 0 0) } .faint, ul ~ * { display: none }")
    assert faults(page, "color") == [f"color-contrast: {','.join(['<p>Row</p>', *expected[:2]])}"]


def test_what_is_open_is_looked_at_alone(new_page: Callable[..., Page]) -> None:
    """The colors of the dialog, and all else of the whole document; without a dialog there is nothing to look at."""
    page = new_page()
    opened = '<div role="dialog" aria-label="Open"><p class="faint">Inside</p></div>'
    page.set_content(FAULTY + opened)
    assert faults_in_both_themes(page, is_covered=True) == [
        'light: color-contrast: <p class="faint">Inside</p>', "light: button-name: <button></button>",
        'dark: color-contrast: <p class="faint">Inside</p>',
    ]  # fmt: skip
    page.set_content(FAULTY)
    with pytest.raises(Error, match="none is open"):
        faults_in_both_themes(page, is_covered=True)
