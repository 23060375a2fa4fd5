"""When things break under a visitor or a member: offline, an expired token, a session that was ended."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]
SESSION = "sb-muster-auth-token"


def log_in(page: Page, stack: RunningStack) -> None:
    """Sign the demo member in on the page that is open."""
    page.get_by_label("E-mail").fill(stack.env["DEMO_MEMBER_EMAIL"])
    page.get_by_label("Password", exact=True).fill(stack.env["DEMO_PASSWORD"])
    page.get_by_role("main").get_by_role("button", name="Sign In", exact=True).click()


def expire(page: Page) -> str:
    """Let the stored access token be out of date; answers with it."""
    session = json.loads(page.evaluate(f"localStorage.getItem({SESSION!r})"))
    session["expires_at"] = 1_700_000_000
    page.evaluate(f"([text]) => localStorage.setItem({SESSION!r}, text)", [json.dumps(session)])
    return str(session["access_token"])


def test_an_expired_token_is_renewed_unseen(stack: RunningStack, new_page: NewPage) -> None:
    """§3.15 §7.47: the page opens signed in, with a token of today."""
    page = new_page()
    page.goto(f"{stack.url}/login?next=/settings")
    log_in(page, stack)
    page.wait_for_url(f"{stack.url}/settings")
    old = expire(page)
    with page.expect_response("**/auth/v1/token?grant_type=refresh_token") as renewed:
        page.goto(f"{stack.url}/network")
    assert renewed.value.status == 200
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.url == f"{stack.url}/network"
    assert json.loads(page.evaluate(f"localStorage.getItem({SESSION!r})"))["access_token"] != old


def test_an_ended_session_leads_to_the_door_and_back(stack: RunningStack, new_page: NewPage) -> None:
    """§2.27 §4.1: the session was ended elsewhere, so the token can't be renewed; signing in returns to the page."""
    page = new_page()
    page.goto(f"{stack.url}/login")
    log_in(page, stack)
    page.wait_for_url("**/feed")
    expire(page)
    with stack.connect() as connection:
        connection.execute(
            "delete from auth.sessions where user_id = (select id from auth.users where email = %s)",
            (stack.env["DEMO_MEMBER_EMAIL"],),
        )
    page.goto(f"{stack.url}/network?tab=requests-made")
    page.wait_for_url("**/login")
    log_in(page, stack)
    page.wait_for_url("**/network?tab=requests-made")


def toaster_is_here(page: Page) -> None:
    """What says that the line is gone was fetched before, unasked, once the page was quiet."""
    fetched = "performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/toaster-'))"
    wait_until(lambda: bool(page.evaluate(fetched)))


def test_offline_and_online_again(stack: RunningStack, new_page: NewPage) -> None:
    """§4.2 §4.5 §4.7 §4.8: both are told; what was typed into the quiz stays, and is sent once the line is back."""
    page = new_page()
    page.goto(f"{stack.url}/quiz")
    page.get_by_text("Wildland", exact=True).click()
    page.get_by_role("button", name="Next").click()
    toaster_is_here(page)
    page.context.set_offline(True)
    expect(page.get_by_text("You're offline", exact=True)).to_be_visible()
    page.get_by_label("Current rank or role").fill("Squad boss")
    page.context.set_offline(False)
    expect(page.get_by_text("You're back online", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_label("Current rank or role")).to_have_value("Squad boss")
