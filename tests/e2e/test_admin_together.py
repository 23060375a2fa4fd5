"""Two admins at their desks: what one does while the other looks at what was there before."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_admin_area import log_in
from tests.support.desk import answer, mails_to, menu, row_of, settled, visit
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]


@pytest.fixture
def second_desk(stack: RunningStack, new_page: NewPage, newcomer: str) -> Page:
    """A page of another admin, signed in."""
    with stack.connect() as connection:
        connection.execute(
            "insert into private.admins (user_id) select id from auth.users where email = %s", (newcomer,)
        )
    page = new_page()
    log_in(page, stack, newcomer)
    return page


def test_one_entry_gets_one_invitation(stack: RunningStack, desk: Page, second_desk: Page, waiting: list[str]) -> None:
    """§2.42 §4.28: who is later is told; who knows that it was invited may send it again."""
    ann = waiting[0]
    for page in (desk, second_desk):
        visit(page, stack, f"/waitlist?search={ann}")
        expect(row_of(page, ann)).to_contain_text("Waitlist")
    menu(desk, ann, "Invite")
    expect(desk.get_by_text("1 invitation sent")).to_be_visible()
    menu(second_desk, ann, "Invite")
    expect(second_desk.get_by_text("That did not work")).to_be_visible()
    expect(row_of(second_desk, ann)).to_contain_text("Invited")
    wait_until(lambda: mails_to(stack, ann))
    assert len(mails_to(stack, ann)) == 1
    # Asked for once more, knowingly: not refused (the mail service itself sends no second one so soon).
    menu(second_desk, ann, "Send the invitation again")
    expect(second_desk.get_by_text("1 invitation sent")).to_be_visible()


def test_who_lost_the_role_is_told_that_nothing_was_done(
    stack: RunningStack, desk: Page, second_desk: Page, newcomer: str, waiting: list[str]
) -> None:
    """§6.3: an open page with a token that still holds: nothing happens, and the page does not say that it did."""
    ann, bea, _ = waiting
    visit(second_desk, stack, f"/waitlist?search={ann.split('.', 1)[1]}")
    visit(desk, stack, f"/users?search={newcomer}")
    menu(desk, newcomer, "Take admin role")
    answer(desk, "Take admin role")
    expect(row_of(desk, newcomer)).not_to_contain_text("Admin")
    menu(second_desk, ann, "Mark as pending")
    expect(second_desk.get_by_text("That did not work")).to_be_visible()
    expect(second_desk.get_by_text("Saved", exact=True)).to_have_count(0)
    second_desk.wait_for_url("**/dashboard")
    expect(second_desk.get_by_text("Access Denied")).to_be_visible()
    with stack.connect() as connection:
        statuses = connection.execute(
            "select distinct status from public.waitlist where email = any(%s)", ([ann, bea],)
        ).fetchall()
    assert statuses == [("waitlist",)]


def test_two_editors_do_not_write_over_each_other(stack: RunningStack, desk: Page, second_desk: Page) -> None:
    """§2.42 §3.39: who saves second is asked: their version, mine over it, or go on writing."""
    title = f"Shared {uuid4().hex[:8]}"
    with stack.connect() as connection:
        row = connection.execute(
            "insert into public.posts (title, slug, content, kind, is_blog_post)"
            " values (%s, %s, 'First words.', 'lesson', true) returning id",
            (title, title.lower().replace(" ", "-")),
        ).fetchone()
        assert row is not None
    text = "Text (Markdown)"
    for page in (desk, second_desk):
        visit(page, stack, f"/blog?article={row[0]}")
        expect(page.get_by_label(text)).to_have_value("First words.")
    desk.get_by_label(text).fill("Words of one.")
    desk.get_by_role("button", name="Save draft").click()
    expect(desk.get_by_text("Article saved")).to_be_visible()
    second_desk.get_by_label(text).fill("Words of two.")
    second_desk.get_by_role("button", name="Save draft").click()
    question = second_desk.get_by_role("dialog", name="Somebody else saved this article")
    expect(question.get_by_role("button", name="Keep writing")).to_be_focused()
    answer(second_desk, "Keep writing")
    expect(second_desk.get_by_label(text)).to_have_value("Words of two.")
    second_desk.get_by_role("button", name="Save draft").click()
    answer(second_desk, "Load their version")
    settled(second_desk)
    expect(second_desk.get_by_label(text)).to_have_value("Words of one.")
    second_desk.get_by_label(text).fill("Words of both.")
    second_desk.get_by_role("button", name="Save draft").click()
    expect(second_desk.get_by_text("Article saved")).to_be_visible()
    desk.get_by_label(text).fill("Words of one, again.")
    desk.get_by_role("button", name="Save draft").click()
    expect(desk.get_by_role("dialog")).to_be_visible()
    answer(desk, "Save mine over it")
    with stack.connect() as connection:
        content = "select content from public.posts where id = %s"
        wait_until(lambda: connection.execute(content, (row[0],)).fetchone() == ("Words of one, again.",))
        connection.execute("delete from public.posts where id = %s", (row[0],))


def test_two_editors_want_the_same_address(stack: RunningStack, desk: Page, second_desk: Page) -> None:
    """§2.42 §3.39: one has it, the other is told beside the field, nothing of theirs is lost."""
    title = f"Same {uuid4().hex[:8]}"
    for page in (desk, second_desk):
        visit(page, stack, "/blog?article=new")
        page.get_by_label("Title").fill(title)
        page.get_by_label("Text (Markdown)").fill("Words.")
    desk.get_by_role("button", name="Save draft").click()
    expect(desk.get_by_text("Article saved")).to_be_visible()
    second_desk.get_by_role("button", name="Save draft").click()
    address = second_desk.get_by_label("Address")
    expect(address).to_have_attribute("aria-invalid", "true")
    expect(address).to_be_focused()
    expect(second_desk.get_by_role("alert").filter(has_text="Another article has this address")).to_be_visible()
    expect(second_desk.get_by_label("Text (Markdown)")).to_have_value("Words.")
    address.fill(f"{title.lower().replace(' ', '-')}-too")
    second_desk.get_by_role("button", name="Save draft").click()
    expect(second_desk.get_by_text("Article saved")).to_be_visible()
    with stack.connect() as connection:
        assert connection.execute("delete from public.posts where title = %s", (title,)).rowcount == 2
