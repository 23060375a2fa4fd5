"""The application without network: a browser that is closed and opened again, what it shows, what it keeps (§17)."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from muster_product.browser import find_chromium
from tests.support.browser import FLAGS, PATIENCE_MS
from tests.support.member_pages import log_in, new_member, wait_until_loaded
from tests.support.members import SignedIn, request_connection
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e

Start = Callable[[], BrowserContext]

# Whether the device keeps a text that a page has read; it is written half a second later.
KEPT = """async (text) => {
  const answer = (request) => new Promise((done, failed) => {
    request.onsuccess = () => done(request.result)
    request.onerror = request.onblocked = () => failed(request.error ?? new Error('blocked'))
  })
  if (!(await indexedDB.databases()).some(({ name }) => name === 'muster-reads')) return false
  const database = await answer(indexedDB.open('muster-reads'))
  try {
    return JSON.stringify(await answer(database.transaction('reads').objectStore('reads').getAll())).includes(text)
  } finally {
    database.close()
  }
}"""

WORKER = "navigator.serviceWorker.getRegistration().then((found) => found?.active?.state)"


@pytest.fixture
def start(browser: Browser, tmp_path: Path) -> Iterator[Start]:
    """Start a browser on one profile, which keeps its data from one start to the next."""
    running: list[BrowserContext] = []

    def start() -> BrowserContext:
        while running:
            running.pop().close()
        context = browser.browser_type.launch_persistent_context(
            tmp_path, executable_path=find_chromium(), args=list(FLAGS), headless=True,
            viewport={"width": 1280, "height": 900},
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


def wait_until_kept(page: Page, text: str) -> None:
    """Wait until the device keeps a text."""
    wait_until(lambda: page.evaluate(KEPT, text))


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
    wait_until_kept(page, lesson)
    page.goto(f"{stack.url}/profile")
    expect(page.get_by_text(ticket)).to_be_visible()
    wait_until_kept(page, "profile-page")
    page.goto(f"{stack.url}/messages?with={ben.id}")
    expect(page.get_by_role("log").get_by_text(hello)).to_be_visible()
    for text in (lesson, ticket, hello):
        wait_until_kept(page, text)
    # Not `ready`, which never answers when the worker could not be installed.
    wait_until(lambda: page.evaluate(WORKER) == "activated")

    context = start()
    context.set_offline(True)
    page = context.pages[0]
    page.goto(f"{stack.url}/feed")
    expect(page.get_by_text(lesson)).to_be_visible()
    strip = page.locator("[data-slot=network-strip]")
    expect(strip).to_contain_text(re.compile(r"You're offline\. .*As of \d{1,2}(:\d\d)? [AP]M\."))
    page.goto(f"{stack.url}/profile")
    expect(page.get_by_text(ticket)).to_be_visible()
    page.goto(f"{stack.url}/messages?with={ben.id}")
    expect(page.get_by_role("log").get_by_text(hello)).to_be_visible()
    expect(strip).to_contain_text("As of")
    page.goto(f"{stack.url}/trainings")
    expect(strip).to_contain_text("Not all of this page was read on this device.")

    context.set_offline(False)
    page.goto(f"{stack.url}/messages?with={ben.id}")
    box = page.get_by_label("Message to Ben Adeyemi")
    box.fill("Bring the red book")
    page.evaluate("navigator.serviceWorker.register('/sw.js?another=version').then(() => undefined)")
    page.evaluate("window.before = true")
    page.get_by_role("button", name="Update now").click()
    expect(page.get_by_text("Muster updates when you’ve finished writing.")).to_be_visible()
    expect(box).to_have_value("Bring the red book")
    box.fill("")
    page.wait_for_function("() => !window.before && navigator.serviceWorker.controller?.scriptURL.includes('another')")

    page.get_by_role("banner").get_by_role("button", name=re.compile("account menu")).click()
    page.get_by_role("menuitem", name="Sign Out").click()
    page.wait_for_url("**/login")
    wait_until(lambda: page.evaluate("indexedDB.databases()") == [])
    left = page.evaluate(
        "async (texts) => { let all = JSON.stringify([localStorage, sessionStorage]);"
        " for (const name of await caches.keys()) for (const entry of await (await caches.open(name)).keys())"
        " all += entry.url + await (await caches.match(entry)).text();"
        " return texts.filter((one) => all.includes(one)) }",
        [lesson, hello, ticket, ada.email],
    )
    assert left == []
