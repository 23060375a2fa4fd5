"""First steps (§16.5), the growth plan (§16.1), endorsements (§16.3) and mentors (§16.2) of a newcomer."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults_in_both_themes
from tests.support.browser import go
from tests.support.member_pages import close, expect_toast, log_in, new_member, wait_until_loaded
from tests.support.members import SignedIn, sign_in
from tests.support.rows import data_of
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]

PHOTO = """
with photo as (
  insert into public.files (user_id, bucket_id, mime_type, bytes, width, height, preview)
  values (%s, 'profile-photos', 'image/jpeg', 1, 1, 1, 'data:image/webp;base64,AAAA') returning user_id, address
)
update public.profiles as p set avatar_url = photo.address from photo where p.id = photo.user_id
"""
CONNECT = """
insert into public.connections (user_id, connected_user_id, status)
select p.id, %(me)s, 'accepted' from public.profiles as p
where p.email like '%%@muster.test' order by md5(p.email) limit %(most)s
on conflict do nothing
"""


@pytest.fixture
def robin(stack: RunningStack) -> Iterator[SignedIn]:
    """A member without a photo, a department, a certification and connections."""
    with new_member(stack) as member:
        yield member
    with stack.connect() as connection:
        connection.execute("delete from auth.users where id = %s", (member.id,))


def test_first_steps_are_done_put_away_and_over(stack: RunningStack, new_page: NewPage, robin: SignedIn) -> None:
    """§16.5: each by doing it, in place, in the profile, or by what others do meanwhile; "All set" is said once."""
    page = new_page(width=390)
    log_in(page, stack, robin.email)
    card = page.get_by_role("region", name="First steps")
    expect(card.get_by_text("0 of 5 done")).to_be_visible()
    assert faults_in_both_themes(page) == []
    card.get_by_role("button", name="Hide this").click()
    expect(card).not_to_be_visible()
    page.get_by_role("button", name="Undo").click()
    card.get_by_role("link", name="Fill them in").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Department")).to_be_focused()
    dialog.get_by_label("Rank").fill("Firefighter")
    dialog.get_by_label("Department").fill("Station 9")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).not_to_be_visible()
    expect(page).to_have_url(f"{stack.url}/profile")
    page.go_back()  # one step, to where the dialog was asked for
    expect(page).to_have_url(f"{stack.url}/feed")
    with stack.connect() as connection:
        connection.execute(PHOTO, (robin.id,))
    # On the dashboard the card asks for what is first: nothing else is named as the next step.
    go(page, "/dashboard")
    expect(card.get_by_text("2 of 5 done")).to_be_visible()
    expect(page.get_by_text("Start with the steps below.")).to_be_visible()
    expect(page.get_by_role("region", name="Do this next")).to_have_count(0)
    card.get_by_role("button", name="Add it").click()
    expect(card.get_by_text("Enter its name")).to_be_visible()
    card.get_by_label("Certification").fill("EMT")
    card.get_by_label("Expires").fill(str(datetime.now(UTC).date() + timedelta(days=400)))
    card.get_by_role("button", name="Add it").click()
    expect(card.get_by_text("3 of 5 done")).to_be_visible()
    # Live: somebody accepts meanwhile.
    wait_until_loaded(page)
    with stack.connect() as connection:
        connection.execute(CONNECT, {"me": robin.id, "most": 3})
    expect(card.get_by_text("4 of 5 done")).to_be_visible()
    card.get_by_role("link", name="Pick one").click()
    expect(page.get_by_role("region", name="First steps")).not_to_be_visible()
    with stack.connect() as connection:
        row = connection.execute(
            "select id from public.posts where kind = 'lesson' and not is_blog_post and user_id is distinct from %s"
            " order by created_at desc limit 1", (robin.id,),
        ).fetchone()  # fmt: skip
    assert row is not None
    with page.expect_response(lambda answer: answer.url.endswith("/rpc/read_first_lesson")):
        go(page, f"/post/{row[0]}")
    go(page, "/feed")
    expect(page.get_by_role("heading", name="All set")).to_be_visible()
    expect(page.get_by_text("All five first steps are done.")).to_be_visible()
    with stack.connect() as connection:
        hidden = "select 1 from private.first_steps where user_id = %s and hidden_at is not null"
        wait_until(lambda: connection.execute(hidden, (robin.id,)).fetchone() is not None)
    page.reload()
    wait_until_loaded(page)
    expect(page.get_by_role("heading", name="All set")).not_to_be_visible()


def test_a_plan_follows_the_record_and_is_shown_as_chosen(
    stack: RunningStack, new_page: NewPage, robin: SignedIn
) -> None:
    """§16.1: chosen, met, lost again; the next step is named; a connection looks at it live."""
    page, friend = new_page(width=390), new_page()
    log_in(page, stack, robin.email, "/plan")
    expect(page.get_by_role("heading", name="Where do you want to go next?")).to_be_visible()
    page.get_by_role("button", name="Choose a goal").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Company Officer")).to_be_visible()
    assert faults_in_both_themes(page, is_covered=True) == []
    dialog.get_by_role("button", name="Company Officer").click()
    expect(page.get_by_role("heading", name="On your way to Company Officer", level=1)).to_be_visible()
    step = page.get_by_role("region", name="Do this next")
    expect(step).to_contain_text("Firefighter II")
    expect(step.get_by_role("link", name="Find a training")).to_be_visible()
    robin.client.table("certifications").insert({"name": "Firefighter II", "expires_on": "2999-01-01"}).execute()
    rows = page.locator("[data-slot=requirement]")
    # Live: the certification was added elsewhere.
    expect(rows.first).to_contain_text("Met by Firefighter II, until")
    expect(step).to_contain_text("Three years in the company")
    assert faults_in_both_themes(page) == []
    page.get_by_role("button", name="Add your own").click()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Enter the requirement")).to_be_visible()
    dialog.get_by_label("Requirement").fill("Coffee with Captain Bell")
    dialog.get_by_role("button", name="Save").click()
    own = rows.filter(has_text="Coffee with Captain Bell")
    expect(own).to_be_visible()
    own.get_by_role("button").press("Enter")  # the menu, by keyboard
    page.get_by_role("menuitem", name="Mark done").press("Enter")
    expect(own).to_contain_text("Done")
    page.get_by_label("Who sees this plan").select_option("connections")
    with stack.connect() as connection:
        connection.execute(
            "insert into public.connections (user_id, connected_user_id, status)"
            " select %s, p.id, 'accepted' from public.profiles as p where p.email = %s",
            (robin.id, stack.env["DEMO_MEMBER_EMAIL"]),
        )
    log_in(friend, stack, stack.env["DEMO_MEMBER_EMAIL"], f"/profile/{robin.id}")
    card = friend.get_by_role("region", name="Growth plan")
    expect(card).to_contain_text("2 of 10 requirements met")
    expect(card).to_contain_text("Next step: Three years in the company")
    card.get_by_role("link", name="Open the plan").click()
    expect(friend.get_by_role("heading", name="Robin Castellan, on the way to Company Officer")).to_be_visible()
    expect(friend.get_by_role("button", name="More about")).to_have_count(0)
    expect(friend.get_by_role("region", name="Requirements")).to_be_visible()
    wait_until_loaded(friend)
    robin.client.table("certifications").delete().eq("user_id", robin.id).execute()
    first = friend.locator("[data-slot=requirement]").first
    expect(first).to_contain_text("No longer met: Firefighter II isn\u2019t on your record anymore.")
    assert faults_in_both_themes(friend) == []
    expect(step).to_contain_text("Firefighter II")
    go(page, "/dashboard")
    expect(page.get_by_role("region", name="Growth plan")).to_contain_text("Next step: Firefighter II")
    go(page, "/plan")
    page.get_by_role("button", name="Delete the plan").click()
    dialog.get_by_role("button", name="Delete the plan").click()
    expect(page.get_by_role("button", name="Choose a goal")).to_be_visible()
    friend.reload()
    expect(friend.get_by_role("heading", name="You can’t see this plan")).to_be_visible()


def test_admins_keep_the_list_of_goals(stack: RunningStack, new_page: NewPage) -> None:
    """§16.1: a goal is added with a requirement, taken from the offer, and deleted; the audit log says so."""
    page = new_page(width=390)
    log_in(page, stack, stack.env["DEMO_ADMIN_EMAIL"], "/admin/goals")
    page.get_by_role("button", name="Add a goal").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Please fill this in")).to_be_visible()
    dialog.get_by_label("Name").fill("Quandrel marshal")
    dialog.get_by_label("Offered to members").uncheck()
    dialog.get_by_role("button", name="Save").click()
    goal = page.locator("[data-slot=goal]").filter(has_text="Quandrel marshal")
    expect(goal).to_contain_text("Not offered")
    expect(dialog).to_have_count(0)  # while it closes, it keeps the focus
    goal.locator("summary").press("Enter")
    goal.get_by_role("button", name="Add a requirement").click()
    dialog.get_by_label("Requirement").fill("Fire Inspector II")
    dialog.get_by_role("button", name="Save").click()
    expect(goal).to_contain_text("1 requirement")
    expect(goal.get_by_role("list", name="Requirements")).to_contain_text("Fire Inspector II")
    assert faults_in_both_themes(page) == []
    goal.get_by_role("button", name="Delete", exact=True).click()
    dialog.get_by_role("button", name="Delete").click()
    expect(goal).not_to_be_visible()
    go(page, "/admin/audit")
    expect(page.get_by_text("deleted the goal").first).to_be_visible()


def test_a_connection_endorses_and_the_member_shows_it(stack: RunningStack, new_page: NewPage, robin: SignedIn) -> None:
    """§16.3: written by a connection, shown by the member, seen by others; hidden, its writer sees no difference."""
    friend, page = new_page(), new_page(width=390)
    with stack.connect() as connection:
        connection.execute("update public.profiles set specialties = '{Rope rescue}' where id = %s", (robin.id,))
        connection.execute(
            "insert into public.connections (user_id, connected_user_id, status)"
            " select %s, p.id, 'accepted' from public.profiles as p where p.email = %s",
            (robin.id, stack.env["DEMO_MEMBER_EMAIL"]),
        )
    log_in(friend, stack, stack.env["DEMO_MEMBER_EMAIL"], f"/profile/{robin.id}")
    friend.get_by_role("button", name="Endorse Robin Castellan").click()
    dialog = friend.get_by_role("dialog")
    dialog.get_by_role("button", name="Endorse").click()
    expect(dialog.get_by_text("Write one sentence")).to_be_visible()
    dialog.get_by_label("In one sentence").fill("Packs a halyard\nlike nobody else.")
    assert faults_in_both_themes(friend, is_covered=True) == []
    dialog.get_by_role("button", name="Endorse").click()
    expect_toast(friend, "Endorsement sent")
    said = friend.locator("[data-slot=endorsement]")
    expect(said).to_contain_text("Packs a halyard like nobody else.")
    log_in(page, stack, robin.email, "/notifications")
    page.get_by_text("endorsed you: Rope rescue").click()
    own = page.locator("[data-slot=endorsement]")
    expect(own).to_contain_text("Only you see it")
    own.get_by_role("button", name="Show what").press("Enter")
    expect(own).to_contain_text("Shown on your profile")
    assert faults_in_both_themes(page) == []
    admin = sign_in(stack, stack.env["DEMO_ADMIN_EMAIL"])
    seen = admin.client.table("endorsements").select("sentence").eq("member_id", robin.id)
    wait_until(lambda: data_of(seen.execute()) == [{"sentence": "Packs a halyard like nobody else."}])
    own.get_by_role("button", name="Hide what").press("Enter")
    expect(own).to_contain_text("Only you see it")
    wait_until(lambda: data_of(seen.execute()) == [])
    friend.reload()
    expect(said).to_contain_text("You wrote this")
    friend.get_by_role("button", name="Take back").click()
    dialog.get_by_role("button", name="Take back").click()
    expect(said).to_have_count(0)
    close(admin)


def test_a_connection_mentors_until_either_ends_it(stack: RunningStack, new_page: NewPage, robin: SignedIn) -> None:
    """§16.2: offered, found by topic, asked, accepted and ended, each seen by the other at once."""
    page, friend = new_page(width=390), new_page()
    with stack.connect() as connection:
        connection.execute(
            "insert into public.connections (user_id, connected_user_id, status)"
            " select %s, p.id, 'accepted' from public.profiles as p where p.email = %s",
            (robin.id, stack.env["DEMO_ADMIN_EMAIL"]),
        )
    mentor = sign_in(stack, stack.env["DEMO_ADMIN_EMAIL"])
    robin.client.rpc("choose_goal", {"kind": "rank", "title": "Engineer"}).execute()
    robin.client.table("plan_requirements").insert({"title": "Pump hours", "met_by": "tick"}).execute()
    log_in(friend, stack, stack.env["DEMO_ADMIN_EMAIL"], "/plan")
    others = friend.get_by_role("region", name="Mentoring others")
    others.get_by_role("button", name="Offer to mentor").click()
    dialog = friend.get_by_role("dialog")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("One to ten topics, each up to 50 characters")).to_be_visible()
    dialog.get_by_label("Topics").fill("Quandrel boards, Pumps")
    dialog.get_by_label("How many at a time").fill("1")
    dialog.get_by_label("A sentence for those who ask").fill("Bring two fires.")
    assert faults_in_both_themes(friend, is_covered=True) == []
    dialog.get_by_role("button", name="Save").click()
    expect(others).to_contain_text("You mentor 0 of 1 member.")

    log_in(page, stack, robin.email, "/network?tab=people&mentor=quandrel%20boards")
    expect(page.get_by_role("button", name="Remove filter Mentor: Quandrel boards")).to_be_visible()
    go(page, f"/profile/{mentor.id}")
    card = page.get_by_role("region", name="mentors")
    expect(card).to_contain_text("Quandrel boards")
    card.get_by_role("button", name="Ask").press("Enter")
    asking = page.get_by_role("dialog")
    asking.get_by_role("button", name="Send request").click()
    expect(asking.get_by_text("Write what you want help with")).to_be_visible()
    asking.get_by_label("What do you want help with?").fill("The board\nis in May.")
    assert faults_in_both_themes(page, is_covered=True) == []
    asking.get_by_role("button", name="Send request").click()
    expect_toast(page, "Request sent")
    expect(card).to_contain_text("Waiting for an answer.")
    # Live on the other side, with the words; then the plan is on both.
    expect(others).to_contain_text("is in May.")
    expect(others).not_to_contain_text("Pump hours")
    assert faults_in_both_themes(friend) == []
    others.get_by_role("button", name="Accept").press("Enter")
    expect(others).to_contain_text("Next step: Pump hours")
    expect(card).to_contain_text("has mentored you since")
    go(page, "/plan")
    yours = page.get_by_role("region", name="Your mentor")
    expect(yours).to_contain_text("Bring two fires.")
    expect(yours).to_contain_text("Sees this plan since")
    assert faults_in_both_themes(page) == []
    robin.client.table("plan_requirements").update({"is_ticked": True}).eq("user_id", robin.id).execute()
    expect(others).to_contain_text("All requirements are met.")
    others.get_by_role("link", name="Open the plan").click()
    expect(friend.get_by_role("heading", name="Robin Castellan, on the way to Engineer")).to_be_visible()
    wait_until_loaded(friend)
    yours.get_by_role("button", name="More").press("Enter")
    page.get_by_role("menuitem", name="End mentoring").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="End mentoring").click()
    expect(yours).to_contain_text("Ended")
    expect(friend.get_by_role("heading", name="You can’t see this plan")).to_be_visible()
    with stack.connect() as connection:
        connection.execute("delete from public.mentors where user_id = %s", (mentor.id,))
    close(mentor)
