"""What journeys of members share: accounts of their own, signing in, waiting until a page stands, what axe finds."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

import httpx
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

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
    email = f"{name.split()[0].lower()}.{uuid4().hex[:10]}@members.test"
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


def log_in(page: Page, stack: RunningStack, email: str, password: str | None = None) -> None:
    """Sign in at /login, with the demo password unless another one is given."""
    page.goto(f"{stack.url}/login")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(password or stack.env["DEMO_PASSWORD"])
    page.get_by_role("button", name="Sign in").last.click()
    page.wait_for_url("**/feed")


def settled(page: Page) -> None:
    """The page stands: a heading, and nothing that still loads."""
    expect(page.locator("h1").first).to_be_attached()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.wait_for_load_state("networkidle")


def faults(page: Page) -> list[str]:
    """What axe finds, one line each."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]


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
