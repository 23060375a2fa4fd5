"""Two admins at once: one acts while the other's page shows the earlier state."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.support.admin_pages import answer_dialog, mails_to, menu, row_of, visit, wait_until_loaded
from tests.support.member_pages import store_session
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]


@pytest.fixture
def second_admin_page(stack: RunningStack, new_page: NewPage, newcomer: str) -> Page:
    """A page of another admin, signed in."""
    with stack.connect() as connection:
        connection.execute(
            "insert into private.admins (user_id) select id from auth.users where email = %s", (newcomer,)
        )
    page = new_page()
    store_session(page, stack, newcomer)
    return page


def test_one_entry_gets_one_invitation(
    stack: RunningStack, admin_page: Page, second_admin_page: Page, waiting: list[str]
) -> None:
    """§2.42 §4.28: the second admin sees it at once; sent again, the toast says that nothing was mailed so soon."""
    ann = waiting[0]
    for page in (admin_page, second_admin_page):
        visit(page, stack, f"/waitlist?search={ann}")
        expect(row_of(page, ann)).to_contain_text("Waitlist")
    menu(admin_page, ann, "Invite")
    expect(admin_page.get_by_text(f"Invitation sent to {ann}")).to_be_visible()
    expect(row_of(second_admin_page, ann)).to_contain_text("Invited")
    wait_until(lambda: mails_to(stack, ann))
    assert len(mails_to(stack, ann)) == 1
    menu(second_admin_page, ann, "Send the invitation again")
    expect(second_admin_page.get_by_text("No invitation sent")).to_be_visible()
    expect(second_admin_page.get_by_text("A mail was sent a few minutes ago")).to_be_visible()
    assert len(mails_to(stack, ann)) == 1


def test_a_former_admin_sees_an_error_and_changes_nothing(
    stack: RunningStack, admin_page: Page, second_admin_page: Page, newcomer: str, waiting: list[str]
) -> None:
    """§6.3: an open page with a valid token: nothing changes, and the page does not report success."""
    ann, bea, _ = waiting
    visit(second_admin_page, stack, f"/waitlist?search={ann.split('.', 1)[1]}")
    visit(admin_page, stack, f"/users?search={newcomer}")
    menu(admin_page, newcomer, "Remove admin role")
    answer_dialog(admin_page, "Remove admin role")
    expect(row_of(admin_page, newcomer)).not_to_contain_text("Admin")
    menu(second_admin_page, ann, "Mark as pending")
    expect(second_admin_page.get_by_text("The status wasn’t changed")).to_be_visible()
    expect(second_admin_page.get_by_text("Saved", exact=True)).to_have_count(0)
    second_admin_page.wait_for_url("**/dashboard")
    expect(second_admin_page.get_by_text("Access Denied")).to_be_visible()
    with stack.connect() as connection:
        statuses = connection.execute(
            "select distinct status from public.waitlist where email = any(%s)", ([ann, bea],)
        ).fetchall()
    assert statuses == [("waitlist",)]


def test_two_editors_do_not_write_over_each_other(
    stack: RunningStack, admin_page: Page, second_admin_page: Page
) -> None:
    """§2.42 §3.39: the second to save chooses: their version, overwrite it, or keep writing."""
    title = f"Shared {uuid4().hex[:8]}"
    with stack.connect() as connection:
        row = connection.execute(
            "insert into public.posts (title, slug, content, kind, is_blog_post)"
            " values (%s, %s, 'First words.', 'lesson', true) returning id",
            (title, title.lower().replace(" ", "-")),
        ).fetchone()
        assert row is not None
    text = "Text (Markdown)"
    for page in (admin_page, second_admin_page):
        visit(page, stack, f"/blog?article={row[0]}")
        expect(page.get_by_label(text)).to_have_value("First words.")
    admin_page.get_by_label(text).fill("Words of one.")
    admin_page.get_by_role("button", name="Save draft").click()
    expect(admin_page.get_by_text("Article saved")).to_be_visible()
    second_admin_page.get_by_label(text).fill("Words of two.")
    second_admin_page.get_by_role("button", name="Save draft").click()
    question = second_admin_page.get_by_role("dialog", name="Someone else saved this article")
    expect(question.get_by_role("button", name="Keep editing")).to_be_focused()
    answer_dialog(second_admin_page, "Keep editing")
    expect(second_admin_page.get_by_label(text)).to_have_value("Words of two.")
    second_admin_page.get_by_role("button", name="Save draft").click()
    answer_dialog(second_admin_page, "Load their version")
    wait_until_loaded(second_admin_page)
    expect(second_admin_page.get_by_label(text)).to_have_value("Words of one.")
    second_admin_page.get_by_label(text).fill("Words of both.")
    second_admin_page.get_by_role("button", name="Save draft").click()
    expect(second_admin_page.get_by_text("Article saved")).to_be_visible()
    admin_page.get_by_label(text).fill("Words of one, again.")
    admin_page.get_by_role("button", name="Save draft").click()
    expect(admin_page.get_by_role("dialog")).to_be_visible()
    answer_dialog(admin_page, "Overwrite with mine")
    with stack.connect() as connection:
        content = "select content from public.posts where id = %s"
        wait_until(lambda: connection.execute(content, (row[0],)).fetchone() == ("Words of one, again.",))
        connection.execute("delete from public.posts where id = %s", (row[0],))


def test_two_editors_choose_the_same_slug(stack: RunningStack, admin_page: Page, second_admin_page: Page) -> None:
    """§2.42 §3.39: the second one gets an error beside the field, and keeps all input."""
    title = f"Same {uuid4().hex[:8]}"
    for page in (admin_page, second_admin_page):
        visit(page, stack, "/blog?article=new")
        page.get_by_label("Title").fill(title)
        page.get_by_label("Text (Markdown)").fill("Words.")
    admin_page.get_by_role("button", name="Save draft").click()
    expect(admin_page.get_by_text("Article saved")).to_be_visible()
    second_admin_page.get_by_role("button", name="Save draft").click()
    address = second_admin_page.get_by_label("Address")
    expect(address).to_have_attribute("aria-invalid", "true")
    expect(address).to_be_focused()
    expect(second_admin_page.get_by_role("alert").filter(has_text="Another article has this address")).to_be_visible()
    expect(second_admin_page.get_by_label("Text (Markdown)")).to_have_value("Words.")
    address.fill(f"{title.lower().replace(' ', '-')}-too")
    second_admin_page.get_by_role("button", name="Save draft").click()
    expect(second_admin_page.get_by_text("Article saved")).to_be_visible()
    with stack.connect() as connection:
        assert connection.execute("delete from public.posts where title = %s", (title,)).rowcount == 2
