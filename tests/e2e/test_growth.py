"""First steps (§16.5), with a member who has just come."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults_in_both_themes
from tests.support.member_pages import log_in, new_member, wait_until_loaded
from tests.support.members import SignedIn
from tests.support.stack import RunningStack

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
    page.goto(f"{stack.url}/feed")
    card = page.get_by_role("region", name="First steps")
    expect(card.get_by_text("0 of 5 done")).to_be_visible()
    assert faults_in_both_themes(page) == []
    card.get_by_role("button", name="Hide this").click()
    expect(card).not_to_be_visible()
    page.get_by_role("button", name="Undo").click()
    card.get_by_role("link", name="Fill them in").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Rank").fill("Firefighter")
    dialog.get_by_label("Department").fill("Station 9")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).not_to_be_visible()
    expect(page).to_have_url(f"{stack.url}/profile")
    with stack.connect() as connection:
        connection.execute(PHOTO, (robin.id,))
    # On the dashboard the card asks for people and the profile, so "Do this next" does not.
    page.goto(f"{stack.url}/dashboard")
    expect(card.get_by_text("2 of 5 done")).to_be_visible()
    expect(page.get_by_role("region", name="Do this next")).not_to_contain_text("Complete your profile")
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
            "select id from public.posts where kind = 'lesson' and not is_blog_post order by created_at desc limit 1"
        ).fetchone()
    assert row is not None
    with page.expect_response(lambda answer: answer.url.endswith("/rpc/read_first_lesson")):
        page.goto(f"{stack.url}/post/{row[0]}")
    page.goto(f"{stack.url}/feed")
    expect(page.get_by_role("heading", name="All set")).to_be_visible()
    expect(page.get_by_text("All five first steps are done.")).to_be_visible()
    with stack.connect() as connection:
        assert connection.execute(
            "select hidden_at is not null from private.first_steps where user_id = %s", (robin.id,)
        ).fetchone() == (True,)
    page.reload()
    wait_until_loaded(page)
    expect(page.get_by_role("heading", name="All set")).not_to_be_visible()
