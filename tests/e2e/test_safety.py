"""Reporting, deciding, blocking, muting and searching, with two members and an admin in their own browsers."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults_in_both_themes
from tests.support.browser import go
from tests.support.member_pages import expect_toast, log_in, prepare, wait_until_loaded
from tests.support.members import SignedIn, sign_in
from tests.support.rows import data_of
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]
WORDS = "Zyxward ladder evolution, names the patient on Maple"


@pytest.fixture
def author(stack: RunningStack) -> Iterator[SignedIn]:
    """A member of the community who has just written a post; what the test leaves behind is removed."""
    with stack.connect() as connection:
        (email,) = connection.execute(
            "select p.email from public.profiles as p where p.email like '%%@muster.test' and p.email not in (%s, %s)"
            " and p.privacy_settings ->> 'profile_visibility' = 'public' order by md5(p.email) desc limit 1",
            (stack.env["DEMO_ADMIN_EMAIL"], stack.env["DEMO_MEMBER_EMAIL"]),
        ).fetchone() or ("",)
    signed_in = sign_in(stack, email)
    signed_in.client.table("posts").insert({"content": WORDS, "title": "Zyxward drill", "tags": ["zyxward"]}).execute()
    yield signed_in
    with stack.connect() as connection:
        for statement in (
            "delete from public.posts where content = %(words)s",
            "delete from public.reports where member_id = %(id)s",
            "delete from private.decisions where member_id = %(id)s",
            "delete from public.blocks where blocked_id = %(id)s",
            "delete from public.mutes where muted_id = %(id)s",
        ):
            connection.execute(statement, {"words": WORDS, "id": signed_in.id})


def choose(page: Page, entry: str) -> None:
    """An entry of the post's menu."""
    page.get_by_role("article").filter(has_text="Zyxward drill").get_by_role("button", name="More about").click()
    page.get_by_role("menuitem", name=entry).click()


def test_a_report_is_decided_and_appealed(stack: RunningStack, new_page: NewPage, author: SignedIn) -> None:
    """§13.1 §13.2: the queue has it at once; the author reads the reason and appeals without signing in."""
    page, admin = new_page(width=390), new_page()
    prepare(page, stack, stack.env["DEMO_MEMBER_EMAIL"])
    log_in(admin, stack, stack.env["DEMO_ADMIN_EMAIL"], "/admin/reports")
    expect(admin.get_by_role("heading", name="Moderation", level=1)).to_be_visible()
    page.goto(f"{stack.url}/feed")
    wait_until_loaded(page)
    choose(page, "Report post")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Send report").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_label("Patient or incident confidentiality").check()
    dialog.get_by_label("Note").fill("Names the street")
    assert faults_in_both_themes(page, is_covered=True) == []
    dialog.get_by_role("button", name="Send report").click()
    expect_toast(page, "Report sent")
    # Live: the page was open all the time.
    admin.get_by_role("link", name="Zyxward").click()
    expect(admin.get_by_text("Names the street")).to_be_visible()
    assert faults_in_both_themes(admin) == []
    admin.get_by_label("Remove post").check()
    admin.get_by_role("button", name="Remove post").click()
    expect(admin.get_by_text("Please give a reason")).to_be_visible()
    admin.get_by_label("Reason, shown to the member").fill("Names a patient")
    admin.get_by_role("button", name="Remove post").click()
    expect_toast(admin, "Decided")
    expect(admin.get_by_role("link", name="Zyxward")).to_have_count(0)
    (told,) = data_of(
        author.client.table("notifications").select("title, content, metadata, actor_id").eq("type", "system")
        .order("created_at", desc=True).limit(1).execute()
    )  # fmt: skip
    assert (told["title"], told["actor_id"]) == ("Your post was removed", None)
    visitor = new_page(width=390)
    visitor.goto(f"{stack.url}{told['metadata']['url']}")
    expect(visitor.get_by_role("heading", name="Your post was removed")).to_be_visible()
    visitor.get_by_label("Your appeal").fill("It was a drill")
    assert faults_in_both_themes(visitor) == []
    visitor.get_by_role("button", name="Send appeal").click()
    expect(visitor.get_by_role("status")).to_contain_text("We received your appeal")
    admin.get_by_label("Answer, shown to the member").fill("Thank you")
    admin.get_by_role("button", name="Refuse").click()
    expect_toast(admin, "Answered")


def test_search_mute_and_block_from_the_keyboard(stack: RunningStack, new_page: NewPage, author: SignedIn) -> None:
    """§11.1 §11.2 §11.3 §11.4 §13.3 §13.4: `/`, groups, the address; Saved; a mute is undone, a block lifted."""
    page = new_page()
    log_in(page, stack, stack.env["DEMO_MEMBER_EMAIL"])
    wait_until_loaded(page)
    page.keyboard.press("/")
    field = page.get_by_role("combobox", name="Search")
    expect(field).to_be_focused()
    page.keyboard.type("zyxw")
    options = page.get_by_role("listbox").get_by_role("option")
    expect(options).to_have_count(2)
    expect(page.get_by_role("listbox").locator("mark")).to_have_text("Zyxward")
    assert faults_in_both_themes(page) == []
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=zyxw")
    expect(page.get_by_role("link", name="Zyxward drill")).to_be_visible()
    assert faults_in_both_themes(page) == []
    page.get_by_role("button", name="See all: Posts").click()
    page.wait_for_url("**/search?q=zyxw&tab=posts")
    expect(page.get_by_role("link", name="Zyxward drill")).to_be_visible()
    page.get_by_role("tab", name="Lessons").click()
    page.wait_for_url("**/search?q=zyxw&tab=lessons")
    expect(page.get_by_text("Nothing of this kind")).to_be_visible()
    go(page, "/feed")
    wait_until_loaded(page)
    post = page.get_by_role("article").filter(has_text="Zyxward drill")
    post.get_by_role("button", name="Save post").click()
    expect(post.get_by_role("button", name="Save post", pressed=True)).to_be_visible()
    go(page, "/saved")
    expect(page.get_by_role("heading", name="Saved", level=1)).to_be_visible()
    page.get_by_role("article").get_by_role("button", name="Save post", pressed=True).click()
    expect(page.get_by_text("Nothing saved yet")).to_be_visible()
    assert faults_in_both_themes(page) == []
    go(page, "/feed")
    wait_until_loaded(page)
    choose(page, "Mute")
    expect(post).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(post).to_have_count(1)
    wait_until_loaded(page)
    page.reload()  # the lists are fetched again, twice: once for the mute, once for its end
    wait_until_loaded(page)
    choose(page, "Block")
    page.get_by_role("dialog").get_by_role("button", name="Block", exact=True).click()
    expect(post).to_have_count(0)
    go(page, "/search?q=zyxw")
    expect(page.get_by_text("Nothing found for “zyxw”")).to_be_visible()
    hidden = author.client.table("profiles").select("id").eq("email", stack.env["DEMO_MEMBER_EMAIL"]).execute()
    assert data_of(hidden) == []
    go(page, "/settings/safety")
    page.get_by_role("button", name="Unblock").click()
    expect(page.get_by_text("You haven’t blocked anyone.")).to_be_visible()
    shown = author.client.table("profiles").select("id").eq("email", stack.env["DEMO_MEMBER_EMAIL"]).execute()
    assert len(data_of(shown)) == 1


def test_guidance_before_a_first_post(stack: RunningStack, new_page: NewPage) -> None:
    """§13.6: one line when one begins to write, with the guidelines; read once, it is gone for good."""
    email = stack.env["DEMO_MEMBER_EMAIL"]
    with stack.connect() as connection:
        connection.execute("update public.profiles set guidance_seen_at = null where email = %s", (email,))
    page = new_page(width=390)
    log_in(page, stack, email)
    wait_until_loaded(page)
    expect(page.get_by_role("note")).to_have_count(0)
    page.get_by_role("textbox", name="What did this shift teach you?").fill("We learned something")
    expect(page.get_by_role("note")).to_contain_text("No patient details")
    expect(page.get_by_role("note").get_by_role("link", name="Guidelines")).to_have_attribute("href", "/guidelines")
    page.get_by_role("button", name="Got it").click()
    expect(page.get_by_role("note")).to_have_count(0)
    page.reload()
    wait_until_loaded(page)
    expect(page.get_by_role("textbox", name="What did this shift teach you?")).to_have_value("We learned something")
    expect(page.get_by_role("note")).to_have_count(0)
    go(page, "/guidelines")
    expect(page.get_by_role("heading", name="Guidelines")).to_be_visible()
    assert faults_in_both_themes(page) == []
