"""Every member page: no accessibility fault, no sideways scroll, hostile content shown as text, few requests."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.members import SignedIn, sign_in
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]

# Path, and the most requests to the tables and procedures that its first view may make.
PAGES = [
    pytest.param("/dashboard", 20, id="dashboard"),
    pytest.param("/feed", 16, id="feed"),
    pytest.param("/profile", 12, id="profile"),
    pytest.param("/network", 14, id="network"),
    pytest.param("/network?q=ma&tab=pending-requests", 16, id="search"),
    pytest.param("/messages", 10, id="messages"),
    pytest.param("/notifications", 10, id="notifications"),
    pytest.param("/settings", 8, id="settings"),
    pytest.param("/settings/notifications", 8, id="notification-settings"),
    pytest.param("/settings/mentions", 8, id="mention-settings"),
    pytest.param("/feedback", 8, id="feedback"),
]


def log_in(page: Page, stack: RunningStack) -> None:
    """Sign the demo member in and wait for the feed."""
    page.goto(f"{stack.url}/login")
    page.get_by_label("E-mail").fill(stack.env["DEMO_MEMBER_EMAIL"])
    page.get_by_label("Password", exact=True).fill(stack.env["DEMO_PASSWORD"])
    page.get_by_role("button", name="Sign in").last.click()
    page.wait_for_url("**/feed")


def settled(page: Page) -> None:
    """The page stands: a heading, and nothing that still loads."""
    expect(page.locator("h1").first).to_be_attached()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.wait_for_load_state("networkidle")


def faults(page: Page) -> list[str]:
    """What axe finds, one line each."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]


@pytest.mark.parametrize(("path", "most"), PAGES)
def test_a_page_is_accessible_fits_and_asks_little(
    stack: RunningStack, new_page: NewPage, path: str, most: int
) -> None:
    """§2.16: at 390 and 1280 px, dark and light, axe finds nothing, nothing scrolls sideways."""
    for width, scheme in ((390, "light"), (1280, "dark")):
        page = new_page(width=width, color_scheme=scheme, reduced_motion="reduce")
        log_in(page, stack)
        settled(page)
        asked: list[str] = []
        page.on(
            "request",
            lambda request, into=asked: (
                into.append(request.url) if "/rest/v1/" in request.url and request.method != "OPTIONS" else None
            ),
        )
        page.goto(f"{stack.url}{path}")
        settled(page)
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert len(asked) <= most, asked
        page.context.close()


HOSTILE = (
    "<img src=x onerror=\"document.title='pwned'\"><script>document.title='pwned'</script> "
    "\u202eabc\u202c \u200b\u200d \U0001f692 " + "W" * 2000
)


@pytest.fixture
def writer(stack: RunningStack) -> Iterator[SignedIn]:
    """The demo member, whose name is as it was afterwards."""
    member = sign_in(stack, stack.env["DEMO_MEMBER_EMAIL"])
    before = member.client.table("profiles").select("bio").eq("id", member.id).single().execute().data
    yield member
    member.client.table("profiles").update(before).eq("id", member.id).execute()


def test_hostile_text_is_text(stack: RunningStack, new_page: NewPage, writer: SignedIn) -> None:
    """Markup, directions, invisible characters and endless words are shown as they are."""
    (post,) = writer.client.table("posts").insert({"kind": "general", "content": HOSTILE}).execute().data
    comment = {"id": str(uuid4()), "post_id": post["id"], "content": HOSTILE[:1900]}
    writer.client.table("comments").insert(comment).execute()
    writer.client.table("profiles").update({"bio": HOSTILE[:1900]}).eq("id", writer.id).execute()
    page = new_page(width=390, height=844)
    log_in(page, stack)
    try:
        for path in (f"/post/{post['id']}", "/profile", "/feed"):
            page.goto(f"{stack.url}{path}")
            settled(page)
            assert page.get_by_text("<script>document.title").count() >= 1
            assert "pwned" not in page.title()
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    finally:
        writer.client.table("posts").delete().eq("id", post["id"]).execute()


def test_a_post_is_written_edited_found_useful_and_deleted(stack: RunningStack, new_page: NewPage) -> None:
    """The feed as its author uses it, by role and name."""
    page = new_page()
    log_in(page, stack)
    said = f"Walk the roof twice {uuid4().hex[:6]}"
    page.get_by_role("group", name="Kind of post").get_by_text("Question").click()
    page.get_by_label("What did this tour teach you?").fill(said)
    page.get_by_role("button", name="Post", exact=True).click()
    post = page.get_by_role("article").filter(has_text=said)
    expect(post).to_have_count(1)
    expect(post.get_by_text("Question", exact=True)).to_be_visible()

    post.get_by_role("button", name="Useful, 0").click()
    expect(post.get_by_role("button", name="Useful, 1")).to_have_attribute("aria-pressed", "true")

    post.get_by_role("button", name="More about the post").click()
    page.get_by_role("menuitem", name="Edit").click()
    page.get_by_role("dialog").get_by_label("What did this tour teach you?").fill(f"{said}, then once more")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(post).to_contain_text("then once more")

    post.get_by_role("button", name="More about the post").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(post).to_have_count(0)


def test_a_certification_is_added_to_the_profile(stack: RunningStack, new_page: NewPage) -> None:
    """§1.1 §1.4: highlight certifications; one that runs out is said to."""
    page = new_page()
    log_in(page, stack)
    page.goto(f"{stack.url}/profile")
    name = f"Hazmat operations {uuid4().hex[:6]}"
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
