"""Notifications on a device in Chromium (§17.3): from the button to the notification, and what a press on it opens.

What lies outside is stood in for: no push service gives a headless browser a subscription, so the page gets one whose
keys the test has; what the server sends there is decrypted and given to the real service worker.
"""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect
from postgrest import ReturnMethod

from muster_product.browser import find_chromium
from tests.support.axe import faults_in_both_themes
from tests.support.browser import FLAGS, go
from tests.support.member_pages import new_member, store_session
from tests.support.push_service import PushService, Receiver
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e

NewPage = Callable[..., Page]

# A subscription as Chromium gives it, from the page's PushManager. It is asked for with the server's key.
STAND_IN = """
const given = %s
const unsubscribe = () => Promise.resolve(sessionStorage.removeItem('subscribed') === undefined)
const subscription = { endpoint: given.endpoint, toJSON: () => given, unsubscribe }
PushManager.prototype.getSubscription = () =>
  Promise.resolve(sessionStorage.getItem('subscribed') ? subscription : null)
PushManager.prototype.subscribe = ({ userVisibleOnly, applicationServerKey }) => {
  if (!userVisibleOnly || applicationServerKey !== window.__MUSTER_CONFIG__.pushKey) throw new Error('asked wrongly')
  sessionStorage.setItem('subscribed', 'yes')
  return Promise.resolve(subscription)
}
"""
TITLES = (
    """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title }) => title).sort()"""
)
URLS = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ data }) => data.url)"""
PRESS = """async (title) => {
  const notification = (await self.registration.getNotifications()).find((one) => one.title === title)
  self.dispatchEvent(new NotificationEvent('notificationclick', { notification }))
}"""


@pytest.fixture(scope="module")
def browser(browser: Browser) -> Iterator[Browser]:
    """The whole browser: its headless shell shows no notifications."""
    whole = browser.browser_type.launch(executable_path=find_chromium(), args=list(FLAGS))
    yield whole
    whole.close()


def stand_in(page: Page) -> Receiver:
    """Give the page a push service that hands out one subscription."""
    receiver = Receiver()
    given = {"endpoint": receiver.endpoint, "keys": {"p256dh": receiver.p256dh, "auth": receiver.auth}}
    page.add_init_script(STAND_IN % json.dumps(given))
    return receiver


def deliver(session: CDPSession, stack: RunningStack, said: dict[str, object]) -> None:
    """Give a push to the service worker of the site."""
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(
            one["registrationId"] for one in event["registrations"] if one["scopeURL"].startswith(stack.url)
        ),
    )
    session.send("ServiceWorker.enable")
    wait_until(lambda: session.send("Page.enable") == {} and found)
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": stack.url, "registrationId": found[-1], "data": json.dumps(said)},
    )


def test_a_device_is_told(stack: RunningStack, new_page: NewPage, pushes: PushService) -> None:
    """§17.3: turned on by a press, told of a message, not while it is looked at; a press on it opens the thing."""
    with new_member(stack, "Ada Fontaine") as ada, new_member(stack, "Ben Adeyemi") as ben:
        page = new_page(390, 844, service_workers="allow", permissions=["notifications"])
        browser = stand_in(page)
        store_session(page, stack, ada.email)
        page.goto(f"{stack.url}/settings/notifications")
        page.get_by_role("button", name="Turn on for this device").click()
        expect(page.get_by_text("We just sent the first one to this device.")).to_be_visible()
        assert pushes.read(browser)[0]["title"] == "Notifications are on"
        expect(page.get_by_role("button", name="Turn on for this device")).to_have_count(0)
        card = page.get_by_role("region", name="On your devices")
        expect(card.get_by_role("checkbox", name="Messages")).to_be_checked()
        assert faults_in_both_themes(page) == []

        def tell(content: str) -> dict[str, object]:
            before = len(pushes.of(browser))
            message = {"sender_id": ben.id, "recipient_id": ada.id, "content": content, "read": False}
            sent = ben.client.table("messages").insert(message).execute().data
            assert isinstance(sent, list)
            assert isinstance(sent[0], dict)
            ben.client.table("notifications").insert(
                {
                    "user_id": ada.id, "type": "message", "title": "Ben Adeyemi sent you a message", "content": content,
                    "reference_id": sent[0]["id"], "metadata": {"url": f"/messages?with={ben.id}"},
                },
                returning=ReturnMethod.minimal,
            ).execute()  # fmt: skip
            wait_until(lambda: len(pushes.of(browser)) > before)
            return pushes.read(browser)[-1]

        plain = tell("Coffee at 0630?")
        assert (plain["title"], plain["body"]) == ("Ben Adeyemi sent you a message", "Coffee at 0630?")
        card.get_by_role("switch", name="Hide what it says").click()
        card.get_by_role("switch", name="Quiet hours").click()
        card.get_by_label("Until").fill("06:30")
        saved = (
            "select hides_content, quiet_from::text, quiet_until::text from public.push_subscriptions"
            " where user_id = %s"
        )
        with stack.connect() as connection:
            wait_until(lambda: connection.execute(saved, (ada.id,)).fetchone() == (True, "22:00:00", "06:30:00"))
        card.get_by_role("switch", name="Quiet hours").click()
        with stack.connect() as connection:
            wait_until(lambda: connection.execute(saved, (ada.id,)).fetchone() == (True, None, None))
            connection.execute("delete from public.notifications where user_id = %s", (ada.id,))
        hidden = tell("Or at 0700?")
        assert (hidden["title"], hidden["body"]) == ("New message", "")

        deliver(page.context.new_cdp_session(page), stack, {**plain, "title": "Not while it is looked at"})
        page.goto("about:blank")
        deliver(page.context.new_cdp_session(page), stack, hidden)
        deliver(page.context.new_cdp_session(page), stack, {"title": 5, "url": "//evil.test", "tag": None})
        page.goto(f"{stack.url}/feed")
        expect(page.get_by_role("heading", name="Home", level=1)).to_be_attached()
        wait_until(lambda: page.evaluate(TITLES) == ["New message", "News from Muster"])
        assert sorted(page.evaluate(URLS)) == [f"/messages?with={ben.id}", "/notifications"]
        page.evaluate("window.before = true")
        page.context.service_workers[0].evaluate(PRESS, "New message")
        page.wait_for_url(f"**/messages?with={ben.id}")
        assert page.evaluate("window.before") is True, "the page was not loaded again"
        assert page.evaluate(TITLES) == ["News from Muster"]

        go(page, "/settings/notifications")
        page.get_by_role("button", name="Turn off: This device").click()
        expect(page.get_by_role("button", name="Turn on for this device")).to_be_visible()
        with stack.connect() as connection:
            assert connection.execute(saved, (ada.id,)).fetchone() is None
