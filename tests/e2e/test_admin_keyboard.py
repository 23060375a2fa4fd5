"""The admin area without a mouse: every act by keyboard, the focus where one goes on from, and axe on what opens."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.test_admin_area import log_in
from tests.support.axe import faults_in_both_themes
from tests.support.desk import noted, open_menu, put_away, row_of, settled, visit
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]


def tab_to(page: Page, place: Locator, most: int = 60) -> None:
    """Press Tab until a place has the focus: whoever has no mouse gets there, too."""
    expect(place).to_be_visible()
    for _ in range(most):
        if place.evaluate("e => e === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"not reached with {most} presses of Tab: {place}")


def choose(page: Page, item: str) -> None:
    """Open the menu of the button in focus and choose from it by the arrow keys."""
    page.keyboard.press("Enter")
    items = page.locator("[role=menuitem]:not([data-disabled])")
    expect(items.first).to_be_focused()
    for place in range(1, items.all_inner_texts().index(item) + 1):
        page.keyboard.press("ArrowDown")
        expect(items.nth(place)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_have_count(0)


def actions_of(page: Page, words: str) -> Locator:
    """The menu button of a row."""
    return row_of(page, words).get_by_role("button", name=re.compile("^Actions for"))


def sound(page: Page, where: str) -> None:
    """Nothing for axe to find, and no sideways scroll."""
    assert [(where, fault) for fault in faults_in_both_themes(page)] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where


def test_members_are_managed_by_keyboard(stack: RunningStack, desk: Page, newcomer: str) -> None:
    """§2.42 §6.3: from the search to the menu, the question and back: the focus returns to where it came from."""
    visit(desk, stack, "/users")
    desk.keyboard.press("Tab")
    expect(desk.get_by_role("link", name=re.compile("Skip"))).to_be_focused()
    desk.keyboard.press("Enter")
    tab_to(desk, desk.get_by_role("searchbox"))
    desk.keyboard.type(newcomer)
    expect(desk.get_by_role("row")).to_have_count(2)
    name = desk.get_by_role("columnheader", name="Member")
    tab_to(desk, name.get_by_role("button"))
    desk.keyboard.press("Enter")
    expect(name).to_have_attribute("aria-sort", "ascending")
    expect(name.get_by_role("button")).to_be_focused()
    actions = actions_of(desk, newcomer)
    tab_to(desk, actions)
    choose(desk, "Details")
    details = desk.get_by_role("dialog", name="Nora Newcomer")
    expect(details.locator(":focus")).to_have_count(1)
    put_away(desk)
    expect(actions).to_be_focused()
    choose(desk, "Suspend")
    question = desk.get_by_role("dialog", name="Suspend Nora Newcomer?")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    desk.keyboard.press("Enter")
    expect(question).to_have_count(0)
    expect(actions).to_be_focused()
    choose(desk, "Suspend")
    tab_to(desk, question.get_by_role("button", name="Suspend"))
    desk.keyboard.press("Enter")
    expect(noted(desk, f"suspended {newcomer}")).to_have_count(1)
    expect(actions).to_be_focused()
    choose(desk, "Delete account")
    expect(desk.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    desk.keyboard.type(newcomer)
    desk.keyboard.press("Enter")
    expect(noted(desk, f"deleted {newcomer}")).to_have_count(1)
    expect(row_of(desk, newcomer)).to_have_count(0)
    expect(desk.locator("#main")).to_be_focused()


def test_the_sidebar_and_the_sheet_by_keyboard(stack: RunningStack, desk: Page, new_page: NewPage) -> None:
    """§2.49 §2.50: Ctrl+B and Cmd+B from anywhere; folded, the icons keep their names; Escape closes the sheet."""
    visit(desk, stack, "/waitlist")
    sidebar = desk.locator("[data-slot=admin-sidebar]")
    search = desk.get_by_role("searchbox")
    search.focus()
    for keys, state in (("Control+b", "collapsed"), ("Meta+b", "expanded"), ("Control+b", "collapsed")):
        desk.keyboard.press(keys)
        expect(sidebar).to_have_attribute("data-state", state)
        expect(search).to_be_focused()
    sound(desk, "folded sidebar")
    users = sidebar.get_by_role("link", name="Users")
    users.focus()
    expect(desk.get_by_role("tooltip")).to_contain_text("Users")
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("heading", name="Users", level=1)).to_be_visible()
    phone = new_page(width=390, height=844)
    log_in(phone, stack, stack.env["DEMO_ADMIN_EMAIL"])
    visit(phone, stack)
    opener = phone.get_by_role("button", name="Open menu")
    tab_to(phone, opener)
    phone.keyboard.press("Enter")
    sheet = phone.get_by_role("dialog", name="Admin")
    expect(sheet.locator(":focus")).to_have_count(1)
    phone.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(opener).to_be_focused()


def test_the_waitlist_is_worked_by_keyboard(stack: RunningStack, desk: Page, waiting: list[str]) -> None:
    """§2.42 §4.26: tabs by the arrows, rows by the space bar, the bar of acts, and what is gone hands the focus on."""
    ann, bea, _ = waiting
    visit(desk, stack, f"/waitlist?search={ann.split('.', 1)[1]}")
    tabs = desk.get_by_role("tablist", name="Status")
    tab_to(desk, tabs.get_by_role("tab", name=re.compile("^All")))
    desk.keyboard.press("ArrowRight")
    expect(tabs.get_by_role("tab", name=re.compile("^Waitlist"))).to_have_attribute("aria-selected", "true")
    joined = desk.get_by_role("columnheader", name="Joined")
    expect(joined).to_have_attribute("aria-sort", "descending")
    tab_to(desk, joined.get_by_role("button"))
    desk.keyboard.press("Enter")
    expect(joined).to_have_attribute("aria-sort", "ascending")
    expect(desk).to_have_url(re.compile("order=oldest"))
    settled(desk)
    tab_to(desk, desk.get_by_label(f"Select {ann}"))
    desk.keyboard.press("Space")
    expect(desk.get_by_text("1 selected")).to_be_visible()
    expect(desk.get_by_label("Select all on this page")).to_have_js_property("indeterminate", True)
    tab_to(desk, desk.get_by_label(f"Select {bea}"))
    desk.keyboard.press("Space")
    desk.get_by_role("searchbox").focus()
    tab_to(desk, desk.get_by_role("button", name="Mark as pending"))
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("row")).to_have_count(2)
    expect(desk.get_by_text("2 selected")).to_have_count(0)
    expect(desk.locator("#main")).to_be_focused()


def test_pages_are_turned_by_keyboard(stack: RunningStack, desk: Page) -> None:
    """§2.42: the button one presses keeps the focus, also on the last page, where it does nothing more."""
    visit(desk, stack, "/users")
    expect(desk.get_by_text(re.compile("^1 to 25 of"))).to_be_visible()
    ahead = desk.get_by_role("button", name="Next page")
    tab_to(desk, ahead, most=120)
    desk.keyboard.press("Enter")
    expect(desk.get_by_text(re.compile("^26 to"))).to_be_visible()
    expect(ahead).to_be_focused()
    visit(desk, stack, "/users?page=900")
    desk.get_by_role("button", name="Show everything").press("Enter")
    expect(desk.get_by_text(re.compile("^1 to 25 of"))).to_be_visible()


def test_an_article_is_written_by_keyboard(stack: RunningStack, desk: Page) -> None:
    """§2.42 §3.39: what is missing gets the focus; leaving asks, and Escape goes back to where one was."""
    title = f"Typed {uuid4().hex[:8]}"
    visit(desk, stack, "/blog?article=new")
    heading = desk.get_by_label("Title")
    tab_to(desk, desk.get_by_role("button", name="Publish"))
    desk.keyboard.press("Enter")
    expect(heading).to_be_focused()
    expect(heading).to_have_attribute("aria-invalid", "true")
    desk.keyboard.type(title)
    desk.keyboard.press("Tab")
    desk.keyboard.type("Words.")
    back = desk.get_by_role("link", name="All articles")
    desk.locator("#main").focus()
    tab_to(desk, back)
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("button", name="Keep writing")).to_be_focused()
    put_away(desk)
    expect(back).to_be_focused()
    publish = desk.get_by_role("button", name="Publish")
    tab_to(desk, publish)
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Article published")).to_be_visible()
    unpublish = desk.get_by_role("button", name="Back to draft")
    expect(unpublish).to_be_focused()
    tab_to(desk, desk.get_by_role("button", name="Delete", exact=True))
    desk.keyboard.press("Enter")
    question = desk.get_by_role("dialog")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("heading", name="Blog", level=1)).to_be_visible()
    expect(desk.get_by_text("Article deleted")).to_be_visible()
    expect(desk.locator("#main")).to_be_focused()


def test_feedback_is_read_by_keyboard(stack: RunningStack, desk: Page) -> None:
    """§2.42 §9.16: opened from its preview and from its menu, back to the same place."""
    visit(desk, stack, "/feedback")
    first = desk.get_by_role("button", name=re.compile("^Read: ")).first
    tab_to(desk, first)
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("dialog").locator(":focus")).to_have_count(1)
    put_away(desk)
    expect(first).to_be_focused()
    actions = desk.get_by_role("button", name=re.compile("^Actions for")).first
    tab_to(desk, actions)
    choose(desk, "Read and reply")
    put_away(desk)
    expect(actions).to_be_focused()


@pytest.mark.parametrize("width", [1280, 390])
def test_what_opens_is_accessible(stack: RunningStack, new_page: NewPage, waiting: list[str], width: int) -> None:
    """§2.42: menus, dialogs, the bar of acts and empty lists, both widths and themes: nothing for axe to find."""
    page = new_page(width=width, reduced_motion="reduce")  # nothing is looked at half faded
    log_in(page, stack, stack.env["DEMO_ADMIN_EMAIL"])
    member = stack.env["DEMO_MEMBER_EMAIL"]
    visit(page, stack, f"/users?search={member}")
    for item in ("Details", "Make admin", "Suspend", "Delete account"):
        opened = open_menu(page, member)
        sound(page, "menu")
        opened.get_by_role("menuitem", name=item).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        settled_dialog(page)
        sound(page, item)
        put_away(page)
    visit(page, stack, f"/waitlist?search={waiting[0].split('.', 1)[1]}")
    page.get_by_label("Select all on this page").check()
    expect(page.get_by_text("3 selected")).to_be_visible()
    sound(page, "bar of acts")
    for item in ("Quiz answers", "Remove from waitlist"):
        open_menu(page, waiting[0]).get_by_role("menuitem", name=item).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        sound(page, item)
        put_away(page)
    for place in ("/users?search=nobody-at-all", "/waitlist?search=nobody-at-all", "/feedback?page=900"):
        visit(page, stack, place)
        expect(page.get_by_role("button", name="Show everything")).to_be_visible()
        sound(page, place)
    visit(page, stack, "/feedback")
    page.get_by_role("button", name=re.compile("^Read: ")).first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    sound(page, "feedback")
    visit(page, stack, "/blog?article=new")
    page.get_by_label("Title").fill("Half")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    sound(page, "what is missing")
    page.get_by_role("link", name="All articles").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    sound(page, "leave")
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", name="Blog", level=1)).to_be_visible()


def settled_dialog(page: Page) -> None:
    """Wait until nothing in the open dialog loads."""
    expect(page.get_by_role("dialog").locator("[aria-busy=true]")).to_have_count(0)
