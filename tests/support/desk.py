"""How a test works at an admin's desk: menus of rows, questions, the audit log, and the mails that went out."""

import re

import httpx
from playwright.sync_api import Locator, Page

from tests.support.stack import RunningStack


def menu(page: Page, email: str, item: str) -> None:
    """Choose from the menu of the one row that shows an address."""
    row = page.get_by_role("row").filter(has_text=email)
    row.get_by_role("button", name=re.compile("^Actions for")).click()
    page.get_by_role("menuitem", name=item, exact=True).click()


def answer(page: Page, button: str) -> None:
    """Press a button of the question that is open."""
    page.get_by_role("dialog").get_by_role("button", name=button, exact=True).click()


def noted(page: Page, words: str) -> Locator:
    """Lines of the audit log that say this."""
    return page.get_by_role("listitem").filter(has_text=words)


def mails_to(stack: RunningStack, address: str) -> list[str]:
    """The texts of the mails that an address got."""
    found = httpx.get(f"{stack.url}/mail/api/messages").json()["messages"]
    wanted = [mail["id"] for mail in found if address in [to["address"] for to in mail["to"]]]
    return [httpx.get(f"{stack.url}/mail/api/messages/{mail}").json()["text"] for mail in wanted]
