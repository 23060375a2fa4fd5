"""The admin area by keyboard: every action, where the focus goes afterwards, and axe on menus and dialogs."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.admin_pages import audit_entries, close_dialog, open_menu, row_of, visit, wait_until_loaded
from tests.support.axe import faults_in_both_themes
from tests.support.browser import resize
from tests.support.member_pages import store_session
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]
WIDTHS = (1280, 390)


def tab_to(page: Page, place: Locator, most: int = 60) -> None:
    """Press Tab until an element has the focus."""
    expect(place).to_be_visible()
    for _ in range(most):
        if place.evaluate("e => e === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"not reached with {most} presses of Tab: {place}")


def choose(page: Page, item: str) -> None:
    """Open the menu of the focused button and choose from it with the arrow keys."""
    page.keyboard.press("Enter")
    items = page.locator("[role=menuitem]:not([data-disabled])")
    expect(items.first).to_be_focused()
    for place in range(1, items.all_inner_texts().index(item) + 1):
        page.keyboard.press("ArrowDown")
        expect(items.nth(place)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_have_count(0)


def actions_of(page: Page, text: str) -> Locator:
    """The menu button of a row."""
    return row_of(page, text).get_by_role("button", name=re.compile("^Actions for"))


def expect_accessible(page: Page, where: str, *widths: int, is_covered: bool = False) -> None:
    """No axe violations and no horizontal scrolling, as it stands and at these widths.

    `is_covered`: by a menu or a dialog; test_admin_area looks at the colors of the pages.
    """
    now = page.evaluate("innerWidth")
    for width in (now, *(width for width in widths if width != now)):
        if width != now:
            resize(page, width)
        found = faults_in_both_themes(page, is_resized=width != now, is_covered=is_covered)
        assert [(where, width, fault) for fault in found] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (where, width)


def test_members_are_managed_by_keyboard(stack: RunningStack, admin_page: Page, newcomer: str) -> None:
    """§2.42 §6.3: from the search to the menu, the confirmation and back: the focus returns to the menu button."""
    visit(admin_page, stack, "/users")
    admin_page.keyboard.press("Tab")
    expect(admin_page.get_by_role("link", name=re.compile("Skip"))).to_be_focused()
    admin_page.keyboard.press("Enter")
    tab_to(admin_page, admin_page.get_by_role("searchbox"))
    admin_page.keyboard.type(newcomer)
    expect(admin_page.get_by_role("row")).to_have_count(2)
    name = admin_page.get_by_role("columnheader", name="Member")
    tab_to(admin_page, name.get_by_role("button"))
    admin_page.keyboard.press("Enter")
    expect(name).to_have_attribute("aria-sort", "ascending")
    expect(name.get_by_role("button")).to_be_focused()
    actions = actions_of(admin_page, newcomer)
    tab_to(admin_page, actions)
    choose(admin_page, "Details")
    details = admin_page.get_by_role("dialog", name="Nora Newcomer")
    expect(details.locator(":focus")).to_have_count(1)
    close_dialog(admin_page)
    expect(actions).to_be_focused()
    choose(admin_page, "Suspend")
    question = admin_page.get_by_role("dialog", name="Suspend Nora Newcomer?")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    admin_page.keyboard.press("Enter")
    expect(question).to_have_count(0)
    expect(actions).to_be_focused()
    choose(admin_page, "Suspend")
    tab_to(admin_page, question.get_by_role("button", name="Suspend"))
    admin_page.keyboard.press("Enter")
    expect(audit_entries(admin_page, f"suspended {newcomer}")).to_have_count(1)
    expect(actions).to_be_focused()
    choose(admin_page, "Delete account")
    expect(admin_page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    admin_page.keyboard.type(newcomer)
    admin_page.keyboard.press("Enter")
    expect(audit_entries(admin_page, f"deleted {newcomer}")).to_have_count(1)
    expect(row_of(admin_page, newcomer)).to_have_count(0)
    expect(admin_page.locator("#main")).to_be_focused()


def test_the_sidebar_and_the_sheet_by_keyboard(stack: RunningStack, admin_page: Page, new_page: NewPage) -> None:
    """§2.49 §2.50: Ctrl+B and Cmd+B from anywhere; collapsed, the icons keep their names; Escape closes the sheet."""
    visit(admin_page, stack, "/waitlist")
    sidebar = admin_page.locator("[data-slot=admin-sidebar]")
    search = admin_page.get_by_role("searchbox")
    search.focus()
    for keys, state in (("Control+b", "collapsed"), ("Meta+b", "expanded"), ("Control+b", "collapsed")):
        admin_page.keyboard.press(keys)
        expect(sidebar).to_have_attribute("data-state", state)
        expect(search).to_be_focused()
    expect_accessible(admin_page, "folded sidebar")
    users = sidebar.get_by_role("link", name="Users")
    users.focus()
    expect(admin_page.get_by_role("tooltip")).to_contain_text("Users")
    admin_page.keyboard.press("Enter")
    expect(admin_page.get_by_role("heading", name="Users", level=1)).to_be_visible()
    phone = new_page(width=390, height=844)
    store_session(phone, stack, stack.env["DEMO_ADMIN_EMAIL"])
    visit(phone, stack)
    opener = phone.get_by_role("button", name=re.compile("^Open menu"))
    tab_to(phone, opener)
    phone.keyboard.press("Enter")
    sheet = phone.get_by_role("dialog", name="Admin")
    expect(sheet.locator(":focus")).to_have_count(1)
    phone.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(opener).to_be_focused()


def test_the_waitlist_is_managed_by_keyboard(stack: RunningStack, admin_page: Page, waiting: list[str]) -> None:
    """§2.42 §4.26: tabs by arrow keys, rows by the space bar, bulk actions, and the focus after a removal."""
    ann, bea, _ = waiting
    visit(admin_page, stack, f"/waitlist?search={ann.split('.', 1)[1]}")
    tabs = admin_page.get_by_role("tablist", name="Status")
    tab_to(admin_page, tabs.get_by_role("tab", name=re.compile("^All")))
    admin_page.keyboard.press("ArrowRight")
    expect(tabs.get_by_role("tab", name=re.compile("^Waitlist"))).to_have_attribute("aria-selected", "true")
    wait_until_loaded(admin_page)  # rows that are replaced take the focus with them
    joined = admin_page.get_by_role("columnheader", name="Joined")
    expect(joined).to_have_attribute("aria-sort", "descending")
    tab_to(admin_page, joined.get_by_role("button"))
    admin_page.keyboard.press("Enter")
    expect(joined).to_have_attribute("aria-sort", "ascending")
    expect(admin_page).to_have_url(re.compile("order=oldest"))
    wait_until_loaded(admin_page)
    tab_to(admin_page, admin_page.get_by_label(f"Select {ann}"))
    admin_page.keyboard.press("Space")
    expect(admin_page.get_by_text("1 selected")).to_be_visible()
    expect(admin_page.get_by_label("Select all on this page")).to_have_js_property("indeterminate", True)
    tab_to(admin_page, admin_page.get_by_label(f"Select {bea}"))
    admin_page.keyboard.press("Space")
    admin_page.get_by_role("searchbox").focus()
    tab_to(admin_page, admin_page.get_by_role("button", name="Mark as pending"))
    admin_page.keyboard.press("Enter")
    expect(admin_page.get_by_role("row")).to_have_count(2)
    expect(admin_page.get_by_text("2 selected")).to_have_count(0)
    expect(admin_page.locator("#main")).to_be_focused()


def test_pages_are_turned_by_keyboard(stack: RunningStack, admin_page: Page) -> None:
    """§2.42: the pressed button keeps the focus, also on the last page, where it does nothing more."""
    visit(admin_page, stack, "/users")
    expect(admin_page.get_by_text(re.compile("^1 to 25 of"))).to_be_visible()
    ahead = admin_page.get_by_role("button", name="Next page")
    admin_page.get_by_role("button", name=re.compile("^Actions for")).last.focus()
    tab_to(admin_page, ahead)
    admin_page.keyboard.press("Enter")
    expect(admin_page.get_by_text(re.compile("^26 to"))).to_be_visible()
    expect(ahead).to_be_focused()
    visit(admin_page, stack, "/users?page=900")
    admin_page.get_by_role("button", name="Show everything").press("Enter")
    expect(admin_page.get_by_text(re.compile("^1 to 25 of"))).to_be_visible()


def test_an_article_is_written_by_keyboard(stack: RunningStack, admin_page: Page) -> None:
    """§2.42 §3.39: the missing field gets the focus; leaving asks, and Escape returns the focus."""
    title = f"Typed {uuid4().hex[:8]}"
    visit(admin_page, stack, "/blog?article=new")
    heading = admin_page.get_by_label("Title")
    tab_to(admin_page, admin_page.get_by_role("button", name="Publish"))
    admin_page.keyboard.press("Enter")
    expect(heading).to_be_focused()
    expect(heading).to_have_attribute("aria-invalid", "true")
    admin_page.keyboard.type(title)
    admin_page.keyboard.press("Tab")
    admin_page.keyboard.type("Words.")
    back = admin_page.get_by_role("link", name="All articles")
    admin_page.locator("#main").focus()
    tab_to(admin_page, back)
    admin_page.keyboard.press("Enter")
    expect(admin_page.get_by_role("button", name="Keep editing")).to_be_focused()
    close_dialog(admin_page)
    expect(back).to_be_focused()
    publish = admin_page.get_by_role("button", name="Publish")
    tab_to(admin_page, publish)
    admin_page.keyboard.press("Enter")
    expect(admin_page.get_by_text("Article published")).to_be_visible()
    unpublish = admin_page.get_by_role("button", name="Unpublish")
    expect(unpublish).to_be_focused()
    tab_to(admin_page, admin_page.get_by_role("button", name="Delete", exact=True))
    admin_page.keyboard.press("Enter")
    question = admin_page.get_by_role("dialog")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    admin_page.keyboard.press("Tab")
    admin_page.keyboard.press("Enter")
    expect(admin_page.get_by_role("heading", name="Blog", level=1)).to_be_visible()
    expect(admin_page.get_by_text("Article deleted")).to_be_visible()
    expect(admin_page.locator("#main")).to_be_focused()


def test_feedback_is_read_by_keyboard(stack: RunningStack, admin_page: Page) -> None:
    """§2.42 §9.16: opened from its preview and from its menu; the focus returns."""
    visit(admin_page, stack, "/feedback")
    first = admin_page.get_by_role("button", name=re.compile("^Read: ")).first
    tab_to(admin_page, first)
    admin_page.keyboard.press("Enter")
    expect(admin_page.get_by_role("dialog")).to_be_focused()  # it is read first
    close_dialog(admin_page)
    expect(first).to_be_focused()
    actions = admin_page.get_by_role("button", name=re.compile("^Actions for")).first
    tab_to(admin_page, actions)
    choose(admin_page, "Read and reply")
    close_dialog(admin_page)
    expect(actions).to_be_focused()


def test_menus_and_dialogs_pass_axe(stack: RunningStack, new_page: NewPage, waiting: list[str]) -> None:
    """§2.42: menus, dialogs, bulk actions and empty lists, at both widths and in both themes: no axe violations."""
    page = new_page()
    store_session(page, stack, stack.env["DEMO_ADMIN_EMAIL"])
    member = stack.env["DEMO_MEMBER_EMAIL"]
    visit(page, stack, f"/users?search={member}")
    for item in ("Details", "Make admin", "Suspend", "Delete account"):
        opened = open_menu(page, member)
        if item == "Details":  # the menu is the same each time
            expect_accessible(page, "menu", *WIDTHS, is_covered=True)
        opened.get_by_role("menuitem", name=item).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        wait_for_dialog(page)
        expect_accessible(page, item, *WIDTHS, is_covered=True)
        close_dialog(page)
    visit(page, stack, f"/waitlist?search={waiting[0].split('.', 1)[1]}")
    page.get_by_label("Select all on this page").check()
    expect(page.get_by_text("3 selected")).to_be_visible()
    expect_accessible(page, "bar of acts", *WIDTHS)
    for item in ("Quiz answers", "Remove from waitlist"):
        open_menu(page, waiting[0]).get_by_role("menuitem", name=item).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        expect_accessible(page, item, *WIDTHS, is_covered=True)
        close_dialog(page)
    for place in ("/users?search=nobody-at-all", "/waitlist?search=nobody-at-all", "/feedback?page=900"):
        visit(page, stack, place)
        expect(page.get_by_role("button", name="Show everything")).to_be_visible()
        expect_accessible(page, place, *WIDTHS)
    visit(page, stack, "/feedback")
    page.get_by_role("button", name=re.compile("^Read: ")).first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect_accessible(page, "feedback", *WIDTHS, is_covered=True)
    visit(page, stack, "/blog?article=new")
    page.get_by_label("Title").fill("Half")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    expect_accessible(page, "what is missing", *WIDTHS)
    page.get_by_role("link", name="All articles").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect_accessible(page, "leave", *WIDTHS, is_covered=True)
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_role("heading", name="Blog", level=1)).to_be_visible()


def wait_for_dialog(page: Page) -> None:
    """Wait until nothing in the open dialog is loading."""
    expect(page.get_by_role("dialog").locator("[aria-busy=true]")).to_have_count(0)
