"""Two members at once, each in their own browser: request, accept, message, read, mention, notification, mute."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browser import go
from tests.support.member_pages import (
    expect_sign_out,
    expect_subscriptions,
    expect_toast,
    log_in,
    prepare,
    toasts,
    wait_until_loaded,
)
from tests.support.members import SignedIn, sign_in
from tests.support.public_pages import wait_for_toaster
from tests.support.rows import data_of
from tests.support.stack import RunningStack

pytestmark = [pytest.mark.e2e, pytest.mark.moves]
NewPage = Callable[..., Page]


@dataclass(frozen=True)
class Member:
    """A member with a browser, which is started when its page is asked for; a signed-in client; their name."""

    start: Callable[[], Page]
    signed_in: SignedIn
    name: str
    url: str

    @cached_property
    def page(self) -> Page:
        """Their page, signed in."""
        return self.start()

    def open(self, path: str) -> None:
        """Open a page of the application, and wait until it has loaded and all subscriptions are confirmed."""
        with expect_subscriptions(self.page):
            self.page.goto(f"{self.url}{path}")
        wait_until_loaded(self.page)

    def follow(self, path: str) -> None:
        """Go to another page as by a link, and wait until it has loaded."""
        go(self.page, path)
        wait_until_loaded(self.page)


def open_member(stack: RunningStack, new_page: NewPage, email: str) -> Member:
    """A member who can be signed in twice: in Chromium and as a client."""

    def start() -> Page:
        page = new_page()
        prepare(page, stack, email)
        return page

    signed_in = sign_in(stack, email)
    row = signed_in.client.table("profiles").select("full_name").eq("id", signed_in.id).single().execute()
    return Member(start, signed_in, data_of(row)["full_name"], stack.url)


def disconnect(stack: RunningStack, one: str, other: str) -> None:
    """Delete the connection of the two and reset both members' settings."""
    with stack.connect() as connection:
        connection.execute(
            "delete from public.connections where (user_id, connected_user_id) in ((%(a)s, %(b)s), (%(b)s, %(a)s))",
            {"a": one, "b": other},
        )
        connection.execute(
            "update public.profiles set privacy_settings = default, notification_settings = default"
            " where id in (%s, %s)",
            (one, other),
        )


@pytest.fixture
def two_emails(stack: RunningStack) -> tuple[str, str]:
    """Two members of the community without a connection."""
    with stack.connect() as connection:
        rows = connection.execute(
            "select email from public.profiles where email not in (%s, %s) and email like '%%@muster.test'"
            " order by md5(email) limit 2",
            (stack.env["DEMO_ADMIN_EMAIL"], stack.env["DEMO_MEMBER_EMAIL"]),
        ).fetchall()
    return rows[0][0], rows[1][0]


@pytest.fixture
def two(stack: RunningStack, new_page: NewPage, two_emails: tuple[str, str]) -> tuple[Member, Member]:
    """Both as strangers; neither has opened a page."""
    ids = [sign_in(stack, email).id for email in two_emails]
    disconnect(stack, *ids)
    return (open_member(stack, new_page, two_emails[0]), open_member(stack, new_page, two_emails[1]))


def unread(member: Member) -> int:
    """The count of the bell, 0 without one."""
    label = member.page.get_by_role("banner").get_by_role("button", name=re.compile("^Notifications"))
    found = re.search(r"(\d+) unread", label.get_attribute("aria-label") or "")
    return int(found[1]) if found else 0


def test_from_a_request_to_a_muted_mention(two: tuple[Member, Member]) -> None:
    """§1.6 §4.17 §4.18 §4.21 §5.16 §7.50 §7.51 §7.52 §7.53 §8.41 §8.42 §8.43 §8.47, then silence."""
    ada, ben = two
    ben.open("/network?tab=pending-requests")
    expect(ben.page.get_by_role("heading", name="Network", level=1)).to_be_visible()
    expect(ben.page.get_by_role("tab", name=re.compile("Pending requests"))).to_be_visible()

    # Ada finds Ben by a part of his name and sends a request.
    ada.open("/network")
    ada.page.get_by_label("Search people").fill(ben.name.lower()[:6])
    ada.page.get_by_role("button", name="Search", exact=True).click()
    results = ada.page.get_by_role("region", name="Search results")
    results.get_by_role("button", name=f"Connect with {ben.name}").click()
    expect_toast(ada.page, "Connection request sent")
    expect(results.get_by_text("Requested").first).to_be_visible()

    # Ben receives it without a reload, and accepts.
    accept = ben.page.get_by_role("button", name=f"Accept {ada.name}")
    expect(accept).to_be_visible()
    accept.click()
    expect_toast(ben.page, "Connection accepted", "You are now connected with this user.")
    expect(results.get_by_text("Connected").first).to_be_visible()

    # Ada writes; Ben has the conversation open; the read receipt arrives.
    ben.follow(f"/messages?with={ada.signed_in.id}")
    ada.follow(f"/messages?with={ben.signed_in.id}")
    text = f"Bring the second halyard {uuid4().hex[:6]}"
    ada.page.get_by_label(f"Message to {ben.name}").fill(text)
    ada.page.get_by_role("button", name="Send", exact=True).click()
    expect_toast(ada.page, "Message sent")
    expect(ben.page.get_by_role("log").get_by_text(text)).to_be_visible()
    expect(ada.page.get_by_role("log").locator("[data-state=read]").filter(has_text=text)).to_be_visible()
    expect(ada.page.get_by_role("log").get_by_text(text)).to_have_count(1)

    # Ada mentions Ben in a comment: a toast now, a notification for later.
    (post,) = data_of(ada.signed_in.client.table("posts").insert({"kind": "lesson", "content": "Halyards."}).execute())
    ada.follow(f"/post/{post['id']}")
    box = ada.page.get_by_label("Write a comment. Type @ to mention someone.")
    box.press_sequentially(f"Ask @{ben.name.lower()[:5]}")
    ada.page.get_by_role("option", name=re.compile(re.escape(ben.name))).click()
    box.press("Control+Enter")
    expect_toast(ben.page, "You were mentioned!", f"{ada.name} mentioned you in a comment")
    expect(ada.page.get_by_role("link", name=f"@{ben.name}")).to_be_visible()
    expect(box).to_have_value("")
    ben.follow("/notifications")
    expect(
        ben.page.get_by_role("list", name="Notifications").get_by_text("mentioned you in a comment").first
    ).to_be_visible()
    ben.page.get_by_role("button", name="Mark all as read").click()
    expect(ben.page.get_by_role("banner").get_by_role("button", name="Notifications", exact=True)).to_be_visible()

    # Ben mutes mentions; the next one is listed without a toast.
    ben.follow("/settings/mentions")
    ben.page.get_by_label("Mute mentions").click()
    expect_toast(ben.page, "Notification settings saved successfully")
    ben.follow("/notifications")
    expect(ben.page.get_by_role("list", name="Notifications")).to_be_visible()
    box.press_sequentially(f"Again @{ben.name.lower()[:5]}")
    ada.page.get_by_role("option", name=re.compile(re.escape(ben.name))).click()
    box.press("Control+Enter")
    again = ben.page.get_by_role("list", name="Notifications").get_by_text(re.compile("^Again @"))
    expect(again).to_be_visible()
    assert len([toast for toast in toasts(ben.page) if "You were mentioned!" in toast]) == 1  # the first one
    assert unread(ben) == 0


def test_a_stranger_has_three_messages_a_day(two: tuple[Member, Member]) -> None:
    """§1.6 §5.20 §5.21 §5.22 §9.3: the allowance counts down, and both rejections show their exact texts."""
    ada, ben = two
    ada.open(f"/messages?with={ben.signed_in.id}")
    box = ada.page.get_by_label(f"Message to {ben.name}")
    for number in range(3):
        expect(ada.page.get_by_text(f"{number} of 3")).to_be_visible()
        expect(box).to_be_enabled()
        box.fill(f"Number {number}")
        ada.page.get_by_role("button", name="Send", exact=True).click()
        expect(
            ada.page.get_by_role("log").locator("[data-state=sent]").filter(has_text=f"Number {number}")
        ).to_be_visible()
    expect(ada.page.get_by_text("You have reached your daily limit for messages to non-connections")).to_be_visible()
    expect(box).to_be_disabled()

    settings = ben.signed_in.client.table("profiles").select("privacy_settings").eq("id", ben.signed_in.id)
    closed = {**data_of(settings.single().execute())["privacy_settings"], "allow_messages_from_anyone": False}
    ben.signed_in.client.table("profiles").update({"privacy_settings": closed}).eq("id", ben.signed_in.id).execute()
    ada.open(f"/messages?with={ben.signed_in.id}")
    expect(ada.page.get_by_text("This user only accepts messages from connections")).to_be_visible()
    expect(ada.page.get_by_label(f"Message to {ben.name}")).to_be_disabled()


def test_a_failed_message_is_retried_without_a_duplicate(stack: RunningStack, two: tuple[Member, Member]) -> None:
    """§8.18 §17.2: a message whose response is lost is sent again by itself; it arrives once."""
    ada, ben = two
    # No subscriptions on this page: its own row, received live, would replace the failed message before the retry.
    ada.page.route_web_socket(re.compile("/realtime/"), lambda _socket: None)
    ada.page.goto(f"{ada.url}/messages?with={ben.signed_in.id}")
    wait_until_loaded(ada.page)
    text = f"Once only {uuid4().hex[:6]}"
    lost: list[str] = []

    def lose_answer(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            route.fetch()  # it reaches the database
            lost.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    ada.page.route("**/rest/v1/messages*", lose_answer)
    ada.page.get_by_label(f"Message to {ben.name}").fill(text)
    ada.page.get_by_role("button", name="Send", exact=True).click()
    expect_toast(ada.page, "There was a problem sending your message. Please try again.")
    log = ada.page.get_by_role("log")
    expect(log.locator("[data-state=sent]").filter(has_text=text)).to_have_count(1)
    expect(log.locator("[data-state=waiting]")).to_have_count(0)
    with stack.connect() as connection:
        found = connection.execute("select count(*) from public.messages where content = %s", (text,)).fetchone()
    assert found == (1,)


def test_an_admin_notification_raises_a_toast(stack: RunningStack, two: tuple[Member, Member]) -> None:
    """§9.15: once, as a toast with the first 100 characters, as text; it counts in the bell like any other."""
    ada, _ben = two
    ada.open("/feedback")
    before = unread(ada)
    content = "<b>Drill</b> " + "\u202e" + "x" * 200
    with stack.connect() as connection:
        connection.execute(
            "insert into public.notifications (id, user_id, type, title, content, metadata)"
            " values (gen_random_uuid(), %s, 'system', 'Radios', %s, '{\"url\": \"/settings\"}')",
            (ada.signed_in.id, content),
        )
    expect_toast(ada.page, "Radios", content[:100] + "…")
    assert not [toast for toast in toasts(ada.page) if content[:101] in toast]
    assert len([toast for toast in toasts(ada.page) if "Radios" in toast]) == 1
    bell = ada.page.get_by_role("banner").get_by_role("button", name=f"Notifications, {before + 1} unread")
    expect(bell).to_be_visible()


def test_the_other_members_answer_shows_at_once(two: tuple[Member, Member]) -> None:
    """§4.18 §8.44: a decline reaches the other browser without a reload. §2.36: waiting requests are what opens."""
    ada, ben = two
    ada.open(f"/profile/{ben.signed_in.id}")
    ada.page.get_by_role("button", name=f"Connect with {ben.name}").click()
    expect(ada.page.get_by_text("Requested", exact=True)).to_be_visible()
    ben.open("/network")
    requests = ben.page.get_by_role("tab", name=re.compile("Pending requests"))
    expect(requests).to_have_attribute("aria-selected", "true")
    ben.page.get_by_role("button", name=f"Decline {ada.name}").click()
    expect_toast(ben.page, "Connection declined")
    expect(requests).to_have_attribute("aria-selected", "true")  # what opened stays
    expect(ben.page.get_by_role("button", name=f"Decline {ada.name}")).to_have_count(0)
    expect(ada.page.get_by_text("Declined", exact=True)).to_be_visible()


def test_another_tab_signs_out(stack: RunningStack, new_page: NewPage, two_emails: tuple[str, str]) -> None:
    """§2.27 §4.13: signing out in one tab signs out all of them."""
    page = new_page()
    log_in(page, stack, two_emails[0])
    other = page.context.new_page()
    other.goto(f"{stack.url}/network")
    expect(other.get_by_role("heading", name="Network", level=1)).to_be_visible()
    page.get_by_role("banner").get_by_role("button", name=re.compile("account menu")).click()
    with expect_sign_out(page):
        page.get_by_role("menuitem", name="Sign Out").click()
    other.wait_for_url("**/login")


def test_offline_and_back_loses_nothing(two: tuple[Member, Member]) -> None:
    """§4.7 §4.8: messages sent in the meantime appear once the connection is back."""
    ada, ben = two
    ben.open(f"/messages?with={ada.signed_in.id}")
    expect(ben.page.get_by_label(f"Message to {ada.name}")).to_be_visible()
    wait_for_toaster(ben.page)
    ben.page.context.set_offline(True)
    expect_toast(ben.page, "You're offline")
    text = f"While you were away {uuid4().hex[:6]}"
    row = {"sender_id": ada.signed_in.id, "recipient_id": ben.signed_in.id, "content": text, "read": False}
    ada.signed_in.client.table("messages").insert(row).execute()
    ben.page.context.set_offline(False)
    expect_toast(ben.page, "You're back online")
    expect(ben.page.get_by_role("log").get_by_text(text)).to_have_count(1, timeout=60_000)
