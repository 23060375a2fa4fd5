"""What journeys of members share: accounts of their own, signing in, waiting for what a page says, what axe finds."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

import httpx
from playwright.sync_api import Page, WebSocket, expect

from tests.support.browser import PATIENCE_MS
from tests.support.members import SignedIn, sign_in
from tests.support.stack import RunningStack

NewPage = Callable[..., Page]


def close(member: SignedIn) -> None:
    """Close what the member's client holds open."""
    member.client.auth.close()
    member.client.postgrest.session.close()


@contextmanager
def new_member(stack: RunningStack, name: str = "Robin Castellan") -> Iterator[SignedIn]:
    """A member of one's own with a confirmed address and the demo password, signed in as a client."""
    email = f"{name.split(maxsplit=1)[0].lower()}.{uuid4().hex[:10]}@members.test"
    made = httpx.post(
        f"{stack.url}/auth/v1/admin/users",
        headers={"apikey": stack.env["SECRET_KEY"]},
        json={
            "email": email,
            "password": stack.env["DEMO_PASSWORD"],
            "email_confirm": True,
            "user_metadata": {"full_name": name},
        },
    )
    assert made.status_code == 200, made.text
    member = sign_in(stack, email)
    yield member
    close(member)


# A toast goes after seconds, which a busy machine may spend before one looks: what was said is kept, past a reload.
LISTEN = """
window.saidByToasts = () => JSON.parse(sessionStorage.getItem('said-by-toasts') ?? '[]')
const shown = new WeakMap()
new MutationObserver(() => {
  for (const toast of document.querySelectorAll('[data-slot=toast]')) {
    if (shown.get(toast) === toast.innerText) continue
    shown.set(toast, toast.innerText)
    sessionStorage.setItem('said-by-toasts', JSON.stringify([...saidByToasts(), toast.innerText]))
  }
}).observe(document, { childList: true, subtree: true, characterData: true })
"""


def toasts(page: Page) -> list[str]:
    """What toasts said since this tab was opened."""
    return list(page.evaluate("window.saidByToasts()"))


def expect_toast(page: Page, *said: str) -> None:
    """Wait until one toast has said all of this, be it gone by now."""
    page.wait_for_function(
        "said => window.saidByToasts().some((toast) => said.every((part) => toast.includes(part)))", arg=list(said)
    )


@contextmanager
def followed_rows(page: Page, noted: list[str]) -> Iterator[None]:
    """Add `LIVE <table>` for each table whose rows the page begins to follow live meanwhile."""

    def listen(socket: WebSocket) -> None:
        def read(frame: str | bytes) -> None:
            topic = re.search(r'"realtime:(\w+):', str(frame))
            if topic and "Subscribed to PostgreSQL" in str(frame):
                noted.append(f"LIVE {topic[1]}")

        socket.on("framereceived", read)

    page.on("websocket", listen)
    yield
    page.remove_listener("websocket", listen)


FOLLOWED = ("connections", "mentions", "messages", "notifications")


@contextmanager
def going_live(page: Page, *tables: str) -> Iterator[None]:
    """Go to a page meanwhile; goes on when the rows of these tables (all) are followed live, after the page stands."""
    wanted = {f"LIVE {table}" for table in tables or FOLLOWED}
    followed: list[str] = []
    with followed_rows(page, followed):
        yield
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while not wanted.issubset(followed):
            assert time.monotonic() < deadline, f"followed: {followed}"
            page.wait_for_timeout(50)


def log_in(page: Page, stack: RunningStack, email: str, password: str | None = None) -> None:
    """Sign in at /login, with the demo password unless another one is given; goes on when the feed stands."""
    page.context.add_init_script(LISTEN)
    page.goto(f"{stack.url}/login")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(password or stack.env["DEMO_PASSWORD"])
    page.get_by_role("button", name="Sign in").last.click()
    page.wait_for_url("**/feed")
    expect(page.get_by_role("heading", name="Home", level=1)).to_be_attached()


@contextmanager
def signing_out(page: Page) -> Iterator[None]:
    """Leave meanwhile; goes on at the sign-in page, after the reload that follows half a second later."""
    page.evaluate("window.beforeLeaving = true")
    yield
    page.wait_for_function("() => location.pathname === '/login' && !window.beforeLeaving")
    expect(page.get_by_label("E-mail")).to_be_visible()


def settled(page: Page) -> None:
    """The page stands: a heading, and nothing that still loads."""
    expect(page.locator("h1").first).to_be_attached()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.wait_for_load_state("networkidle")


@contextmanager
def requests_of(page: Page) -> Iterator[list[str]]:
    """What the page asks of tables and procedures meanwhile, as `METHOD table?query`."""
    asked: list[str] = []

    def note(request: object) -> None:
        from playwright.sync_api import Request

        assert isinstance(request, Request)
        found = re.search(r"/rest/v1/(.*)", request.url)
        if found and request.method != "OPTIONS":
            asked.append(f"{request.method} {found[1]}")

    page.on("request", note)
    yield asked
    page.remove_listener("request", note)
