"""What admins publish, send and look at, page by page in Chromium, and what readers and members see of it."""

import base64
import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_admin_area import log_in
from tests.support.desk import answer, mails_to, menu, noted, put_away, row_of, settled, visit
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def test_the_waitlist_is_worked_through(stack: RunningStack, desk: Page, waiting: list[str]) -> None:
    """§2.42 §4.26 §3.23: found, answers read, status there and back, removed; each noted."""
    ann, bea, _ = waiting
    tag = ann.split(".", 1)[1]
    visit(desk, stack, "/waitlist")
    desk.get_by_role("searchbox").fill(tag)
    expect(desk.get_by_role("row")).to_have_count(4)
    desk.get_by_label("Type", exact=True).select_option("Career")
    expect(desk.get_by_role("row")).to_have_count(2)
    menu(desk, ann, "Quiz answers")
    for said in ("Reddit", "Noise", "Drills"):
        expect(desk.get_by_role("dialog")).to_contain_text(said)
    put_away(desk)
    desk.get_by_label("Type", exact=True).select_option("")
    menu(desk, bea, "Mark as pending")
    expect(row_of(desk, bea)).to_contain_text("Pending")
    desk.get_by_role("tab", name=re.compile("^Pending")).click()
    expect(desk.get_by_role("row")).to_have_count(2)
    menu(desk, bea, "Back to waitlist")
    expect(desk.get_by_text("Nobody here")).to_be_visible()
    desk.get_by_role("tab", name=re.compile("^All")).click()
    menu(desk, bea, "Remove from waitlist")
    answer(desk, "Remove from waitlist")
    expect(desk.get_by_role("row")).to_have_count(3)
    visit(desk, stack, "/users")
    desk.get_by_label("What was done to").select_option("Waitlist")
    expect(noted(desk, f"took off the waitlist: {bea}")).to_have_count(1)
    expect(noted(desk, f"moved on the waitlist: {bea} (Pending)")).to_have_count(1)


def test_a_cover_is_uploaded_and_the_article_featured(stack: RunningStack, desk: Page, new_page: NewPage) -> None:
    """§2.42 §2.1 §3.39: the picture is made small, the visitor sees it at once, first on the landing page; and back."""
    title = f"Covered {uuid4().hex[:8]}"
    visit(desk, stack, "/blog?article=new")
    desk.get_by_label("Title").fill(title)
    desk.get_by_label("Text (Markdown)").fill("Words under a picture.")
    desk.get_by_label("Upload a picture").set_input_files({"name": "p.png", "mimeType": "image/png", "buffer": PIXEL})
    expect(desk.get_by_alt_text("Your picture, as readers will see it.")).to_be_visible()
    desk.get_by_label("Feature on the landing page").check()
    desk.get_by_role("button", name="Publish").click()
    expect(desk.get_by_text("Article published")).to_be_visible()
    with stack.connect() as connection:
        row = connection.execute(
            "select id, length(featured_image), left(featured_image, 23), is_featured from public.posts"
            " where title = %s", (title,),
        ).fetchone()  # fmt: skip
        assert row is not None
        assert row[1] <= 120_000
        assert row[2:] == ("data:image/jpeg;base64,", True)
        connection.execute("update public.posts set created_at = '2001-01-01' where id = %s", (row[0],))
    visitor = new_page()
    visitor.goto(stack.url)
    expect(visitor.get_by_role("article").first).to_contain_text(title)
    visitor.goto(f"{stack.url}/blog")
    expect(visitor.get_by_role("article").filter(has_text=title)).to_be_visible()
    visit(desk, stack, f"/blog?article={row[0]}")
    desk.get_by_label("Feature on the landing page").uncheck()
    desk.get_by_role("button", name="Back to draft").click()
    expect(desk.get_by_text("Article saved")).to_be_visible()
    settled(desk)
    expect(desk.get_by_text("Draft", exact=True)).to_be_visible()
    visitor.reload()
    expect(visitor.get_by_role("article").first).to_be_visible()
    expect(visitor.get_by_role("article").filter(has_text=title)).to_have_count(0)
    desk.get_by_role("button", name="Delete", exact=True).click()
    answer(desk, "Delete")
    expect(desk.get_by_text("Article deleted")).to_be_visible()


def test_a_file_that_is_no_picture_is_told(stack: RunningStack, desk: Page) -> None:
    """§3.39: said beside the field; the article stays as it was."""
    visit(desk, stack, "/blog?article=new")
    desk.get_by_label("Upload a picture").set_input_files(
        {"name": "p.png", "mimeType": "image/png", "buffer": b"<script>alert(1)</script>"}
    )
    expect(desk.get_by_role("alert")).to_contain_text("This picture could not be used")


def test_the_dashboard_shows_the_days_one_asks_for(stack: RunningStack, desk: Page) -> None:
    """§2.41: four charts, each said in words; another length, a range of days, and the address keeps it."""
    visit(desk, stack)
    for chart in ("Members went from", "posts in 12 weeks", "messages and"):
        expect(desk.get_by_role("img", name=re.compile(chart))).to_be_visible()
    desk.get_by_label("Period").select_option("52 weeks")
    expect(desk.get_by_role("img", name=re.compile("posts in 52 weeks"))).to_be_visible()
    desk.get_by_label("Period").select_option("From a day on")
    desk.get_by_label("From", exact=True).fill(
        desk.evaluate("new Date(Date.now() - 20 * 864e5).toISOString().slice(0, 10)")
    )
    expect(desk.get_by_role("img", name=re.compile(r"posts in (3|4) weeks"))).to_be_visible()
    desk.reload()
    expect(desk.get_by_role("img", name=re.compile(r"posts in (3|4) weeks"))).to_be_visible()
    visit(desk, stack, "/dashboard")
    expect(desk.get_by_role("heading", name="Dashboard", level=1)).to_be_visible()


def test_the_audit_log_goes_back_page_by_page(stack: RunningStack, desk: Page, newcomer: str) -> None:
    """§6.3: twenty at a time, from the last one on: a line written meanwhile neither repeats nor hides one."""
    with stack.connect() as connection:
        connection.execute(
            "insert into public.admin_audit_log (action, member_id, member_email, created_at)"
            " select 'restored', p.id, 'line-' || lpad(i::text, 2, '0'), now() - make_interval(secs => i)"
            " from public.profiles p, generate_series(1, 45) as s (i) where p.email = %s", (newcomer,),
        )  # fmt: skip
    visit(desk, stack, "/users")
    expect(noted(desk, "line-01")).to_have_count(1)
    with stack.connect() as connection:
        connection.execute(
            "insert into public.admin_audit_log (action, member_id, member_email)"
            " select 'restored', id, 'line-00' from public.profiles where email = %s", (newcomer,),
        )  # fmt: skip
    while not noted(desk, "line-45").count():
        before = noted(desk, "restored line-").count()
        desk.get_by_role("button", name="Show more").click()
        expect(noted(desk, "restored line-").nth(before)).to_be_visible()
    shown = [re.search(r"line-\d\d", text) for text in noted(desk, "restored line-").all_inner_texts()]
    assert [found[0] for found in shown if found] == [f"line-{n:02}" for n in range(1, 46)]


def test_a_notification_is_tried_on_a_member(stack: RunningStack, desk: Page, newcomer: str) -> None:
    """§2.42 §3.12 §7.43: in the application and by mail; what their settings hide is said."""
    visit(desk, stack, "/notification-tester")
    desk.get_by_role("searchbox").fill(newcomer)
    desk.get_by_role("button", name="Nora Newcomer").click()
    desk.get_by_label("Title").fill("Station drill")
    desk.get_by_label("By mail").check()
    desk.get_by_role("button", name="Send the notification").click()
    expect(desk.get_by_text(re.compile("^In the application: shown"))).to_be_visible()
    expect(desk.get_by_text("By mail: accepted for sending.")).to_be_visible()
    wait_until(lambda: mails_to(stack, newcomer))
    with stack.connect() as connection:
        connection.execute(
            "update public.profiles set notification_settings = notification_settings"
            " || '{\"globalMute\": true, \"emailGlobalMute\": true}' where email = %s", (newcomer,),
        )  # fmt: skip
    desk.get_by_role("button", name="Send the notification").click()
    expect(desk.get_by_text(re.compile("^By mail: not sent"))).to_be_visible()
    desk.get_by_label("Leads to").fill("https://evil.test")
    desk.get_by_role("button", name="Send the notification").click()
    expect(desk.get_by_text("Please give a path that begins with /")).to_be_visible()


def test_admin_pages_come_when_first_visited(stack: RunningStack, new_page: NewPage) -> None:
    """§2.52: a member's feed loads no script of the admin area; each of its pages brings its own, once."""
    page = new_page()
    scripts: list[str] = []
    page.on("request", lambda request: scripts.append(request.url) if request.url.endswith(".js") else None)
    log_in(page, stack, stack.env["DEMO_ADMIN_EMAIL"])
    page.goto(f"{stack.url}/feed")
    expect(page.get_by_role("navigation").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert [url for url in scripts if "admin" in url] == []
    scripts.clear()
    page.goto(f"{stack.url}/admin")
    expect(page.get_by_role("heading", name="Dashboard", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert any("admin-layout" in url for url in scripts)
    assert not any("admin-blog" in url for url in scripts)
    page.get_by_role("navigation", name="Admin").get_by_role("link", name="Blog").click()
    expect(page.get_by_role("heading", name="Blog", level=1)).to_be_visible()
    assert any("admin-blog" in url for url in scripts)
