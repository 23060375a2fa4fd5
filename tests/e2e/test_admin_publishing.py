"""Publishing, sending and viewing in the admin area in Chromium, with its effects for readers and members."""

import base64
import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.support.admin_pages import (
    answer_dialog,
    audit_entries,
    close_dialog,
    mails_to,
    menu,
    row_of,
    visit,
    wait_until_loaded,
)
from tests.support.member_pages import store_session
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def test_waitlist_entries_are_managed(stack: RunningStack, admin_page: Page, waiting: list[str]) -> None:
    """§2.42 §4.26 §3.23: search, quiz answers, status changes, removal; each logged."""
    ann, bea, _ = waiting
    tag = ann.split(".", 1)[1]
    with stack.connect() as connection:
        entry = connection.execute("select id from public.waitlist where email = %s", (ann,)).fetchone()
    assert entry is not None
    # As its mail does, whatever the list shows.
    admin_page.goto(f"{stack.url}/admin/waitlist?entry={entry[0]}&type=volunteer")
    expect(admin_page.get_by_role("dialog", name=ann)).to_contain_text("Noise")
    expect(admin_page.get_by_role("dialog").get_by_role("button", name="Invite")).to_be_visible()
    close_dialog(admin_page)
    admin_page.get_by_label("Type", exact=True).select_option("")
    admin_page.get_by_role("searchbox").fill(tag)
    expect(admin_page.get_by_role("row")).to_have_count(4)
    admin_page.get_by_label("Type", exact=True).select_option("Career")
    expect(admin_page.get_by_role("row")).to_have_count(2)
    menu(admin_page, ann, "Quiz answers")
    for answer in ("Reddit", "Noise", "Drills"):
        expect(admin_page.get_by_role("dialog")).to_contain_text(answer)
    close_dialog(admin_page)
    admin_page.get_by_label("Type", exact=True).select_option("")
    menu(admin_page, bea, "Mark as pending")
    expect(row_of(admin_page, bea)).to_contain_text("Pending")
    admin_page.get_by_role("tab", name=re.compile("^Pending")).click()
    expect(admin_page.get_by_role("row")).to_have_count(2)
    menu(admin_page, bea, "Back to waitlist")
    expect(admin_page.get_by_text("No one found")).to_be_visible()
    admin_page.get_by_role("tab", name=re.compile("^All")).click()
    menu(admin_page, bea, "Remove from waitlist")
    answer_dialog(admin_page, "Remove from waitlist")
    expect(admin_page.get_by_role("row")).to_have_count(3)
    admin_page.goto(f"{stack.url}/admin/waitlist?entry=%27")  # cut in a mail, or deleted
    expect(admin_page.get_by_role("dialog", name="No longer here")).to_be_visible()
    visit(admin_page, stack, "/users")
    admin_page.get_by_label("Area").select_option("Waitlist")
    expect(audit_entries(admin_page, f"removed from the waitlist: {bea}")).to_have_count(1)
    expect(audit_entries(admin_page, f"changed the waitlist status of {bea} (Pending)")).to_have_count(1)


def test_a_cover_is_uploaded_and_the_article_featured(stack: RunningStack, admin_page: Page, new_page: NewPage) -> None:
    """§2.42 §2.1 §3.39 §14.4: the cover is public at once, first on the landing page; then undone."""
    title = f"Covered {uuid4().hex[:8]}"
    visit(admin_page, stack, "/blog?article=new")
    admin_page.get_by_label("Title").fill(title)
    admin_page.get_by_label("Text (Markdown)").fill("Words under a picture.")
    cover = admin_page.get_by_role("group", name="Cover image")
    cover.get_by_label("Choose a picture").set_input_files({"name": "p.png", "mimeType": "image/png", "buffer": PIXEL})
    expect(cover.get_by_role("listitem").locator("img")).to_be_visible()
    admin_page.get_by_label("Feature on the landing page").check()
    admin_page.get_by_role("button", name="Publish").click()
    expect(admin_page.get_by_text("Article published")).to_be_visible()
    with stack.connect() as connection:
        row = connection.execute(
            "select id, is_featured, featured_image from public.posts where title = %s", (title,)
        ).fetchone()
        assert row is not None
        assert row[1] is True
        assert row[2].startswith("/storage/v1/object/public/article-covers/")
        connection.execute("update public.posts set created_at = '2001-01-01' where id = %s", (row[0],))
    visitor = new_page()
    visitor.goto(stack.url)
    expect(visitor.get_by_role("article").first).to_contain_text(title)
    shown = visitor.get_by_role("article").first.locator("img").first
    made = visitor.request.get(shown.evaluate("image => image.currentSrc"), headers={"accept": "image/webp"})
    assert (made.status, made.headers["content-type"]) == (200, "image/webp")
    visitor.goto(f"{stack.url}/blog")
    expect(visitor.get_by_role("article").filter(has_text=title)).to_be_visible()
    visit(admin_page, stack, f"/blog?article={row[0]}")
    admin_page.get_by_label("Feature on the landing page").uncheck()
    admin_page.get_by_role("button", name="Unpublish").click()
    answer_dialog(admin_page, "Unpublish")
    expect(admin_page.get_by_text("Article unpublished")).to_be_visible()
    wait_until_loaded(admin_page)
    expect(admin_page.get_by_text("Draft", exact=True)).to_be_visible()
    visitor.reload()
    expect(visitor.get_by_role("article").first).to_be_visible()
    expect(visitor.get_by_role("article").filter(has_text=title)).to_have_count(0)
    admin_page.get_by_role("button", name="Delete", exact=True).click()
    answer_dialog(admin_page, "Delete")
    expect(admin_page.get_by_text("Article deleted")).to_be_visible()


def test_a_file_that_is_no_picture_is_rejected(stack: RunningStack, admin_page: Page) -> None:
    """§3.39: an error beside the field; the article is unchanged."""
    visit(admin_page, stack, "/blog?article=new")
    admin_page.get_by_role("group", name="Cover image").get_by_label("Choose a picture").set_input_files(
        {"name": "p.png", "mimeType": "image/png", "buffer": b"<script>alert(1)</script>"}
    )
    expect(admin_page.get_by_role("alert")).to_contain_text("Muster takes JPEG, PNG, WebP and AVIF pictures")


def test_the_dashboard_shows_the_selected_period(stack: RunningStack, admin_page: Page) -> None:
    """§2.41: four charts, each with a text alternative; another length, a range of days, both kept in the URL."""
    visit(admin_page, stack)
    for chart in ("Members went from", "posts in 12 weeks", "messages and"):
        expect(admin_page.get_by_role("img", name=re.compile(chart))).to_be_visible()
    admin_page.get_by_label("Period").select_option("52 weeks")
    expect(admin_page.get_by_role("img", name=re.compile("posts in 52 weeks"))).to_be_visible()
    admin_page.get_by_label("Period").select_option("Custom range")
    admin_page.get_by_label("From", exact=True).fill(
        admin_page.evaluate("new Date(Date.now() - 20 * 864e5).toISOString().slice(0, 10)")
    )
    expect(admin_page.get_by_role("img", name=re.compile(r"posts in (3|4) weeks"))).to_be_visible()
    admin_page.reload()
    expect(admin_page.get_by_role("img", name=re.compile(r"posts in (3|4) weeks"))).to_be_visible()
    # The values of a week, by arrow keys, and all of them as a table.
    point = admin_page.get_by_label("Values by week").first
    point.focus()
    said = point.get_attribute("aria-valuetext")
    point.press("ArrowLeft")
    expect(point).not_to_have_attribute("aria-valuetext", said or "")
    admin_page.get_by_text("Numbers", exact=True).first.click()
    expect(admin_page.get_by_role("columnheader", name="Members").first).to_be_visible()
    admin_page.goto(f"{stack.url}/admin/dashboard")
    expect(admin_page.get_by_role("heading", name="Dashboard", level=1)).to_be_visible()
    # What happens appears by itself, and leads to where it is dealt with.
    news = admin_page.get_by_role("region", name="Just now")
    email = f"just.{uuid4().hex[:8]}@example.org"
    with stack.connect() as connection:
        connection.execute("insert into public.waitlist (email) values (%s)", (email,))
    expect(news.get_by_role("listitem").first).to_contain_text(f"{email} joined the waitlist.")
    news.get_by_role("link", name="Review and invite").first.click()
    expect(row_of(admin_page, email)).to_be_visible()
    with stack.connect() as connection:
        connection.execute("delete from public.waitlist where email = %s", (email,))


def test_the_audit_log_goes_back_page_by_page(stack: RunningStack, admin_page: Page, newcomer: str) -> None:
    """§6.3: twenty at a time, by cursor: a line written in between appears, repeats none and hides none."""
    with stack.connect() as connection:  # the newest: the export's test leaves thousands of lines of a minute ago
        connection.execute(
            "insert into public.admin_audit_log (action, member_id, member_email, created_at)"
            " select 'restored', p.id, 'line-' || lpad(i::text, 2, '0'), now() - i * interval '1 ms'"
            " from public.profiles p, generate_series(1, 45) as s (i) where p.email = %s", (newcomer,),
        )  # fmt: skip
    visit(admin_page, stack, "/users")
    expect(audit_entries(admin_page, "line-01")).to_have_count(1)
    with stack.connect() as connection:
        connection.execute(
            "insert into public.admin_audit_log (action, member_id, member_email)"
            " select 'restored', id, 'line-00' from public.profiles where email = %s", (newcomer,),
        )  # fmt: skip
    expect(audit_entries(admin_page, "line-00")).to_have_count(1)
    while not audit_entries(admin_page, "line-45").count():
        before = audit_entries(admin_page, "restored line-").count()
        admin_page.get_by_role("button", name="Show more").click()
        expect(audit_entries(admin_page, "restored line-").nth(before)).to_be_visible()
    shown = [re.search(r"line-\d\d", text) for text in audit_entries(admin_page, "restored line-").all_inner_texts()]
    assert [found[0] for found in shown if found] == [f"line-{n:02}" for n in range(46)]
    # The page of the log finds one by its address, and exports what it finds.
    visit(admin_page, stack, "/audit")
    admin_page.get_by_role("searchbox").fill("LINE-07")
    expect(audit_entries(admin_page, "restored line-")).to_have_count(1)
    with admin_page.expect_download() as download:
        admin_page.get_by_role("button", name="Export CSV").click()
    rows = download.value.path().read_text("utf-8-sig").splitlines()
    assert len(rows) == 2
    assert '"restored","line-07"' in rows[1]


def test_a_test_notification_is_sent(stack: RunningStack, admin_page: Page, newcomer: str) -> None:
    """§2.42 §3.12 §7.43: to the admin and to a member, in the application and by mail.

    The page shows the effect of the settings, and what they suppress.
    """
    visit(admin_page, stack, "/notification-tester")
    admin_page.get_by_label("Title").fill("A drill")
    admin_page.get_by_role("button", name="Send the notification").click()
    expect(admin_page.get_by_text(re.compile("^In-app: shown"))).to_be_visible()
    admin_page.get_by_role("searchbox").fill(newcomer)
    admin_page.get_by_role("button", name="Nora Newcomer").click()
    admin_page.get_by_label("Title").fill("Station drill")
    admin_page.route("**/rest/v1/notifications*", lambda route: route.abort())
    admin_page.get_by_role("button", name="Send the notification").click()
    expect(admin_page.get_by_text("In-app: not sent. Please try again.")).to_be_visible()
    expect(admin_page.get_by_label("Title")).to_have_value("Station drill")
    admin_page.unroute("**/rest/v1/notifications*")
    admin_page.get_by_role("checkbox", name="Email").check()
    admin_page.get_by_role("button", name="Send the notification").click()
    expect(admin_page.get_by_text(re.compile("^In-app: shown"))).to_be_visible()
    expect(admin_page.get_by_text("Email: queued.")).to_be_visible()
    wait_until(lambda: mails_to(stack, newcomer))
    with stack.connect() as connection:
        connection.execute(
            "update public.profiles set notification_settings = notification_settings"
            " || '{\"globalMute\": true, \"emailGlobalMute\": true}' where email = %s", (newcomer,),
        )  # fmt: skip
    admin_page.get_by_role("button", name="Send the notification").click()
    expect(admin_page.get_by_text(re.compile("^Email: not sent"))).to_be_visible()
    admin_page.get_by_label("Leads to").fill("https://evil.test")
    admin_page.get_by_role("button", name="Send the notification").click()
    expect(admin_page.get_by_text("Please enter a path on this site, like /feed")).to_be_visible()


def test_admin_pages_are_loaded_on_the_first_visit(stack: RunningStack, new_page: NewPage) -> None:
    """§2.52: a member's feed loads no admin chunk; each admin page loads its own, once."""
    page = new_page()
    scripts: list[str] = []
    page.on("request", lambda request: scripts.append(request.url) if request.url.endswith(".js") else None)
    store_session(page, stack, stack.env["DEMO_ADMIN_EMAIL"])
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
