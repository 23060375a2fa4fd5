"""The application without network: a browser that is closed and opened again, what it shows, what it keeps (§17)."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from psycopg.sql import SQL, Identifier

from muster_product.browser import find_headless
from tests.support.browser import AS_IT_IS, FLAGS, PATIENCE_MS, go
from tests.support.member_pages import (
    NewPage,
    expect_sign_out,
    expect_subscriptions,
    log_in,
    new_member,
    prepare,
    wait_until_loaded,
)
from tests.support.members import SignedIn, request_connection
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e

Start = Callable[[], BrowserContext]

# What a database of the device keeps, as one text; '' where that takes too long: a browser's promise may never settle.
KEPT = """(name) => Promise.race([
  new Promise((done) => setTimeout(done, 5000, '')),
  (async () => {
    const settled = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)))
    if (!(await indexedDB.databases()).some((one) => one.name === name)) return ''
    const database = await settled(indexedDB.open(name))
    const stores = [...database.objectStoreNames]
    const rows = stores.length ? await settled(database.transaction(stores).objectStore(stores[0]).getAll()) : []
    database.close()
    return JSON.stringify(rows)
  })(),
])"""
ON_DEVICE = """async (texts) => {
  let all = JSON.stringify([localStorage, sessionStorage])
  for (const name of await caches.keys()) for (const entry of await (await caches.open(name)).keys())
    all += entry.url + await (await caches.match(entry)).text()
  return texts.filter((one) => all.includes(one))
}"""

# Of the reads of the feed's and the conversation's page, in what the device keeps. They are answered in any order.
FEED_READS = ("certifications", "trainings", "profiles", "pending-requests", "first-steps", "notifications", "messages")
CONVERSATION_READS = ("recipient", "pairs", "connected", "conversations", "thread")

WORKER = "navigator.serviceWorker.getRegistration().then((found) => found?.active?.state)"


@pytest.fixture
def start(browser: Browser, tmp_path: Path) -> Iterator[Start]:
    """Start a browser on one profile, which keeps its data from one start to the next."""
    running: list[BrowserContext] = []

    def start() -> BrowserContext:
        while running:
            running.pop().close()
        context = browser.browser_type.launch_persistent_context(
            tmp_path, executable_path=find_headless(), args=list(FLAGS), headless=True,
            viewport={"width": 1280, "height": 900}, **AS_IT_IS,
        )  # fmt: skip
        context.set_default_timeout(PATIENCE_MS)
        running.append(context)
        return context

    yield start
    for context in running:
        context.close()


@pytest.fixture
def pair(stack: RunningStack) -> Iterator[tuple[SignedIn, SignedIn]]:
    """Two connections; the first one has a certification and a message from the other, who wrote a post."""
    with new_member(stack, "Ada Fontaine") as ada, new_member(stack, "Ben Adeyemi") as ben:
        made = request_connection(ada, ben.id)
        ben.client.table("connections").update({"status": "accepted"}).eq("id", made).execute()
        yield ada, ben


def wait_until_kept(page: Page, *texts: str) -> None:
    """Wait until the device keeps texts that a page has read; they are written half a second later."""

    def are_kept() -> bool:
        kept = page.evaluate(KEPT, "muster-reads")
        return all(text in kept for text in texts)

    wait_until(are_kept)


def unsent(page: Page) -> str:
    """What this device has in its outbox."""
    return str(page.evaluate(KEPT, "muster-outbox"))


def send(page: Page, to: str, text: str) -> None:
    """Write a message in the open conversation."""
    page.get_by_label(f"Message to {to}").fill(text)
    page.get_by_role("button", name="Send", exact=True).click()


def count(stack: RunningStack, table: str, content: str) -> int:
    """How many rows have this content."""
    with stack.connect() as connection:
        query = SQL("select count(*) from public.{} where content = %s").format(Identifier(table))
        row = connection.execute(query, (content,)).fetchone()
    assert row is not None
    return int(row[0])


def test_the_application_starts_without_network(
    stack: RunningStack, start: Start, pair: tuple[SignedIn, SignedIn]
) -> None:
    """§17.1 §17.4 §17.5: a restart offline, a new version, and a sign-out."""
    ada, ben = pair
    tag = uuid4().hex[:8]
    lesson, hello, ticket = f"Ladders first {tag}", f"Coffee at 0630 {tag}", f"Fire Officer {tag}"
    ben.client.table("posts").insert({"kind": "lesson", "content": lesson}).execute()
    row = {"sender_id": ben.id, "recipient_id": ada.id, "content": hello, "read": False}
    ben.client.table("messages").insert(row).execute()
    certification = {"user_id": ada.id, "name": ticket, "expires_on": "2031-12-31"}
    ada.client.table("certifications").insert(certification).execute()

    page = start().pages[0]
    log_in(page, stack, ada.email)
    expect(page.get_by_text(lesson)).to_be_visible()
    wait_until_loaded(page)
    wait_until_kept(page, lesson, *FEED_READS)
    go(page, "/profile")
    expect(page.get_by_text(ticket)).to_be_visible()
    wait_until_kept(page, "profile-page")
    go(page, f"/messages?with={ben.id}")
    expect(page.get_by_role("log").get_by_text(hello)).to_be_visible()
    wait_until_kept(page, lesson, ticket, hello, *CONVERSATION_READS)
    # Not `ready`, which never answers when the worker could not be installed.
    wait_until(lambda: page.evaluate(WORKER) == "activated")
    chromium = page.context.new_cdp_session(page)
    assert chromium.send("Page.getInstallabilityErrors") == {"installabilityErrors": []}
    assert chromium.send("Page.getAppManifest")["errors"] == []

    context = start()
    context.set_offline(True)
    page = context.pages[0]
    page.goto(f"{stack.url}/feed")
    expect(page.get_by_text(lesson)).to_be_visible()
    strip = page.locator("[data-slot=network-strip]")
    expect(strip).to_contain_text(re.compile(r"You're offline\. .*As of \d{1,2}(:\d\d)? [AP]M\."))
    go(page, "/profile")
    expect(page.get_by_text(ticket)).to_be_visible()
    page.goto(f"{stack.url}/messages?with={ben.id}")
    expect(page.get_by_role("log").get_by_text(hello)).to_be_visible()
    expect(strip).to_contain_text("As of")
    go(page, "/trainings")
    expect(strip).to_contain_text("Not all of this page was read on this device.")

    context.set_offline(False)
    go(page, f"/messages?with={ben.id}")
    box = page.get_by_label("Message to Ben Adeyemi")
    box.fill("Bring the red book")
    page.evaluate("() => void navigator.serviceWorker.register('/sw.js?another=version')")
    page.evaluate("window.before = true")
    page.get_by_role("button", name="Update now").click()
    expect(page.get_by_text("Muster updates when you’ve finished writing.")).to_be_visible()
    expect(box).to_have_value("Bring the red book")
    box.fill("")
    page.wait_for_function("() => !window.before && navigator.serviceWorker.controller?.scriptURL.includes('another')")

    page.get_by_role("banner").get_by_role("button", name=re.compile("account menu")).click()
    with expect_sign_out(page):
        page.get_by_role("menuitem", name="Sign Out").click()
    wait_until(lambda: page.evaluate("indexedDB.databases()") == [])
    assert page.evaluate(ON_DEVICE, [lesson, hello, ticket, ada.email]) == []
    page.context.set_offline(True)
    page.goto(f"{stack.url}/feed")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile("/login"))


def test_what_is_written_without_network_is_sent_once_and_in_order(
    stack: RunningStack, start: Start, new_page: NewPage, pair: tuple[SignedIn, SignedIn]
) -> None:
    """§17.2: messages, a post, a comment, an answer: a restart, two tabs that send them once, a second device."""
    ada, ben = pair
    tag = uuid4().hex[:8]
    asked_for, first, second, post, comment = (
        f"{what} {tag}" for what in ("Where are you now", "On my way", "Bring the saw", "Read the smoke", "Agreed")
    )
    lesson = f"Vent first {tag}"
    ben.client.table("messages").insert({"sender_id": ben.id, "recipient_id": ada.id, "content": asked_for}).execute()
    ben.client.table("posts").insert({"kind": "lesson", "content": lesson}).execute()
    with new_member(stack, "Cleo Marsh") as cleo:
        asked = request_connection(cleo, ada.id)
        page = start().pages[0]
        log_in(page, stack, ada.email)
        wait_until_kept(page, lesson)
        go(page, "/network?tab=pending-requests")
        expect(page.get_by_role("button", name="Accept Cleo Marsh")).to_be_visible()
        wait_until_kept(page, f'"otherId":"{cleo.id}"')
        go(page, f"/messages?with={ben.id}")
        box = page.get_by_label("Message to Ben Adeyemi")
        wait_until_kept(page, asked_for)
        wait_until(lambda: page.evaluate(WORKER) == "activated")

        # The network goes in the middle of writing.
        box.fill(first)
        page.context.set_offline(True)
        page.get_by_role("button", name="Send", exact=True).click()
        waiting = page.get_by_role("log").locator("[data-state=waiting]")
        expect(waiting).to_have_text(re.compile("Waiting for the network"))
        send(page, "Ben Adeyemi", second)
        expect(waiting).to_have_count(2)
        go(page, "/network?tab=pending-requests")
        page.get_by_role("button", name="Accept Cleo Marsh").click()
        expect(page.get_by_text("You accepted Cleo Marsh’s request")).to_be_visible()
        go(page, "/feed")
        page.get_by_label("What did this shift teach you?").fill(post)
        page.get_by_role("button", name="Post", exact=True).click()
        posts = page.get_by_role("list", name="Your unsent posts")
        expect(posts).to_contain_text(re.compile(f"{post}.*Waiting for the network", re.DOTALL))
        article = page.get_by_role("article").filter(has_text=lesson)
        article.get_by_role("button", name="Comments, 0").click()
        article.get_by_label("Write a comment.").fill(comment)
        article.get_by_role("button", name="Comment", exact=True).click()
        expect(article.locator("[data-slot=unsent]")).to_have_text(re.compile("Waiting for the network"))

        context = start()
        context.set_offline(True)
        page = context.pages[0]
        page.goto(f"{stack.url}/messages?with={ben.id}")
        expect(page.locator("[data-slot=network-strip]")).to_contain_text("5 waiting to be sent.")
        lines = page.get_by_role("log").locator("[data-state]")
        expect(lines).to_have_text([re.compile(asked_for), re.compile(first), re.compile(second)])
        conversation = page.get_by_role("link", name=re.compile(f"^Ben Adeyemi .*{second}"))
        expect(conversation).to_contain_text("Waiting for the network: You: ")
        other_tab = context.new_page()
        other_tab.goto(f"{stack.url}/feed")
        expect(other_tab.get_by_role("list", name="Your unsent posts")).to_contain_text(post)
        device = new_page()
        prepare(device, stack, ada.email)
        with expect_subscriptions(device, "messages"):
            device.goto(f"{stack.url}/messages?with={ben.id}")

        context.set_offline(False)
        wait_until(lambda: unsent(page) == "[]")
        for shown in (page, device):
            here = shown.get_by_role("log").locator("[data-state=sent]")
            expect(here).to_have_text([re.compile(first), re.compile(second)])
        expect(conversation).not_to_contain_text("Waiting")
        expect(other_tab.get_by_role("article").filter(has_text=post)).to_have_count(1)
        expect(other_tab.get_by_role("list", name="Your unsent posts")).to_have_count(0)
        article = other_tab.get_by_role("article").filter(has_text=lesson)
        expect(article.get_by_role("button", name="Comments, 1")).to_have_attribute("aria-expanded", "true")
        rows = {"messages": (first, second), "posts": (post,), "comments": (comment,)}
        for table, contents in rows.items():
            assert [count(stack, table, content) for content in contents] == [1] * len(contents)
        answer = ada.client.table("connections").select("status").eq("id", asked).single().execute()
        assert answer.data == {"status": "accepted"}


def test_a_page_closed_before_the_answer_sends_once(
    stack: RunningStack, new_page: NewPage, pair: tuple[SignedIn, SignedIn]
) -> None:
    """§17.2: the database has the message, the device does not know yet; the next start finds out, on whatever page."""
    ada, ben = pair
    text = f"Once only {uuid4().hex[:8]}"
    page = new_page()
    prepare(page, stack, ada.email)
    page.goto(f"{stack.url}/messages?with={ben.id}")
    reached: list[Route] = []

    def lose_answer(route: Route) -> None:
        if route.request.method == "POST" and not reached:
            route.fetch()
            reached.append(route)  # and is never answered
        else:
            route.continue_()

    page.context.route("**/rest/v1/messages*", lose_answer)
    send(page, "Ben Adeyemi", text)
    wait_until(lambda: text in unsent(page) and count(stack, "messages", text) == 1)
    again = page.context.new_page()
    page.close()
    again.goto(f"{stack.url}/feed")
    wait_until(lambda: unsent(again) == "[]")
    go(again, f"/messages?with={ben.id}")
    expect(again.get_by_role("log").locator("[data-state=sent]")).to_have_text([re.compile(text)])
    assert count(stack, "messages", text) == 1


def test_a_refusal_is_shown_and_nothing_is_left_for_the_next_member(
    stack: RunningStack, new_page: NewPage, pair: tuple[SignedIn, SignedIn]
) -> None:
    """§17.2 §17.5: refused after the network is back; signing out asks first; who signs in next finds nothing."""
    ada, ben = pair
    tag = uuid4().hex[:8]
    refused, begun = f"Too late {tag}", f"Half a thought {tag}"
    page = new_page()
    prepare(page, stack, ada.email)
    page.goto(f"{stack.url}/messages?with={ben.id}")
    box = page.get_by_label("Message to Ben Adeyemi")
    expect(box).to_be_editable()
    page.context.set_offline(True)
    send(page, "Ben Adeyemi", refused)
    expect(page.get_by_role("log").locator("[data-state=waiting]")).to_have_count(1)
    ben.client.table("connections").delete().or_(f"user_id.eq.{ben.id},connected_user_id.eq.{ben.id}").execute()
    closed = {"privacy_settings": {"allow_messages_from_anyone": False}}
    ben.client.table("profiles").update(closed).eq("id", ben.id).execute()
    page.context.set_offline(False)
    line = page.get_by_role("log").locator("[data-state=refused]")
    expect(line).to_contain_text("Not sent: This user only accepts messages from connections")
    page.get_by_role("banner").get_by_role("button", name=re.compile("account menu")).click()
    page.get_by_role("menuitem", name="Sign Out").click()
    question = page.get_by_role("dialog", name="Sign out with 1 unsent item?")
    question.get_by_role("button", name="Stay signed in").click()
    line.get_by_role("button", name="Edit").click()
    expect(box).to_have_value(refused)
    expect(line).to_have_count(0)

    page.get_by_role("banner").get_by_role("link", name="Muster, home").click()
    form = page.get_by_label("What did this shift teach you?")
    expect(form).to_be_editable()
    wait_until_loaded(page)
    page.context.set_offline(True)
    form.fill(begun)
    page.get_by_role("button", name="Post", exact=True).click()
    wait_until(lambda: begun in unsent(page))
    page.close()
    page.context.set_offline(False)
    other = page.context.new_page()
    other.set_default_timeout(PATIENCE_MS)
    log_in(other, stack, ben.email)
    wait_until(lambda: unsent(other) == "[]")
    expect(other.get_by_role("list", name="Your unsent posts")).to_have_count(0)
    assert other.evaluate(ON_DEVICE, [refused, begun, ada.email, "Ada Fontaine"]) == []
    wait_until(lambda: ben.id in other.evaluate(KEPT, "muster-reads"))
    assert refused not in other.evaluate(KEPT, "muster-reads")
    assert count(stack, "posts", begun) == 0
