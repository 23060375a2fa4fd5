"""The dashboard of a running stack: its key, what it shows, and rows as a user sees them."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults_in_both_themes
from tests.support.patience import PATIENCE_S
from tests.support.stack import RunningStack, muster

NewPage = Callable[..., Page]

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def api(stack: RunningStack) -> Iterator[httpx.Client]:
    headers = {"apikey": stack.env["SECRET_KEY"]}
    with httpx.Client(base_url=f"{stack.url}/_muster/api", headers=headers, timeout=PATIENCE_S) as client:
        yield client


def rows(api: httpx.Client, name: str, role: str = "anon", **more: Any) -> httpx.Response:
    schema, _, table = name.partition(".")
    return api.post("/rows", json={"schema": schema, "name": table, "role": role, "claims": {}, "offset": 0, **more})


def test_the_data_is_behind_the_secret_key(stack: RunningStack, api: httpx.Client) -> None:
    url = f"{stack.url}/_muster/api/tables"
    assert httpx.get(url).status_code == 401
    assert httpx.get(url, headers={"apikey": stack.env["PUBLISHABLE_KEY"]}).status_code == 403
    assert api.get("/tables", headers={"host": "rebound.example"}).status_code == 421
    told = api.get("/tables", headers={"origin": "https://elsewhere.example"})
    assert "access-control-allow-origin" not in told.headers


def test_rows_are_those_of_the_role(stack: RunningStack, api: httpx.Client) -> None:
    found = {role: rows(api, "public.notifications", role).json() for role in ("anon", "service_role", "postgres")}
    assert found["anon"]["code"] == "42501"
    assert found["postgres"]["visible"] == found["postgres"]["total"] == found["service_role"]["visible"] > 0
    [dana] = api.get("/users", params={"q": stack.env["DEMO_MEMBER_EMAIL"]}).json()
    own = rows(api, "public.notifications", "authenticated", claims=dana["claims"]).json()
    assert 0 < own["visible"] < own["total"]
    assert {row["user_id"] for row in own["rows"]} == {dana["id"]}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400), (b"{", 400), (b"[" * 60_000, 400), (b'"' + b"x" * 70_000 + b'"', 413),
        (b'{"schema": "public", "name": "posts", "role": "supabase_admin", "claims": {}, "offset": 0}', 400),
        (b'{"schema": "public", "name": "posts", "role": "anon", "claims": [], "offset": 0}', 400),
        (b'{"schema": "public", "name": "posts", "role": "anon", "claims": {}, "offset": -1}', 400),
        (b'{"schema": "public\\"; drop table x; --", "name": "posts", "role": "anon", "claims": {}, "offset": 0}', 400),
        (b'{"schema": "public", "name": "posts\\u0000", "role": "anon", "claims": {}, "offset": 0}', 400),
    ],
)  # fmt: skip
def test_a_bad_request_is_refused(api: httpx.Client, body: bytes, status: int) -> None:
    answer = api.post("/rows", content=body)
    assert answer.status_code == status, answer.text
    assert answer.json()["message"]


def test_looking_changes_nothing_and_ends(stack: RunningStack, api: httpx.Client) -> None:
    with stack.connect() as connection:
        connection.execute("create schema looked_at")
        try:
            connection.execute(
                "create table looked_at.t (); create function looked_at.f() returns int language sql volatile"
                " as 'insert into looked_at.t default values; select 1';"
                "create view looked_at.writing as select looked_at.f();"
                "create view looked_at.slow as select pg_sleep(30)::text"
            )
            assert rows(api, "looked_at.writing", "postgres").json()["code"] == "25006"
            assert rows(api, "looked_at.slow", "postgres").json()["code"] == "57014"
        finally:
            connection.execute("drop schema looked_at cascade")


def test_a_request_is_shown_with_its_sql(stack: RunningStack, api: httpx.Client) -> None:
    last = max((one["number"] for one in api.get("/requests").json()), default=0)
    key = {"apikey": stack.env["PUBLISHABLE_KEY"]}
    httpx.get(f"{stack.url}/rest/v1/posts", params={"select": "slug", "limit": "1"}, headers=key)
    httpx.get(f"{stack.url}/auth/v1/verify", params={"type": "signup", "token": "0" * 56})
    shown = {one["service"]: one for one in api.get("/requests", params={"after": last}).json()}
    texts = [text for batch, _ in shown["rest"]["batches"] for text, _ in batch]
    assert any('"public"."posts"' in text for text in texts), texts
    assert shown["auth"]["path"] == "/auth/v1/verify?type=signup&token=…"
    assert "one_time_tokens" in str(shown["auth"]["batches"])
    assert api.get("/requests", params={"after": "x" * 50}).status_code == 200


def test_a_developer_looks_inside(stack: RunningStack, new_page: NewPage) -> None:
    page = new_page(390, 844)
    page.goto(f"{stack.url}/_muster")
    page.get_by_label("Secret key").fill("wrong")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_have_text("That is not the secret key of this stack.")
    page.goto(muster("dashboard", "--home", str(stack.home)).stdout.strip())
    expect(page.get_by_text("not healthy")).to_have_count(0)
    expect(page.get_by_text("healthy", exact=True).first).to_be_visible()
    assert "key=" not in page.url
    for view in ("Requests", "Realtime", "Mails", "Jobs", "Storage", "Branches", "Tables"):
        page.get_by_role("navigation").get_by_role("link", name=view).click()
        expect(page.get_by_role("heading", level=1, name=view)).to_be_visible()
        assert faults_in_both_themes(page) == [], view
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view
    page.get_by_role("link", name="notifications", exact=True).click()
    expect(page.get_by_text("sees").first).to_contain_text("postgres sees")
    page.get_by_label("View as this user").fill(stack.env["DEMO_MEMBER_EMAIL"])
    expect(page.locator(".verdict")).to_contain_text(f"authenticated ({stack.env['DEMO_MEMBER_EMAIL']}) sees")
    page.get_by_label("Role").select_option("anon")
    expect(page.locator(".verdict")).to_contain_text("permission denied for table notifications")
    assert faults_in_both_themes(page) == []
