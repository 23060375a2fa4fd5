"""Members during failures: an expired token, a backend that is killed and restarted, several tabs of one member."""

import re
from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect
from postgrest.types import ReturnMethod

from tests.support.browser import go
from tests.support.member_pages import NewPage, expect_subscriptions, new_member, prepare, toasts, wait_until_loaded
from tests.support.members import SignedIn, request_connection
from tests.support.postgres import free_port
from tests.support.stack import RunningStack, answers, kill_hard, muster, stack_env, start_stack, stop_stack, wait_until
from tests.support.stack_template import FillHome

pytestmark = pytest.mark.e2e


@pytest.fixture
def ada(stack: RunningStack) -> Iterator[SignedIn]:
    """A member with a browser in these tests."""
    with new_member(stack, "Ada Fontaine") as member:
        yield member


@pytest.fixture
def ben(stack: RunningStack) -> Iterator[SignedIn]:
    """The other member."""
    with new_member(stack, "Ben Adeyemi") as member:
        yield member


def connect(one: SignedIn, other: SignedIn) -> None:
    """Make them connections."""
    made = request_connection(one, other.id)
    other.client.table("connections").update({"status": "accepted"}).eq("id", made).execute()


def write(sender: SignedIn, recipient: SignedIn, text: str) -> None:
    """Send a message by the client."""
    row = {"sender_id": sender.id, "recipient_id": recipient.id, "content": text, "read": False}
    sender.client.table("messages").insert(row).execute()


def open_thread(page: Page, stack: RunningStack, member: SignedIn, other: SignedIn) -> None:
    """Sign in and open the conversation with another member."""
    prepare(page, stack, member.email)
    with expect_subscriptions(page, "messages"):
        page.goto(f"{stack.url}/messages?with={other.id}")
    wait_until_loaded(page)


AGE_TOKEN = """() => {
  const key = Object.keys(localStorage).find((name) => name.endsWith('-auth-token'))
  const session = JSON.parse(localStorage.getItem(key))
  session.expires_at = Math.floor(Date.now() / 1000) + 5
  localStorage.setItem(key, JSON.stringify(session))
  return session.refresh_token
}"""


def test_an_expired_token_is_refreshed_in_the_background(
    stack: RunningStack, new_page: NewPage, ada: SignedIn, ben: SignedIn
) -> None:
    """§3.15 §7.47: on an open page, sending and receiving continue; nobody is redirected to the sign-in."""
    connect(ada, ben)
    page = new_page()
    open_thread(page, stack, ada, ben)
    before = page.evaluate(AGE_TOKEN)
    text = f"After the hour {uuid4().hex[:6]}"
    page.get_by_label("Message to Ben Adeyemi").fill(text)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("log").locator("[data-state=sent]").filter(has_text=text)).to_have_count(1)
    stored = (
        "() => JSON.parse(localStorage.getItem(Object.keys(localStorage)"
        ".find((name) => name.endsWith('-auth-token')))).refresh_token"
    )
    page.wait_for_function(f"before => ({stored})() !== before", arg=before)
    answer = f"Still here {uuid4().hex[:6]}"
    write(ben, ada, answer)
    expect(page.get_by_role("log").get_by_text(answer)).to_have_count(1)
    assert page.url.endswith(f"/messages?with={ben.id}")


@pytest.fixture
def own_stack(tmp_path_factory: pytest.TempPathFactory, fill_home: FillHome) -> Iterator[RunningStack]:
    """A stack that may be killed."""
    home = tmp_path_factory.mktemp("killed")
    try:
        fill_home(home)
        yield start_stack(home, free_port())
    finally:
        stop_stack(home)


def test_a_backend_that_dies_and_comes_back_loses_nothing(own_stack: RunningStack, new_page: NewPage) -> None:
    """§4.41 §8.18 §17.2: what was written waits and is sent once, and missed messages are fetched."""
    stack = own_stack
    with new_member(stack, "Ada Fontaine") as ada, new_member(stack, "Ben Adeyemi") as ben:
        connect(ada, ben)
        page = new_page()
        open_thread(page, stack, ada, ben)
        kill_hard(stack.pid)
        wait_until(lambda: not answers(f"{stack.url}/healthz"))
        text = f"Into the dark {uuid4().hex[:6]}"
        page.get_by_label("Message to Ben Adeyemi").fill(text)
        page.get_by_role("button", name="Send", exact=True).click()
        log = page.get_by_role("log")
        expect(log.locator("[data-state=waiting]").filter(has_text=text)).to_have_count(1)
        back = muster("up", "--detach", "--home", str(stack.home), "--port", str(stack.port))
        assert back.returncode == 0, back.stderr
        stack = replace(stack, env=stack_env(stack.home))  # the database may have another port
        meanwhile = f"While it was away {uuid4().hex[:6]}"
        with stack.connect() as connection:
            connection.execute(
                "insert into public.messages (sender_id, recipient_id, content) values (%s, %s, %s)",
                (ben.id, ada.id, meanwhile),
            )
        expect(log.get_by_text(meanwhile)).to_have_count(1, timeout=90_000)
        expect(log.locator("[data-state=sent]").filter(has_text=text)).to_have_count(1)
        with stack.connect() as connection:
            found = connection.execute("select count(*) from public.messages where content = %s", (text,)).fetchone()
        assert found == (1,)
        live = f"And live again {uuid4().hex[:6]}"
        write(ben, ada, live)
        expect(log.get_by_text(live)).to_have_count(1)


def test_several_tabs_show_one_toast_and_agree(
    stack: RunningStack, new_page: NewPage, ada: SignedIn, ben: SignedIn
) -> None:
    """§4.39 §8.47: one toast in all tabs; what is read in one tab is no longer counted in the other."""
    connect(ada, ben)
    first = new_page()
    prepare(first, stack, ada.email)
    second = first.context.new_page()
    for tab, path in ((first, "/feed"), (second, "/network")):
        with expect_subscriptions(tab, "mentions", "messages"):
            tab.goto(f"{stack.url}{path}")
        wait_until_loaded(tab)
    (post,) = ben.client.table("posts").insert({"kind": "lesson", "content": "Halyards."}).execute().data
    assert isinstance(post, dict)
    (comment,) = ben.client.table("comments").insert({"post_id": post["id"], "content": "Ask @Ada"}).execute().data
    assert isinstance(comment, dict)
    mention = {"mentioned_user_id": ada.id, "mentioned_by_id": ben.id, "comment_id": comment["id"]}
    ben.client.table("mentions").insert(mention, returning=ReturnMethod.minimal).execute()

    def mention_toasts() -> list[str]:
        return [toast for tab in (first, second) for toast in toasts(tab) if "You were mentioned!" in toast]

    wait_until(mention_toasts)
    write(ben, ada, "Read me once")
    for tab in (first, second):
        expect(tab.get_by_role("banner").get_by_role("link", name=re.compile("1 unread messages"))).to_be_visible()
    # Both have received the later row by now: the toast was shown once.
    assert len(mention_toasts()) == 1, mention_toasts()
    go(second, f"/messages?with={ben.id}")
    expect(second.get_by_role("log").get_by_text("Read me once")).to_be_visible()
    expect(first.get_by_role("banner").get_by_role("link", name="Messages", exact=True)).to_be_visible()
