"""A training from its announcement to its cancellation, with three members at once (§12)."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.sync_api import Page, expect
from postgrest.types import ReturnMethod

from tests.support.axe import faults_in_both_themes
from tests.support.browser import go
from tests.support.member_pages import expect_toast, log_in, prepare, wait_until_loaded
from tests.support.members import SignedIn, sign_in
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]
TITLE = "Quandrel hose drill"


@pytest.fixture
def others(stack: RunningStack) -> Iterator[list[SignedIn]]:
    """Two members of the community; the training and what it caused are removed afterwards."""
    with stack.connect() as connection:
        rows = connection.execute(
            "select p.email from public.profiles as p where p.email like '%%@muster.test' and p.email not in (%s, %s)"
            " and p.privacy_settings ->> 'profile_visibility' = 'public' order by md5(p.email) limit 2",
            (stack.env["DEMO_ADMIN_EMAIL"], stack.env["DEMO_MEMBER_EMAIL"]),
        ).fetchall()
    yield [sign_in(stack, email) for (email,) in rows]
    with stack.connect() as connection:
        connection.execute("delete from public.trainings where title = %s", (TITLE,))
        connection.execute("delete from public.notifications where title like %s", (f"%{TITLE}",))
        connection.execute("delete from public.calendar_addresses")


def fill(page: Page) -> None:
    """The form of a new training, in two weeks, with one seat."""
    day = datetime.now(UTC).date() + timedelta(days=14)
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Post training").click()
    expect(dialog.get_by_label("Title")).to_be_focused()
    expect(dialog.get_by_text("Enter a place.")).to_be_visible()
    dialog.get_by_label("Title").fill(TITLE)
    dialog.get_by_label("Seats").fill("1")
    dialog.get_by_label("Starts").fill(f"{day}T08:00")
    dialog.get_by_label("Ends").fill(f"{day}T16:00")
    dialog.get_by_label("Time zone").select_option("America/Denver")
    dialog.get_by_label("State").select_option("CO")
    dialog.get_by_label("Place").fill("Station 9")
    assert faults_in_both_themes(page, is_covered=True) == []
    dialog.get_by_role("button", name="Post training").click()


def test_seats_are_taken_given_up_and_told(stack: RunningStack, new_page: NewPage, others: list[SignedIn]) -> None:
    """§12.1 §12.2 §12.4 §12.5 §11.1: all of it live; the organizer sees who comes."""
    organizer, member = new_page(width=390), new_page()
    host, third = others
    prepare(organizer, stack, host.email)
    log_in(member, stack, stack.env["DEMO_MEMBER_EMAIL"], "/trainings?where=CO&kind=drill")
    expect(member.get_by_label("Kind")).to_have_value("drill")
    wait_until_loaded(member)
    organizer.goto(f"{stack.url}/trainings")
    organizer.get_by_role("button", name="Post a training").click()
    fill(organizer)
    organizer.wait_for_url("**/trainings/*-*")
    expect(organizer.get_by_role("heading", name=TITLE, level=1)).to_be_visible()
    id = organizer.url.rpartition("/")[2]
    # Live: the list was open all the time.
    row = member.locator("[data-slot=training]").filter(has_text=TITLE)
    expect(row).to_contain_text("8 AM to 4 PM Mountain Time")
    row.get_by_role("button", name="I’m going").click()
    expect(row.get_by_role("button", name="Going")).to_be_visible()
    expect(organizer.get_by_role("heading", name="Going 1")).to_be_visible()
    going = {"training_id": id, "answer": "going"}
    third.client.table("training_attendances").insert(going, returning=ReturnMethod.minimal).execute()
    expect(row).to_contain_text("Full · 1 waiting")
    expect(organizer.get_by_role("heading", name="Waiting list 1")).to_be_visible()
    assert faults_in_both_themes(organizer) == []
    row.get_by_role("link", name=TITLE).click()
    member.get_by_role("button", name="Give up seat").click()
    # Who waited has the seat, and is told; who comes back is number one.
    expect(member.get_by_role("button", name="Join waiting list")).to_be_visible()
    told = "select title from public.notifications where user_id = %s and title like %s order by created_at"
    with stack.connect() as connection:
        titles = connection.execute(told, (third.id, f"%{TITLE}")).fetchall()
    assert titles == [(f"You have a seat: {TITLE}",)]
    member.get_by_role("button", name="Join waiting list").click()
    expect(member.get_by_text("You are number 1 on the waiting list.")).to_be_visible()
    assert faults_in_both_themes(member) == []
    with member.expect_download() as download:
        member.get_by_role("button", name="Add to calendar").click()
        member.get_by_role("menuitem", name="Apple and others").click()
    assert TITLE in download.value.path().read_text()
    organizer.get_by_role("button", name="Cancel training").click()
    organizer.get_by_role("dialog").get_by_role("button", name="Cancel training").click()
    expect_toast(organizer, "The training is canceled")
    expect(member.get_by_text("This training is canceled. Everyone who answered has been notified.")).to_be_visible()
    go(member, "/notifications")  # not the bell: who looks at the training has seen it
    expect(member.get_by_text(f"Canceled: {TITLE}")).to_be_visible()
    go(organizer, "/trainings?tab=mine")
    expect(organizer.locator("[data-slot=training]").filter(has_text=TITLE)).to_contain_text("Canceled")


def test_a_calendar_address_is_made_reset_and_turned_off(
    stack: RunningStack, new_page: NewPage, others: list[SignedIn]
) -> None:
    """§12.3 §11.1: the old address ends at once; a training is found by the search and in the next ones."""
    page = new_page(width=390)
    log_in(page, stack, others[0].email, "/trainings")
    page.get_by_role("button", name="Create my calendar link").click()
    field = page.get_by_label("Your calendar link", exact=True)
    expect(field).to_be_visible()
    first = field.input_value()
    subscribe = page.get_by_role("link", name="Subscribe")
    expect(subscribe).to_have_attribute("href", first.replace("http:", "webcal:"))
    assert httpx.get(first).text.startswith("BEGIN:VCALENDAR")
    page.get_by_role("button", name="Reset link").click()
    page.get_by_role("dialog").get_by_role("button", name="Reset link").click()
    expect(field).not_to_have_value(first)
    second = field.input_value()
    assert (httpx.get(first).status_code, httpx.get(second).status_code) == (404, 200)
    page.get_by_role("button", name="Turn off").click()
    page.get_by_role("dialog").get_by_role("button", name="Turn off").click()
    expect(page.get_by_role("button", name="Create my calendar link")).to_be_visible()
    assert httpx.get(second).status_code == 404
    go(page, "/search")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.goto(f"{stack.url}/search?q=mayday&tab=trainings")
    expect(page.get_by_role("region", name="Narrow it down")).to_be_visible(visible=page.evaluate("innerWidth >= 1100"))
    page.get_by_role("link", name="Search and mayday, live smoke").click()
    expect(page.get_by_role("heading", name="Search and mayday, live smoke", level=1)).to_be_visible()
    page.goto(f"{stack.url}/trainings/{'0' * 8}-0000-4000-8000-{'0' * 12}")
    expect(page.get_by_role("heading", name="Training not found")).to_be_visible()
