"""What admins do, page by page in Chromium; what became of it in the database, the mailbox and on the public site."""

import re
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_admin_area import close, signs_in
from tests.support.desk import answer, mails_to, menu, noted, open_menu, row_of, visit
from tests.support.members import SignedIn, sign_in
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]


def test_the_admin_role_is_given_and_taken(stack: RunningStack, desk: Page, newcomer: str) -> None:
    """§2.42 §6.3: asked first, both noted; the new admin's open page is out the moment the role is taken."""
    visit(desk, stack, f"/users?search={newcomer}")
    menu(desk, newcomer, "Make admin")
    expect(desk.get_by_role("dialog")).to_contain_text("Make Nora Newcomer an admin?")
    answer(desk, "Make admin")
    expect(row_of(desk, newcomer)).to_contain_text("Admin")
    expect(noted(desk, f"gave the admin role to {newcomer}")).to_have_count(1)
    other = sign_in(stack, newcomer)
    assert other.client.rpc("admin_totals").execute().data
    menu(desk, newcomer, "Take admin role")
    answer(desk, "Take admin role")
    expect(noted(desk, f"took the admin role from {newcomer}")).to_have_count(1)
    assert other.client.table("waitlist").select("id").execute().data == []
    assert other.client.table("admin_audit_log").select("id").execute().data == []
    close(other)


def test_nobody_acts_on_themselves(stack: RunningStack, desk: Page) -> None:
    """§6.3: an admin's own row offers neither the role, nor suspension, nor deletion."""
    visit(desk, stack, f"/users?search={stack.env['DEMO_ADMIN_EMAIL']}")
    open_menu(desk, stack.env["DEMO_ADMIN_EMAIL"])
    expect(desk.get_by_role("menuitem", name="This is you.")).to_be_visible()
    for act in ("Take admin role", "Suspend", "Delete account"):
        expect(desk.get_by_role("menuitem", name=act)).to_have_count(0)


def test_a_member_is_suspended_restored_and_deleted(stack: RunningStack, desk: Page, newcomer: str) -> None:
    """§2.42: out at once with a token that holds, in again; deleting wants the address typed."""
    other: SignedIn = sign_in(stack, newcomer)
    assert other.client.table("profiles").select("id").eq("id", other.id).execute().data
    visit(desk, stack, f"/users?search={newcomer}")
    menu(desk, newcomer, "Suspend")
    answer(desk, "Suspend")
    expect(row_of(desk, newcomer)).to_contain_text("Suspended")
    assert other.client.table("profiles").select("id").eq("id", other.id).execute().data == []
    assert signs_in(stack, newcomer) == (400, "user_banned")
    menu(desk, newcomer, "Restore")
    expect(noted(desk, f"restored {newcomer}")).to_have_count(1)
    assert signs_in(stack, newcomer) == (200, None)
    menu(desk, newcomer, "Delete account")
    expect(desk.get_by_role("dialog").get_by_role("button", name="Delete account")).to_be_disabled()
    desk.get_by_role("dialog").get_by_label(f"Type {newcomer} to confirm").fill(newcomer.upper())
    answer(desk, "Delete account")
    expect(noted(desk, f"deleted {newcomer}")).to_have_count(1)
    assert other.client.table("profiles").select("id").execute().data == []
    assert signs_in(stack, newcomer) == (400, "invalid_credentials")
    close(other)


def test_members_are_searched_filtered_and_looked_at(stack: RunningStack, desk: Page, newcomer: str) -> None:
    """§2.42: on the server, in the address, with counts and never a word of theirs."""
    visit(desk, stack, "/users")
    desk.get_by_role("searchbox").fill(newcomer)
    expect(desk.get_by_role("row")).to_have_count(2)
    expect(desk).to_have_url(re.compile(r"search=newcomer"))
    desk.get_by_label("Standing").select_option("Admins")
    expect(desk.get_by_text("Nobody found")).to_be_visible()
    desk.get_by_label("Standing").select_option("Everyone")
    menu(desk, newcomer, "Details")
    details = desk.get_by_role("dialog")
    expect(details).to_contain_text("Messages sent")
    expect(details).to_contain_text("Nothing yet.")


def test_many_are_invited_and_the_mails_link_is_honored(
    stack: RunningStack, desk: Page, new_page: NewPage, waiting: list[str]
) -> None:
    """§2.6 §2.42 §4.28: chosen together, each gets a mail, and its link opens the way in for that address."""
    visit(desk, stack, f"/waitlist?search={waiting[0].split('.', 1)[1]}")
    desk.get_by_label("Select all on this page").check()
    desk.get_by_role("button", name="Invite 3").click()
    expect(desk.get_by_text("3 invitations sent")).to_be_visible()
    for email in waiting:
        expect(row_of(desk, email)).to_contain_text("Invited")
        wait_until(lambda email=email: mails_to(stack, email))
    link = re.search(r"https?://\S+/invitation\?\S+", mails_to(stack, waiting[0])[0])
    assert link is not None
    visitor = new_page()
    visitor.goto(link[0])
    expect(visitor.get_by_label("Password").first).to_be_visible()
    expect(visitor.get_by_text(waiting[0]).or_(visitor.locator(f"input[value='{waiting[0]}']")).first).to_be_visible()


def test_the_export_runs_no_formula(stack: RunningStack, desk: Page, waiting: list[str]) -> None:
    """§2.42: what the filters show, as CSV; what begins like a formula has an apostrophe before it."""
    visit(desk, stack, f"/waitlist?search={waiting[0].split('.', 1)[1]}")
    expect(desk.get_by_role("row")).to_have_count(4)
    with desk.expect_download() as download:
        desk.get_by_role("button", name="Export CSV").click()
    text = Path(download.value.path()).read_text("utf-8-sig")
    head, *lines = text.splitlines()
    assert head.startswith('"email","status","joined"')
    assert sorted(line.split(",")[0].strip('"') for line in lines) == waiting
    assert '"\'=HYPERLINK(""https://evil.test"")"' in text


def test_feedback_is_read_answered_and_set(stack: RunningStack, desk: Page, newcomer: str) -> None:
    """§2.42 §3.38 §9.16: a preview of 100 characters, the whole on opening, the answer by mail, the status noted."""
    words = (
        f"{uuid4().hex[:8]} " + "The roster page is slow on the station's tablet, mostly at the change of shift. " * 3
    )
    with stack.connect() as connection:
        connection.execute(
            "insert into public.feedback (user_id, email, name, category, content)"
            " select p.id, p.email, p.full_name, 'bug', %s from public.profiles p where p.email = %s",
            (words, newcomer),
        )
    visit(desk, stack, "/feedback?category=bug")
    preview = desk.get_by_role("button", name=f"Read: {words[:100]}…")
    expect(preview).to_be_visible()
    preview.click()
    dialog = desk.get_by_role("dialog", name="From Nora Newcomer")
    expect(dialog).to_contain_text(words.strip())
    dialog.get_by_label("Your answer").fill("Thank you, it is mended.")
    dialog.get_by_role("button", name="Send").click()
    expect(desk.get_by_text("Answer sent")).to_be_visible()
    wait_until(lambda: any("Thank you, it is mended." in mail for mail in mails_to(stack, newcomer)))
    expect(dialog).to_have_count(0)
    expect(preview).to_be_focused()
    row = row_of(desk, words[:100])
    expect(row).to_contain_text("Resolved")
    menu(desk, words[:100], "Dismiss")
    expect(row).to_contain_text("Dismissed")
    with stack.connect() as connection:
        wait_until(
            lambda: connection.execute(
                "select 1 from public.feedback where content = %s and status = 'dismissed'", (words,)
            ).fetchone()  # fmt: skip
        )
        connection.execute("delete from public.feedback where content = %s", (words,))
