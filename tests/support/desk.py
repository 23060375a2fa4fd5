"""How a test works at an admin's desk: pages that stand, menus of rows, questions, the audit log, and the mails sent.

Each helper waits for the state that its act begins in and for the one it ends in, however slow the machine is.
"""

import re

import httpx
from playwright.sync_api import Locator, Page, expect

from tests.support.patience import PATIENCE_S
from tests.support.stack import RunningStack


def settled(page: Page) -> None:
    """Wait until an admin page stands: it has its title, and nothing on it still loads."""
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("[aria-busy=true], [data-slot=loading]")).to_have_count(0)


def visit(page: Page, stack: RunningStack, place: str = "") -> None:
    """Open a page of the admin area by its address (what follows /admin) and wait until it stands."""
    page.goto(f"{stack.url}/admin{place}")
    settled(page)


def row_of(page: Page, words: str) -> Locator:
    """The one row of the table that shows these words."""
    return page.get_by_role("row").filter(has_text=words)


def open_menu(page: Page, words: str) -> Locator:
    """Open the menu of the one row that shows these words."""
    row = row_of(page, words)
    expect(row).to_have_count(1)
    row.get_by_role("button", name=re.compile("^Actions for")).click()
    opened = page.get_by_role("menu")
    expect(opened).to_be_visible()
    return opened


def menu(page: Page, words: str, item: str) -> None:
    """Choose from the menu of the one row that shows these words."""
    opened = open_menu(page, words)
    opened.get_by_role("menuitem", name=item, exact=True).click()
    expect(opened).to_have_count(0)


def answer(page: Page, button: str) -> None:
    """Press a button of the question that is open, which closes it."""
    question = page.get_by_role("dialog")
    expect(question).to_be_visible()
    question.get_by_role("button", name=button, exact=True).click()
    expect(question).to_have_count(0)


def put_away(page: Page) -> None:
    """Close the open dialog by the keyboard."""
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def noted(page: Page, words: str) -> Locator:
    """Lines of the audit log that say this."""
    return page.get_by_role("listitem").filter(has_text=words)


def mails_to(stack: RunningStack, address: str) -> list[str]:
    """The texts of the mails that an address got."""
    box = f"{stack.url}/mail/api/messages"
    found = httpx.get(box, params={"to": address}, timeout=PATIENCE_S).json()["messages"]
    return [httpx.get(f"{box}/{mail['id']}", timeout=PATIENCE_S).json()["text"] for mail in found]
