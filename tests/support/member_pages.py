"""Helpers for member journeys: new accounts, signing in, waiting for toasts and subscriptions, logging requests."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

import bcrypt
import httpx
from playwright.sync_api import Page, WebSocket, expect

from tests.support.browser import PATIENCE_MS, POLLING_MS
from tests.support.members import SignedIn, sign_in
from tests.support.stack import RunningStack

NewPage = Callable[..., Page]


def close(member: SignedIn) -> None:
    """Close the connections of the member's client."""
    member.client.auth.close()
    member.client.postgrest.session.close()


def cheap_hash(password: str) -> str:
    """The password as bcrypt of the least cost has it: each test makes members, and signs them in twice."""
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(4, b"2a")).decode()


@contextmanager
def new_member(stack: RunningStack, name: str = "Robin Castellan") -> Iterator[SignedIn]:
    """A new member with a confirmed address and the demo password, signed in as a client."""
    email = f"{name.split(maxsplit=1)[0].lower()}.{uuid4().hex[:10]}@members.test"
    made = httpx.post(
        f"{stack.url}/auth/v1/admin/users",
        headers={"apikey": stack.env["SECRET_KEY"]},
        json={
            "email": email,
            "password_hash": cheap_hash(stack.env["DEMO_PASSWORD"]),
            "email_confirm": True,
            "user_metadata": {"full_name": name},
        },
    )
    assert made.status_code == 200, made.text
    member = sign_in(stack, email)
    yield member
    close(member)


# Toasts disappear after seconds, which may be too soon on a busy machine: their texts are kept, also past a reload.
RECORD_TOASTS = """
window.recordedToasts = () => JSON.parse(sessionStorage.getItem('recorded-toasts') ?? '[]')
const shown = new WeakMap()
new MutationObserver(() => {
  for (const toast of document.querySelectorAll('[data-slot=toast]')) {
    if (shown.get(toast) === toast.innerText) continue
    shown.set(toast, toast.innerText)
    sessionStorage.setItem('recorded-toasts', JSON.stringify([...recordedToasts(), toast.innerText]))
  }
}).observe(document, { childList: true, subtree: true, characterData: true })
"""


def toasts(page: Page) -> list[str]:
    """The texts of the toasts shown since this tab was opened."""
    return list(page.evaluate("window.recordedToasts()"))


def expect_toast(page: Page, *texts: str) -> None:
    """Wait until one toast has contained all of these texts, even if it has disappeared."""
    page.wait_for_function(
        "texts => window.recordedToasts().some((toast) => texts.every((part) => toast.includes(part)))",
        arg=list(texts),
        polling=POLLING_MS,
    )


@contextmanager
def record_subscriptions(page: Page, log: list[str]) -> Iterator[None]:
    """Append `LIVE <table>` for each subscription to row changes confirmed inside the block, or `LIVE feed`."""

    def listen(socket: WebSocket) -> None:
        def read(frame: str | bytes) -> None:
            topic = re.search(r'"realtime:(?:(feed)","phx_reply",{"status":"ok"|(\w+):.*"Subscribed to )', str(frame))
            if topic:
                log.append(f"LIVE {topic[1] or topic[2]}")

        socket.on("framereceived", read)

    page.on("websocket", listen)
    yield
    page.remove_listener("websocket", listen)


SUBSCRIBED_TABLES = ("connections", "mentions", "messages", "notifications")


@contextmanager
def expect_subscriptions(page: Page, *tables: str) -> Iterator[None]:
    """Open a page inside the block; afterwards wait until the subscriptions to these tables (all) are confirmed.

    What changes before is read again by then, but for the posts that are shown: their changes come by `feed` alone.
    """
    expected = {f"LIVE {table}" for table in tables or SUBSCRIBED_TABLES}
    confirmed: list[str] = []
    with record_subscriptions(page, confirmed):
        yield
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while not expected.issubset(confirmed):
            assert time.monotonic() < deadline, f"confirmed: {confirmed}"
            page.wait_for_timeout(50)


def store_session(page: Page, stack: RunningStack, email: str) -> None:
    """Sign in as the browser would, and store the session as the client does: the next page opens signed in.

    The form costs as much as the page that a journey is about, and has journeys of its own.
    """
    answer = page.request.post(
        f"{stack.url}/auth/v1/token?grant_type=password",
        headers={"apikey": stack.env["PUBLISHABLE_KEY"]},
        data={"email": email, "password": stack.env["DEMO_PASSWORD"]},
        timeout=PATIENCE_MS,
    )
    assert answer.status == 200, answer.text()
    if page.url != f"{stack.url}/robots.txt":  # where a page that served another test stands
        page.goto(f"{stack.url}/robots.txt")  # same origin, without scripts
    page.evaluate("session => localStorage.setItem('sb-muster-auth-token', session)", answer.text())


def prepare(page: Page, stack: RunningStack, email: str) -> None:
    """Sign in without opening a page of the application; toasts are recorded from here on."""
    page.context.add_init_script(RECORD_TOASTS)
    store_session(page, stack, email)


def log_in(page: Page, stack: RunningStack, email: str, path: str = "/feed") -> None:
    """Open a page, signed in with the demo password; toasts are recorded from here on. The feed is waited for."""
    prepare(page, stack, email)
    page.goto(f"{stack.url}{path}")
    if path == "/feed":
        expect(page.get_by_role("heading", name="Home", level=1)).to_be_attached()


def log_in_by_form(page: Page, stack: RunningStack, email: str, password: str) -> None:
    """Sign in at /login, and wait for the feed; toasts are recorded from here on."""
    page.context.add_init_script(RECORD_TOASTS)
    page.goto(f"{stack.url}/login")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign In", exact=True).last.click()
    page.wait_for_url("**/feed")
    expect(page.get_by_role("heading", name="Home", level=1)).to_be_attached()


@contextmanager
def expect_sign_out(page: Page) -> Iterator[None]:
    """Sign out inside the block; afterwards wait for the sign-in page and the reload half a second later."""
    page.evaluate("window.beforeSignOut = true")
    yield
    page.wait_for_function("() => location.pathname === '/login' && !window.beforeSignOut", polling=POLLING_MS)
    expect(page.get_by_label("Email")).to_be_visible()


def wait_until_loaded(page: Page) -> None:
    """Wait until the page has a heading and nothing is loading."""
    # Not `expect`, which describes the whole page each time that it looks in vain.
    page.locator("h1").first.wait_for(state="attached")
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.wait_for_load_state("networkidle")


@contextmanager
def record_requests(page: Page) -> Iterator[list[str]]:
    """The API requests sent inside the block, as `METHOD table?query`."""
    requests: list[str] = []

    def note(request: object) -> None:
        from playwright.sync_api import Request

        assert isinstance(request, Request)
        found = re.search(r"/rest/v1/(.*)", request.url)
        if found and request.method != "OPTIONS":
            requests.append(f"{request.method} {found[1]}")

    page.on("request", note)
    yield requests
    page.remove_listener("request", note)
