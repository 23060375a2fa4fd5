"""Helpers for admin pages: loading, row menus, confirmation dialogs, the audit log, and sent mails.

Each helper waits for the state before and after its action, however slow the machine is.
"""

import re
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import go
from tests.support.patience import PATIENCE_S
from tests.support.stack import RunningStack


def wait_until_loaded(page: Page) -> None:
    """Wait until an admin page has loaded: it has its title, and nothing is loading."""
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("[aria-busy=true], [data-slot=loading]")).to_have_count(0)


def visit(page: Page, stack: RunningStack, place: str = "") -> None:
    """Open a page of the admin area (the path after /admin) and wait for it; from another one as by a link."""
    path = f"/admin{place}"
    before, after = urlsplit(page.url).path, urlsplit(path).path
    if before.startswith("/admin") and before != after:
        go(page, path)
    else:
        page.goto(f"{stack.url}{path}")
    wait_until_loaded(page)


def row_of(page: Page, text: str) -> Locator:
    """The one table row that contains this text."""
    return page.get_by_role("row").filter(has_text=text)


def open_menu(page: Page, text: str) -> Locator:
    """Open the menu of the one row that contains this text."""
    row = row_of(page, text)
    expect(row).to_have_count(1)
    row.get_by_role("button", name=re.compile("^Actions for")).click()
    opened = page.get_by_role("menu")
    expect(opened).to_be_visible()
    return opened


def menu(page: Page, text: str, item: str) -> None:
    """Choose from the menu of the one row that contains this text."""
    opened = open_menu(page, text)
    chosen = opened.get_by_role("menuitem", name=item, exact=True)
    box = chosen.bounding_box()
    assert box is not None
    # At its right end, where the buttons of the rows below it are: the menu lies above them.
    chosen.click(position={"x": box["width"] - 16, "y": box["height"] / 2})
    expect(opened).to_have_count(0)


def answer_dialog(page: Page, button: str) -> None:
    """Click a button of the open dialog, which closes it."""
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name=button, exact=True).click()
    expect(dialog).to_have_count(0)


def close_dialog(page: Page) -> None:
    """Close the open dialog by keyboard."""
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def audit_entries(page: Page, text: str) -> Locator:
    """Entries of the audit log that contain this text."""
    return page.get_by_role("listitem").filter(has_text=text)


def mails_to(stack: RunningStack, address: str) -> list[str]:
    """The texts of the mails sent to an address."""
    box = f"{stack.url}/mail/api/messages"
    found = httpx.get(box, params={"to": address}, timeout=PATIENCE_S).json()["messages"]
    return [httpx.get(f"{box}/{mail['id']}", timeout=PATIENCE_S).json()["text"] for mail in found]
