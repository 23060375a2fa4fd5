"""Fixtures of the admin journeys: an admin's page, a new account, three waitlist entries."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Page

from tests.support.member_pages import cheap_hash, store_session
from tests.support.patience import PATIENCE_S
from tests.support.stack import RunningStack

NewPage = Callable[..., Page]


@pytest.fixture
def admin_page(stack: RunningStack, new_page: NewPage) -> Page:
    """A page of the demo admin, signed in."""
    page = new_page()
    store_session(page, stack, stack.env["DEMO_ADMIN_EMAIL"])
    return page


@pytest.fixture
def newcomer(stack: RunningStack) -> Iterator[str]:
    """A confirmed account made for this test, with the demo password; deleted afterwards."""
    email = f"newcomer.{uuid4().hex[:8]}@example.org"
    made = httpx.post(
        f"{stack.url}/auth/v1/admin/users",
        headers={"apikey": stack.env["SERVICE_ROLE_KEY"], "Authorization": f"Bearer {stack.env['SERVICE_ROLE_KEY']}"},
        json={
            "email": email, "password_hash": cheap_hash(stack.env["DEMO_PASSWORD"]), "email_confirm": True,
            "user_metadata": {"full_name": "Nora Newcomer"},
        },
        timeout=PATIENCE_S,
    )  # fmt: skip
    assert made.status_code == 200, made.text
    yield email
    with stack.connect() as connection:
        connection.execute("delete from auth.users where email = %s", (email,))


@pytest.fixture
def waiting(stack: RunningStack) -> Iterator[list[str]]:
    """Three waitlist entries, the first with quiz answers whose role is a spreadsheet formula."""
    tag = uuid4().hex[:8]
    emails = [f"{name}.{tag}@example.org" for name in ("ann", "bea", "cid")]
    with stack.connect() as connection:
        row = connection.execute(
            "insert into public.quiz_responses (firefighter_type, years_of_service, current_rank, linkedin_missing)"
            " values ('career', '6-10', '=HYPERLINK(\"https://evil.test\")', %s) returning id",
            ('{"connection_platforms": ["reddit"], "platform_frustrations": "Noise", "platform_wishlist": "Drills"}',),
        ).fetchone()
        assert row is not None
        for email, quiz in zip(emails, (row[0], None, None), strict=True):
            connection.execute("insert into public.waitlist (email, quiz_response_id) values (%s, %s)", (email, quiz))
    yield emails
    with stack.connect() as connection:
        connection.execute("delete from public.waitlist where email = any(%s)", (emails,))
        connection.execute("delete from public.quiz_responses where id = %s", (row[0],))
