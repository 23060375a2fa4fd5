"""The main journey through the whole product, in Chromium against a running stack, without mocks."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.support.member_pages import expect_sign_out, expect_subscriptions, log_in, wait_until_loaded
from tests.support.members import SignedIn, request_connection, sign_in
from tests.support.rows import data_of
from tests.support.stack import RunningStack

pytestmark = [pytest.mark.e2e, pytest.mark.moves]
NewPage = Callable[..., Page]


def answer_quiz(page: Page, email: str) -> None:
    """Answer the seven steps of the open quiz and submit."""
    page.get_by_text("Volunteer", exact=True).click()
    page.get_by_role("button", name="Next").click()
    page.get_by_label("Current rank or role").fill("Engineer, Engine 41")
    page.get_by_role("button", name="Next").click()
    page.get_by_text("6 to 10 years").click()
    page.get_by_role("button", name="Next").click()
    page.get_by_text("Facebook groups").click()
    page.get_by_text("Reddit", exact=True).click()
    page.get_by_role("button", name="Next").click()
    page.get_by_label("Your frustrations").fill("Noise.")
    page.get_by_role("button", name="Next").click()
    page.get_by_label("What would make it worth your time").fill("People I have worked with.")
    page.get_by_role("button", name="Next").click()
    page.get_by_label("Email").fill(email)
    page.get_by_role("button", name="Join Waitlist").click()


def open_waitlist(page: Page, stack: RunningStack) -> None:
    """Open the landing page and the waitlist dialog on it."""
    page.goto(stack.url)
    page.get_by_role("button", name=re.compile("waitlist", re.IGNORECASE)).first.click()
    expect(page.get_by_role("dialog", name="Join Our Waitlist")).to_be_visible()


def test_a_visitor_joins_the_waitlist_once(stack: RunningStack, new_page: NewPage) -> None:
    """§2.11 §4.31 §4.32 §5.1 §7.32 §7.34 §8.24: seven steps, two rows, and an error for the same address again."""
    email = f"Visitor.{uuid4().hex[:8]}@Example.ORG"
    page = new_page()
    open_waitlist(page, stack)
    answer_quiz(page, email)
    expect(page.get_by_text("You're officially on the waitlist!")).to_be_visible()
    with stack.connect() as connection:
        row = connection.execute(
            "select w.status, q.current_rank, q.is_waitlist_quiz from public.waitlist w"
            " join public.quiz_responses q on q.id = w.quiz_response_id where w.email = %s",
            (email.lower(),),
        ).fetchall()
    assert row == [("waitlist", "Engineer, Engine 41", True)]

    again = new_page(width=390, height=844)
    open_waitlist(again, stack)
    answer_quiz(again, email.upper())
    expect(again.get_by_text("Already on waitlist")).to_be_visible()
    with stack.connect() as connection:
        count = connection.execute("select count(*) from public.waitlist where email = %s", (email.lower(),)).fetchone()
    assert count == (1,)


@pytest.fixture
def stranger(stack: RunningStack) -> SignedIn:
    """A member of the community without a connection to the demo member."""
    with stack.connect() as connection:
        row = connection.execute(
            "select p.email from public.profiles p, public.profiles me where me.email = %s and p.id <> me.id"
            " and p.email like '%%@muster.test' and p.email <> %s"
            " and me.privacy_settings ->> 'profile_visibility' = 'public'"
            " and not exists (select from public.connections c"
            "   where (c.user_id, c.connected_user_id) in ((p.id, me.id), (me.id, p.id)))"
            " order by p.email limit 1",
            (stack.env["DEMO_MEMBER_EMAIL"], stack.env["DEMO_ADMIN_EMAIL"]),
        ).fetchone()
    assert row is not None
    return sign_in(stack, row[0])


def test_a_member_sees_a_request_arrive_live_and_signs_out(
    stack: RunningStack, new_page: NewPage, stranger: SignedIn
) -> None:
    """§2.25 §2.28 §7.50 §4.13: sign in, see the own name, receive a request without a reload, sign out."""
    me = sign_in(stack, stack.env["DEMO_MEMBER_EMAIL"])
    profile = me.client.table("profiles").select("full_name").eq("id", me.id).single().execute()
    name = data_of(profile)["full_name"]
    page = new_page()
    with expect_subscriptions(page, "connections", "notifications"):
        log_in(page, stack, me.email)
    wait_until_loaded(page)
    header = page.get_by_role("banner")
    header.get_by_role("button", name=re.compile(re.escape(name))).click()
    expect(page.get_by_role("menu").get_by_text(name)).to_be_visible()
    page.keyboard.press("Escape")

    bell = header.get_by_role("button", name=re.compile("notification", re.IGNORECASE))
    before = bell.get_attribute("aria-label") or ""
    page.evaluate("window.untouched = true")
    request_connection(stranger, me.id)
    expect(bell).not_to_have_attribute("aria-label", before)
    bell.click()
    expect(page.get_by_text("wants to connect with you").first).to_be_visible()
    assert page.evaluate("window.untouched"), "the page was reloaded"
    page.keyboard.press("Escape")

    header.get_by_role("button", name=re.compile(re.escape(name))).click()
    with expect_sign_out(page):
        page.get_by_role("menuitem", name="Sign Out").click()
    page.goto(f"{stack.url}/feed")
    page.wait_for_url("**/login*")
