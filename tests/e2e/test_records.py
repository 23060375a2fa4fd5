"""A record from its making to its end (§16.6), and who will use a lesson (§16.4)."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults_in_both_themes
from tests.support.member_pages import expect_subscriptions, log_in, new_member
from tests.support.members import SignedIn
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]


@pytest.fixture
def robin(stack: RunningStack) -> Iterator[SignedIn]:
    """A new member with two certifications and a lesson."""
    with new_member(stack) as member:
        rows = [{"name": "Rope Rescue Technician"}, {"name": "ACLS Provider", "expires_on": "2099-12-31"}]
        member.client.table("certifications").insert(rows, default_to_null=False).execute()
        yield member
        with stack.connect() as connection:
            connection.execute("delete from public.posts where user_id = %s", (member.id,))
            connection.execute("delete from auth.users where id = %s", (member.id,))


def test_a_record_is_shared_checked_and_turned_off(stack: RunningStack, new_page: NewPage, robin: SignedIn) -> None:
    """§16.6: PDF and JSON; anybody checks; what changed since is said; its member sees checks live and ends them."""
    owner, visitor = new_page(), new_page(width=390)
    log_in(owner, stack, robin.email, "/profile")
    owner.get_by_role("button", name="Share record").click()
    owner.get_by_role("button", name="Make a record").click()
    expect(owner.get_by_text("Your record is ready.")).to_be_visible()
    assert faults_in_both_themes(owner, is_covered=True) == []
    with owner.expect_download() as download:
        owner.get_by_role("button", name="PDF of record").click()
    assert download.value.path().read_bytes().startswith(b"%PDF-1.7")
    with owner.expect_download() as download:
        owner.get_by_role("button", name="JSON of record").click()
    file = download.value.path().read_text()
    code = json.loads(file)["check"]["code"]
    # A third person, with the code alone, in small letters and without its lines.
    visitor.goto(f"{stack.url}/verify")
    visitor.get_by_label("Code").fill("7K2Q")
    visitor.get_by_role("button", name="Check").click()
    expect(visitor.get_by_text("A code has 16 letters and digits")).to_be_visible()
    visitor.get_by_label("Code").fill(code.lower().replace("-", ""))
    visitor.get_by_role("button", name="Check").click()
    expect(visitor.get_by_role("heading", name="This record is unchanged")).to_be_visible()
    expect(visitor.get_by_text("The one certification with a date is current today.")).to_be_visible()
    assert visitor.url == f"{stack.url}/verify/{code}"
    assert visitor.locator("meta[name=robots]").get_attribute("content") == "noindex"
    assert faults_in_both_themes(visitor) == []
    for text, said in (
        (file, "The file is the record that was issued."),
        (file.replace("2099-12-31", "2100-12-31"), "The file isn’t the record that was issued."),
        ("%PDF", "That’s not a record’s JSON file."),
    ):
        name, kind = "record.json", "application/json"
        visitor.get_by_label("Compare a JSON file").set_input_files(
            {"name": name, "mimeType": kind, "buffer": text.encode()}
        )
        expect(visitor.get_by_text(said)).to_be_visible()
    # The owner's dialog was open all the time: one check, two comparisons.
    expect(owner.get_by_text("checked 3 times")).to_be_visible()
    robin.client.table("certifications").update({"expires_on": "2020-01-01"}).eq("name", "ACLS Provider").execute()
    visitor.reload()
    expect(visitor.get_by_text("Its owner has changed this entry since.")).to_be_visible()
    expect(visitor.get_by_text("2020")).to_have_count(0)
    owner.get_by_role("button", name="Turn off").click()
    owner.get_by_role("button", name="Turn off").last.click()
    expect(owner.get_by_text("You haven’t shared a record yet.")).to_be_visible()
    visitor.reload()
    expect(visitor.get_by_role("heading", name="This record was turned off")).to_be_visible()
    expect(visitor.get_by_text("Robin Castellan")).to_have_count(0)
    visitor.goto(f"{stack.url}/verify/0000-0000-0000-0000")
    expect(visitor.get_by_role("heading", name="No record has this code")).to_be_visible()
    assert faults_in_both_themes(visitor) == []


def test_the_author_sees_live_how_many_use_a_lesson(stack: RunningStack, new_page: NewPage, robin: SignedIn) -> None:
    """§16.4: by keyboard, taken back by the same key; the author sees how many and never who."""
    lesson = {"kind": "lesson", "content": "Quandrel: chock the door before the stretch."}
    (row,) = robin.client.table("posts").insert(lesson, default_to_null=False).execute().data
    assert isinstance(row, dict)
    author, reader = new_page(width=390), new_page()
    for page, email in ((author, robin.email), (reader, stack.env["DEMO_MEMBER_EMAIL"])):
        with expect_subscriptions(page, "feed"):
            log_in(page, stack, email, f"/post/{row['id']}")
    button = reader.get_by_role("button", name="I’ll use this")
    expect(author.get_by_role("button", name="will use this")).to_have_count(0)
    button.focus()
    reader.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    uses = author.get_by_role("button", name="1 member will use this")
    expect(uses).to_be_visible()
    uses.click()
    expect(author.get_by_text("so nobody is singled out")).to_be_visible()
    assert faults_in_both_themes(author) == []
    author.goto(f"{stack.url}/dashboard")
    expect(author.get_by_role("region", name="Most useful")).to_contain_text("member will use your lesson “Quandrel")
    with expect_subscriptions(author, "feed"):
        author.go_back()
    expect(uses).to_be_visible()
    reader.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    reader.keyboard.press("Tab")
    button.press(" ")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(uses).to_have_count(0)
