"""Every member page: no axe violations, no horizontal scrolling, hostile content shown as text, few requests."""

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults_in_both_themes
from tests.support.browser import go, resize
from tests.support.member_pages import (
    NewPage,
    expect_subscriptions,
    log_in,
    new_member,
    prepare,
    record_requests,
    record_subscriptions,
    wait_until_loaded,
)
from tests.support.members import SignedIn, request_connection, sign_in
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
WIDTHS = {390, 1280}

# Path, and the maximum number of API requests on its first visit, layout included.
PAGES = {
    "/dashboard": 19,
    "/feed": 16,
    "/profile": 14,
    "/profile/{other}": 17,
    "/network": 13,
    "/network?q=ma&tab=pending-requests": 19,
    "/network?tab=people&rank=captain": 20,
    "/messages": 8,
    "/messages?with={other}": 17,
    "/notifications": 8,
    "/settings": 6,
    "/settings/notifications": 6,
    "/settings/mentions": 6,
    "/settings/safety": 8,
    "/search?q=ladder": 12,  # the few of each kind, and their numbers
    "/search?q=an&tab=people": 9,
    "/search?q=an&tab=posts": 10,
    "/feedback": 6,
    "/post/{post}": 9,
    "/plan": 12,
    "/trainings": 10,
    "/trainings/{training}": 9,
}


@pytest.fixture(scope="module")
def places(stack: RunningStack) -> dict[str, int]:
    """PAGES with a member to view, a post with comments and a training with seats."""
    with stack.connect() as connection:
        row = connection.execute(
            "select (select p.id::text from public.profiles p where p.email not in (%(me)s, %(admin)s)"
            "   and p.privacy_settings ->> 'profile_visibility' = 'public' order by p.email limit 1),"
            " (select id::text from public.posts where not is_blog_post"
            "   order by public.comment_count(posts) desc, id limit 1),"
            " (select id::text from public.trainings where public.going_count(trainings) > 0"
            "   order by starts_at, id limit 1)",
            {"me": stack.env["DEMO_MEMBER_EMAIL"], "admin": stack.env["DEMO_ADMIN_EMAIL"]},
        ).fetchone()
    assert row is not None
    return {path.format(other=row[0], post=row[1], training=row[2]): most for path, most in PAGES.items()}


def test_every_page_is_accessible_fits_and_asks_little(
    stack: RunningStack, new_page: NewPage, places: dict[str, int]
) -> None:
    """§2.16 §2.26: no axe violations, no horizontal scrolling; bottom bar on mobile, header navigation on desktop.

    A full load of each page sends few requests; repeated only if sent before the subscription was confirmed.
    """
    page = new_page()
    prepare(page, stack, stack.env["DEMO_MEMBER_EMAIL"])
    found: dict[tuple[str, int], list[str]] = {}
    many = {}
    for path, most in places.items():
        with record_requests(page) as requests, record_subscriptions(page, requests):
            with expect_subscriptions(page):
                page.goto(f"{stack.url}{path}")
            wait_until_loaded(page)
        if len({one for one in requests if not one.startswith("LIVE")}) > most or asked_again(requests):
            many[path] = list(requests)
        for is_resized, width in enumerate(at_both_widths(page)):
            faults = found[path, width] = faults_in_both_themes(page, is_resized=bool(is_resized))
            if page.evaluate("document.documentElement.scrollWidth") > width:
                faults.append("scrolls sideways")
            phone, talking = width < 768, page.locator("[data-slot=thread]").count() > 0
            expect(page.get_by_role("navigation", name="Main, mobile")).to_be_visible(visible=phone and not talking)
            expect(page.get_by_role("navigation", name="Main", exact=True)).to_be_visible(visible=not phone)
    assert {place: faults for place, faults in found.items() if faults} == {}
    assert many == {}


def asked_again(requests: list[str]) -> list[str]:
    """What was read twice before its subscription was confirmed, or twice after it."""
    counts = {
        "HEAD connections": requests.index("LIVE connections"),
        "GET messages?select=id%2Csender_id&": requests.index("LIVE messages"),
    }
    return [
        one
        for start, live in counts.items()
        for part in (requests[:live], requests[live:])
        for one in part
        if one.startswith(start) and part.count(one) > 1
    ]


def at_both_widths(page: Page) -> Iterator[int]:
    """The width that an opened page was loaded at, then the other one: the next page is loaded at that."""
    loaded_at = page.evaluate("innerWidth")
    for width in (loaded_at, *(WIDTHS - {loaded_at})):
        if width != loaded_at:
            resize(page, width)
        wait_until_loaded(page)
        yield width


def test_mobile_ends_below_768(stack: RunningStack, new_page: NewPage) -> None:
    """§9.7 §2.24: one pixel decides between bottom bar and header navigation."""
    page = new_page(width=767)
    log_in(page, stack, stack.env["DEMO_MEMBER_EMAIL"], "/settings")
    for width in (767, 768):
        resize(page, width)
        expect(page.get_by_role("navigation", name="Main, mobile")).to_be_visible(visible=width < 768)
        expect(page.get_by_role("navigation", name="Main", exact=True)).to_be_visible(visible=width >= 768)


MARKUP = "<img src=x onerror=\"document.title='pwned'\"><script>document.title='pwned'</script>"
# Overrides without an end, isolates, zero-width joiners and spaces, stacked accents, an emoji of many parts.
STRANGE = "\u202eabc \u2067def \u200b\u200d\ufeff z\u0351\u036b\u0343 \U0001f469\U0001f3fd\u200d\U0001f692 "
STRANGE += "\u0639\u0631\u0628\u064a "


def hostile(length: int) -> str:
    """Markup, text directions, invisible characters and one endless word, up to a given length."""
    text = MARKUP + STRANGE
    return (text if len(text) < length else "<b>pwned</b>" + STRANGE[:9])[: length - 20].ljust(length, "W")


@pytest.fixture
def hostile_places(stack: RunningStack) -> Iterator[tuple[SignedIn, list[str]]]:
    """A member with hostile text in every field, connected to another such, and the pages that show it."""
    with new_member(stack, "Mallory Vance") as me, new_member(stack, "Trudy Vance") as other:
        for one in (me, other):
            patch = {"full_name": hostile(120), "position": hostile(120), "department": hostile(160),
                     "rank": hostile(80), "bio": hostile(2000), "specialties": [hostile(50), hostile(49)]}  # fmt: skip
            one.client.table("profiles").update(patch).eq("id", one.id).execute()
            for table, row in (
                ("certifications", {"name": hostile(160), "issuer": hostile(160), "expires_on": "2020-01-05"}),
                ("awards", {"title": hostile(160), "description": hostile(500)}),
                (
                    "career_milestones",
                    {"title": hostile(120), "organization": hostile(120), "started_on": "2020-01-05"},
                ),
                ("projects", {"title": hostile(120), "description": hostile(500)}),
            ):
                one.client.table(table).insert(row).execute()
        post = {"kind": "training", "title": hostile(200), "content": hostile(5000), "location": hostile(160),
                "starts_at": "2099-01-05T12:00:00Z"}  # fmt: skip
        (made,) = other.client.table("posts").insert(post).execute().data
        assert isinstance(made, dict)
        comment = {"post_id": made["id"], "content": hostile(2000)}
        other.client.table("comments").insert(comment).execute()
        request_connection(other, me.id)
        with stack.connect() as connection:
            connection.execute(
                "insert into public.messages (sender_id, recipient_id, content) values (%s, %s, %s)",
                (other.id, me.id, hostile(4000)),
            )
            connection.execute(
                "insert into public.notifications (id, user_id, actor_id, type, title, content, metadata)"
                " values (gen_random_uuid(), %s, %s, 'message', %s, %s, '{}')",
                (me.id, other.id, hostile(200), hostile(1000)),
            )
        paths = ["/feed", f"/post/{made['id']}", "/profile", "/dashboard", f"/profile/{other.id}", "/messages",
                 "/network?tab=pending-requests", f"/messages?with={other.id}", "/notifications",
                 "/settings"]  # fmt: skip
        yield me, paths
        other.client.table("posts").delete().eq("id", made["id"]).execute()


def test_hostile_text_is_text(
    stack: RunningStack, new_page: NewPage, hostile_places: tuple[SignedIn, list[str]]
) -> None:
    """Markup, directions, invisible characters and 5,000-character words are shown as text, without overflow."""
    me, paths = hostile_places
    page = new_page()
    log_in(page, stack, me.email)
    wrong = {}
    for path in paths:
        if path != "/feed":
            go(page, path)
        for width in at_both_widths(page):
            if path != "/settings":
                expect(page.get_by_role("main").get_by_text("pwned").first).to_be_attached()
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wrong[path, width] = "scrolls sideways"
            if "pwned" in page.title() and not path.startswith(("/profile", "/post")):
                wrong[path, width] = page.title()
            if page.locator("main img[src=x], main script").count():
                wrong[path, width] = "became markup"
            if "?with=" in path:
                page.get_by_label("Message to").fill("W" * 4_000)
                if page.evaluate("document.documentElement.scrollWidth") > width:
                    wrong[path, width] = "scrolls sideways with a long word in its box"
    page.get_by_role("banner").get_by_role("button", name=re.compile("^Notifications")).click()
    for width in at_both_widths(page):
        expect(page.get_by_role("dialog", name="Notifications").get_by_text("pwned").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert wrong == {}


def test_a_post_is_written_edited_found_useful_and_deleted(stack: RunningStack, new_page: NewPage) -> None:
    """The feed as its author uses it, by role and name."""
    page = new_page()
    log_in(page, stack, stack.env["DEMO_MEMBER_EMAIL"])
    text = f"Walk the roof twice {uuid4().hex[:6]}"
    page.get_by_label("What did this shift teach you?").fill(text)
    page.get_by_role("group", name="Kind of post").get_by_text("Question").click()
    page.get_by_role("button", name="Post", exact=True).click()
    post = page.get_by_role("article").filter(has_text=text)
    expect(post).to_have_count(1)
    expect(post.get_by_text("Question", exact=True)).to_be_visible()

    post.get_by_role("button", name="Useful, 0").click()
    expect(post.get_by_role("button", name="Useful, 1")).to_have_attribute("aria-pressed", "true")

    post.get_by_role("button", name="More about").click()
    page.get_by_role("menuitem", name="Edit").click()
    page.get_by_role("dialog").get_by_label("What did this shift teach you?").fill(f"{text}, then once more")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(post).to_contain_text("then once more")

    post.get_by_role("button", name="More about").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(post).to_have_count(0)


def test_what_is_talked_about_appears_by_itself(stack: RunningStack, new_page: NewPage) -> None:
    """An open feed counts a new post, and follows the comments and reactions of those it shows, without a reload."""
    page = new_page()
    with expect_subscriptions(page, "feed"):
        log_in(page, stack, stack.env["DEMO_MEMBER_EMAIL"])
    first = page.get_by_role("article").first
    expect(first).to_be_visible()
    post_id = (first.get_attribute("id") or "").removeprefix("post-")
    comments = first.get_by_role("button", name=re.compile("^Comments, "))
    before = int((comments.get_attribute("aria-label") or "").rsplit(" ", 1)[1])
    text = f"Copied {uuid4().hex[:6]}"
    other = sign_in(stack, "malik@muster.test").client
    other.table("comments").insert({"post_id": post_id, "content": text}).execute()
    expect(comments).to_have_accessible_name(f"Comments, {before + 1}")
    comments.click()
    expect(first.get_by_text(text)).to_be_visible()
    other.table("comments").update({"content": f"{text}, twice"}).eq("content", text).execute()
    expect(first.get_by_text(f"{text}, twice")).to_be_visible()
    other.table("posts").insert({"kind": "general", "content": text}).execute()
    expect(page.get_by_role("button", name="1 new post")).to_be_visible()


def test_a_certification_is_added_to_the_profile(stack: RunningStack, new_page: NewPage) -> None:
    """§1.1 §1.4: certifications are highlighted; one that expires is marked."""
    page = new_page()
    log_in(page, stack, stack.env["DEMO_MEMBER_EMAIL"], "/profile")
    name = f"Hazmat operations {uuid4().hex[:6]}"
    page.get_by_role("button", name="Edit Certifications").click()
    page.get_by_role("button", name="Add to Certifications").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Please fill this in")).to_be_visible()
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Expires on").fill("2020-01-05")
    dialog.get_by_role("button", name="Save").click()
    row = page.get_by_role("region", name="Certifications").get_by_role("listitem").filter(has_text=name)
    expect(row).to_contain_text("Expired")
    expect(row).to_contain_text("Jan 5, 2020")


def test_dialogs_and_menus_pass_axe(stack: RunningStack, new_page: NewPage) -> None:
    """What a member opens over a page, in both themes: no axe violations, and a form begins on its first field."""
    page = new_page()
    prepare(page, stack, stack.env["DEMO_MEMBER_EMAIL"])
    found: dict[tuple[str, int], list[str]] = {}

    def look(what: str, width: int) -> None:
        is_resized = any(seen == what for seen, _ in found)
        found[what, width] = faults_in_both_themes(page, is_resized=is_resized, is_covered=True)

    def put_away() -> None:
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog").or_(page.get_by_role("menu"))).to_have_count(0)

    page.goto(f"{stack.url}/profile")
    for width in at_both_widths(page):
        page.get_by_role("button", name="Edit profile").click()
        expect(page.get_by_role("dialog").get_by_role("textbox").first).to_be_focused()
        look("edit profile", width)
        put_away()
        page.get_by_role("button", name="Edit About").click()
        expect(page.get_by_role("dialog").get_by_label("About")).to_be_focused()
        put_away()
        page.get_by_role("button", name=re.compile("^Notifications")).click()
        expect(page.get_by_role("dialog", name="Notifications")).to_be_visible()
        look("bell", width)
        put_away()
        page.get_by_role("button", name=re.compile("account menu")).click()
        expect(page.get_by_role("menu").or_(page.get_by_role("dialog")).first).to_be_visible()
        look("account menu", width)
        put_away()
    go(page, "/network?tab=connections")
    for width in at_both_widths(page):
        page.get_by_role("button", name=re.compile("^More")).first.click()
        expect(page.get_by_role("menu")).to_be_visible()
        look("menu of a connection", width)
        page.get_by_role("menuitem", name=re.compile("Remove")).click()
        expect(page.get_by_role("alertdialog").or_(page.get_by_role("dialog"))).to_be_visible()
        look("removing a connection", width)
        put_away()
    go(page, "/messages")
    for width in at_both_widths(page):
        page.get_by_role("button", name="New message").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("searchbox").or_(dialog.get_by_role("textbox")).first).to_be_focused()
        look("new message", width)
        put_away()
    assert {what: faults for what, faults in found.items() if faults} == {}
