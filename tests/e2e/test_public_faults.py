"""When things break under a visitor or a member: offline, an expired token, a session that was ended, a dead server."""

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.postgres import free_port
from tests.support.public_pages import log_in_member, opened, stands, toaster_is_here
from tests.support.stack import RunningStack, kill_hard, start_stack, stop_stack

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]
SESSION = "sb-muster-auth-token"


def expire(page: Page) -> str:
    """Let the stored access token be out of date; answers with the refresh token beside it."""
    session = json.loads(page.evaluate(f"localStorage.getItem({SESSION!r})"))
    session["expires_at"] = 1_700_000_000
    page.evaluate(f"([text]) => localStorage.setItem({SESSION!r}, text)", [json.dumps(session)])
    return str(session["refresh_token"])


def test_an_expired_token_is_renewed_unseen(stack: RunningStack, new_page: NewPage) -> None:
    """§3.15 §7.47: the page opens signed in, with a token of today."""
    page = new_page()
    page.goto(f"{stack.url}/login?next=/settings")
    log_in_member(page, stack)
    page.wait_for_url(f"{stack.url}/settings")
    page.goto(f"{stack.url}/favicon.svg")  # same origin, no script: nobody there to renew the token first
    old = expire(page)
    with page.expect_response("**/auth/v1/token?grant_type=refresh_token") as renewed:
        page.goto(f"{stack.url}/network")
    assert renewed.value.status == 200
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.url == f"{stack.url}/network"
    # Not the access token: two that are signed in the same second are equal.
    assert json.loads(page.evaluate(f"localStorage.getItem({SESSION!r})"))["refresh_token"] != old


def test_an_ended_session_leads_to_the_door_and_back(stack: RunningStack, new_page: NewPage) -> None:
    """§2.27 §4.1: the session was ended elsewhere, so the token can't be renewed; signing in returns to the page."""
    page = new_page()
    page.goto(f"{stack.url}/login")
    log_in_member(page, stack)
    page.wait_for_url("**/feed")
    page.goto(f"{stack.url}/favicon.svg")  # same origin, no script: nobody there to renew the token first
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
    """§4.2 §4.5 §4.7 §4.8: both are told; what was typed into the quiz stays, and is sent once the line is back."""
    page = new_page()
    opened(page, f"{stack.url}/quiz")
    page.get_by_text("Wildland", exact=True).click()
    expect(page.get_by_role("radio", name="Wildland")).to_be_checked()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_label("Current rank or role")).to_be_focused()
    toaster_is_here(page)
    page.context.set_offline(True)
    expect(page.get_by_text("You're offline", exact=True)).to_be_visible()
    page.get_by_label("Current rank or role").fill("Squad boss")
    expect(page.get_by_label("Current rank or role")).to_have_value("Squad boss")
    page.context.set_offline(False)
    expect(page.get_by_text("You're back online", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_label("Current rank or role")).to_have_value("Squad boss")


@pytest.fixture
def mortal() -> Iterator[RunningStack]:
    """A stack of the test's own, which it may kill."""
    home = Path(tempfile.mkdtemp(prefix="muster-mortal-", dir="/tmp"))
    try:
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
START_MS = 180_000  # what starting a stack may take on a machine that does other things too


def test_a_killed_backend_is_said_and_waited_for(mortal: RunningStack, new_page: NewPage) -> None:
    """§8.10 §8.11 §8.26: what is on screen stays, failures say so, and it heals by itself once the server is back."""
    page, reader, joiner = new_page(), new_page(), new_page()
    opened(page, f"{mortal.url}/blog")
    expect(page.get_by_role("article").first).to_be_visible()
    opened(reader, f"{mortal.url}/login")
    reader.evaluate("window.untouched = true")
    draft = json.dumps(["muster:waitlist-quiz", json.dumps(READY_TO_JOIN)])
    joiner.add_init_script(f"sessionStorage.setItem(...{draft})")
    opened(joiner, f"{mortal.url}/quiz")
    join = joiner.get_by_role("button", name="Join Waitlist")
    expect(join).to_be_enabled()
    joiner.wait_for_function(CLIENT_IS_HERE)
    for waiting in (page, reader, joiner):
        toaster_is_here(waiting)
        waiting.wait_for_load_state("networkidle")  # what was asked before the end is answered
    kill_hard(mortal.pid)

    join.click()
    expect(joiner.get_by_text("We couldn't add you to the waitlist. Please try again later.")).to_be_visible()
    log_in_member(reader, mortal)
    expect(reader.get_by_role("alert")).to_contain_text("Muster cannot be reached")
    page.get_by_role("banner").get_by_role("link", name="Register").click()
    expect(page.get_by_text("Failed to load page content. Trying again...")).to_be_visible()

    with page.expect_navigation(timeout=START_MS):  # the reload of §8.10 waits until somebody answers
        start_stack(mortal.home, mortal.port)
    stands(page)
    page.get_by_role("banner").get_by_role("link", name="Register").click()
    page.wait_for_url("**/register")
    expect(join).to_be_enabled()
    join.click()
    expect(joiner.get_by_text("You're officially on the waitlist!")).to_be_visible()
    log_in_member(reader, mortal)
    reader.wait_for_url("**/feed")
    assert reader.evaluate("window.untouched"), "the page was reloaded"
