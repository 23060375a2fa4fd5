"""Failures for visitors and members: offline, an expired token, a revoked session, a killed server."""

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.member_pages import store_session
from tests.support.patience import eventually
from tests.support.postgres import free_port
from tests.support.public_pages import log_in_member, open_page, wait_for_toaster, wait_until_ready
from tests.support.stack import RunningStack, kill_hard, start_stack, stop_stack
from tests.support.stack_template import FillHome

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]
SESSION = "sb-muster-auth-token"


def expire(page: Page) -> str:
    """Make the stored access token expired; returns its refresh token."""
    session = json.loads(page.evaluate(f"localStorage.getItem({SESSION!r})"))
    session["expires_at"] = 1_700_000_000
    page.evaluate(f"([text]) => localStorage.setItem({SESSION!r}, text)", [json.dumps(session)])
    return str(session["refresh_token"])


def test_an_expired_token_is_refreshed_on_load(stack: RunningStack, new_page: NewPage) -> None:
    """§3.15 §7.47: the page opens signed in, with a new token."""
    page = new_page()
    store_session(page, stack, stack.env["DEMO_MEMBER_EMAIL"])  # no script runs there that could refresh it first
    old = expire(page)
    with page.expect_response("**/auth/v1/token?grant_type=refresh_token") as renewed:
        page.goto(f"{stack.url}/network")
    assert renewed.value.status == 200
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.url == f"{stack.url}/network"
    # Not the access token: two issued in the same second are equal.
    assert json.loads(page.evaluate(f"localStorage.getItem({SESSION!r})"))["refresh_token"] != old


def test_a_revoked_session_leads_to_the_sign_in_and_back(stack: RunningStack, new_page: NewPage) -> None:
    """§2.27 §4.1: the session was revoked elsewhere, so the refresh fails; signing in returns to the page."""
    page = new_page()
    store_session(page, stack, stack.env["DEMO_MEMBER_EMAIL"])  # no script runs there that could refresh it first
    expire(page)
    with stack.connect() as connection:
        connection.execute(
            "delete from auth.sessions where user_id = (select id from auth.users where email = %s)",
            (stack.env["DEMO_MEMBER_EMAIL"],),
        )
    page.goto(f"{stack.url}/network?tab=requests-made")
    page.wait_for_url("**/login")
    log_in_member(page, stack)
    page.wait_for_url("**/network?tab=requests-made")


def test_offline_and_online_again(stack: RunningStack, new_page: NewPage) -> None:
    """§4.2 §4.5 §4.7 §4.8: both raise toasts; quiz input is kept, and submitted once the connection is back."""
    page = new_page()
    open_page(page, f"{stack.url}/quiz")
    page.get_by_text("Wildland", exact=True).click()
    expect(page.get_by_role("radio", name="Wildland")).to_be_checked()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_label("Current rank or role")).to_be_focused()
    wait_for_toaster(page)
    page.context.set_offline(True)
    expect(page.get_by_text("You're offline", exact=True)).to_be_visible()
    page.get_by_label("Current rank or role").fill("Squad boss")
    expect(page.get_by_label("Current rank or role")).to_have_value("Squad boss")
    page.context.set_offline(False)
    expect(page.get_by_text("You're back online", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_label("Current rank or role")).to_have_value("Squad boss")


@pytest.mark.parametrize("path", ["/blog", "/login"])
def test_a_page_never_opened_before_heals_when_the_network_returns(
    stack: RunningStack, new_page: NewPage, path: str
) -> None:
    """§8.3: a link that is followed offline shows what is wrong, and then the page, by itself."""
    page = new_page(is_new=True)  # no cache has the page
    open_page(page, stack.url)
    page.context.set_offline(True)
    page.evaluate("path => document.querySelector(`a[href='${path}']`).click()", path)
    expect(page.get_by_role("heading", name="Something went wrong")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("heading", name="Something went wrong")).to_have_count(0)
    assert page.url == f"{stack.url}{path}"


def test_a_page_without_its_scripts_says_so_and_heals(stack: RunningStack, new_page: NewPage) -> None:
    """§8.3: neither a picture without controls nor a spinner for good; it loads again when the network returns."""
    page = new_page()
    for path in ("/login", "/invitation"):
        page.route("**/assets/*.js", lambda route: route.fulfill(status=404, body=""))
        page.goto(stack.url + path)
        note = page.get_by_role("alert").filter(has_text="This page couldn’t be loaded.")
        expect(note.get_by_role("link", name="Try again")).to_be_visible()
        page.unroute("**/assets/*.js")
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.get_by_role("textbox", name="Email")).to_be_visible()
        expect(note).to_have_count(0)


def test_a_new_document_begins_at_its_top(stack: RunningStack, new_page: NewPage) -> None:
    """Another address in the same tab is no return to where the last page was left; a reload and Back are."""
    page = new_page()
    open_page(page, stack.url)
    page.evaluate("window.scrollTo(0, 600)")
    open_page(page, f"{stack.url}/blog")
    assert page.evaluate("window.scrollY") == 0
    page.go_back()
    wait_until_ready(page)  # the browser restores the place before the application runs, which keeps it
    eventually(lambda: page.evaluate("window.scrollY") == 600)
    page.reload()
    eventually(lambda: page.evaluate("window.scrollY") == 600)


@pytest.fixture
def own_stack(fill_home: FillHome) -> Iterator[RunningStack]:
    """A stack that only this test uses, and may kill."""
    home = Path(tempfile.mkdtemp(prefix="muster-own_stack-", dir="/tmp"))
    try:
        fill_home(home)
        yield start_stack(home, free_port())
    finally:
        stop_stack(home)


READY_TO_JOIN = {
    "step": 7,
    "answers": {
        "firefighterType": "career", "rank": "Engineer", "years": "6-10", "platforms": ["reddit"],
        "frustrations": "Noise", "wishlist": "Lessons", "email": "after.the.crash@example.org",
    },
}  # fmt: skip
CLIENT_IS_HERE = "performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/supabase-'))"
START_MS = 180_000  # time limit for starting a stack on a busy machine


def test_a_killed_backend_shows_errors_and_recovers(own_stack: RunningStack, new_page: NewPage) -> None:
    """§8.10 §8.11 §8.26: the page stays visible, failures are shown, and it recovers once the server is back."""
    page, reader, joiner = new_page(), new_page(), new_page()
    open_page(page, f"{own_stack.url}/blog")
    expect(page.get_by_role("article").first).to_be_visible()
    open_page(reader, f"{own_stack.url}/login")
    reader.evaluate("window.untouched = true")
    draft = json.dumps(["muster:waitlist-quiz", json.dumps(READY_TO_JOIN)])
    joiner.add_init_script(f"sessionStorage.setItem(...{draft})")
    open_page(joiner, f"{own_stack.url}/quiz")
    join = joiner.get_by_role("button", name="Join Waitlist")
    expect(join).to_be_enabled()
    joiner.wait_for_function(CLIENT_IS_HERE)
    for waiting in (page, reader, joiner):
        wait_for_toaster(waiting)
        waiting.wait_for_load_state("networkidle")  # requests sent before the kill are complete
    kill_hard(own_stack.pid)

    join.click()
    expect(joiner.get_by_text("We couldn't add you to the waitlist. Please try again later.")).to_be_visible()
    log_in_member(reader, own_stack)
    expect(reader.get_by_role("alert")).to_contain_text("Can’t reach Muster")
    page.get_by_role("banner").get_by_role("link", name="Register").click()
    expect(page.get_by_text("Failed to load page content. Trying again...")).to_be_visible()

    with page.expect_navigation(timeout=START_MS):  # the reload of §8.10 waits until the server answers
        start_stack(own_stack.home, own_stack.port)
    wait_until_ready(page)
    page.get_by_role("banner").get_by_role("link", name="Register").click()
    page.wait_for_url("**/register")
    expect(join).to_be_enabled()
    join.click()
    expect(joiner.get_by_text("You're officially on the waitlist!")).to_be_visible()
    log_in_member(reader, own_stack)
    reader.wait_for_url("**/feed")
    assert reader.evaluate("window.untouched"), "the page was reloaded"
