"""What admins do, page by page in Chromium, with its effects in the database, the mailbox and on the public site."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_admin_area import close, try_sign_in
from tests.support.admin_pages import (
    answer_dialog,
    audit_entries,
    close_dialog,
    mails_to,
    menu,
    open_menu,
    row_of,
    visit,
)
from tests.support.members import SignedIn, sign_in
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]


def test_the_admin_role_is_granted_and_revoked(stack: RunningStack, admin_page: Page, newcomer: str) -> None:
    """§2.42 §6.3: with a confirmation, both logged; the new admin's open page redirects once the role is revoked."""
    visit(admin_page, stack, f"/users?search={newcomer}")
    menu(admin_page, newcomer, "Make admin")
    expect(admin_page.get_by_role("dialog")).to_contain_text("Make Nora Newcomer an admin?")
    answer_dialog(admin_page, "Make admin")
    expect(row_of(admin_page, newcomer)).to_contain_text("Admin")
    expect(audit_entries(admin_page, f"granted the admin role to {newcomer}")).to_have_count(1)
    other = sign_in(stack, newcomer)
    assert other.client.rpc("admin_totals").execute().data
    menu(admin_page, newcomer, "Remove admin role")
    answer_dialog(admin_page, "Remove admin role")
    expect(audit_entries(admin_page, f"removed the admin role from {newcomer}")).to_have_count(1)
    assert other.client.table("waitlist").select("id").execute().data == []
    assert other.client.table("admin_audit_log").select("id").execute().data == []
    close(other)


def test_admins_cannot_change_themselves(stack: RunningStack, admin_page: Page) -> None:
    """§6.3: an admin's own row offers neither the role, nor suspension, nor deletion."""
    visit(admin_page, stack, f"/users?search={stack.env['DEMO_ADMIN_EMAIL']}")
    open_menu(admin_page, stack.env["DEMO_ADMIN_EMAIL"])
    expect(admin_page.get_by_role("menuitem", name="This is you.")).to_be_visible()
    for act in ("Remove admin role", "Suspend", "Delete account"):
        expect(admin_page.get_by_role("menuitem", name=act)).to_have_count(0)


def test_a_member_is_suspended_restored_and_deleted(stack: RunningStack, admin_page: Page, newcomer: str) -> None:
    """§2.42: signed out at once despite a valid token, then restored; deleting requires typing the address.

    Each with a confirmation, shown in the row and in the audit log.
    """
    other: SignedIn = sign_in(stack, newcomer)
    assert other.client.table("profiles").select("id").eq("id", other.id).execute().data
    visit(admin_page, stack, f"/users?search={newcomer}")
    menu(admin_page, newcomer, "Suspend")
    answer_dialog(admin_page, "Suspend")
    expect(row_of(admin_page, newcomer)).to_contain_text("Suspended")
    expect(audit_entries(admin_page, f"suspended {newcomer}").first).to_be_visible()
    assert other.client.table("profiles").select("id").eq("id", other.id).execute().data == []
    assert try_sign_in(stack, newcomer) == (400, "user_banned")
    menu(admin_page, newcomer, "Restore")
    expect(audit_entries(admin_page, f"restored {newcomer}")).to_have_count(1)
    assert try_sign_in(stack, newcomer) == (200, None)
    menu(admin_page, newcomer, "Delete account")
    expect(admin_page.get_by_role("dialog").get_by_role("button", name="Delete account")).to_be_disabled()
    admin_page.get_by_role("dialog").get_by_label(f"Type {newcomer} to confirm").fill(newcomer.upper())
    answer_dialog(admin_page, "Delete account")
    expect(audit_entries(admin_page, f"deleted {newcomer}")).to_have_count(1)
    assert other.client.table("profiles").select("id").execute().data == []
    assert try_sign_in(stack, newcomer) == (400, "invalid_credentials")
    close(other)


def test_members_are_searched_filtered_and_viewed(
    stack: RunningStack, admin_page: Page, request: pytest.FixtureRequest
) -> None:
    """§2.42: a new one appears by itself; on the server, in the URL, with counts and without any content of theirs."""
    visit(admin_page, stack, "/users")
    newcomer: str = request.getfixturevalue("newcomer")
    expect(row_of(admin_page, newcomer)).to_be_visible()
    admin_page.get_by_role("searchbox").fill(newcomer)
    expect(admin_page.get_by_role("row")).to_have_count(2)
    expect(admin_page).to_have_url(re.compile(r"search=newcomer"))
    admin_page.get_by_label("Standing").select_option("Admins")
    expect(admin_page.get_by_text("No one found")).to_be_visible()
    admin_page.get_by_label("Standing").select_option("Everyone")
    menu(admin_page, newcomer, "Details")
    details = admin_page.get_by_role("dialog")
    expect(details).to_contain_text("Messages sent")
    expect(details).to_contain_text("Nothing yet.")
    details.get_by_role("button", name="Suspend").click()
    expect(admin_page.get_by_role("dialog", name="Suspend Nora Newcomer?")).to_be_visible()
    answer_dialog(admin_page, "Cancel")
    admin_page.get_by_label("Type").select_option("Wildland")
    expect(admin_page.get_by_text("No one found")).to_be_visible()


def test_bulk_invitations_lead_to_registration(
    stack: RunningStack, admin_page: Page, new_page: NewPage, waiting: list[str]
) -> None:
    """§2.6 §2.42 §4.28: selected together, each gets a mail, whose link allows that address to register."""
    visit(admin_page, stack, f"/waitlist?search={waiting[0].split('.', 1)[1]}")
    admin_page.get_by_label("Select all on this page").check()
    admin_page.get_by_role("button", name="Invite 3").click()
    answer_dialog(admin_page, "Invite 3")
    expect(admin_page.get_by_text("3 invitations sent")).to_be_visible()
    for email in waiting:
        expect(row_of(admin_page, email)).to_contain_text("Invited")
        wait_until(lambda email=email: mails_to(stack, email))
    # Somebody who never joined is invited, too.
    guest = f"guest.{waiting[0]}"
    visit(admin_page, stack, "/users")
    admin_page.get_by_role("link", name="Invite someone").click()
    dialog = admin_page.get_by_role("dialog", name="Invite someone")
    dialog.get_by_role("textbox").fill("guest")
    dialog.get_by_role("button", name="Send invitation").click()
    expect(dialog.get_by_text("Please enter a valid email address")).to_be_visible()
    dialog.get_by_role("textbox").fill(guest)
    dialog.get_by_role("button", name="Send invitation").click()
    expect(admin_page.get_by_text(f"Invitation sent to {guest}")).to_be_visible()
    wait_until(lambda: mails_to(stack, guest))
    link = re.search(r"https?://\S+/invitation\?\S+", mails_to(stack, waiting[0])[0])
    assert link is not None
    visitor = new_page()
    visitor.goto(link[0])
    expect(visitor.get_by_label("Password").first).to_be_visible()
    expect(visitor.get_by_text(waiting[0]).or_(visitor.locator(f"input[value='{waiting[0]}']")).first).to_be_visible()


def test_feedback_is_read_answered_and_set(stack: RunningStack, admin_page: Page, newcomer: str) -> None:
    """§2.42 §3.38 §9.16: a preview of 100 characters, full text when opened, the reply by mail, the logged status."""
    text = (
        f"{uuid4().hex[:8]} " + "The roster page is slow on the station's tablet, mostly at the change of shift. " * 3
    )
    with stack.connect() as connection:
        sent = connection.execute(
            "insert into public.feedback (user_id, email, name, category, content)"
            " select p.id, p.email, p.full_name, 'bug', %s from public.profiles p where p.email = %s returning id",
            (text, newcomer),
        ).fetchone()
    assert sent is not None
    admin_page.goto(f"{stack.url}/admin/feedback?entry={sent[0]}")  # as the mail about it does
    expect(admin_page.get_by_role("dialog", name="From Nora Newcomer")).to_contain_text(text.strip())
    close_dialog(admin_page)
    expect(admin_page).to_have_url(re.compile("/admin/feedback$"))
    admin_page.keyboard.press("/")
    expect(admin_page.get_by_role("searchbox")).to_be_focused()
    admin_page.keyboard.type(text[:8])
    preview = admin_page.get_by_role("button", name=f"Read: {text[:100]}…")
    expect(preview).to_be_visible()
    preview.click()
    dialog = admin_page.get_by_role("dialog", name="From Nora Newcomer")
    expect(dialog).to_contain_text(text.strip())
    dialog.get_by_label("Your answer").fill("Thank you, it is mended.")
    dialog.get_by_role("button", name="Send").click()
    expect(admin_page.get_by_text("Answer sent")).to_be_visible()
    wait_until(lambda: any("Thank you, it is mended." in mail for mail in mails_to(stack, newcomer)))
    expect(dialog).to_have_count(0)
    expect(preview).to_be_focused()
    row = row_of(admin_page, text[:100])
    expect(row).to_contain_text("Resolved")
    preview.click()  # another admin sees what was said
    expect(dialog.get_by_role("listitem")).to_contain_text("Thank you, it is mended.")
    close_dialog(admin_page)
    menu(admin_page, text[:100], "Dismiss")
    expect(row).to_contain_text("Dismissed")
    with stack.connect() as connection:
        wait_until(
            lambda: connection.execute(
                "select 1 from public.feedback where content = %s and status = 'dismissed'", (text,)
            ).fetchone()  # fmt: skip
        )
        connection.execute("delete from public.feedback where content = %s", (text,))
