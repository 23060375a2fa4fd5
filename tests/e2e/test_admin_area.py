"""The admin area in Chromium and through the API: its pages work, and non-admins are rejected at once."""

import re
from collections.abc import Callable, Iterator
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Page, expect
from postgrest.exceptions import APIError

from supabase import AuthApiError
from tests.support.admin_pages import row_of, visit, wait_until_loaded
from tests.support.axe import faults_in_both_themes
from tests.support.browser import resize
from tests.support.member_pages import store_session
from tests.support.members import SignedIn, sign_in
from tests.support.patience import PATIENCE_S
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]

PAGES = [
    "", "/users", "/waitlist", "/reports", "/feedback", "/goals", "/blog", "/blog?article=new",
    "/notification-tester", "/audit",
]  # fmt: skip
PROCEDURES = [
    ("admin_members", {}),
    ("admin_waitlist", {}),
    ("admin_waitlist_counts", {}),
    ("admin_quiz_stats", {}),
    ("admin_totals", {}),
    ("admin_stats", {}),
    ("admin_member_types", {}),
    ("admin_member_stats", {"uid": "me"}),
    ("set_admin", {"uid": "me", "admin": True}),
    ("suspend_member", {"uid": "me", "suspended": True}),
    ("delete_member", {"uid": "me"}),
]


def close(who: SignedIn) -> None:
    """Close the client's connections."""
    who.client.auth.close()
    who.client.postgrest.session.close()


@pytest.fixture(scope="module")
def admin(stack: RunningStack) -> Iterator[SignedIn]:
    """The demo admin."""
    someone = sign_in(stack, stack.env["DEMO_ADMIN_EMAIL"])
    yield someone
    close(someone)


@pytest.fixture
def member(stack: RunningStack, admin: SignedIn) -> Iterator[SignedIn]:
    """A member of the demo community; role and suspension are reset afterwards."""
    with stack.connect() as connection:
        row = connection.execute(
            "select p.email from public.profiles p where p.email not in (%s, %s)"
            " and p.id not in (select user_id from private.admins) order by p.email desc limit 1",
            (stack.env["DEMO_MEMBER_EMAIL"], admin.email),
        ).fetchone()
    assert row is not None
    someone = sign_in(stack, row[0])
    yield someone
    close(someone)
    with stack.connect() as connection:
        connection.execute("delete from private.admins where user_id = %s", (someone.id,))
        connection.execute("update auth.users set banned_until = null where id = %s", (someone.id,))


def try_sign_in(stack: RunningStack, email: str) -> tuple[int, str | None]:
    """Status and error code of a sign-in with the right password."""
    answer = httpx.post(
        f"{stack.url}/auth/v1/token?grant_type=password",
        headers={"apikey": stack.env["PUBLISHABLE_KEY"], "x-supabase-api-version": "2024-01-01"},
        json={"email": email, "password": stack.env["DEMO_PASSWORD"]},
        timeout=PATIENCE_S,
    )
    return answer.status_code, answer.json().get("code")


def rejection_of(who: SignedIn, procedure: str, arguments: dict[str, object], uid: str) -> str:
    """The message of the rejection."""
    named = {name: uid if value == "me" else value for name, value in arguments.items()}
    with pytest.raises(APIError) as refusal:
        who.client.rpc(procedure, named).execute()
    return str(refusal.value.message)


@pytest.mark.parametrize(
    ("procedure", "arguments"), PROCEDURES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_member_cannot_call_admin_procedures(
    member: SignedIn, admin: SignedIn, procedure: str, arguments: dict[str, object]
) -> None:
    """§6.3 §6.6: each admin procedure, called by a member, and by a former admin right after losing the role."""
    assert rejection_of(member, procedure, arguments, admin.id) == "Only admins can do this"
    admin.client.rpc("set_admin", {"uid": member.id, "admin": True}).execute()
    assert member.client.rpc("admin_totals").execute().data
    admin.client.rpc("set_admin", {"uid": member.id, "admin": False}).execute()
    assert rejection_of(member, procedure, arguments, admin.id) == "Only admins can do this"


def expect_no_access(member: SignedIn) -> None:
    """Reads return nothing and writes change nothing, in every table of the admin area."""
    for table in ("waitlist", "feedback", "admin_audit_log"):
        assert member.client.table(table).select("*").execute().data == []
    waitlist, feedback, posts = (member.client.table(name) for name in ("waitlist", "feedback", "posts"))
    assert waitlist.update({"status": "invited"}).neq("status", "x").execute().data == []
    assert waitlist.delete().neq("status", "x").execute().data == []
    assert feedback.update({"status": "resolved"}).neq("status", "x").execute().data == []
    assert feedback.delete().neq("status", "x").execute().data == []
    assert posts.select("id").eq("is_blog_post", True).eq("is_public_blog", False).execute().data == []
    assert posts.update({"title": "x"}).eq("is_blog_post", True).execute().data == []
    assert posts.delete().eq("is_blog_post", True).execute().data == []
    article = {"content": "x", "title": "x", "slug": f"s{uuid4().hex}", "is_blog_post": True, "is_public_blog": True}
    with pytest.raises(APIError):
        posts.insert(article).execute()
    with pytest.raises(APIError):
        member.client.table("admin_audit_log").insert({"action": "deleted", "member_id": member.id}).execute()


def test_a_member_cannot_read_or_write_admin_rows(member: SignedIn, admin: SignedIn) -> None:
    """§6.3: nor does a former admin with a token from before."""
    expect_no_access(member)
    admin.client.rpc("set_admin", {"uid": member.id, "admin": True}).execute()
    for table in ("waitlist", "feedback", "admin_audit_log"):
        assert member.client.table(table).select("*").limit(1).execute().data
    admin.client.rpc("set_admin", {"uid": member.id, "admin": False}).execute()
    expect_no_access(member)


def test_suspension_blocks_refresh_and_sign_in(stack: RunningStack, admin: SignedIn, member: SignedIn) -> None:
    """§6.3: the session cannot be refreshed, signing in is rejected; restored, it works again."""
    admin.client.rpc("suspend_member", {"uid": member.id, "suspended": True}).execute()
    with pytest.raises(AuthApiError):
        member.client.auth.refresh_session()
    assert try_sign_in(stack, member.email) == (400, "user_banned")
    admin.client.rpc("suspend_member", {"uid": member.id, "suspended": False}).execute()
    assert try_sign_in(stack, member.email) == (200, None)


def test_access_to_the_admin_area(stack: RunningStack, new_page: NewPage, member: SignedIn) -> None:
    """§2.45 §2.46 §8.21: visitors go to /login, members to /dashboard with the toast."""
    visitor = new_page()
    visitor.goto(f"{stack.url}/admin/users")
    visitor.wait_for_url("**/login")
    page = new_page()
    store_session(page, stack, member.email)
    page.goto(f"{stack.url}/admin/users")
    page.wait_for_url("**/dashboard")
    expect(page.get_by_text("Access Denied")).to_be_visible()
    expect(page.get_by_text("You don't have permission to access this area.")).to_be_visible()


def test_every_page_is_accessible(stack: RunningStack, new_page: NewPage) -> None:
    """§2.41 §2.42: each page at both widths and in both themes: no axe violations, no horizontal scrolling."""
    page = new_page()
    store_session(page, stack, stack.env["DEMO_ADMIN_EMAIL"])
    widths = [1280, 390]
    for path in PAGES:
        visit(page, stack, path)
        for width in widths:
            resize(page, width)
            wait_until_loaded(page)
            found = faults_in_both_themes(page, is_resized=width != widths[0])
            assert [(path, width, fault) for fault in found] == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)
            if width == 1280 and page.get_by_role("table").count() == 1:
                resize(page, 1024)  # no column, and no row's menu, lies outside
                menus = page.get_by_role("table").locator("..")
                assert menus.evaluate("(box) => box.scrollWidth <= box.clientWidth"), path
        widths.reverse()  # the next page is loaded at the width that this one ended with


@pytest.mark.moves
def test_the_sidebar_collapses_and_keeps_its_state(stack: RunningStack, new_page: NewPage) -> None:
    """§2.47 §2.48 §2.50 §2.53 §4.42 §9.17: Ctrl+B, the cookie of 7 days, 16rem and 3rem; badges; the exit link."""
    page = new_page()
    store_session(page, stack, stack.env["DEMO_ADMIN_EMAIL"])
    visit(page, stack)
    sidebar = page.locator("[data-slot=admin-sidebar]")
    expect(sidebar).to_have_attribute("data-state", "expanded")
    assert sidebar.evaluate("e => e.offsetWidth") == 256
    expect(sidebar.get_by_role("link", name="Activity")).to_have_count(0)
    page.keyboard.press("Control+b")
    expect(sidebar).to_have_attribute("data-state", "collapsed")
    assert sidebar.evaluate("e => e.offsetWidth") == 48
    (cookie,) = [one for one in page.context.cookies() if one["name"] == "sidebar:state"]
    left_s = cookie["expires"] - page.evaluate("Date.now() / 1000")
    assert cookie["value"] == "false"
    assert 604_000 < left_s <= 604_800
    page.reload()
    expect(sidebar).to_have_attribute("data-state", "collapsed")
    expect(sidebar.locator("[data-slot=count]").first).to_be_visible()
    page.goto(f"{stack.url}/admin/nowhere")  # an unknown address keeps the frame
    expect(page.get_by_role("heading", name="Admin area not found")).to_be_visible()
    sidebar.get_by_role("link", name="Exit Admin Mode").click()
    page.wait_for_url("**/dashboard")


@pytest.mark.moves
def test_mobile_has_a_sheet(stack: RunningStack, new_page: NewPage) -> None:
    """§2.49 §2.50: a top bar labeled Admin, a menu of 18rem that closes when a link is followed."""
    page = new_page(width=390, height=844)
    store_session(page, stack, stack.env["DEMO_ADMIN_EMAIL"])
    visit(page, stack)
    page.get_by_role("button", name=re.compile("^Open menu, .+ waiting$")).click()
    sheet = page.get_by_role("dialog", name="Admin")
    expect(sheet).to_be_visible()
    assert sheet.evaluate("e => e.offsetWidth") == 288
    sheet.get_by_role("link", name="Users").click()
    expect(sheet).to_have_count(0)
    expect(page.get_by_role("heading", name="Users", level=1)).to_be_visible()


@pytest.mark.moves
def test_an_entry_is_invited(stack: RunningStack, new_page: NewPage) -> None:
    """§2.42 §4.28: search, select, invite; the status changes and the mail is sent."""
    email = f"invitee.{uuid4().hex[:8]}@example.org"
    with stack.connect() as connection:
        connection.execute("insert into public.waitlist (email) values (%s)", (email,))
    page = new_page()
    store_session(page, stack, stack.env["DEMO_ADMIN_EMAIL"])
    visit(page, stack, "/waitlist")
    page.get_by_role("searchbox").fill(email)
    expect(page.get_by_role("row")).to_have_count(2)
    expect(row_of(page, email)).to_have_count(1)
    page.get_by_label(f"Select {email}").check()
    page.get_by_role("button", name="Invite 1").click()
    expect(page.get_by_text(f"Invitation sent to {email}")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text=email)).to_contain_text("Invited")
    with stack.connect() as connection:
        status = connection.execute("select status from public.waitlist where email = %s", (email,)).fetchone()
    assert status == ("invited",)


@pytest.mark.moves
def test_an_article_is_written_and_published(stack: RunningStack, new_page: NewPage) -> None:
    """§2.42 §3.39: live preview, slug from the title, unsaved changes kept, published at once, slug conflicts shown."""
    title = f"Lessons {uuid4().hex[:8]}"
    slug = title.lower().replace(" ", "-")
    page = new_page(height=800)
    store_session(page, stack, stack.env["DEMO_ADMIN_EMAIL"])
    visit(page, stack, "/blog?article=new")
    publish, address = page.get_by_role("button", name="Publish").bounding_box(), page.get_by_label("Address")
    assert publish is not None
    below = address.evaluate("field => field.getBoundingClientRect().bottom")
    assert below < publish["y"], "the address is below the fold"
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_label("Address")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Title").fill(title)
    expect(page.get_by_label("Address")).not_to_have_attribute("aria-invalid", "true")  # it was filled from the title
    page.get_by_label("Text (Markdown)").fill("## Heading two\n\nA **bold** word.")
    expect(page.get_by_role("heading", name="Heading two")).to_be_visible()
    expect(page.get_by_label("Address")).to_have_value(slug)
    page.get_by_role("link", name="All articles").click()
    page.get_by_role("button", name="Keep editing").click()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Article published")).to_be_visible()
    page.get_by_role("link", name="Open on the blog").click()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    visit(page, stack, "/blog?article=new")
    page.get_by_label("Title").fill(title)
    page.get_by_label("Text (Markdown)").fill("Again.")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Another article has this address").first).to_be_visible()


@pytest.mark.parametrize("way", ["link", "address"])
def test_the_blog_module_has_its_own_error_screen(stack: RunningStack, new_page: NewPage, way: str) -> None:
    """§2.51: by the menu and by the URL; Reload Module recovers it."""
    page = new_page()
    store_session(page, stack, stack.env["DEMO_ADMIN_EMAIL"])
    page.route("**/assets/admin-blog-*.js", lambda route: route.abort())
    if way == "link":
        visit(page, stack)
        page.get_by_role("navigation").get_by_role("link", name="Blog", exact=True).click()
    else:
        page.goto(f"{stack.url}/admin/blog")
    expect(page.get_by_role("heading", name="Module Loading Error")).to_be_visible()
    expect(page.get_by_role("link", name="Return to Dashboard")).to_be_visible()
    page.unroute("**/assets/admin-blog-*.js")
    page.get_by_role("button", name="Reload Module").click()
    expect(page.get_by_role("link", name=re.compile("New article"))).to_be_visible()
    wait_until_loaded(page)
