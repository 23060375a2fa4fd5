"""A member with 3,000 connections, 20,000 messages and 10,000 notifications; pages handle only what is visible."""

import re
from collections.abc import Iterator

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import POLLING_MS, go
from tests.support.member_pages import (
    NewPage,
    expect_subscriptions,
    log_in,
    new_member,
    prepare,
    record_requests,
    wait_until_loaded,
)
from tests.support.members import SignedIn
from tests.support.stack import RunningStack, muster

pytestmark = pytest.mark.e2e

CONNECTIONS, MESSAGES, NOTICES = 3_000, 20_000, 10_000

# Like the scale seed: inserted without triggers, as after years of use.
LIFE = """
set session_replication_role = replica;
insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, raw_user_meta_data, created_at,
  updated_at, confirmation_token, recovery_token, email_change, email_change_token_new)
select '00000000-0000-0000-0000-000000000000', md5('veteran' || n)::uuid, 'authenticated', 'authenticated',
  'veteran' || n || '@members.test', now(), '{}', now(), now(), '', '', '', ''
from generate_series(1, %(connections)s) n;
insert into public.profiles (id, full_name, email, department)
select md5('veteran' || n)::uuid, 'Veteran ' || n, 'veteran' || n || '@members.test', 'Station ' || n %% 40
from generate_series(1, %(connections)s) n;
insert into public.connections (user_id, connected_user_id, status, created_at)
select md5('veteran' || n)::uuid, %(me)s, 'accepted', now() - n * interval '1 hour'
from generate_series(1, %(connections)s) n;
insert into public.messages (sender_id, recipient_id, content, read, created_at)
select case when n %% 2 = 0 then %(me)s else other end, case when n %% 2 = 0 then other else %(me)s end,
  'Message ' || n || repeat(' and then some', n %% 9), true, now() - n * interval '1 minute'
from generate_series(1, %(messages)s) n,
  lateral (select md5('veteran' || case when n %% 4 = 0 then 1 + n / 4 %% %(connections)s else 1 end)::uuid as other) o;
insert into public.notifications (id, user_id, actor_id, type, title, content, metadata, seen, created_at)
select gen_random_uuid(), %(me)s, md5('veteran1')::uuid, 'connection', 'Notice ' || n, repeat('Words ', n %% 30),
  jsonb_build_object('user_id', md5('veteran1')::uuid, 'url', '/network'), n > 30, now() - n * interval '1 minute'
from generate_series(1, %(notices)s) n;
set session_replication_role = origin;
"""

AWAY = """
set session_replication_role = replica;
delete from public.notifications where user_id = %(me)s;
delete from public.messages where %(me)s in (sender_id, recipient_id);
delete from public.connections where connected_user_id = %(me)s;
delete from public.profiles where email like 'veteran%%@members.test';
delete from auth.users where email like 'veteran%%@members.test';
set session_replication_role = origin;
"""


@pytest.fixture(scope="module")
def veteran(stack: RunningStack) -> Iterator[SignedIn]:
    """The member with the long lists; deleted after the tests."""
    printed = muster("db", "url", "--superuser", "--home", str(stack.home))
    assert printed.returncode == 0, printed.stderr
    url = printed.stdout.strip()
    with (
        new_member(stack, "Vera Halloran") as member,
        psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection,
    ):
        values = {"me": member.id, "connections": CONNECTIONS, "messages": MESSAGES, "notices": NOTICES}
        connection.execute(LIFE, values)
        connection.execute("select private.rebuild_conversations()")
        connection.execute("analyze")
        yield member
        connection.execute(AWAY, values)
        connection.execute("select private.rebuild_conversations()")


def element_count(page: Page) -> int:
    """The number of elements in the page."""
    return int(page.evaluate("document.querySelectorAll('main *').length"))


def scroll_until(page: Page, place: int) -> None:
    """Scroll to the end of the growing page until the row at this position is rendered."""
    page.wait_for_function(
        """place => {
          window.scrollTo(0, document.documentElement.scrollHeight)
          const drawn = [...document.querySelectorAll('main [role=listitem][aria-posinset]')]
          return drawn.some((row) => Number(row.ariaPosInSet) >= place)
        }""",
        arg=place,
        polling=POLLING_MS,
        timeout=90_000,  # a dozen pages one after the other
    )


def test_the_network_renders_visible_rows_only(stack: RunningStack, new_page: NewPage, veteran: SignedIn) -> None:
    """§2.36: a hundred cards and more scrolled through, few in the document; each page is requested once."""
    page = new_page()
    log_in(page, stack, veteran.email, "/network")
    cards = page.get_by_role("list", name="Connections").get_by_role("listitem")
    expect(cards.first).to_be_visible()
    wait_until_loaded(page)
    expect(page.get_by_role("tab", name="Connections")).to_contain_text("3,000")
    at_first = element_count(page)
    with record_requests(page) as pages:
        scroll_until(page, 160)
    assert element_count(page) < at_first + 900, (at_first, element_count(page))
    assert cards.count() < 80
    assert 5 <= len(pages) <= 8, pages  # 24 a page; one or two were there before
    assert len(set(pages)) == len(pages), pages
    # A connection removed by the other member leaves the list with one small request, without refetching the pages.
    with stack.connect() as connection, record_requests(page) as requests:
        connection.execute(
            "delete from public.connections where connected_user_id = %s and user_id = md5('veteran3')::uuid",
            (veteran.id,),
        )
        expect(page.get_by_role("tab", name="Connections")).to_contain_text("2,999")
        page.wait_for_load_state("networkidle")
    assert len(requests) <= 8, requests
    assert not set(requests) & set(pages), requests


def test_going_back_restores_the_scroll_position(stack: RunningStack, new_page: NewPage, veteran: SignedIn) -> None:
    """§2.36 §3.19: the page and the pane keep their scroll position, with the same rows."""
    page = new_page()
    log_in(page, stack, veteran.email, "/network")
    wait_until_loaded(page)
    scroll_until(page, 140)
    cards = page.get_by_role("list", name="Connections").get_by_role("listitem")
    card = page.locator("main [role=listitem][aria-posinset='138']")
    name = card.get_by_role("link").first.inner_text()
    card.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    page.go_back()
    expect(cards.filter(has=page.get_by_text(name, exact=True))).to_be_in_viewport()

    go(page, "/messages")
    wait_until_loaded(page)
    rows = page.get_by_role("list", name="Conversations").get_by_role("listitem")
    name = page.wait_for_function(
        """() => {
          const drawn = [...document.querySelectorAll('[role=list] [role=listitem][aria-posinset]')]
          const row = drawn.find((one) => one.ariaPosInSet === '64')
          const pane = drawn[0].parentElement.parentElement
          if (pane.scrollTop !== 4000) pane.scrollTop = 4000 // as far as it is loaded, which loads more
          else return row?.querySelector('b').textContent
        }""",
        polling=POLLING_MS,
    ).json_value()
    row = rows.filter(has=page.get_by_text(name, exact=True))
    expect(row).to_be_in_viewport()
    page.get_by_role("banner").get_by_role("link", name="Profile").click()
    expect(page.get_by_role("heading", name="Vera Halloran", level=1)).to_be_visible()
    page.go_back()
    expect(row).to_be_in_viewport()


def test_a_long_conversation_grows_upwards(stack: RunningStack, new_page: NewPage, veteran: SignedIn) -> None:
    """§7.19 §3.19: starts at the newest, keeps its position while older ones load, renders few of many."""
    page = new_page()
    prepare(page, stack, veteran.email)
    with stack.connect() as connection:
        row = connection.execute("select md5('veteran1')::uuid::text").fetchone()
    assert row is not None
    page.goto(f"{stack.url}/messages?with={row[0]}")
    log = page.get_by_role("log")
    newest = log.get_by_text("Message 1", exact=False).last
    expect(newest).to_be_in_viewport()
    wait_until_loaded(page)
    box = page.get_by_role("region", name="Messages", exact=True)
    with record_requests(page) as requests:
        for _ in range(6):
            with page.expect_response(lambda answer: "/messages?" in answer.url):
                box.evaluate("element => { element.scrollTop = 0 }")
            box.evaluate(
                "element => new Promise(done => { const look = () =>"
                " element.scrollTop > 400 ? done() : requestAnimationFrame(look); look() })"
            )
    assert len(requests) == 6, requests
    assert len(set(requests)) == 6, requests
    assert log.locator("[data-state]").count() < 60
    # Ben writes in the meantime: the scroll position among old messages is kept.
    at = box.evaluate("element => element.scrollTop")
    with stack.connect() as connection:
        connection.execute(
            "insert into public.messages (sender_id, recipient_id, content) values (%s, %s, 'The newest of all')",
            (row[0], veteran.id),
        )
    expect(page.get_by_text("The newest of all").first).to_be_attached()
    assert abs(box.evaluate("element => element.scrollTop") - at) < 4
    page.get_by_role("button", name="Newest").click()
    expect(log.get_by_text("The newest of all")).to_be_in_viewport()


def test_all_conversations_can_be_reached(stack: RunningStack, new_page: NewPage, veteran: SignedIn) -> None:
    """§3.19: 3,000 partners by page while scrolling, few rendered; all found by name; new messages move to the top."""
    page = new_page()
    prepare(page, stack, veteran.email)
    with expect_subscriptions(page, "messages"):
        page.goto(f"{stack.url}/messages")
    wait_until_loaded(page)
    rows = page.get_by_role("list", name="Conversations").get_by_role("listitem")
    with record_requests(page) as requests:
        page.wait_for_function(
            """() => {
              const drawn = [...document.querySelectorAll('[role=list] [role=listitem][aria-posinset]')]
              drawn.at(-1)?.scrollIntoView()
              return drawn.some((row) => Number(row.ariaPosInSet) >= 190)
            }""",
            polling=POLLING_MS,
            timeout=90_000,
        )
    pages = [one for one in requests if "rpc/conversations" in one]
    assert 5 <= len(pages) <= 7, requests  # 30 a page; one was there before
    assert rows.count() < 60

    with stack.connect() as connection:
        connection.execute(
            "insert into public.messages (sender_id, recipient_id, content)"
            " values (md5('veteran2777')::uuid, %s, 'Out of the blue')",
            (veteran.id,),
        )
    expect(page.get_by_role("banner").get_by_role("link", name=re.compile("1 unread messages"))).to_be_visible()
    rows.first.locator("..").locator("..").evaluate("pane => { pane.scrollTop = 0 }")
    expect(rows.first).to_contain_text("Veteran 2777")
    expect(rows.first).to_contain_text("Out of the blue")
    expect(rows.first).to_contain_text("1")

    search = page.get_by_label("Find a conversation")
    search.fill("ETERAN 2999")
    expect(rows.filter(has_text="Veteran 2999")).to_have_count(1)
    expect(rows).to_have_count(1)
    search.fill("%_\\' \u202e")
    expect(page.get_by_text("No conversation matches.")).to_be_visible()
    search.fill("2777")
    rows.filter(has_text="Veteran 2777").get_by_role("link").click()
    expect(page.get_by_role("log").get_by_text("Out of the blue")).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link", name="Messages", exact=True)).to_be_visible()


def test_old_notifications_load_twenty_at_a_time(stack: RunningStack, new_page: NewPage, veteran: SignedIn) -> None:
    """§7.15 §9.1 §8.17: pages of 20 by a button; a deleted one does not end the list."""
    page = new_page()
    log_in(page, stack, veteran.email, "/notifications")
    rows = page.get_by_role("list", name="Notifications").get_by_role("listitem")
    expect(rows.first).to_be_visible()
    wait_until_loaded(page)
    rows.first.get_by_role("button", name="Actions: Notice 1").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("button", name="Actions: Notice 1", exact=True)).to_have_count(0)
    page.wait_for_load_state("networkidle")

    with record_requests(page) as requests:
        for number in range(2, 9):
            # By keyboard: under the mouse the button moves while the rows above it are measured.
            page.get_by_role("button", name="Load more").press("Enter")
            scroll_until(page, 20 * number - 1)
    pages = [one for one in requests if "limit=20" in one]
    assert len(pages) == len(set(pages)) == 7, requests
    # The rows above are still measured, which moves the end of the page.
    page.wait_for_function(
        """text => {
          window.scrollTo(0, document.documentElement.scrollHeight)
          return document.querySelector('main').innerText.includes(text)
        }""",
        arg="Notice 160",
        polling=POLLING_MS,
    )
    assert rows.count() < 40
